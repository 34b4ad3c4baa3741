//! `posix_spawn`, a descriptor of the process, `poll`, and `wait4` until nobody is left.

use std::io;
use std::os::fd::OwnedFd;

use super::{Cancel, Ended, Launch};

mod children;
mod own_peak;
mod processes;
mod report;
mod start;
mod streams;
mod watch;

/// Asks for a stop as soon as there is something to read, be it the end.
#[derive(Debug)]
pub(super) struct CancelSource {
    pub(super) input: OwnedFd,
    pub(super) already: bool,
}

pub(super) fn become_reaper() -> io::Result<()> {
    // The argument is any process id: Linux takes it as a yes.
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

pub(super) fn run(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    watch::run(launch, cancel)
}

pub(super) fn run_in_group(launch: &Launch, cancel: &Cancel) -> io::Result<Ended> {
    watch::run(launch, cancel)
}
