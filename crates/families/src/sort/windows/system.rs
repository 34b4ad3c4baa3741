//! What sorting asks of Windows: mapped records, memory, presized files.

use std::io;

use crate::files::{Mapping, OpenFile, SourceMapping};
use crate::sort::job::Account;
pub(in crate::sort) use crate::sort::windows::heap::Heap;

/// What a process takes before it sorts anything: its image, its runtime, its stacks.
const TAKEN_BYTES: u64 = 16 << 20;

/// Memory whose pages come when they are touched.
pub(in crate::sort) fn memory(bytes: usize) -> io::Result<Mapping> {
    let refused = |error: io::Error| sys::failure::in_context("no memory", error);
    Mapping::buffer(bytes).map_err(refused)
}

/// Pages come when they are touched in any case.
pub(in crate::sort) fn untouched_memory(bytes: usize) -> io::Result<Mapping> {
    memory(bytes)
}

/// Maps a whole file for reading. `bytes` must not be 0.
pub(in crate::sort) fn map_source(file: &OpenFile, bytes: usize) -> io::Result<SourceMapping> {
    SourceMapping::of_source(file, bytes)
}

/// Pages of a view come when they are touched.
pub(in crate::sort) fn look_up(_mapped: &[u8]) {}

/// Pages of a view come when they are touched.
pub(in crate::sort) fn look_up_for_writing(_part: &mut [u8]) {}

pub(in crate::sort) fn allocate(file: &OpenFile, bytes: u64, _account: &mut Account) -> io::Result<()> {
    file.set_length(bytes)
}

/// Windows reads ahead by itself where a file is read from its beginning to its end.
pub(in crate::sort) fn read_ahead(_file: &OpenFile, _offset: u64) {}

pub(in crate::sort) fn c_library() -> String {
    "msvcrt.dll".to_owned()
}

/// All threads share one heap here, unless a program makes others.
pub(in crate::sort) fn share_one_heap() {}

/// Memory that this process has taken already, in bytes, about.
pub(in crate::sort) fn taken_bytes() -> io::Result<u64> {
    Ok(TAKEN_BYTES)
}
