//! Pages of memory straight from the system: page-aligned buffers and mapped files.

use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::slice;

use super::OpenFile;

/// A range of pages that is given back when it is dropped, and that is never empty.
pub(crate) struct Pages {
    start: NonNull<u8>,
    bytes: usize,
    give_back: GiveBack,
}

/// Gives pages back to the system: their start, and how many bytes they have.
pub(super) type GiveBack = unsafe fn(*mut u8, usize);

// SAFETY: the pages belong to the process, not to the thread that mapped them.
unsafe impl Send for Pages {}
// SAFETY: a shared reference gives the pages for reading, and their addresses. Writing through an address is unsafe:
// the place that does it answers for it that no thread reads or writes the same bytes meanwhile.
unsafe impl Sync for Pages {}

impl Pages {
    /// Takes over pages that can be read, and that `give_back` gives back.
    pub(super) fn new(start: NonNull<u8>, bytes: usize, give_back: GiveBack) -> Self {
        Self { start, bytes, give_back }
    }

    fn address_of(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.bytes, "{offset} lies outside a mapping of {} bytes", self.bytes);
        // SAFETY: the byte lies inside the mapping.
        unsafe { self.start.as_ptr().add(offset) }
    }

    pub(super) fn start_of(&self, range: &Range<usize>) -> *mut u8 {
        assert!(range.end <= self.bytes, "{range:?} lies outside a mapping of {} bytes", self.bytes);
        self.address_of(range.start)
    }
}

impl Deref for Pages {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the mapping is readable and lives as long as `self`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the range was mapped for this value and no reference into it outlives the value.
        unsafe { (self.give_back)(self.start.as_ptr(), self.bytes) };
    }
}

/// The size of a buffer of at most `most_bytes` bytes: no memory is asked for that the source cannot fill, since the pages of a
/// buffer are looked up when it is made. A source without a length, as in /proc, is read with a page.
pub(crate) fn capped(most_bytes: usize, source_bytes: u64) -> usize {
    const PAGE_BYTES: u64 = 4_096;
    most_bytes.min(usize::try_from(source_bytes.max(PAGE_BYTES)).unwrap_or(usize::MAX))
}

/// A mapped file for reading.
///
/// On Linux the file must not be cut off while the mapping lives: touching the lost pages ends the process with `SIGBUS`. The
/// files of a trial lie in a private folder, and only one worker works at a time. Windows does not let a mapped file be cut
/// off. A page that cannot be read from the device ends the process, which is a failure of the trial like any other.
pub(crate) struct SourceMapping(pub(super) Pages);

/// Pages for reading and writing: a page-aligned buffer, or a mapped file ([`SourceMapping`]).
pub(crate) struct Mapping(pub(super) Pages);

impl SourceMapping {
    /// All bytes of a file, as many as said and at least one, to be read from the first to the last.
    pub(crate) fn sequential(file: &OpenFile, bytes: u64) -> io::Result<Self> {
        let mapping = Self::of_source(file, bytes as usize)?;
        mapping.advise_sequential()?;
        Ok(mapping)
    }

    /// The address of a byte, for a place that reads it without a reference.
    pub(crate) fn address_of(&self, offset: usize) -> *const u8 {
        self.0.address_of(offset)
    }
}

impl Mapping {
    /// The address of a byte, for the system to read or write while the process holds no reference to it.
    pub(crate) fn address_of(&self, offset: usize) -> *mut u8 {
        self.0.address_of(offset)
    }

    /// The same mapping, from now on for reading only. The system is not asked.
    pub(crate) fn into_source(self) -> SourceMapping {
        SourceMapping(self.0)
    }
}

impl From<Pages> for SourceMapping {
    fn from(pages: Pages) -> Self {
        Self(pages)
    }
}

impl From<Pages> for Mapping {
    fn from(pages: Pages) -> Self {
        Self(pages)
    }
}

impl Deref for SourceMapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Mapping {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the pages are writable, live as long as `self` and are borrowed alone.
        unsafe { slice::from_raw_parts_mut(self.0.start.as_ptr(), self.0.bytes) }
    }
}

/// A buffer of zeros for system calls that look up every page of it, as those past the file cache do: a piece of it is one
/// stretch of memory for the device where it lies in a huge page, and one for each page where it does not. It begins at a page.
pub(crate) struct Buffer {
    memory: Mapping,
    range: Range<usize>,
}

impl Buffer {
    pub(crate) fn in_pages(bytes: usize) -> io::Result<Self> {
        // No system maps nothing.
        Ok(Self { memory: Mapping::buffer(bytes.max(1))?, range: 0..bytes })
    }

    /// In huge pages where the host has them, else in ordinary ones.
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

#[cfg(test)]
mod tests {
    use super::capped;

    #[test]
    fn a_buffer_is_never_larger_than_the_file_and_never_empty() {
        let sizes = [(1 << 20, 10_000), (256 << 10, 1 << 30), (1 << 20, 0), (1, 0)];
        assert_eq!(sizes.map(|(most, source)| capped(most, source)), [10_000, 256 << 10, 4_096, 1]);
    }
}
