#![forbid(unsafe_code)]
//! From samples to what may be said.
//!
//! [`rank`] judges a record, [`read_samples`] and [`rank_observations`] judge anybody's samples. Both are pure
//! functions: the same samples always give the same sentence.

mod contest;
mod decide;
mod flags;
mod observations;
mod parameters;
mod places;
mod rank;
mod ranking;
mod read;
mod refusal;
mod sweep;
mod wording;

pub use observations::{Observation, Options, rank_observations};
pub use rank::rank;
pub use ranking::{BestParameter, FailureLine, Flag, Noise, Place, Ranking, Standing, Verdict};
pub use read::{ReadError, read_samples};
pub use sweep::{Sweep, break_evens};
