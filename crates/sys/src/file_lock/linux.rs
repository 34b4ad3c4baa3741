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
    // Not through a link, which could lead to a file of another kind, and without waiting for who reads from a FIFO. On NFS only a file that is open for writing can be locked.
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path)?;
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

impl Drop for Held {
    fn drop(&mut self) {
        // Before the lock is given back: later it could be the file of the next one. Where it cannot be removed it stays, and the
        // next one takes it over.
        let _ = fs::remove_file(&self.path);
    }
}
