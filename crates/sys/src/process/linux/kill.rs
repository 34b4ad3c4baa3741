//! Who descends from whom, read from `/proc`, and killing whatever descends from this process, also what is born meanwhile.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, pidfd_open,
    pidfd_send_signal, wait, waitid,
};

use crate::clock::now_ns;
use crate::process::KILL_NS;

/// One line of `/proc/<pid>/stat`, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: i32,
    parent: i32,
    ended: bool,
    started_ticks: u64,
}

impl Process {
    /// Reads the line of a process; `None` where there is none with this number.
    fn read(id: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name stands in parentheses and may hold anything, parentheses and spaces too.
        let mut fields = text.get(text.rfind(')')? + 1..)?.split_ascii_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X" | "x");
        let parent = fields.next()?.parse().ok()?;
        let started_ticks = fields.nth(17)?.parse().ok()?;
        Some(Self { id, parent, ended, started_ticks })
    }

    /// Kills the process, and no other that got its number meanwhile. Gives what to wait on, where the system gives it.
    fn kill(&self) -> Option<Option<OwnedFd>> {
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
        Some(end)
    }
}

/// Whether no process with this number runs; one that was not waited for yet does not.
pub(crate) fn has_ended(id: i32) -> bool {
    Process::read(id).is_none_or(|process| process.ended)
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

/// Between two tries where no descriptor tells of an end.
const AGAIN: Duration = Duration::from_millis(2);

/// Kills these processes and waits for their ends. False when none could be killed and the time is up.
fn kill_each(living: &[Process], deadline_ns: u64) -> bool {
    let killed: Vec<Option<OwnedFd>> = living.iter().filter_map(Process::kill).collect();
    if killed.is_empty() && now_ns() >= deadline_ns {
        return false;
    }
    let ends: Vec<OwnedFd> = killed.into_iter().flatten().collect();
    if ends.is_empty() {
        // There is no descriptor, or a set-user-id program made the process another user's: it may still end by itself.
        std::thread::sleep(AGAIN);
    }
    for end in &ends {
        let left_ns = deadline_ns.saturating_sub(now_ns());
        let timeout = Timespec { tv_sec: (left_ns / 1_000_000_000) as i64, tv_nsec: 0 };
        let _ = poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&timeout));
    }
    true
}

/// Kills all descendants of this process but those `apart` and what descends from them, and takes in their ends if asked to.
pub(in crate::process) fn kill_descendants(apart: &HashSet<i32>, reap: bool) {
    kill_all(|| {
        while reap && matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
        living_descendants(apart)
    });
}

/// Kills what a look finds until nothing is found any more, also what is born meanwhile, or the time is up.
pub(super) fn kill_all(mut look: impl FnMut() -> Vec<Process>) {
    let deadline_ns = now_ns() + KILL_NS;
    let mut empty_looks = 0;
    // While one look goes on, a process may move from a parent that ends to us: only the second one is sure.
    while empty_looks < 2 {
        let living = look();
        empty_looks = if living.is_empty() { empty_looks + 1 } else { 0 };
        if !living.is_empty() && !kill_each(&living, deadline_ns) {
            return;
        }
    }
}
