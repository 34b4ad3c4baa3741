//! Pages of memory straight from the system: page-aligned buffers and mapped files.

use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::{self, NonNull};
use std::slice;

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, mmap_anonymous, munmap};

use super::OpenFile;

/// The size of a huge page of x86-64.
pub(crate) const HUGE_PAGE_BYTES: usize = 2 << 20;
/// A buffer of less lies in so few pages that a huge one gains nothing.
const FEW_PAGES_BYTES: usize = 64 << 10;

/// A range of pages that is given back when it is dropped, and that is never empty.
pub(super) struct Pages {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the pages belong to the process, not to the thread that mapped them.
unsafe impl Send for Pages {}
// SAFETY: a shared reference gives the pages for reading, and their addresses. Writing through an address is unsafe:
// the place that does it answers for it that no thread reads or writes the same bytes meanwhile.
unsafe impl Sync for Pages {}

impl Pages {
    /// The part of a file that begins at `offset`, which must be one of a page.
    pub(super) fn of_part(
        file: &OpenFile,
        offset: u64,
        bytes: usize,
        access: ProtFlags,
        flags: MapFlags,
    ) -> io::Result<Self> {
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let mapped = unsafe { mmap(ptr::null_mut(), bytes, access, flags, file, offset) };
        Ok(Self::new(mapped.map_err(file.at("mmap"))?.cast(), bytes))
    }

    /// Anonymous memory for reading and writing.
    fn anonymous(bytes: usize, flags: MapFlags) -> rustix::io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new private mapping at an address of the kernel's choice touches no memory in use.
        let mapped = unsafe { mmap_anonymous(ptr::null_mut(), bytes, access, flags) };
        Ok(Self::new(mapped?.cast(), bytes))
    }

    fn new(start: *mut u8, bytes: usize) -> Self {
        let start = NonNull::new(start).expect("the kernel never maps at address 0 unasked");
        Self { start, bytes }
    }

    fn address_of(&self, offset: usize) -> *mut u8 {
        assert!(offset < self.bytes, "{offset} lies outside a mapping of {} bytes", self.bytes);
        // SAFETY: the byte lies inside the mapping.
        unsafe { self.start.as_ptr().add(offset) }
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
        // SAFETY: the range was mapped by this value and no reference into it outlives the value.
        let unmapped = unsafe { munmap(self.start.as_ptr().cast(), self.bytes) };
        debug_assert!(unmapped.is_ok(), "{unmapped:?}");
    }
}

/// A mapped file for reading.
///
/// The file must not be cut off while the mapping lives: touching the lost pages ends the process with `SIGBUS`. The files
/// of a trial lie in a private folder, and only one worker works at a time.
pub(crate) struct SourceMapping(Pages);

impl SourceMapping {
    /// The first `bytes` bytes of a file. `bytes` must not be 0.
    pub(crate) fn of_source(file: &OpenFile, bytes: usize, populate: bool) -> io::Result<Self> {
        let populate = if populate { MapFlags::POPULATE } else { MapFlags::empty() };
        Pages::of_part(file, 0, bytes, ProtFlags::READ, MapFlags::SHARED | populate).map(Self)
    }

    /// Takes over pages that were mapped for reading.
    pub(super) fn of_pages(pages: Pages) -> Self {
        Self(pages)
    }

    /// The address of a byte, for a place that reads it without a reference.
    pub(crate) fn address_of(&self, offset: usize) -> *const u8 {
        self.0.address_of(offset)
    }

    /// Tells the kernel that the pages will be read from the first to the last.
    pub(crate) fn advise_sequential(&self) -> io::Result<()> {
        let Pages { start, bytes } = &self.0;
        // SAFETY: the range is a live mapping of this value, and the advice does not change its contents.
        unsafe { madvise(start.as_ptr().cast(), *bytes, Advice::Sequential) }.map_err(io::Error::from)
    }

    /// Looks up the pages of a range, which must begin at a page, for reading.
    ///
    /// A kernel before 5.14 refuses: then every page is looked up when it is touched, and that is no error.
    pub(crate) fn populate(&self, range: Range<usize>) {
        let start = self.0.address_of(range.start);
        assert!(range.end <= self.len(), "{range:?} lies outside a mapping of {} bytes", self.len());
        // SAFETY: the range lies inside the mapping, and looking pages up does not change their contents.
        let _ = unsafe { madvise(start.cast(), range.len(), Advice::LinuxPopulateRead) };
    }
}

impl Deref for SourceMapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Pages for reading and writing: a page-aligned buffer, or a mapped file, which must not be cut off meanwhile
/// ([`SourceMapping`]).
pub(crate) struct Mapping(Pages);

impl Mapping {
    /// A page-aligned buffer of zeros, all of its pages present: one call in place of one fault a page.
    pub(crate) fn buffer(bytes: usize) -> io::Result<Self> {
        Self::anonymous(bytes, MapFlags::PRIVATE | MapFlags::POPULATE)
    }

