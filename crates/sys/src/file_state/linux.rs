//! `lstat`.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::FileState;

pub(super) fn of(path: &Path) -> io::Result<FileState> {
    let seen = fs::symlink_metadata(path)?;
    let ns = |seconds: i64, ns: i64| i128::from(seconds) * 1_000_000_000 + i128::from(ns);
    Ok(FileState {
        is_regular: seen.is_file(),
        bytes: seen.len(),
        written_ns: ns(seen.mtime(), seen.mtime_nsec()),
        number: seen.ino(),
        changed_ns: ns(seen.ctime(), seen.ctime_nsec()),
    })
}
