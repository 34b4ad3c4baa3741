//! `flock`, and a look whether the file that was locked still stands there.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::held_by_another;

pub(super) struct Held {
    path: PathBuf,
    /// Locked as long as it is open.
    _file: File,
}

pub(super) fn take(path: &Path) -> io::Result<Held> {
    // Not through a link, which could lead to a file of another kind, and without waiting for who reads from a FIFO. On NFS
    // only a file that is open for writing can be locked.
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path).map_err(|error| match path.symlink_metadata() {
        Ok(there) if !there.is_file() => no_file(),
        _ => error,
    })?;
    if !file.metadata()?.is_file() {
        return Err(no_file());
    }
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(held_by_another()),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // Who held it before may have removed it between the two calls: then the next one makes another, and locks that.
    let identity = |it: fs::Metadata| (it.dev(), it.ino());
    let locked = identity(file.metadata()?);
    match fs::symlink_metadata(path).map(identity) {
        Ok(there) if there == locked => Ok(Held { path: path.to_owned(), _file: file }),
        _ => Err(held_by_another()),
    }
}

/// What the system says of a link is that there are too many, and of a FIFO that there is no device.
fn no_file() -> io::Error {
    io::Error::other("what stands there is no regular file, and so no lock of bakeoff; remove it")
}

impl Drop for Held {
    fn drop(&mut self) {
        // Before the lock is given back: later it could be the file of the next one. Where it cannot be removed it stays, and the
        // next one takes it over.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::Duration;

    use rustix::fs::{CWD, FileType, Mode};

    use super::*;
    use crate::file_lock::wait_for;

    /// What is said at once although there is patience; whatever stands in the place of the lock is still there.
    fn refusal(folder: &Path) -> String {
        let refused = wait_for(&folder.join("file"), Duration::MAX).err().expect("no lock").to_string();
        assert!(folder.join(".file.lock").symlink_metadata().is_ok(), "{refused}");
        refused
    }

    #[test]
    fn a_link_or_folder_as_a_lock_is_refused_and_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let (lock, other) = (folder.path().join(".file.lock"), folder.path().join("other"));
        fs::write(&other, "kept").expect("written");
        for target in [other.as_path(), &folder.path().join("absent"), Path::new("/dev/null"), &lock] {
            symlink(target, &lock).expect("a link");
            let said = refusal(folder.path());
            assert!(said.contains(".file.lock: what stands there is no regular file"), "{said}");
            assert!(!folder.path().join("absent").exists(), "the link was followed");
            fs::remove_file(&lock).expect("an own link");
        }
        assert_eq!(fs::read_to_string(&other).expect("a text"), "kept");
        fs::create_dir(&lock).expect("a folder");
        assert!(refusal(folder.path()).contains("no regular file"));
    }

    #[test]
    fn a_fifo_in_the_place_of_a_lock_is_refused_whether_or_not_it_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join(".file.lock");
        rustix::fs::mknodat(CWD, &lock, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
        let said = refusal(folder.path());
        assert!(said.contains(".file.lock: what stands there is no regular file"), "{said}");
        // Open for both, as it can be without a writer.
        let _reader = File::options().read(true).write(true).open(&lock).expect("an own FIFO");
        assert_eq!(refusal(folder.path()), said);
    }
}
