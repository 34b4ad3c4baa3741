//! Which system calls a command makes, with all processes and threads that it starts.
//!
//! Every call is stopped twice on its way, so that a trace takes a multiple of the time of the work: nothing of it is timed.

#[cfg(windows)]
use std::{io, sync::atomic::AtomicBool};

#[cfg(windows)]
use model::CallCounters;
use model::SystemCall;

use crate::process::Ended;
#[cfg(windows)]
use crate::process::Launch;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::{check, counters, mark, run};

/// Which calls of a command are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// All, the one that starts its program included.
    #[default]
    Whole,
    /// Those begun between [`Edge::Begin`] and [`Edge::End`], and those between [`Edge::Resume`] and [`Edge::Pause`].
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
    /// How it ended and what it printed. What it used is not reported: the trace would be in it.
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

/// Does what is the technique's inside work that is the family's: only its calls are counted.
pub fn resumed<Made>(work: impl FnOnce() -> Made) -> Made {
    mark(Edge::Resume);
    let made = work();
    mark(Edge::Pause);
    made
}

/// There is no trace in which it could be seen.
#[cfg(windows)]
pub fn mark(_edge: Edge) {}

/// The reading and writing calls of this process since it began.
#[cfg(windows)]
pub fn counters() -> CallCounters {
    let Some(counters) = crate::usage::system::io_counters() else { return CallCounters::default() };
    CallCounters {
        read_calls: Some(counters.ReadOperationCount),
        write_calls: Some(counters.WriteOperationCount),
        other_calls: Some(counters.OtherOperationCount),
        read_bytes: Some(counters.ReadTransferCount),
        written_bytes: Some(counters.WriteTransferCount),
    }
}

/// Windows shows no program the system calls of another one.
#[cfg(windows)]
pub fn check() -> io::Result<()> {
    let text = "Windows shows no program the system calls of another one";
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

/// Never starts anything: see [`check`].
#[cfg(windows)]
pub fn run(_launch: &Launch, _scope: Scope, _interrupted: &AtomicBool) -> io::Result<Traced> {
    check().and(Err(io::ErrorKind::Unsupported.into()))
}
