#![forbid(unsafe_code)]
//! Numbers in, numbers out: how samples of interleaved rounds become intervals, orders and flags.
//!
//! Everything is a pure function of the samples: no clock, no randomness but a seed that the caller gives,
//! no name of a technique. Times are positive numbers in one unit, smaller is better; a crash or a time-out
//! is `f64::INFINITY`. Ratios are kept as natural logarithms until they are printed.

pub mod contest;
mod matrix;
mod noise;
mod power_law;
mod quantile;
mod rank;
mod runs;
pub mod synthetic;
mod usl;

pub use matrix::Matrix;
pub use noise::{Modes, Noise, modes, noise};
pub use power_law::slopes;
pub use quantile::{log_difference, median, quantile, robust_spread};
pub use rank::{mann_whitney, spearman};
pub use runs::{
    FieldChange, FieldComparison, LEAST_HISTORY, change_between_runs, compare_fields, expected_range, mean,
    variance,
};
pub use usl::{Usl, fit_usl};
