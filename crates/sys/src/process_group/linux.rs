//! The group that `setpgid` makes.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process_group};

pub(super) fn lead(command: &mut Command) {
    command.process_group(0);
}

pub(super) fn kill_group(leader: &Child) {
    // It has not been waited for, so the number is still that of its group.
    let _ = kill_process_group(Pid::from_child(leader), Signal::KILL);
}
