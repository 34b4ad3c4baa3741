//! The files of a task before a process starts, and what the process leaves.
//!
//! Read in this order: `preparation.rs` (removes the output, brings the inputs into the cache or out of it, notices inputs that changed),
//! `output.rs` (looks at what was left, before it is proven).

pub(crate) mod output;
pub(crate) mod preparation;
