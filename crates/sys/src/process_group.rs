//! A process group of its own for a command that `std` starts, so that it can be killed with what it started.

use std::process::{Child, Command};

/// Makes the command lead a group of its own.
#[cfg(target_os = "linux")]
pub fn lead(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Kills a command that leads a group, and has not been waited for, and what stayed in its group.
#[cfg(target_os = "linux")]
pub fn kill(leader: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // It has not been waited for, so the number is still that of its group. One that has ended by itself needs nothing.
    let _ = kill_process_group(Pid::from_child(leader), Signal::KILL);
    let _ = leader.kill();
}

/// Does nothing: a job would have to hold the command from its start.
#[cfg(windows)]
pub fn lead(_command: &mut Command) {}

/// Kills the command. Those that it started go on until the job of this process ends.
#[cfg(windows)]
pub fn kill(leader: &mut Child) {
    // One that has ended by itself needs nothing.
    let _ = leader.kill();
}
