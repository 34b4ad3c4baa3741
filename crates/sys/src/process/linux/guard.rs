//! Kills whatever descends from this process, also what is born meanwhile; and the guard: a second process that does nothing but wait
//! for the end of the launcher, and kills what that leaves.
//!
//! Orphans return to the launcher. When that is killed, they go on to the nearest process above it that takes orphans: the guard, in a
//! session of its own, out of reach of a signal to the group. When the guard is killed, the launcher sees the end of a pipe.
//!
//! Rejected: a signal at the parent's death (`PR_SET_PDEATHSIG`) reaches only the command itself and costs a fork instead of
//! `posix_spawn`; a process namespace needs rights, and shows the command process ids that differ from those outside.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, kill_process,
    pidfd_open, pidfd_send_signal, setsid, wait, waitid, waitpid,
};

use super::remove_groups_of_the_dead;
use crate::clock::now_ns;
use crate::process::KILL_NS;

/// Not the program's own: a kill by that name leaves the guard, which then kills the rest.
const NAME: &std::ffi::CStr = c"bake-guard";

/// Divides this process, which must have one thread only, in two: itself, and the guard above it. Returns a descriptor that is at its
/// end when the guard is gone.
pub(in crate::process) fn enter() -> io::Result<OwnedFd> {
    super::become_reaper()?;
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    // SAFETY: this process has one thread, so no lock is held by a thread that the copy lacks.
    match unsafe { libc::fork() } {
        -1 => {
            let error = io::Error::last_os_error();
            let text = format!("no further process can be started ({error}); 'ulimit -u' shows the limit");
            Err(io::Error::new(error.kind(), text))
        }
        0 => {
            drop(writer);
            let mut reader = std::fs::File::from(reader);
            // Nothing is started before the guard is ready.
            reader.read_exact(&mut [0]).map_err(|_| io::Error::other("its guard was killed at its start"))?;
            super::become_reaper()?;
            Ok(reader.into())
        }
        id => {
            drop(reader);
            guard(id, writer)
        }
    }
}

/// Waits for the end of the launcher, and ends as it did.
fn guard(launcher: i32, ready: OwnedFd) -> ! {
    block_signals();
    let _ = setsid();
    let _ = rustix::thread::set_name(NAME);
    let mut ready = std::fs::File::from(ready);
    let _ = ready.write_all(b"r");
    let ended = rustix::io::retry_on_intr(|| waitpid(Pid::from_raw(launcher), WaitOptions::empty()));
    let code = match ended.ok().flatten().map(|(_, status)| status) {
        // What it was asked to leave goes on.
        Some(status) if status.exit_status() == Some(0) => 0,
        status => {
            kill_descendants(&HashSet::new(), true);
            remove_groups_of_the_dead();
            status.map_or(1, end_code)
        }
    };
    // SAFETY: ends this process without running what the launcher may have registered for its own end.
    unsafe { libc::_exit(code) }
}

/// Returns the code to end with. A kill is passed on as one, so that the program learns of it.
fn end_code(status: WaitStatus) -> i32 {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => code,
        (None, Some(signal)) => {
            if signal == Signal::KILL.as_raw() {
                let _ = kill_process(getpid(), Signal::KILL);
            }
            128 + signal
        }
        (None, None) => 1,
    }
}

fn block_signals() {
    // SAFETY: an all-zero set is valid and filled before it is used; the old set is not asked for.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
}

/// One line of `/proc/<pid>/stat`, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: i32,
    parent: i32,
    ended: bool,
    started_ticks: u64,
}

impl Process {
    fn read(id: i32) -> Option<Self> {
        let text = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name stands in parentheses and may hold anything, parentheses and spaces too.
        let mut fields = text.get(text.rfind(')')? + 1..)?.split_ascii_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X" | "x");
        let parent = fields.next()?.parse().ok()?;
        Some(Self { id, parent, ended, started_ticks: fields.nth(17)?.parse().ok()? })
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

/// Returns whether no process with this number runs; one that was not waited for yet does not.
pub(crate) fn has_ended(id: i32) -> bool {
    Process::read(id).is_none_or(|process| process.ended)
}

/// Returns whether this process has children at all: one system call, for the usual answer no.
pub(super) fn any_children() -> bool {
    waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT).is_ok()
}

/// Returns all descendants of this process that still run, without those in `apart` and their descendants.
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
            if !apart.contains(&process.id) {
                open.push(process.id);
                found.push(process);
            }
        }
    }
    found.retain(|process| !process.ended);
    found
}

fn all() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?))
}

const RETRY_PAUSE: Duration = Duration::from_millis(2);

pub(super) fn timespec(ns: u64) -> Timespec {
    Timespec { tv_sec: (ns / 1_000_000_000) as i64, tv_nsec: (ns % 1_000_000_000) as i64 }
}

/// Kills these processes and waits for their ends. False when the time is up: one that hangs in the kernel takes every signal.
fn kill_each(living: &[Process], deadline_ns: u64) -> bool {
    if now_ns() >= deadline_ns {
        return false;
    }
    let ends: Vec<OwnedFd> = living.iter().filter_map(Process::kill).flatten().collect();
    if ends.is_empty() {
        // There is no descriptor, or a set-user-id program made the process another user's: it may still end by itself.
        std::thread::sleep(RETRY_PAUSE);
    }
    for end in &ends {
        let left_ns = deadline_ns.saturating_sub(now_ns());
        let _ = poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&timespec(left_ns)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killing_ends_once_the_time_is_up() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().expect("a program");
        let process = Process::read(child.id().cast_signed()).expect("it runs");
        assert!(!kill_each(&[process], now_ns()), "the signal can be sent as often as one likes");
        assert!(kill_each(&[process], now_ns() + KILL_NS));
        assert!(child.wait().expect("our child").code().is_none(), "killed");
    }
}
