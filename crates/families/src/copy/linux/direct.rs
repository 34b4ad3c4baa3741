//! Past the file cache, with the alignment that the file system asks for.

use std::io;

use model::{Availability, Class, Host, Setting};
use rustix::fs::{AtFlags, OFlags, StatxFlags, statx};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::files::{Mapping, OpenFile, tried_out};

pub(in crate::copy) const DIRECT: Technique<CopyJob> = Technique {
    name: "direct",
    alias: &[],
    idea: "O_DIRECT on both files, 1 MiB at a time, one after the other",
    source: "open(2), O_DIRECT; statx(2), STATX_DIOALIGN",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(copy),
};

/// A multiple of every alignment in use.
pub(super) const BLOCK_BYTES: usize = 1 << 20;

/// Where the kernel does not tell the alignment: a multiple of the sectors of all devices in use.
const FALL_BACK_BYTES: usize = 4096;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let (source, destination, alignment) = open_direct(job)?;
    let bytes = source.size_bytes()?;
    let mut block = Mapping::buffer(BLOCK_BYTES)?;
    let mut offset = 0;
    while offset < bytes {
        let count = read_block(&source, &mut block, offset, bytes, alignment)?;
        write_block(&destination, &mut block, count, offset, alignment)?;
        offset += count as u64;
    }
    cut_padding(&destination, bytes, alignment)?;
    destination.finish(job.durable)
}

/// Takes away what the last block was padded with.
pub(super) fn cut_padding(destination: &OpenFile, bytes: u64, alignment: usize) -> io::Result<()> {
    if bytes.is_multiple_of(alignment as u64) { Ok(()) } else { destination.set_length(bytes) }
}

/// Both files past the cache, and the alignment in bytes that offsets, lengths and memory must have.
pub(super) fn open_direct(job: &CopyJob) -> io::Result<(OpenFile<'_>, OpenFile<'_>, usize)> {
    let source = OpenFile::open_with(&job.source, OFlags::RDONLY | OFlags::DIRECT)?;
    let access = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::DIRECT;
    let destination = OpenFile::open_with(&job.destination, access)?;
    let alignment = alignment_bytes(&source)?.max(alignment_bytes(&destination)?);
    Ok((source, destination, alignment))
}

fn alignment_bytes(file: &OpenFile) -> io::Result<usize> {
    let Ok(status) = statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN) else {
        return Ok(FALL_BACK_BYTES);
    };
    if status.stx_mask & StatxFlags::DIOALIGN.bits() == 0 {
        return Ok(FALL_BACK_BYTES);
    }
    let alignment = status.stx_dio_offset_align.max(status.stx_dio_mem_align) as usize;
    match alignment {
        0 => Err(file.at("statx")(unsupported("this file cannot be accessed past the cache"))),
        1..=BLOCK_BYTES if BLOCK_BYTES.is_multiple_of(alignment) => Ok(alignment),
        _ => Err(file.at("statx")(unsupported("it wants an alignment that 1 MiB is no multiple of"))),
    }
}

fn unsupported(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, why)
}

/// Reads the block at `offset`; only the last one of a file may have a length that is not aligned.
pub(super) fn read_block(
    source: &OpenFile,
    block: &mut [u8],
    offset: u64,
    bytes: u64,
    alignment: usize,
) -> io::Result<usize> {
    let count = source.read_at(block, offset)?;
    let usable = if offset + count as u64 >= bytes { count } else { count / alignment * alignment };
    match usable {
        0 => Err(source.at("pread")(io::Error::from(io::ErrorKind::UnexpectedEof))),
        usable => Ok(usable),
    }
}

/// Writes `count` bytes; a tail is padded to the alignment, and the file is cut to its length at the end.
pub(super) fn write_block(
    destination: &OpenFile,
    block: &mut [u8],
    count: usize,
    offset: u64,
    alignment: usize,
) -> io::Result<()> {
    let padded = count.next_multiple_of(alignment);
    block[count..padded].fill(0);
    destination.write_all_at(&block[..padded], offset)
}

/// Copies a small file with a tail past the cache in the setting's directory.
pub(super) fn probe(_host: &Host, setting: &Setting) -> Availability {
    const BYTES: u64 = 5_000;
    tried_out(setting, BYTES as usize, "O_DIRECT is refused in this directory", |file| {
        let job = CopyJob {
            source: file.path().to_owned(),
            destination: file.absent(),
            bytes: BYTES,
            durable: false,
            parameter: None,
            processors: std::num::NonZero::new(1),
        };
        copy(&job, &mut Notes::new())?;
        match std::fs::metadata(&job.destination)?.len() {
            BYTES => Ok(()),
            other => Err(unsupported(&format!("{other} of {BYTES} bytes arrived"))),
        }
    })
}
