//! Who descends from whom, read from `/proc`.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::fd::OwnedFd;

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, getpid, kill_process, pidfd_open, pidfd_send_signal,
    waitid,
};

use crate::process_stat::Process;

impl Process {
    /// Kills the process, and no other that got its number meanwhile.
    pub(super) fn kill(&self) -> Option<Killed> {
        let id = Pid::from_raw(self.id)?;
        let end = pidfd_open(id, PidfdFlags::empty()).ok();
        if Self::read(self.id)?.started_ticks != self.started_ticks {
            return None;
        }
        let sent = end.as_ref().is_some_and(|end| pidfd_send_signal(end, Signal::KILL).is_ok());
        // A filter of system calls may deny either call on descriptors.
        if !sent {
            kill_process(id, Signal::KILL).ok()?;
        }
        Some(Killed { end })
    }
}

/// A process that was told to end.
#[derive(Debug)]
pub(super) struct Killed {
    /// What to wait on, where the system gives it.
    pub(super) end: Option<OwnedFd>,
}

/// Whether this process has children at all: one system call, for the usual answer no.
pub(super) fn any_children() -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, look).is_ok()
}

/// All descendants of this process that still run, without those in `apart` and their descendants.
pub(super) fn living_descendants(apart: &HashSet<i32>) -> Vec<Process> {
    if !any_children() {
        return Vec::new();
    }
    let mut children: HashMap<i32, Vec<Process>> = HashMap::new();
    for process in all() {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found = Vec::new();
    let mut open = vec![getpid().as_raw_nonzero().get()];
    while let Some(parent) = open.pop() {
        for &process in children.get(&parent).map_or(&[][..], Vec::as_slice) {
            if apart.contains(&process.id) {
                continue;
            }
            open.push(process.id);
            if !process.ended {
                found.push(process);
            }
        }
    }
    found
}

fn all() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?))
}
