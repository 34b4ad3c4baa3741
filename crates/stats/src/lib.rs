#![forbid(unsafe_code)]
//! Numbers in, numbers out: how samples of interleaved rounds become intervals, orders and flags.
//!
//! Everything is a pure function of the samples: no clock, no randomness but a seed that the caller gives,
//! no name of a technique. Times are positive numbers in one unit, smaller is better; a crash or a time-out
//! is `f64::INFINITY`. Ratios are kept as natural logarithms until somebody prints them.

mod assess;
mod boundaries;
mod break_even;
pub mod contest;
mod matrix;
mod noise;
mod plan;
mod power_law;
mod quantile;
mod rank;
mod runs;
mod stability;
pub mod synthetic;
mod twin;
mod usl;

pub use assess::{Assessment, Row, Rules, Standing, assess, leavers};
pub use boundaries::{Interval, boundaries, order_interval, repeated_interval};
pub use break_even::{BreakEven, break_even};
pub use matrix::Matrix;
pub use noise::{Modes, Noise, hodges_lehmann, modes, noise};
pub use plan::{
    DEEP_LOOKS, DEFAULT_LOOKS, QUICK_LOOKS, TooFew, plan_looks, rounds_to_find, rounds_to_prove,
    rounds_to_tie,
};
pub use power_law::{Growth, LocalExponent, PowerLaw, power_law, slope_difference, slopes};
pub use quantile::{log_difference, median, quantile, robust_spread};
pub use rank::{fisher_exact, kruskal_wallis, mann_whitney, ranks, spearman, wald_wolfowitz};
pub use runs::{Change, FieldChange, FieldComparison, change_between_runs, compare_fields, expected_range};
pub use stability::{Stability, stability};
pub use twin::{LEAST_DELTA, TWIN_ALPHA, TwinOutcome, effective_delta, twins_differ};
pub use usl::{NoFit, Peak, Range, Usl, UslFits, fit_usl};
