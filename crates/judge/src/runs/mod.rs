//! Several runs: side by side, and one host over time.
//!
//! Runs are never paired: rounds of one were never next to rounds of another.

mod alike;
pub(crate) mod between;
pub(crate) mod by;
pub(crate) mod changed;
pub(crate) mod compare;
pub(crate) mod compare_hosts;
pub(crate) mod compare_levels;
pub(crate) mod history;
pub(crate) mod side;
