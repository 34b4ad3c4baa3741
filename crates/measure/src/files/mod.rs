//! The state of the files before a process starts, and what it leaves.

pub(crate) mod output;
pub(crate) mod preparation;
