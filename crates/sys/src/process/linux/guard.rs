//! A second process that does nothing but wait for the end of the launcher, and kills what that leaves.
//!
//! Orphans return to the launcher, so it can kill all that it started. When the launcher itself is killed, they go on to
//! the nearest process above it that takes orphans: this one. It is in a session of its own, out of reach of a signal to the
//! group. When the guard is killed, the launcher sees the end of a pipe.
//!
//! Rejected: a signal at the parent's death (`PR_SET_PDEATHSIG`) reaches only the command itself and costs a fork in place
//! of `posix_spawn`; a process namespace needs rights, and shows the command process ids that differ from those outside.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, WaitStatus, getpid, kill_process, setsid, waitpid};

use super::kill::kill_descendants;
use super::remove_groups_of_the_dead;

/// Not the program's own: a kill by that name leaves the guard, which then kills the rest.
const NAME: &std::ffi::CStr = c"bake-guard";

/// Divides this process, which must have one thread only, in two: the one that goes on, and the guard above it. Gives a descriptor
/// that is at its end when the guard is gone.
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
    let code = match end_of(launcher) {
        // What it was told to leave goes on.
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

fn end_of(launcher: i32) -> Option<WaitStatus> {
    let launcher = Pid::from_raw(launcher)?;
    let ended = rustix::io::retry_on_intr(|| waitpid(Some(launcher), WaitOptions::empty()));
    ended.ok()?.map(|(_, status)| status)
}

/// The code to end with. A kill is passed on as one, so that the program learns of it.
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

/// No signal but a kill ends the guard.
fn block_signals() {
    // SAFETY: an all-zero set is valid and filled before it is used; the old set is not asked for.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
}
