//! Waiting for children, the sum of what they used, and what is said of a command that has ended.

use std::collections::HashSet;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use model::Usage;

use super::watch::Stream;
use crate::process::{Ended, Status};
use crate::usage::system::from_rusage;

/// Puts the answer together. `killed` descendants had to be, `left` still run; `own_peak_bytes` is what every command starts with.
pub(super) fn report(
    status: Status,
    reaper: &Reaper,
    streams: [Stream; 2],
    elapsed_ns: u64,
    killed: u32,
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
    Ended { status, elapsed_ns, usage, stdout, stderr, survivors: killed.max(left), counted_by }
}

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

/// Everything that has been waited for since a command was started.
#[derive(Debug)]
pub(super) struct Reaper {
    main: i32,
    /// Children that were there before the command: their ends are none of its business.
    pub(super) earlier: HashSet<i32>,
    pub(super) status: Option<i32>,
    /// What all that ended have used, with what they themselves waited for.
    pub(super) usage: Usage,
    /// How many ended, those that their own parents waited for not included.
    pub(super) ended: u32,
}

impl Reaper {
    pub(super) fn new(main: i32, earlier: HashSet<i32>) -> Self {
        Self { main, earlier, status: None, usage: Usage::default(), ended: 0 }
    }

    /// Takes in every child that has ended by now. False when there is no child left.
    pub(super) fn reap(&mut self) -> bool {
        loop {
            let mut status = 0;
            // SAFETY: an all-zero `rusage` is valid: it consists of integers only.
            let mut raw: libc::rusage = unsafe { std::mem::zeroed() };
            // SAFETY: both places are valid for the answers. `__WALL` covers children of every kind of clone.
            let id = unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG | libc::__WALL, &raw mut raw) };
            match id {
                0 => return true,
                1.. => self.take_in(id, status, &raw),
                _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                _ => return false,
            }
        }
    }

    fn take_in(&mut self, id: i32, status: i32, raw: &libc::rusage) {
        if self.earlier.remove(&id) {
            return;
        }
        if id == self.main {
            self.status = Some(status);
        }
        self.ended += 1;
        // The kernel counts in units of 512 bytes, whatever the device has.
        let used = Usage {
            read_bytes: Some(raw.ru_inblock as u64 * 512),
            written_bytes: Some(raw.ru_oublock as u64 * 512),
            ..from_rusage(raw)
        };
        self.usage = add(&self.usage, &used);
    }
}

fn add(sum: &Usage, more: &Usage) -> Usage {
    // What the kernel does not tell of a child is not known of the tree.
    let both = sum.combined_with(*more, |sum, more| Some(sum.unwrap_or(0) + more?));
    // Processes of one tree have their peaks at different times: the largest is known, their sum is not.
    Usage { peak_memory_bytes: sum.peak_memory_bytes.max(more.peak_memory_bytes), ..both }
}
