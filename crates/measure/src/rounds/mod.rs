//! The loop: round after round until every contest is over or the time is.
//!
//! Read in this order: `coordinator.rs` (the rounds), `folders.rs` (where inputs and outputs lie), `facts.rs` (what a run finds
//! out that is no contest, and what a reader must know), `canary.rs` (how the host moved), `free_memory.rs` (memory kept during the run).

pub(crate) mod canary;
pub(crate) mod coordinator;
pub(crate) mod facts;
pub(crate) mod folders;
pub(crate) mod free_memory;
