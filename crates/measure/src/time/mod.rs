//! Where the time of a run goes.

pub(crate) mod behind;
pub(crate) mod budget;
pub(crate) mod dealing;
pub(crate) mod questions;
pub(crate) mod repetitions;
pub(crate) mod schedule;
pub(crate) mod turn_cost;
pub(crate) mod waiting;
