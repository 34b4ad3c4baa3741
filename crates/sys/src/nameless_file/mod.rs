//! A file that has no name until it is whole: of who is killed while it is written, nothing is left.

use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// A file to write, on the volume of this folder and with the rights of any new file. `None` where the system or the file
/// system knows none without a name, and where the folder takes no new file.
pub fn create(folder: &Path) -> Option<File> {
    system::create(folder)
}

/// Gives such a file its name.
///
/// # Errors
/// Something stands there already, or the folder takes no new file.
pub fn give_name(file: &File, path: &Path) -> io::Result<()> {
    system::give_name(file, path)
}
