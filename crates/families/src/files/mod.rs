//! What techniques of several families ask of files, and the words for a step that failed.
//!
//! Nothing here is a technique: opening, creating, flushing and closing are done alike by all of them, so
//! that two techniques differ in their idea and in nothing else.

use std::fmt;
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::path::Path;

mod c_stream;
mod in_memory;
mod job;
#[cfg(test)]
pub(crate) mod job_tests;
mod memory;
mod private_file;
mod proof;
mod ranges;
pub(crate) mod single;
mod small_buffers;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;

pub(crate) use c_stream::CStream;
pub(crate) use in_memory::{BEFORE, fill_from, in_memory, is_copied};
#[cfg(windows)]
pub(crate) use job::tried_once;
pub(crate) use job::{FileJob, Notes, OneOfMany, probe_direct};
#[cfg(target_os = "linux")]
pub(crate) use linux::*;
pub(crate) use memory::{Buffer, Mapping, Pages, SourceMapping, Views, capped, room_of};
pub(crate) use private_file::{changed, copy_in, copy_into, tried_out, workload_of_one};
pub(crate) use proof::{RunningProof, digest_of, proof_of, proof_of_folder, proof_of_number};
pub(crate) use ranges::{fewer_threads, in_parallel, in_threads, ranges};
#[cfg(windows)]
pub(crate) use windows::*;

/// Puts the step and the file in front of what the operating system said: `write /path: No space left on device`.
pub(crate) fn at<E: Into<io::Error>>(step: impl fmt::Display, path: &Path) -> impl FnOnce(E) -> io::Error {
    move |error| {
        let error: io::Error = error.into();
        sys::failure::in_context(format_args!("{step} {}", path.display()), error)
    }
}

pub(crate) fn no_thread(refused: io::Error) -> io::Error {
    sys::failure::in_context("start a thread", refused)
}

/// Returns the error of a value that no work can be done with.
pub(crate) fn invalid(sentence: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, sentence)
}

/// Returns the error of work that cannot be done here.
pub(crate) fn unsupported(sentence: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, sentence)
}

/// Cuts off what a source that shrank while it was read did not fill.
pub(crate) fn cut_unfilled(file: &OpenFile, filled: u64, allocated: u64) -> io::Result<()> {
    if filled < allocated { file.set_length(filled) } else { Ok(()) }
}

/// Returns the alignment in bytes past the cache, of which `block_bytes` is a multiple.
pub(crate) fn direct_alignment(file: &OpenFile, block_bytes: usize) -> io::Result<usize> {
    let bytes = alignment_bytes(file)?;
    if block_bytes.is_multiple_of(bytes) {
        return Ok(bytes);
    }
    let refused = format!("it asks for an alignment of {bytes} bytes, of which {block_bytes} is no multiple");
    Err(file.at("align")(unsupported(refused)))
}

/// Reads and writes until the source ends; returns the number of bytes that went through.
pub(crate) fn pour(source: &OpenFile, destination: &OpenFile, buffer: &mut [u8]) -> io::Result<u64> {
    // SAFETY: what is read there is bytes.
    pour_through(source, destination, unsafe { room_of(buffer) })
}

/// As [`pour`], with a small buffer on the stack that is not filled before.
pub(crate) fn pour_on_stack<const BYTES: usize>(
    source: &OpenFile, destination: &OpenFile,
) -> io::Result<u64> {
    pour_through(source, destination, &mut [MaybeUninit::uninit(); BYTES])
}

fn pour_through(source: &OpenFile, destination: &OpenFile, room: &mut [MaybeUninit<u8>]) -> io::Result<u64> {
    let mut poured = 0;
    loop {
        match source.read_into(room)? {
            [] => return Ok(poured),
            bytes => {
                destination.write_all(bytes)?;
                poured += bytes.len() as u64;
            }
        }
    }
}

/// Reads and writes in turn at the offsets of a range, which must lie inside the source.
pub(crate) fn pour_range(
    source: &OpenFile, destination: &OpenFile, range: Range<u64>, buffer: &mut [u8],
) -> io::Result<()> {
    let mut offset = range.start;
    while offset < range.end {
        let wanted = buffer.len().min((range.end - offset) as usize);
        let count = source.read_at(&mut buffer[..wanted], offset)?;
        if count == 0 {
            return Err(source.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof)));
        }
        destination.write_all_at(&buffer[..count], offset)?;
        offset += count as u64;
    }
    Ok(())
}

/// Reads `wanted` bytes at `offset`. Where calls must have aligned lengths, the room is longer than what is wanted.
pub(crate) fn fill(source: &OpenFile, room: &mut [u8], wanted: usize, offset: u64) -> io::Result<()> {
    let mut filled = 0;
    while filled < wanted {
        match source.read_at(&mut room[filled..], offset + filled as u64)? {
            0 => return Err(source.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof))),
            count => filled += count,
        }
    }
    Ok(())
}

pub(crate) fn make_empty(folder: &Path) -> io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return std::fs::create_dir(folder).map_err(at("create", folder));
        }
        entries => entries.map_err(at("read", folder))?,
    };
    for entry in entries {
        let entry = entry.map_err(at("read", folder))?;
        let path = entry.path();
        // A link to a folder is a file: what it points to stays.
        if entry.file_type().map_err(at("look at", &path))?.is_dir() {
            std::fs::remove_dir_all(&path).map_err(at("remove", &path))?
        } else {
            remove_if_there(&path)?
        }
    }
    Ok(())
}

/// Removes a file, or the folder that a command made there; it may be absent.
pub(crate) fn remove_if_there(path: &Path) -> io::Result<()> {
    let is_folder = path.symlink_metadata().is_ok_and(|seen| seen.is_dir());
    let removed = if is_folder { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at("remove", path)(error)),
        _ => Ok(()),
    }
}

/// Refuses anything in the place of an output, before the clock: some calls would follow a link.
pub(crate) fn must_be_absent(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(_) => Err(at("create", path)(io::Error::from(io::ErrorKind::AlreadyExists))),
        // An absent folder is reported by the call itself, as by all others.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(at("look at", path)(error)),
    }
}

/// Creates a file in the place of whatever stands there; what a link there leads to stays as it is.
pub(crate) fn made_anew(path: &Path) -> io::Result<File> {
    remove_if_there(path)?;
    File::create_new(path).map_err(at("create", path))
}

/// Creates the copy of a file: no other user may open it, whatever the umask and the folder allow.
pub(crate) fn made_privately(path: &Path, original: &Path) -> io::Result<File> {
    remove_if_there(path)?;
    create_privately(path, original).map_err(at("create", path))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_file_that_is_made_leaves_alone_what_has_its_place() {
        let (folder, other) = crate::testing::scratch_with("other", "kept");
        let path = folder.path().join("path");
        std::fs::hard_link(&other, &path).expect("a link");
        std::io::Write::write_all(&mut super::made_anew(&path).expect("made"), b"new").expect("written");
        assert_eq!(std::fs::read_to_string(&other).expect("a text"), "kept");
        assert_eq!(std::fs::read_to_string(&path).expect("a text"), "new");
    }
}
