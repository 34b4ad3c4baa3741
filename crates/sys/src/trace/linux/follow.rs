//! The tracer: from stop to stop of all processes and threads until the last one has ended.

use std::collections::HashMap;
use std::io;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use libc::{c_int, c_long, pid_t};

use super::super::Scope;
use super::counts::{Counts, Made};
use crate::process::Status;
use crate::process::system::watch::status_of;

/// The signal of a stop at a call, with what the options add to it.
const AT_CALL: c_int = libc::SIGTRAP | 0x80;

pub(super) struct Followed {
    pub(super) status: Status,
    pub(super) counts: Counts,
}

/// Follows a process that asked this thread to trace it, and has not been waited for.
pub(super) fn follow(leader: pid_t, scope: Scope, over: &AtomicBool) -> io::Result<Followed> {
    let mut follower = Follower { leader, tracees: HashMap::new(), counts: Counts::new(scope), status: None };
    loop {
        let mut status = 0;
        // Only what this thread has started or traces: other children of the process are not its business.
        // SAFETY: `status` is a valid place for the answer.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::__WNOTHREAD) };
        if pid == -1 {
            match io::Error::last_os_error() {
                error if error.kind() == io::ErrorKind::Interrupted => continue,
                error if error.raw_os_error() == Some(libc::ECHILD) => break,
                error => return Err(error),
            }
        }
        if libc::WIFSTOPPED(status) {
            if over.load(Ordering::Relaxed) || follower.status.is_some() {
                kill(pid);
            } else {
                follower.stopped(pid, status)?;
            }
        } else {
            follower.ended(pid, status);
        }
    }
    let status = follower.status.ok_or_else(|| io::Error::other("its end was seen by another part"))?;
    Ok(Followed { status, counts: follower.counts })
}

struct Follower {
    leader: pid_t,
    /// The processes and threads that are traced, each with the call that it is in, where that is counted.
    tracees: HashMap<pid_t, Option<Made>>,
    counts: Counts,
    status: Option<Status>,
}

impl Follower {
    /// Forgets a process that has ended. What the command leaves running ends with it.
    fn ended(&mut self, pid: pid_t, status: c_int) {
        if let Some(made) = self.tracees.remove(&pid).flatten() {
            self.counts.did_not_return(&made);
        }
        if pid == self.leader {
            self.status = Some(status_of(status));
            self.tracees.keys().for_each(|&left| kill(left));
        }
    }

    fn stopped(&mut self, pid: pid_t, status: c_int) -> io::Result<()> {
        let (signal, event) = (libc::WSTOPSIG(status), status >> 16);
        let is_new = !self.tracees.contains_key(&pid);
        if is_new {
            self.tracees.insert(pid, None);
            if pid == self.leader {
                self.set_options()?;
                if signal == libc::SIGTRAP {
                    self.counts.started_program();
                }
            }
        }
        let delivered = match signal {
            // The stop with which every tracee begins.
            libc::SIGTRAP | libc::SIGSTOP if is_new => 0,
            AT_CALL => self.at_call(pid).map(|()| 0)?,
            libc::SIGTRAP if event != 0 => {
                self.event(pid, event);
                0
            }
            signal => signal,
        };
        resume(pid, delivered);
        Ok(())
    }

    fn set_options(&self) -> io::Result<()> {
        let options = libc::PTRACE_O_TRACESYSGOOD
            | libc::PTRACE_O_TRACECLONE
            | libc::PTRACE_O_TRACEFORK
            | libc::PTRACE_O_TRACEVFORK
            | libc::PTRACE_O_TRACEEXEC
            | libc::PTRACE_O_EXITKILL;
        let options = c_long::from(options);
        // SAFETY: the process is stopped and ours to trace; the request takes a number and no address.
        match unsafe { libc::ptrace(libc::PTRACE_SETOPTIONS, self.leader, null_mut::<()>(), options) } {
            -1 => Err(stopped_for_good(self.leader, io::Error::last_os_error())),
            _ => Ok(()),
        }
    }

    fn event(&mut self, pid: pid_t, event: c_int) {
        let counted = u64::from(self.counts.is_counting());
        match event {
            libc::PTRACE_EVENT_CLONE => self.counts.threads += counted,
            libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_VFORK => self.counts.processes += counted,
            libc::PTRACE_EVENT_EXEC => {
                // A thread that starts a program becomes the first one of its process; it had another number before.
                if let Some(before) = message_of(pid).filter(|&before| before != pid)
                    && let Some(tracee) = self.tracees.remove(&before)
                {
                    self.tracees.insert(pid, tracee);
                }
            }
            _ => {}
        }
    }

    fn at_call(&mut self, pid: pid_t) -> io::Result<()> {
        let Some(info) = call_at(pid)? else { return Ok(()) };
        let Some(inside) = self.tracees.get_mut(&pid) else { return Ok(()) };
        match info.op {
            libc::PTRACE_SYSCALL_INFO_ENTRY => {
                // SAFETY: the kernel has filled this part of the union when it says that a call begins.
                let entry = unsafe { info.u.entry };
                *inside = self.counts.began(info.arch, entry.nr, &entry.args);
            }
            libc::PTRACE_SYSCALL_INFO_EXIT => {
                // SAFETY: the kernel has filled this part of the union when it says that a call is over.
                let exit = unsafe { info.u.exit };
                if let Some(made) = inside.take() {
                    self.counts.returned(&made, exit.sval, exit.is_error != 0);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Returns what the call is at which a process has stopped; `None` where the process is gone meanwhile.
fn call_at(pid: pid_t) -> io::Result<Option<libc::ptrace_syscall_info>> {
    let mut info = MaybeUninit::<libc::ptrace_syscall_info>::zeroed();
    let bytes = size_of::<libc::ptrace_syscall_info>();
    // SAFETY: the place is as large as said.
    if unsafe { libc::ptrace(libc::PTRACE_GET_SYSCALL_INFO, pid, bytes, info.as_mut_ptr()) } == -1 {
        return match io::Error::last_os_error() {
            error if error.raw_os_error() == Some(libc::ESRCH) => Ok(None),
            error => Err(stopped_for_good(pid, error)),
        };
    }
    // SAFETY: all zeros are a valid value of numbers, and the kernel has written what it knows over them.
    Ok(Some(unsafe { info.assume_init() }))
}

fn message_of(pid: pid_t) -> Option<pid_t> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the place is a valid one for the number.
    let answer = unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, pid, null_mut::<()>(), &raw mut message) };
    (answer != -1).then_some(message as pid_t)
}

/// Lets it run to the next call. One that was killed meanwhile cannot, and its end is reported like any other.
fn resume(pid: pid_t, signal: c_int) {
    let signal = c_long::from(signal);
    // SAFETY: the request takes numbers only.
    unsafe { libc::ptrace(libc::PTRACE_SYSCALL, pid, null_mut::<()>(), signal) };
}

fn kill(pid: pid_t) {
    // SAFETY: a process or thread that this thread traces and has not waited for: its number is its own.
    unsafe { libc::syscall(libc::SYS_tkill, pid, libc::SIGKILL) };
}

/// Kills a process after an error with which nothing can be followed any more: none may stay stopped.
fn stopped_for_good(pid: pid_t, error: io::Error) -> io::Error {
    kill(pid);
    error
}
