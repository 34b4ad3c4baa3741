//! Data that programs have written and the device has not got yet.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::failure::named;

/// Returns the bytes of the whole machine that wait to be written or are being written now.
#[cfg(target_os = "linux")]
pub fn dirty_bytes() -> Option<u64> {
    use crate::host::system::{number_after, text};
    let text = text("/proc/meminfo")?;
    Some((number_after(&text, "Dirty:")? + number_after(&text, "Writeback:")?) * 1024)
}

/// Returns nothing: Windows keeps the number to itself.
#[cfg(windows)]
pub fn dirty_bytes() -> Option<u64> {
    None
}

/// Writes back the file system that holds `directory` unless the machine says that at most `below_bytes` are dirty.
pub fn settle(directory: &Path, below_bytes: u64) -> io::Result<()> {
    if dirty_bytes().is_some_and(|bytes| bytes <= below_bytes) {
        return Ok(());
    }
    write_back_file_system(directory)
}

#[cfg(target_os = "linux")]
fn write_back_file_system(directory: &Path) -> io::Result<()> {
    let done = File::open(directory).and_then(|folder| Ok(rustix::fs::syncfs(&folder)?));
    done.map_err(|error| named(directory, error))
}

/// Makes the names in `directory` durable (not the data of its files).
#[cfg(target_os = "linux")]
pub fn flush_directory(directory: &Path) -> io::Result<()> {
    File::open(directory).and_then(|folder| folder.sync_all()).map_err(|error| named(directory, error))
}

/// Flushes the volume, which only an administrator may. Others flush what they can name: the files below the directory.
#[cfg(windows)]
fn write_back_file_system(directory: &Path) -> io::Result<()> {
    let mount_point = crate::host::system::mount_point(directory).map_err(|error| named(directory, error))?;
    let volume = mount_point.strip_suffix('\\').map(|drive| format!(r"\\.\{drive}"));
    let volume = volume.and_then(|path| File::options().write(true).open(path).ok());
    let flushed = volume.is_some_and(|volume| volume.sync_all().is_ok());
    if flushed { Ok(()) } else { flush_below(directory) }
}

#[cfg(windows)]
fn flush_below(directory: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(directory).map_err(|error| named(directory, error))? {
        let entry = entry.map_err(|error| named(directory, error))?;
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            flush_below(&path)?;
        } else if let Ok(file) = File::options().write(true).open(&path) {
            // A file that may not be written by this user has nothing of ours in it.
            file.sync_all().map_err(|error| named(&path, error))?;
        }
    }
    Ok(())
}

/// Makes the names in `directory` durable (not the data of its files). Where a file system refuses the flush of a directory, flushing
/// the file made its name durable already (NTFS and ReFS keep names in a journal).
#[cfg(windows)]
pub fn flush_directory(directory: &Path) -> io::Result<()> {
    let folder = open_directory(directory).map_err(|error| named(directory, error))?;
    match folder.sync_all() {
        Err(error) if !is_unknown(&error) => Err(named(directory, error)),
        _ => Ok(()),
    }
}

#[cfg(windows)]
fn open_directory(directory: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_BACKUP_SEMANTICS;
    let mut options = File::options();
    options.read(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS);
    options.write(true).open(directory).or_else(|_| options.write(false).open(directory))
}

#[cfg(windows)]
fn is_unknown(error: &io::Error) -> bool {
    use windows_sys::Win32::Foundation::{
        ERROR_ACCESS_DENIED, ERROR_INVALID_FUNCTION, ERROR_INVALID_HANDLE, ERROR_NOT_SUPPORTED,
    };
    let known = [ERROR_ACCESS_DENIED, ERROR_INVALID_FUNCTION, ERROR_INVALID_HANDLE, ERROR_NOT_SUPPORTED];
    error.raw_os_error().is_some_and(|code| known.contains(&(code as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_written_back_and_a_missing_one_named() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("data"), vec![1; 1 << 20]).expect("written");
        flush_directory(folder.path()).expect("a directory");
        settle(folder.path(), 0).expect("a directory");
        let missing = Path::new("/no/such/directory");
        let refused = flush_directory(missing).expect_err("nothing there");
        assert!(refused.to_string().contains("/no/such/directory"), "{refused}");
        // This many bytes are never dirty: nothing is done, and nothing is wrong.
        if dirty_bytes().is_some() {
            settle(missing, u64::MAX).expect("nothing to do");
        }
    }
}
