#![forbid(unsafe_code)]
//! From samples to what may be said.
//!
//! [`rank()`] judges a record, [`read_samples`] and [`rank_observations`] judge the samples of any program. Both are pure
//! functions: the same samples always give the same sentence.

mod advice;
mod answer;
mod by;
mod contest;
mod entries;
mod field;
mod flags;
mod further;
mod groups;
mod looks;
mod moved;
mod observations;
mod rank;
mod ranking;
mod read;
mod refusal;
mod sweep;
mod terms;
mod tick;
mod wording;

pub use by::{NotMeasured, compare_by};
pub use contest::{Catalogue, Description};
pub use looks::{LOOKS_RULE, are_looks};
pub use observations::{Observation, Options, rank_observations, rank_observations_with};
pub use rank::{rank, rank_with};
pub use ranking::{BestParameter, Entry, FailureLine, Flag, Group, Noise, Ranking, Standing, State};
pub use read::{ReadError, read_samples};
pub use sweep::{Sweep, break_evens};
pub use wording::{at_least, at_most};
