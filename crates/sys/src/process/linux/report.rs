//! What is said of a command that has ended.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use super::children::Reaper;
use super::streams::Stream;
use crate::process::{Ended, Status};

/// What had to be killed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Killed {
    /// Descendants, the command itself not included.
    pub(super) descendants: u32,
}

/// Puts the answer together. `left` descendants still run; `own_peak_bytes` is what every command starts with.
pub(super) fn report(
    status: Status,
    reaper: &Reaper,
    streams: [Stream; 2],
    elapsed_ns: u64,
    killed: Killed,
    left: u32,
    own_peak_bytes: Option<u64>,
) -> Ended {
    let mut counted_by = match reaper.ended {
        0 | 1 => "wait4: the command and every descendant that was waited for".to_owned(),
        ended => format!(
            "wait4: the command, {} that it orphaned, and every descendant that was waited for",
            ended - 1
        ),
    };
    if left > 0 {
        counted_by += &format!("; not in it: {left} that still run");
    }
    let mut usage = reaper.usage;
    if let (Some(peak), Some(own)) = (usage.peak_memory_bytes, own_peak_bytes)
        && peak <= own
    {
        usage.peak_memory_bytes = None;
        counted_by += &format!("; its peak memory is below the {} KiB that it was started from", own / 1024);
    }
    let [stdout, stderr] = streams.map(Stream::finish);
    Ended { status, elapsed_ns, usage, stdout, stderr, survivors: killed.descendants.max(left), counted_by }
}

/// Exit code or signal, from what `wait4` gave.
pub(crate) fn status_of(status: i32) -> Status {
    let status = ExitStatus::from_raw(status);
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Exit(code),
        (None, Some(number)) => Status::Signal { number, name: signal_name(number) },
        // The kernel reports an end in one of these two ways only.
        (None, None) => Status::Exit(-1),
    }
}

fn signal_name(number: i32) -> String {
    const NAMES: [&str; 31] = [
        "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
        "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
        "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
    ];
    match usize::try_from(number - 1).ok().and_then(|index| NAMES.get(index)) {
        Some(name) => format!("SIG{name}"),
        None => format!("signal {number}"),
    }
}
