//! Past the file cache, with the alignment that the device asks for.

use std::io;

use model::{Availability, Class, Host, Setting};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_NO_BUFFERING, FILE_STORAGE_INFO, FileStorageInfo, GetFileInformationByHandleEx,
};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::files::{Mapping, OpenFile, Use, tried_out};

pub(in crate::copy) const DIRECT: Technique<CopyJob> = Technique {
    name: "direct",
    alias: &[],
    idea: "FILE_FLAG_NO_BUFFERING on both files, 1 MiB at a time, one after the other",
    source: "Microsoft, File Buffering",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(copy),
};

/// A multiple of every sector in use.
const BLOCK_BYTES: usize = 1 << 20;

/// Where the system does not tell the sector: a multiple of those of all devices in use.
const FALL_BACK_BYTES: usize = 4096;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_NO_BUFFERING)?;
    let destination = OpenFile::open_with(&job.destination, Use::Create, FILE_FLAG_NO_BUFFERING)?;
    let alignment = sector_bytes(&source)?.max(sector_bytes(&destination)?);
    let bytes = source.size_bytes()?;
    let mut block = Mapping::buffer(BLOCK_BYTES)?;
    let mut offset = 0;
    while offset < bytes {
        let count = read_block(&source, &mut block, offset, bytes, alignment)?;
        let padded = count.next_multiple_of(alignment);
        block[count..padded].fill(0);
        destination.write_all_at(&block[..padded], offset)?;
        offset += count as u64;
    }
    // Takes away what the last block was padded with.
    if !bytes.is_multiple_of(alignment as u64) {
        destination.set_length(bytes)?;
    }
    destination.finish(job.durable)
}

/// Reads the block at `offset`; only the last one of a file may have a length that is not aligned.
fn read_block(
    source: &OpenFile,
    block: &mut [u8],
    offset: u64,
    bytes: u64,
    alignment: usize,
) -> io::Result<usize> {
    let count = source.read_at(block, offset)?;
    let usable = if offset + count as u64 >= bytes { count } else { count / alignment * alignment };
    match usable {
        0 => Err(source.at("ReadFile")(io::Error::from(io::ErrorKind::UnexpectedEof))),
        usable => Ok(usable),
    }
}

/// What offsets, lengths and memory must be multiples of.
fn sector_bytes(file: &OpenFile) -> io::Result<usize> {
    let mut storage = FILE_STORAGE_INFO::default();
    // SAFETY: the handle is open; the buffer is the structure that this question is answered with, and as large as
    // said.
    let known = unsafe {
        GetFileInformationByHandleEx(
            file.handle(),
            FileStorageInfo,
            (&raw mut storage).cast(),
            size_of::<FILE_STORAGE_INFO>() as u32,
        )
    };
    // Network file systems and Wine do not answer.
    if known == 0 {
        return Ok(FALL_BACK_BYTES);
    }
    match storage.LogicalBytesPerSector.max(storage.PhysicalBytesPerSectorForPerformance) as usize {
        0 => Ok(FALL_BACK_BYTES),
        bytes if BLOCK_BYTES.is_multiple_of(bytes) => Ok(bytes),
        bytes => {
            let refused = format!("sectors of {bytes} bytes, of which 1 MiB is no multiple");
            Err(file.at("FileStorageInfo")(io::Error::new(io::ErrorKind::Unsupported, refused)))
        }
    }
}

/// Copies a small file with a tail past the cache in the setting's directory.
fn probe(_host: &Host, setting: &Setting) -> Availability {
    const BYTES: u64 = 5_000;
    tried_out(setting, BYTES as usize, "FILE_FLAG_NO_BUFFERING is refused in this directory", |file| {
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
            other => Err(io::Error::other(format!("{other} of {BYTES} bytes arrived"))),
        }
    })
}
