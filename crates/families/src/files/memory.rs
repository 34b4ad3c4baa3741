//! Pages of memory straight from the system: page-aligned buffers and mapped files, as a whole or view by view.

use std::io;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::slice;

use super::{OpenFile, Section, reserve};

/// A range of pages that is given back when it is dropped, and that is never empty.
pub(crate) struct Pages<const IS_WRITABLE: bool> {
    start: NonNull<u8>,
    bytes: usize,
    give_back: GiveBack,
}

/// A mapped file for reading. On Linux it must not be cut off meanwhile: touching the lost pages ends the process with
/// `SIGBUS`. It lies in a private folder, and only one worker works at a time.
pub(crate) type SourceMapping = Pages<false>;

/// Pages for reading and writing: a page-aligned buffer, or a mapped file ([`SourceMapping`]).
pub(crate) type Mapping = Pages<true>;

pub(super) type GiveBack = unsafe fn(*mut u8, usize);

// SAFETY: the pages belong to the process, not to the thread that mapped them.
unsafe impl<const IS_WRITABLE: bool> Send for Pages<IS_WRITABLE> {}
// SAFETY: a shared reference only reads and gives addresses; who writes through one answers for it.
unsafe impl<const IS_WRITABLE: bool> Sync for Pages<IS_WRITABLE> {}

impl<const IS_WRITABLE: bool> Pages<IS_WRITABLE> {
    /// Takes over pages, which `give_back` gives back.
    pub(super) fn new(start: NonNull<u8>, bytes: usize, give_back: GiveBack) -> Self {
        Self { start, bytes, give_back }
    }

    pub(crate) fn address_of(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.bytes, "{offset} lies outside a mapping of {} bytes", self.bytes);
        // SAFETY: the byte lies inside the mapping.
        unsafe { self.start.as_ptr().add(offset) }
    }

    pub(super) fn start_of(&self, range: &Range<usize>) -> *mut u8 {
        assert!(range.end <= self.bytes, "{range:?} lies outside a mapping of {} bytes", self.bytes);
        self.address_of(range.start)
    }
}

impl Mapping {
    pub(crate) fn into_source(self) -> SourceMapping {
        let pages = ManuallyDrop::new(self);
        Pages::new(pages.start, pages.bytes, pages.give_back)
    }
}

impl<const IS_WRITABLE: bool> Deref for Pages<IS_WRITABLE> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping is readable and lives as long as `self`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

/// Returns a vector filled before the clock.
pub(super) fn filled<Element: Copy>(length: usize, value: Element) -> io::Result<Vec<Element>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(length).map_err(|_| {
        let size = model::format_bytes((length as u64).saturating_mul(size_of::<Element>() as u64));
        io::Error::new(io::ErrorKind::OutOfMemory, format!("no memory for a buffer of {size}"))
    })?;
    buffer.resize(length, value);
    Ok(buffer)
}

/// Returns memory as room for bytes that are read.
///
/// # Safety
/// Nothing but bytes is put there.
#[inline]
pub(crate) unsafe fn room_of(bytes: &mut [u8]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: room for a byte has the size of a byte, and the caller says that bytes are left there.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Returns the size of a buffer: no larger than the source, and a page for a source without a length, as in /proc.
pub(crate) fn capped(most_bytes: usize, source_bytes: u64) -> usize {
    const PAGE_BYTES: u64 = 4_096;
    most_bytes.min(usize::try_from(source_bytes.max(PAGE_BYTES)).unwrap_or(usize::MAX))
}

impl SourceMapping {
    /// Maps all bytes of a file, at least one, to be read from the first to the last.
    pub(crate) fn sequential(file: &OpenFile, bytes: u64) -> io::Result<Self> {
        let mapping = Self::of_source(file, bytes)?;
        mapping.advise_sequential()?;
        Ok(mapping)
    }
}

impl DerefMut for Mapping {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the pages are writable, live as long as `self` and are borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

impl<const IS_WRITABLE: bool> Drop for Pages<IS_WRITABLE> {
    fn drop(&mut self) {
        // SAFETY: the range was mapped for this value and no reference into it outlives the value.
        unsafe { (self.give_back)(self.start.as_ptr(), self.bytes) };
    }
}

/// A buffer of zeros for system calls that look up every page of it: a huge page is one stretch of memory for the device.
pub(crate) struct Buffer {
    memory: Mapping,
    range: Range<usize>,
}

impl Buffer {
    pub(crate) fn in_pages(bytes: usize) -> io::Result<Self> {
        // No system maps nothing.
        Ok(Self { memory: Mapping::buffer(bytes.max(1))?, range: 0..bytes })
    }

    pub(crate) fn in_mapping(memory: Mapping) -> Self {
        let range = 0..memory.len();
        Self { memory, range }
    }

    pub(crate) fn in_huge_pages(bytes: usize) -> io::Result<Self> {
        let (memory, range) = Mapping::buffer_in_huge_pages(bytes)?;
        Ok(Self { memory, range })
    }

    pub(crate) fn address_of(&self, offset: usize) -> *mut u8 {
        self.memory.address_of(self.range.start + offset)
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[self.range.clone()]
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.range.clone()]
    }
}

pub(crate) struct Views<'file, View> {
    file: &'file OpenFile<'file>,
    section: Section<'file, View>,
}

impl<'file> Views<'file, SourceMapping> {
    /// Returns views for reading. The file must not be empty.
    pub(crate) fn of_source(file: &'file OpenFile<'file>) -> io::Result<Self> {
        Ok(Self { file, section: Section::of_source(file, 0)? })
    }

    /// Maps the view at `offset`, a multiple of 64 KiB, which is where views may begin on every system.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<SourceMapping> {
        let view = self.section.view(offset, bytes)?;
        view.advise_sequential()?;
        Ok(view)
    }
}

impl<'file> Views<'file, Mapping> {
    /// Returns views for writing; the file gets a length of `bytes`, at least 1.
    pub(crate) fn of_destination(
        file: &'file OpenFile<'file>, bytes: u64, notes: &mut Vec<String>,
    ) -> io::Result<Self> {
        reserve(file, bytes, notes)?;
        Ok(Self { file, section: Section::of_destination(file, bytes)? })
    }

    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Mapping> {
        self.section.view(offset, bytes)
    }

    /// Gives a view back. Where the file is made durable, its flush must find the changed pages.
    pub(crate) fn give_back(&self, view: Mapping, durable: bool) -> io::Result<()> {
        if durable { view.hand_over(self.file) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::capped;

    #[test]
    fn a_buffer_is_never_larger_than_the_file_and_never_empty() {
        let sizes = [(1 << 20, 10_000), (256 << 10, 1 << 30), (1 << 20, 0), (1, 0)];
        assert_eq!(sizes.map(|(most, source)| capped(most, source)), [10_000, 256 << 10, 4_096, 1]);
    }
}
