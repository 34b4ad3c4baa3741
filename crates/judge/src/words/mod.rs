//! Sentences about contests.

pub(crate) mod also_measured;
pub(crate) mod contest;
pub(crate) mod curve;
