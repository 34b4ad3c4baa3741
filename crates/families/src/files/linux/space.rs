//! Room for a file before its first byte.

use std::io;

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};

use super::OpenFile;

pub(crate) fn presize(file: &OpenFile, bytes: u64, notes: &mut Vec<String>) -> io::Result<()> {
    allocate(file, FallocateFlags::empty(), bytes, notes)
}

/// Allocates the first `bytes` bytes where the file system can. `posix_fallocate` would write every block where it cannot.
pub(crate) fn allocate(
    file: &OpenFile,
    flags: FallocateFlags,
    bytes: u64,
    notes: &mut Vec<String>,
) -> io::Result<()> {
    if bytes == 0 {
        return Ok(());
    }
    match retry_on_intr(|| fallocate(file, flags, 0, bytes)) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            notes.push(
                "fell back: this file system cannot allocate ahead, the file grew as it was written".into(),
            );
            Ok(())
        }
        allocated => allocated.map_err(file.at("fallocate")),
    }
}

/// Reserves the blocks of a file that is to be mapped: in a mere hole, a full disk would show as SIGBUS during the work.
pub(crate) fn reserve(file: &OpenFile, bytes: u64, notes: &mut Vec<String>) -> io::Result<()> {
    match retry_on_intr(|| fallocate(file, FallocateFlags::empty(), 0, bytes)) {
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            notes.push("fell back: this file system cannot allocate ahead, a hole was mapped".into());
            file.set_length(bytes)
        }
        reserved => reserved.map_err(file.at("fallocate")),
    }
}
