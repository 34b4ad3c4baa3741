//! Killing whatever descends from this process, also what is born meanwhile.

use std::collections::HashSet;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{WaitOptions, wait};

use super::processes::{Killed, living_descendants};
use crate::clock::now_ns;
use crate::process::KILL_NS;
use crate::process_stat::Process;

/// Between two tries where no descriptor tells of an end.
const AGAIN: Duration = Duration::from_millis(2);

/// Kills these processes and waits for their ends. False when none could be killed and the time is up.
pub(super) fn kill_each(living: &[Process], deadline_ns: u64) -> bool {
    let killed: Vec<Killed> = living.iter().filter_map(Process::kill).collect();
    if killed.is_empty() && now_ns() >= deadline_ns {
        return false;
    }
    let ends: Vec<OwnedFd> = killed.into_iter().filter_map(|killed| killed.end).collect();
    if ends.is_empty() {
        // No descriptor is to be had, or the process is another user's, by way of a set-user-id program, and not ours
        // to kill: it may still end by itself.
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
    let deadline_ns = now_ns() + KILL_NS;
    let mut empty_looks = 0;
    // While one look goes on, a process may move from a parent that ends to us: only the second one is sure.
    while empty_looks < 2 {
        let living = living_descendants(apart);
        empty_looks = if living.is_empty() { empty_looks + 1 } else { 0 };
        if !living.is_empty() && !kill_each(&living, deadline_ns) {
            return;
        }
        while reap && matches!(wait(WaitOptions::NOHANG), Ok(Some(_))) {}
    }
}
