//! The calls on an open file that this family needs and others do not.

use std::io::{self, IoSlice};
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

use rustix::fs::{Advice, OFlags, fadvise};
use rustix::io::{ReadWriteFlags, pwritev2, retry_on_intr};
use rustix::mm::{MsyncFlags, msync};

use crate::files::{Mapping, OpenFile};

/// A view of a file may begin at a multiple of this many bytes.
pub(in crate::disk) const VIEW_BYTES: u64 = 4_096;

/// None: a published program that opened its file for writing through is the technique `synchronous` here.
pub(in crate::disk) const ALIASES_OF_WRITE_THROUGH: &[&str] = &[];

/// `O_DSYNC` alone; the constant of this name in rustix is `O_SYNC`, which waits for the times of the file as well.
const DSYNC: OFlags = OFlags::from_bits_retain(libc::O_DSYNC as u32);

pub(in crate::disk) fn open_to_write(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, OFlags::WRONLY)
}

pub(in crate::disk) fn open_to_map(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, OFlags::RDWR)
}

/// Opens the file for writing in place; each write returns when its data is on the device.
pub(in crate::disk) fn open_write_through(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, OFlags::WRONLY | DSYNC)
}

/// Opens the file for writing in place past the file cache.
pub(in crate::disk) fn open_direct_to_write(path: &Path, through: bool) -> io::Result<OpenFile<'_>> {
    let further = if through { DSYNC } else { OFlags::empty() };
    OpenFile::open_with(path, OFlags::WRONLY | OFlags::DIRECT | further)
}

pub(in crate::disk) fn flush(file: &OpenFile) -> io::Result<()> {
    file.flush_data()
}

/// Waits until what was written into a view is on the device.
pub(in crate::disk) fn flush_view(file: &OpenFile, view: &mut Mapping) -> io::Result<()> {
    // SAFETY: the range is a live mapping of a file, and writing it back does not change its contents.
    let flushed = unsafe { msync(view.as_mut_ptr().cast(), view.len(), MsyncFlags::SYNC) };
    flushed.map_err(file.at("msync"))
}

pub(in crate::disk) fn write_all_with(
    file: &OpenFile, mut bytes: &[u8], mut offset: u64, flags: ReadWriteFlags,
) -> io::Result<()> {
    while !bytes.is_empty() {
        let call = || pwritev2(file, &[IoSlice::new(bytes)], offset, flags);
        let count = retry_on_intr(call).map_err(file.at("pwritev2"))?;
        bytes = &bytes[file.progress("pwritev2", count)?..];
        offset += count as u64;
    }
    Ok(())
}

/// Begins to write a range back, or with `and_wait` also waits until it is written. Neither asks the device to flush.
pub(in crate::disk) fn write_back(
    file: &OpenFile, offset: u64, bytes: u64, and_wait: bool,
) -> io::Result<()> {
    let waits = libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    let flags = libc::SYNC_FILE_RANGE_WRITE | if and_wait { waits } else { 0 };
    let descriptor = file.as_fd().as_raw_fd();
    // SAFETY: the descriptor is open; the call takes numbers only.
    match unsafe { libc::sync_file_range(descriptor, offset as i64, bytes as i64, flags) } {
        0 => Ok(()),
        _ => Err(file.at("sync_file_range")(io::Error::last_os_error())),
    }
}

/// Has the file cache let go of a range that was written back.
pub(in crate::disk) fn let_go(file: &OpenFile, offset: u64, bytes: u64) -> io::Result<()> {
    let length = std::num::NonZero::new(bytes);
    fadvise(file, offset, length, Advice::DontNeed).map_err(file.at("posix_fadvise"))
}

#[cfg(test)]
mod tests {
    use crate::disk::content::{Place, memory_of};
    use crate::testing::scratch_with;

    #[test]
    fn a_buffer_in_a_file_is_memory_and_leaves_no_file() {
        let (folder, path) = scratch_with("disk.input", "");
        let mut buffer = memory_of(3 << 20, Place::FileNextTo(&path)).expect("room on the disk");
        assert!(buffer.len() == 3 << 20 && buffer.iter().all(|byte| *byte == 0));
        buffer.fill(7);
        let files = std::fs::read_dir(folder.path()).expect("readable").count();
        assert_eq!((buffer[1 << 20], files), (7, 1));
    }
}
