//! Waiting for children, and the sum of what they used.

use std::collections::HashSet;

use model::Usage;

use crate::usage::linux::from_rusage;

/// Everything that has been waited for since a command was started.
#[derive(Debug)]
pub(super) struct Reaper {
    main: i32,
    /// Children that were there before the command: their ends are none of its business.
    pub(super) earlier: HashSet<i32>,
    /// The wait status of the command itself, once it has ended.
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
                _ if last_error() == libc::EINTR => {}
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
    let both = |sum: Option<u64>, more: Option<u64>| Some(sum.unwrap_or(0) + more?);
    Usage {
        user_ns: both(sum.user_ns, more.user_ns),
        system_ns: both(sum.system_ns, more.system_ns),
        minor_faults: both(sum.minor_faults, more.minor_faults),
        major_faults: both(sum.major_faults, more.major_faults),
        voluntary_switches: both(sum.voluntary_switches, more.voluntary_switches),
        involuntary_switches: both(sum.involuntary_switches, more.involuntary_switches),
        run_delay_ns: None,
        // Processes of one tree have their peaks at different times: the largest is known, their sum is not.
        peak_memory_bytes: sum.peak_memory_bytes.max(more.peak_memory_bytes),
        read_bytes: both(sum.read_bytes, more.read_bytes),
        written_bytes: both(sum.written_bytes, more.written_bytes),
    }
}

fn last_error() -> i32 {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
