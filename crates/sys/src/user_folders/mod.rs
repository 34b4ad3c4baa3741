//! Where programs keep what they keep for a user.

use std::path::PathBuf;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// The folders of one program; neither has to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFolders {
    /// What the user wants to keep.
    pub data: PathBuf,
    /// What the program has to know when it starts again.
    pub state: PathBuf,
}

/// The folders of `program` for the user who runs it, or `None` where no home directory is known.
pub fn of_program(program: &str) -> Option<UserFolders> {
    system::of_program(program)
}
