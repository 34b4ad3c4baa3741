//! Memory: the input, mapped or copied, and large arrays, which are refused with a sentence where there is no memory.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::slice;

use super::job::SortJob;
use super::system::{memory, untouched_memory};
use crate::files::{Mapping, OpenFile, SourceMapping, at, look_up};

/// A mapped file of whole records. A file without a byte cannot be mapped, and needs not be.
pub(super) struct Source {
    mapping: Option<SourceMapping>,
}

impl Source {
    pub(super) fn map(job: &SortJob) -> io::Result<Self> {
        Self::map_by(job, SourceMapping::sequential)
    }

    pub(super) fn map_unhinted(job: &SortJob) -> io::Result<Self> {
        Self::map_by(job, SourceMapping::of_source)
    }

    fn map_by(job: &SortJob, map: Map) -> io::Result<Self> {
        let (file, bytes) = open(job)?;
        let mapping = if bytes == 0 { None } else { Some(map_source_by(&file, bytes as u64, map)?) };
        Ok(Self { mapping })
    }

    pub(super) fn looked_up(job: &SortJob) -> io::Result<Self> {
        let source = Self::map(job)?;
        look_up(&source);
        Ok(source)
    }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.mapping.as_deref().unwrap_or_default()
    }
}

type Map = fn(&OpenFile, u64) -> io::Result<SourceMapping>;

/// Maps all bytes of a file, at least one. A cold file is read ahead.
pub(super) fn map_source(file: &OpenFile, bytes: u64) -> io::Result<SourceMapping> {
    map_source_by(file, bytes, SourceMapping::sequential)
}

fn map_source_by(file: &OpenFile, bytes: u64, map: Map) -> io::Result<SourceMapping> {
    map(file, bytes).or_else(|refused| {
        // A folder says what it is only when it is read.
        file.read_at(&mut [0], 0)?;
        Err(refused)
    })
}

pub(super) fn read_whole(job: &SortJob) -> io::Result<Room<u8>> {
    let (file, bytes) = open(job)?;
    let mut records = Room::new(bytes)?;
    read_exactly(&file, &mut records, 0)?;
    Ok(records)
}

pub(super) fn read_exactly(file: &OpenFile, mut memory: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !memory.is_empty() {
        match file.read_at(memory, offset)? {
            0 => return Err(file.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof))),
            count => {
                memory = &mut memory[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// Returns the number of records by the length of the input alone.
pub(super) fn records_in_input(job: &SortJob) -> io::Result<usize> {
    let status = std::fs::metadata(&job.input).map_err(at("open", &job.input))?;
    job.layout.records_in(status.len(), &job.input)
}

/// Opens the input, which must hold whole records; returns its length.
pub(super) fn open(job: &SortJob) -> io::Result<(OpenFile<'_>, usize)> {
    let file = OpenFile::open(&job.input)?;
    let bytes = file.size_bytes()?;
    job.layout.records_in(bytes, &job.input)?;
    if bytes == 0 {
        // A folder may have no length; it says what it is when it is read.
        file.read_at(&mut [0], 0)?;
    }
    Ok((file, bytes as usize))
}

/// Types of which every pattern of bits, all zeros among them, is a value.
///
/// # Safety
/// Every pattern of bits must be a valid value, and dropping one must do nothing.
pub(super) unsafe trait Plain: Copy + Send + Sync {}

// SAFETY: a number has no invalid pattern of bits.
unsafe impl Plain for u8 {}
// SAFETY: a number has no invalid pattern of bits.
unsafe impl Plain for u64 {}

pub(super) struct Room<T> {
    pages: Option<Mapping>,
    length: usize,
    kind: PhantomData<T>,
}

impl<T: Plain> Room<T> {
    pub(super) fn new(length: usize) -> io::Result<Self> {
        let bytes = length.checked_mul(size_of::<T>()).ok_or_else(|| no_room("an array", usize::MAX))?;
        let pages = if bytes == 0 { None } else { Some(memory(bytes)?) };
        Ok(Self { pages, length, kind: PhantomData })
    }
}

impl<T> Deref for Room<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.pages {
            // SAFETY: the pages are aligned for every type, and hold `length` values as long as `self` lives.
            Some(pages) => unsafe { slice::from_raw_parts(pages.address_of(0).cast::<T>(), self.length) },
            None => &[],
        }
    }
}

impl<T> DerefMut for Room<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &self.pages {
            // SAFETY: as for reading, and `self` is borrowed alone.
            Some(pages) => unsafe { slice::from_raw_parts_mut(pages.address_of(0).cast::<T>(), self.length) },
            None => &mut [],
        }
    }
}

pub(super) fn bytes_of(numbers: &mut [u64]) -> &mut [u8] {
    // SAFETY: a number is eight bytes of which every pattern is valid; the bytes are borrowed alone as the numbers are.
    unsafe { slice::from_raw_parts_mut(numbers.as_mut_ptr().cast::<u8>(), size_of_val(numbers)) }
}

pub(super) fn no_room(what: &str, bytes: usize) -> io::Error {
    let size = model::format_bytes(bytes as u64);
    io::Error::new(io::ErrorKind::OutOfMemory, format!("no memory for {what}: {size} are needed"))
}

/// Refuses early what a library would take without asking: its refusal would end the process.
pub(super) fn ensure_room(what: &str, bytes: usize) -> io::Result<()> {
    const FEWEST_BYTES: usize = 1 << 20;
    // Asked of the system: the heap might find room in what it holds already, which a thread's stack could not use.
    untouched_memory(bytes.max(FEWEST_BYTES)).map(drop).map_err(|_| no_room(what, bytes))
}

/// Returns the bytes that threads may take when they begin, without asking: a refusal would end the process.
pub(super) fn bytes_of_threads(count: usize, stack_bytes: usize) -> usize {
    const BESIDE_THE_STACK: usize = 1 << 20;
    count * (stack_bytes + BESIDE_THE_STACK)
}

/// The stack of a thread whose starter asks for no other.
pub(super) const USUAL_STACK_BYTES: usize = 2 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_memory_than_there_is_is_refused_in_a_sentence() {
        for refused in [
            Room::<u64>::new(usize::MAX / 2).map(drop),
            Room::<u64>::new(1 << 50).map(drop),
            ensure_room("a copy", usize::MAX / 4),
        ] {
            let refused = refused.expect_err("too much");
            assert!(refused.to_string().contains("memory"), "{refused}");
        }
    }
}
