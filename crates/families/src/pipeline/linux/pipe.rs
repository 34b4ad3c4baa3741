//! A pipe with a number of places.

use std::io::{self, PipeReader, PipeWriter};

use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pipe::fcntl_setpipe_size;
use sys::failure::in_context;

/// A page for each place costs no more than that.
const PACKETS_MAX: usize = 256;

/// A pipe for addresses. A small one works in packets: each takes a place of its own, so that it holds no more than asked,
/// rounded up to a power of two. In a large one they follow each other, and it holds 512 in every page.
pub(in crate::pipeline) fn pipe_of(depth: usize) -> io::Result<(PipeReader, PipeWriter)> {
    let page = rustix::param::page_size();
    let (reader, writer) = io::pipe()?;
    let pages = match depth <= PACKETS_MAX {
        true => depth,
        false => depth.div_ceil(page / size_of::<usize>()),
    };
    fcntl_setpipe_size(&writer, pages * page).map_err(|error| {
        in_context(format_args!("set the size of a pipe to {pages} pages"), io::Error::from(error))
    })?;
    if depth <= PACKETS_MAX {
        fcntl_setfl(&writer, OFlags::DIRECT)?;
    }
    Ok((reader, writer))
}
