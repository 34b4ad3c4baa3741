//! `O_TMPFILE` and `linkat`.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, linkat};

pub(super) fn create(folder: &Path) -> Option<File> {
    OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open(folder).ok()
}

pub(super) fn give_name(file: &File, path: &Path) -> io::Result<()> {
    // By its descriptor itself (AT_EMPTY_PATH) only root may name it on most kernels.
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}
