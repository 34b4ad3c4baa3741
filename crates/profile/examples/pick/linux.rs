//! Room for a file, as Linux gives it.

use std::fs::File;
use std::io;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;

/// Gives the file its blocks and its length. Where the file system cannot, the file grows as it is written.
pub(crate) fn make_room(file: &File, bytes: u64) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), 0, bytes) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        allocated => Ok(allocated?),
    }
}
