#![forbid(unsafe_code)]
//! Published claims, and whether they are true here.
//!
//! A finding is a file under `findings/FAMILY/`: a claim in one sentence and comparisons in a small vocabulary. [`all`] returns
//! them, [`judge()`] judges one by kept runs: a pure function of their samples. The published figures are compared by the same
//! words as what is measured here, so that one stands next to the other.

mod finding;
mod vocabulary;

mod catalog;
pub mod published;

mod evidence;
mod levels;

mod compare;
mod effect;
mod hosts;

mod demand;
mod judged;
mod verdict;

pub use catalog::all;
pub use demand::{Demand, DemandedLevels, Which, demands};
pub use effect::{Effect, Outcome};
pub use finding::{Claim, Finding, FindingError, MeasuredWith, Processors, Publication};
pub use judged::{ALPHA, Here, KeptRun, Known, judge};
pub use verdict::{Compared, Contradiction, Judged, JudgedBy, Published, answer};
