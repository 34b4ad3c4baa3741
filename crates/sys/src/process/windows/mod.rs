//! A job object for each command: it holds all that the command starts, counts it, and kills it as a whole.

use std::io;
use std::os::windows::io::OwnedHandle;
use std::sync::Arc;

pub(super) use crate::windows::start_patiently;
pub(super) use job::Hold;

mod job;
mod start;
mod streams;
mod watch;

/// An event that asks for a stop while it is set.
#[derive(Debug)]
pub(super) struct CancelSource {
    pub(super) event: Arc<OwnedHandle>,
}

/// A job holds orphans although no process is their parent.
#[expect(clippy::unnecessary_wraps, reason = "the same question can be refused by other systems")]
pub(super) fn become_reaper() -> io::Result<()> {
    Ok(())
}

/// Every command has a job, which is what a group is elsewhere.
pub(super) use watch::{run, run as run_in_group};
