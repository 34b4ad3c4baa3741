//! Sentences about contests.

pub(crate) mod also;
pub(crate) mod contest;
pub(crate) mod curve;
