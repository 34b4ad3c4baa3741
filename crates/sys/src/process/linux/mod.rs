//! `posix_spawn`, a descriptor of the process, `poll`, and `wait4` until no process is left. A guard above kills what a
//! launcher that was killed itself has left.

use std::io;
use std::os::fd::OwnedFd;

use super::{Cancel, Ended, Launch};

pub(super) mod group;
pub(super) mod guard;
pub(crate) mod kill;
mod lookup;
mod own_peak;
pub(crate) mod report;
pub(crate) mod start;
mod watch;

/// Asks for a stop as soon as there is something to read, be it the end, or the guard is gone.
#[derive(Debug)]
pub(super) struct CancelSource {
    pub(super) input: OwnedFd,
    pub(super) guard: OwnedFd,
    pub(super) already: bool,
}

/// Makes this process the one to which orphaned descendants return, so that none escapes the counting.
pub(super) fn become_reaper() -> io::Result<()> {
    // Some programs are started with this signal ignored; then the kernel would not keep a child's end for us.
    // SAFETY: the default action is no function of ours.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    // The argument is any process id: Linux takes it as a yes.
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

/// Starts a command, such as by [`std::process::Command::spawn`]. The system gives up on no start for being slow.
pub fn start_patiently<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    start()
}

pub(super) use watch::run;

/// As [`run`], inside a control group of its own where this user may make one: then the processor time of descendants that still run
/// is counted too, and that of those whose parents did not wait for them.
pub(super) fn run_in_group(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    let group = group::Group::enter();
    let mut ended = run(launch, cancel)?;
    match group {
        Ok(group) => group.count_into(&mut ended),
        Err(reason) => ended.counted_by += &format!("; without a control group, since {reason}"),
    }
    Ok(ended)
}
