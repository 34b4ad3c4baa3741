//! The system calls of a command, with all processes and threads that it starts. A trace is slow: nothing of it is timed.

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

/// The part of a command in which calls are counted.
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
    /// The family's part begins, which is not counted.
    Pause,
    /// The technique's part begins, also before the work: a preparation that its idea names.
    Resume,
}

/// The calls of a command, and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traced {
    /// Its end and its output. Its usage is not reported: the trace would be in it.
    pub ended: Ended,
    /// The calls by their names.
    pub calls: Vec<SystemCall>,
    /// Processes that it started while its calls were counted.
    pub processes: u64,
    /// Threads that it started while its calls were counted.
    pub threads: u64,
    /// It marked the begin and the end of its work.
    pub is_marked: bool,
}

/// Does what is the technique's inside work that is the family's: only its calls are counted.
pub fn resumed<Made>(work: impl FnOnce() -> Made) -> Made {
    mark(Edge::Resume);
    let made = work();
    mark(Edge::Pause);
    made
}

/// Does nothing: there is no trace.
#[cfg(windows)]
pub fn mark(_edge: Edge) {}

/// Returns the reading and writing calls of this process since it began.
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

/// Refuses: Windows shows no program the system calls of another one.
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
