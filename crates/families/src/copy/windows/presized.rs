//! The destination gets its length before the first byte.

use std::io;
use std::ptr;

use model::Class;
use windows_sys::Win32::Storage::FileSystem::{FILE_BEGIN, SetEndOfFile, SetFilePointerEx};

use crate::contract::{Parameter, Technique};
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, checked, pour};

pub(in crate::copy) const PRESIZED: Technique<CopyJob> = Technique {
    name: "presized",
    alias: &[],
    idea: "SetFilePointerEx and SetEndOfFile give the destination its full length, then ReadFile and WriteFile",
    source: "Microsoft, SetEndOfFile",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: Some(Parameter { name: "buffer_bytes", values: &[128 << 10, 256 << 10, 512 << 10, 1 << 20] }),
    probe: always,
    prepare: |job| job.done_by(copy),
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    allocate(&destination, bytes)?;
    let mut buffer = Mapping::buffer(job.buffer_bytes()?)?;
    let poured = pour(&source, &destination, &mut buffer)?;
    // A source that shrank while it was copied leaves an end that nobody wrote.
    if poured < bytes {
        destination.set_length(poured)?;
    }
    destination.finish(job.durable)
}

fn allocate(destination: &OpenFile, bytes: u64) -> io::Result<()> {
    move_to(destination, bytes as i64)?;
    // SAFETY: the handle is open.
    checked(unsafe { SetEndOfFile(destination.handle()) }).map_err(destination.at("SetEndOfFile"))?;
    move_to(destination, 0)
}

fn move_to(file: &OpenFile, offset: i64) -> io::Result<()> {
    // SAFETY: the handle is open, and the new position is not asked for.
    checked(unsafe { SetFilePointerEx(file.handle(), offset, ptr::null_mut(), FILE_BEGIN) })
        .map_err(file.at("SetFilePointerEx"))
}
