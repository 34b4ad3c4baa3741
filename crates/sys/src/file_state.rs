//! The state of a file from outside, by which a change or replacement shows.

use std::io;
use std::path::Path;

/// A file as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    /// It is a regular file, and no link to one.
    pub is_regular: bool,
    /// Its length.
    pub bytes: u64,
    /// Time of the last write, which its owner may set. Nanoseconds on the clock of the file system.
    pub written_ns: i128,
    /// Its number in the file system: another one for a file that took its place.
    pub number: u64,
    /// Time of the last change of the file or of anything kept about it; no program sets it. On the same clock.
    pub changed_ns: i128,
}

impl FileState {
    /// Returns whether both have the same kind, length and time of the last write.
    pub fn looks_like(&self, other: &Self) -> bool {
        (self.is_regular, self.bytes, self.written_ns) == (other.is_regular, other.bytes, other.written_ns)
    }
}

/// Looks at a file, and not at what a link leads to.
#[cfg(target_os = "linux")]
pub fn of(path: &Path) -> io::Result<FileState> {
    use std::os::unix::fs::MetadataExt;
    let seen = std::fs::symlink_metadata(path)?;
    Ok(FileState {
        is_regular: seen.is_file(),
        bytes: seen.len(),
        written_ns: i128::from(seen.mtime()) * 1_000_000_000 + i128::from(seen.mtime_nsec()),
        number: seen.ino(),
        changed_ns: i128::from(seen.ctime()) * 1_000_000_000 + i128::from(seen.ctime_nsec()),
    })
}

/// Looks at a file, and not at what a link leads to. The standard library does not report the time of the last change.
#[cfg(windows)]
pub fn of(path: &Path) -> io::Result<FileState> {
    use std::os::windows::fs::OpenOptionsExt;
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Storage::FileSystem::{
        FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT, FILE_BASIC_INFO, FILE_FLAG_BACKUP_SEMANTICS,
        FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES, FileBasicInfo, GetFileInformationByHandleEx,
    };

    use crate::windows::{checked, information_of};

    /// The system counts time in units of 100 ns.
    const UNIT_NS: i128 = 100;
    let mut options = std::fs::OpenOptions::new();
    options.access_mode(FILE_READ_ATTRIBUTES);
    options.custom_flags(FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(path)?;
    let seen = information_of(&file)?;
    let mut times = FILE_BASIC_INFO::default();
    // SAFETY: the handle is open; the structure to be filled has the size that is reported and lives through the call.
    checked(unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            FileBasicInfo,
            (&raw mut times).cast(),
            size_of::<FILE_BASIC_INFO>() as u32,
        )
    })?;
    let special = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
    Ok(FileState {
        is_regular: seen.dwFileAttributes & special == 0,
        bytes: u64::from(seen.nFileSizeHigh) << 32 | u64::from(seen.nFileSizeLow),
        written_ns: i128::from(times.LastWriteTime) * UNIT_NS,
        number: u64::from(seen.nFileIndexHigh) << 32 | u64::from(seen.nFileIndexLow),
        changed_ns: i128::from(times.ChangeTime) * UNIT_NS,
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    fn place() -> (tempfile::TempDir, std::path::PathBuf, FileState) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "before").expect("written");
        let state = of(&path).expect("there");
        (folder, path, state)
    }

    #[test]
    fn a_file_stays_as_it_is_until_another_takes_its_place() {
        let (folder, path, state) = place();
        assert!(state.is_regular && state.bytes == 6);
        fs::read(&path).expect("readable");
        assert_eq!(of(&path).expect("there"), state);
        let other = folder.path().join("other");
        assert!(of(&other).is_err());
        fs::write(&other, "behind").expect("written");
        fs::rename(&other, &path).expect("in its place");
        assert_ne!(of(&path).expect("there").number, state.number);
    }

    #[test]
    fn a_file_whose_time_was_set_back_looks_the_same_and_differs() {
        let (_folder, path, state) = place();
        let written = fs::metadata(&path).and_then(|file| file.modified()).expect("a time");
        // The clock of a file system moves in steps: until it has moved, a change leaves no trace.
        let changed = (0..10_000).any(|_| {
            fs::write(&path, "behind").expect("written");
            let file = File::options().write(true).open(&path).expect("ours");
            file.set_modified(written).expect("ours");
            drop(file);
            let now = of(&path).expect("there");
            assert!(now.looks_like(&state), "{now:?} and {state:?}");
            now != state
        });
        assert!(changed, "no change was seen");
    }
}
