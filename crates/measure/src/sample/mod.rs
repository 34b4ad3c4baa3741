//! From one process to one sample or one failure.
//!
//! The runner is one type with four pages, each of which uses only those before it:
//! `runner.rs` starts a process and says how long it may take; `file_work.rs` makes, restores and proves files; `reading.rs` turns one
//! process into a sample; `turn.rs` takes one turn of a round, with what is done untimed before it, or a session of techniques that
//! share a process.
//!
//! Next to them stand pure functions: `launch.rs` (how a process is started), `outcome.rs` (what its end means).

pub(crate) mod file_work;
pub(crate) mod launch;
pub(crate) mod outcome;
pub(crate) mod reading;
pub(crate) mod runner;
pub(crate) mod turn;
