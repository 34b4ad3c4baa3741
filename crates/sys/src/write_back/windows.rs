//! `FlushFileBuffers`: on the volume where the user may, else on every file below the directory.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_INVALID_FUNCTION, ERROR_INVALID_HANDLE, ERROR_NOT_SUPPORTED,
};
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_BACKUP_SEMANTICS;

use crate::failure::named;
use crate::host::system::mount_point;

/// Windows keeps the number to itself.
pub(super) fn dirty_bytes() -> Option<u64> {
    None
}

/// Only an administrator may flush a volume. Others flush what they can name: the files below the directory.
pub(super) fn write_back_file_system(directory: &Path) -> io::Result<()> {
    let mount_point = mount_point(directory).map_err(|error| named(directory, error))?;
    let flushed = mount_point.strip_suffix('\\').is_some_and(|drive| {
        OpenOptions::new()
            .write(true)
            .open(format!(r"\\.\{drive}"))
            .is_ok_and(|volume| volume.sync_all().is_ok())
    });
    if flushed { Ok(()) } else { flush_below(directory) }
}

fn flush_below(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory).map_err(|error| named(directory, error))? {
        let entry = entry.map_err(|error| named(directory, error))?;
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            flush_below(&path)?;
        } else if let Ok(file) = OpenOptions::new().write(true).open(&path) {
            // A file that may not be written by this user has nothing of ours in it.
            file.sync_all().map_err(|error| named(&path, error))?;
        }
    }
    Ok(())
}

/// NTFS takes a flush of a directory; where a file system has no such thing, flushing the file made its name
/// durable already (NTFS and ReFS keep names in a journal).
pub(super) fn flush_directory(directory: &Path) -> io::Result<()> {
    let folder = open_directory(directory).map_err(|error| named(directory, error))?;
    match folder.sync_all() {
        Err(error) if !is_unknown_to_it(&error) => Err(named(directory, error)),
        _ => Ok(()),
    }
}

fn open_directory(directory: &Path) -> io::Result<File> {
    let open = |write| {
        OpenOptions::new().read(true).write(write).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(directory)
    };
    open(true).or_else(|_| open(false))
}

fn is_unknown_to_it(error: &io::Error) -> bool {
    let known = [ERROR_ACCESS_DENIED, ERROR_INVALID_FUNCTION, ERROR_INVALID_HANDLE, ERROR_NOT_SUPPORTED];
    error.raw_os_error().is_some_and(|code| known.contains(&(code as u32)))
}
