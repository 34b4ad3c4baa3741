//! From one process to one sample or one failure: `runner.rs` starts a process and limits its time, `file_work.rs` makes, restores
//! and proves files, `reading.rs` turns a process into a sample, `turn.rs` takes one turn of a round; `launch.rs` says how a
//! process is started, `outcome.rs` what its end means.

pub(crate) mod file_work;
pub(crate) mod launch;
pub(crate) mod outcome;
pub(crate) mod reading;
pub(crate) mod runner;
pub(crate) mod turn;
