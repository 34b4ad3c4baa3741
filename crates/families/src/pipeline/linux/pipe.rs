//! A pipe with a number of places.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::AsRawFd;

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::fcntl_setpipe_size;
use sys::failure::in_context;

/// A page for each place costs no more than that.
const PACKETS_MAX: usize = 256;

/// Makes a pipe for messages of at most a page. A small one works in packets, so that it holds no more than asked.
pub(in crate::pipeline) fn pipe_of(
    depth: usize, message_bytes: usize,
) -> io::Result<(PipeReader, PipeWriter)> {
    let page = rustix::param::page_size();
    let (reader, writer) = io::pipe()?;
    let pages = if depth <= PACKETS_MAX { depth } else { depth.div_ceil(page / message_bytes) };
    fcntl_setpipe_size(&writer, pages * page).map_err(|error| {
        in_context(format_args!("set the size of a pipe to {pages} pages"), io::Error::from(error))
    })?;
    if depth <= PACKETS_MAX {
        fcntl_setfl(&writer, OFlags::DIRECT)?;
    }
    Ok((reader, writer))
}

/// Writes a part of a message, and shows how many bytes that was. A page at most is written whole.
///
/// # Safety
/// This many bytes can be read there.
pub(in crate::pipeline) unsafe fn write_part(
    pipe: &PipeWriter, from: *const u8, bytes: usize,
) -> io::Result<usize> {
    // SAFETY: the caller says that the memory can be read, and the pipe is open.
    let written = unsafe { libc::write(pipe.as_raw_fd(), from.cast(), bytes) };
    usize::try_from(written).map_err(|_| io::Error::last_os_error())
}

/// Reads a part of a message, and shows how many bytes that was; 0 when nothing is left and all writers are gone.
///
/// # Safety
/// This many bytes can be written there.
pub(in crate::pipeline) unsafe fn read_part(
    pipe: &PipeReader, to: *mut u8, bytes: usize,
) -> io::Result<usize> {
    // SAFETY: the caller says that the memory can be written, and the pipe is open.
    let read = unsafe { libc::read(pipe.as_raw_fd(), to.cast(), bytes) };
    usize::try_from(read).map_err(|_| io::Error::last_os_error())
}
