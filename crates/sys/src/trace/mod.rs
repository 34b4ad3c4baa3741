//! Which system calls a command makes, with all processes and threads that it starts.
//!
//! Every call is stopped twice on its way, so that a trace takes a multiple of the time of the work: nothing of it is timed.

use std::io;
use std::sync::atomic::AtomicBool;

use model::{CallCounters, SystemCall};

use crate::process::{Ended, Launch};

#[cfg_attr(target_os = "linux", path = "linux/mod.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

/// Which calls of a command are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All, the one that starts its program included.
    Whole,
    /// Those that any of its threads begins between [`Edge::Begin`] and [`Edge::End`], and those between [`Edge::Resume`] and
    /// [`Edge::Pause`].
    Marked,
}

/// An edge of what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The work begins.
    Begin,
    /// It is over, and nothing is counted any more.
    End,
    /// What follows is the family's, and not the technique's: it is not counted.
    Pause,
    /// What follows is the technique's, also before the work begins: a preparation that its idea names.
    Resume,
}

/// What a command did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// How it ended and what it printed. What it used is not told: the trace would be in it.
    pub ended: Ended,
    /// The calls by their names.
    pub calls: Vec<SystemCall>,
    /// Processes that it started while its calls were counted.
    pub processes: u64,
    /// Threads that it started while its calls were counted.
    pub threads: u64,
    /// Whether it marked the begin and the end of its work.
    pub is_marked: bool,
}

/// Marks an edge in this process, by a call that the kernel does not know and that changes nothing. Costs a
/// microsecond where no trace is taken.
pub fn mark(edge: Edge) {
    system::mark(edge);
}

/// Does what is the technique's inside work that is the family's: only its calls are counted.
pub fn resumed<Made>(work: impl FnOnce() -> Made) -> Made {
    mark(Edge::Resume);
    let made = work();
    mark(Edge::Pause);
    made
}

/// The reading and writing calls of this process, and on Linux of the children that it has waited for, since it began.
pub fn counters() -> CallCounters {
    system::counters()
}

/// Whether a command can be traced here, found out by tracing a small process.
pub fn check() -> io::Result<()> {
    system::check()
}

/// Starts a command and counts its calls until it ends; what it leaves running then is killed, and so is everything once
/// `interrupted` becomes true or its time is over. Of the launch are heeded: program, arguments, environment, directory,
/// input and time limit. What it prints is kept whole.
pub fn run(launch: &Launch, scope: Scope, interrupted: &AtomicBool) -> io::Result<Traced> {
    system::run(launch, scope, interrupted)
}
