//! A stream of the C library over a file that exists.

use std::ffi::CStr;
use std::io;

use super::content::{NewData, Sum};
use super::job::{DiskJob, Notes};
use super::pieces::{Piece, Pieces};
use crate::files::{Buffer, CStream, at, make_data_durable, room_of};

/// Sizes of a stream's buffer: the one that the library chooses, and none.
pub(super) const LIBRARY_BUFFER: usize = usize::MAX;
pub(super) const UNBUFFERED: usize = 0;

/// Reads with `fread`, one call a piece.
pub(super) fn read<const BUFFER_BYTES: usize>(
    job: &DiskJob, pieces: &mut Pieces<'_>, memory: &mut Buffer, _notes: &mut Notes,
) -> io::Result<Sum> {
    let mut buffer = Vec::new();
    let stream = open::<BUFFER_BYTES>(job, c"rb", &mut buffer)?;
    let (mut position, mut sum) = (0, job.sum_of_moved());
    for piece in pieces {
        move_to(&stream, &mut position, piece)?;
        // SAFETY: the library puts nothing but bytes there.
        let read = stream.read(unsafe { room_of(&mut memory[..piece.bytes]) })?;
        if read.len() < piece.bytes {
            return Err(at("fread", &job.path)(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        sum.add(piece, read);
    }
    stream.close()?;
    Ok(sum)
}

/// Writes with `fwrite`, one call a piece, and flushes once where the work is to end on the device.
pub(super) fn rewrite<const BUFFER_BYTES: usize>(
    job: &DiskJob, pieces: &mut Pieces<'_>, data: &mut NewData, _notes: &mut Notes,
) -> io::Result<()> {
    let mut buffer = Vec::new();
    let stream = open::<BUFFER_BYTES>(job, c"r+b", &mut buffer)?;
    let mut position = 0;
    for piece in pieces.by_ref() {
        move_to(&stream, &mut position, piece)?;
        stream.write(data.stamped(0, piece).1)?;
    }
    stream.close()?;
    pieces.calls_have_returned();
    if job.is_durable { make_data_durable(&job.path) } else { Ok(()) }
}

/// Opens the file; `buffer` becomes what the library uses instead of its own, and lives as long as the stream.
fn open<'stream, const BUFFER_BYTES: usize>(
    job: &'stream DiskJob, mode: &CStr, buffer: &'stream mut Vec<u8>,
) -> io::Result<CStream<'stream>> {
    let stream = CStream::open(&job.path, mode)?;
    if BUFFER_BYTES == LIBRARY_BUFFER {
        return Ok(stream);
    }
    *buffer = vec![0; BUFFER_BYTES];
    let mode = if BUFFER_BYTES == UNBUFFERED { libc::_IONBF } else { libc::_IOFBF };
    // SAFETY: as above.
    stream.buffered(mode, unsafe { room_of(buffer) })
}

/// Moves to a piece, unless the stream stands there: moving throws a buffer away.
fn move_to(stream: &CStream, position: &mut u64, piece: Piece) -> io::Result<()> {
    let stands_at = std::mem::replace(position, piece.offset + piece.bytes as u64);
    if stands_at == piece.offset { Ok(()) } else { stream.seek(piece.offset) }
}