    /// A page-aligned buffer of zeros whose pages come when they are touched, for a buffer that may stay mostly unused.
    pub(crate) fn untouched(bytes: usize) -> io::Result<Self> {
        Self::anonymous(bytes, MapFlags::PRIVATE)
    }

    fn anonymous(bytes: usize, flags: MapFlags) -> io::Result<Self> {
        let refused = |error| {
            let error = io::Error::from(error);
            let size = model::format_bytes(bytes as u64);
            sys::failure::in_context(format_args!("map a buffer of {size}"), error)
        };
        Pages::anonymous(bytes, flags).map(Self).map_err(refused)
    }

    /// Memory for `bytes` bytes, none of whose pages is present: it begins at a huge page, and huge pages are asked for. The range
    /// says where in the mapping it lies.
    ///
    /// # Errors
    /// There is no room, or the kernel has no huge pages. One that has turned them off takes the advice without a word.
    pub(crate) fn for_huge_pages(bytes: usize) -> io::Result<(Self, Range<usize>)> {
        let whole_pages = bytes.next_multiple_of(HUGE_PAGE_BYTES);
        // One page more has room for the first huge page wherever it begins; what is never touched costs nothing.
        let mapping = Self(Pages::anonymous(whole_pages + HUGE_PAGE_BYTES, MapFlags::PRIVATE)?);
        let start = mapping.address_of(0).align_offset(HUGE_PAGE_BYTES);
        let huge = mapping.address_of(start).cast();
        // SAFETY: the range lies inside the mapping, and the advice does not change its contents.
        unsafe { madvise(huge, whole_pages, Advice::LinuxHugepage) }?;
        Ok((mapping, start..start + bytes))
    }

    /// A buffer of zeros: in huge pages where it takes several pages and the host allows them, else in ordinary pages. The
    /// range says where in the mapping it lies.
    pub(crate) fn buffer_in_huge_pages(bytes: usize) -> io::Result<(Self, Range<usize>)> {
        if bytes >= FEW_PAGES_BYTES
            && let Ok((mapping, range)) = Self::for_huge_pages(bytes)
        {
            mapping.populate(range.clone());
            return Ok((mapping, range));
        }
        Self::buffer(bytes).map(|mapping| (mapping, 0..bytes))
    }

    /// Makes the pages of a range, which must begin at a page, present.
    ///
    /// A kernel before 5.14 refuses: then every page comes when it is touched, and that is no error.
    fn populate(&self, range: Range<usize>) {
        let start = self.address_of(range.start);
        assert!(range.end <= self.len(), "{range:?} lies outside a mapping of {} bytes", self.len());
        // SAFETY: the range lies inside the mapping, and making pages present does not change their contents.
        let _ = unsafe { madvise(start.cast(), range.len(), Advice::LinuxPopulateWrite) };
    }

    /// The first `bytes` bytes of a file; the file must be that long. `bytes` must not be 0.
    pub(crate) fn of_destination(file: &OpenFile, bytes: usize) -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        Pages::of_part(file, 0, bytes, access, MapFlags::SHARED).map(Self)
    }

    /// The same mapping, from now on for reading only. The system is not asked.
    pub(crate) fn into_source(self) -> SourceMapping {
        SourceMapping(self.0)
    }

    /// Takes over pages that were mapped for reading and writing.
    pub(super) fn of_pages(pages: Pages) -> Self {
        Self(pages)
    }

    /// The address of a byte, for the kernel to read or write while the process holds no reference to it.
    pub(crate) fn address_of(&self, offset: usize) -> *mut u8 {
        self.0.address_of(offset)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the buffer begins in memory.
    fn address(mapping: &Mapping, range: &Range<usize>) -> usize {
        mapping[range.clone()].as_ptr() as usize
    }

    #[test]
    fn a_buffer_in_huge_pages_begins_at_a_huge_page_and_is_as_long_as_asked_for() {
        for bytes in [64 << 10, 1 << 20, HUGE_PAGE_BYTES, (3 << 20) + 5, 8 << 20] {
            let (mut mapping, range) = Mapping::buffer_in_huge_pages(bytes).expect("memory");
            assert_eq!(range.len(), bytes);
            assert!(mapping[range.clone()].iter().all(|&byte| byte == 0), "{bytes}");
            mapping[range.clone()].fill(0xA5);
            assert!(mapping[range.clone()].iter().all(|&byte| byte == 0xA5), "{bytes}");
            // A kernel that was built without huge pages gives ordinary ones.
            let unit = if Mapping::for_huge_pages(bytes).is_ok() { HUGE_PAGE_BYTES } else { 4096 };
            assert!(address(&mapping, &range).is_multiple_of(unit), "{bytes}");
        }
    }

    #[test]
    fn a_buffer_of_few_pages_lies_in_ordinary_ones() {
        let (mapping, range) = Mapping::buffer_in_huge_pages(32 << 10).expect("memory");
        assert_eq!((mapping.len(), range), (32 << 10, 0..32 << 10));
    }
}
