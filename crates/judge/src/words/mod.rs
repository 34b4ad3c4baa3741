//! Sentences about contests.

pub(crate) mod contest;
pub(crate) mod curve;
pub(crate) mod flush;
pub(crate) mod processors;
