//! A process group of its own for a command that `std` starts, so that it can be killed with what it started.

use std::process::{Child, Command};

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// The command will lead a group of its own.
pub fn lead(command: &mut Command) {
    system::lead(command);
}

/// Kills a command that leads a group, and has not been waited for, and what stayed in its group. On Windows those that it
/// started go on until the job of this process ends.
pub fn kill(leader: &mut Child) {
    system::kill_group(leader);
    // It has been killed already, or it has no group; one that has ended by itself needs nothing.
    let _ = leader.kill();
}
