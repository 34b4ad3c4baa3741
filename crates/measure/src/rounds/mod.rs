//! The loop: round after round until every contest is over or the time is.

pub(crate) mod canary;
pub(crate) mod coordinator;
pub(crate) mod facts;
pub(crate) mod folders;
pub(crate) mod free_memory;
