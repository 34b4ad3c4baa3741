#![forbid(unsafe_code)]
//! From samples to what may be said.

mod ranking;

pub use ranking::{BestParameter, FailureLine, Flag, Noise, Place, Ranking, Standing, Verdict};
