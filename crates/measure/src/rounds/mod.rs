//! The loop: round after round until every contest is over or the time is.
//!
//! `coordinator.rs` walks the rounds, `folders.rs` makes inputs, `facts.rs` has facts and notes, `canary.rs` shows what the host does.

pub(crate) mod canary;
pub(crate) mod coordinator;
pub(crate) mod facts;
pub(crate) mod folders;
pub(crate) mod free_memory;
