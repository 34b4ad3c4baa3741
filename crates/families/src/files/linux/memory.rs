//! Linux' pages of memory.

use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::ptr::{self, NonNull};

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, mmap_anonymous, munmap};

use super::OpenFile;
use crate::files::{Mapping, Pages, SourceMapping};

pub(crate) const HUGE_PAGE_BYTES: usize = 2 << 20;
/// A buffer of less lies in so few pages that a huge one gains nothing.
const FEW_PAGES_BYTES: usize = 64 << 10;

impl<const IS_WRITABLE: bool> Pages<IS_WRITABLE> {
    pub(super) fn of_part(
        file: &OpenFile, offset: u64, bytes: usize, access: ProtFlags, flags: MapFlags,
    ) -> io::Result<Self> {
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let mapped = unsafe { mmap(ptr::null_mut(), bytes, access, flags, file, offset) };
        Ok(Self::mapped(mapped.map_err(file.at("mmap"))?.cast(), bytes))
    }

    fn mapped(start: *mut u8, bytes: usize) -> Self {
        let start = NonNull::new(start).expect("the kernel never maps at address 0 unasked");
        Self::new(start, bytes, unmap)
    }
}

/// # Safety
/// The pages were mapped, and nothing refers to them any more.
unsafe fn unmap(start: *mut u8, bytes: usize) {
    // SAFETY: the caller vouches for it.
    let unmapped = unsafe { munmap(start.cast(), bytes) };
    debug_assert!(unmapped.is_ok(), "{unmapped:?}");
}

impl SourceMapping {
    /// Maps the first `bytes` bytes of a file, at least 1.
    pub(crate) fn of_source(file: &OpenFile, bytes: u64) -> io::Result<Self> {
        Pages::of_part(file, 0, bytes as usize, ProtFlags::READ, MapFlags::SHARED)
    }

    /// Maps with all pages (`MAP_POPULATE`).
    pub(crate) fn at_once(file: &OpenFile, bytes: u64) -> io::Result<Self> {
        Pages::of_part(file, 0, bytes as usize, ProtFlags::READ, MapFlags::SHARED | MapFlags::POPULATE)
    }

    /// Announces that the pages will be read from the first to the last.
    pub(crate) fn advise_sequential(&self) -> io::Result<()> {
        let start = self.start_of(&(0..self.len()));
        // SAFETY: the range is a live mapping of this value, and the advice does not change its contents.
        unsafe { madvise(start.cast(), self.len(), Advice::Sequential) }.map_err(io::Error::from)
    }

    pub(crate) fn populate(&self, range: Range<usize>) {
        look_up(&self[range]);
    }
}

/// Looks up the pages of mapped bytes: a call instead of a fault for every few of them. A kernel before 5.14 refuses: each then
/// comes when touched.
pub(crate) fn look_up(mapped: &[u8]) {
    populate(mapped.as_ptr(), mapped.len(), Advice::LinuxPopulateRead);
}

/// As [`look_up`], for writing.
pub(crate) fn look_up_for_writing<Element>(part: &mut [Element]) {
    populate(part.as_ptr().cast(), size_of_val(part), Advice::LinuxPopulateWrite);
}

/// Looked up by one call: a short pause for a thread that waits for others, and few calls for a large file.
const LOOKED_UP_BYTES: usize = 8 << 20;

fn populate(start: *const u8, bytes: usize, advice: Advice) {
    let before = start.addr() % rustix::param::page_size();
    let (mut start, mut left) = (start.wrapping_sub(before), bytes + before);
    while left > 0 {
        let step = left.min(LOOKED_UP_BYTES);
        // SAFETY: looking up the pages of memory that is borrowed does not change their contents.
        let _ = unsafe { madvise(start.cast_mut().cast(), step, advice) };
        (start, left) = (start.wrapping_add(step), left - step);
    }
}

impl Mapping {
    /// Returns a page-aligned buffer of zeros, all of its pages present: one call instead of one fault a page.
    pub(crate) fn mapped_buffer(bytes: usize) -> io::Result<Self> {
        Self::anonymous(bytes, MapFlags::PRIVATE | MapFlags::POPULATE)
    }

    /// Returns a page-aligned buffer of zeros whose pages come when they are touched.
    pub(crate) fn untouched(bytes: usize) -> io::Result<Self> {
        Self::anonymous(bytes, MapFlags::PRIVATE)
    }

    fn anonymous(bytes: usize, flags: MapFlags) -> io::Result<Self> {
        Self::with_flags(bytes, flags).map_err(|error| {
            let size = model::format_bytes(bytes as u64);
            sys::failure::in_context(format_args!("map a buffer of {size}"), io::Error::from(error))
        })
    }

    pub(crate) fn with_flags(bytes: usize, flags: MapFlags) -> rustix::io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new private mapping at an address of the kernel's choice touches no memory in use.
        let mapped = unsafe { mmap_anonymous(ptr::null_mut(), bytes, access, flags) }?;
        Ok(Self::mapped(mapped.cast(), bytes))
    }

    /// Maps memory, none of it present, that begins at a huge page where the kernel has them; returns its place in the mapping.
    pub(crate) fn for_huge_pages(bytes: usize) -> io::Result<(Self, Range<usize>)> {
        let whole_pages = bytes.next_multiple_of(HUGE_PAGE_BYTES);
        // One page more has room for the first huge page wherever it begins; what is never touched costs nothing.
        let mapping = Self::with_flags(whole_pages + HUGE_PAGE_BYTES, MapFlags::PRIVATE)?;
        let start = mapping.address_of(0).align_offset(HUGE_PAGE_BYTES);
        let huge = mapping.address_of(start).cast();
        // SAFETY: the range lies inside the mapping, and the advice does not change its contents.
        unsafe { madvise(huge, whole_pages, Advice::LinuxHugepage) }?;
        Ok((mapping, start..start + bytes))
    }

    /// Returns a buffer of zeros, in huge pages where that helps, and its place in the mapping.
    pub(crate) fn buffer_in_huge_pages(bytes: usize) -> io::Result<(Self, Range<usize>)> {
        if bytes >= FEW_PAGES_BYTES
            && let Ok((mut mapping, range)) = Self::for_huge_pages(bytes)
        {
            look_up_for_writing(&mut mapping[range.clone()]);
            return Ok((mapping, range));
        }
        Self::buffer(bytes).map(|mapping| (mapping, 0..bytes))
    }

    /// Maps the first `bytes` bytes, at least 1, of a file that is that long.
    pub(crate) fn of_destination(file: &OpenFile, bytes: usize) -> io::Result<Self> {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        Pages::of_part(file, 0, bytes, access, MapFlags::SHARED)
    }

    /// Does nothing: the changed pages are the file's already, and its flush finds them.
    pub(crate) fn hand_over(&self, _file: &OpenFile) -> io::Result<()> {
        Ok(())
    }
}

/// A file of which parts are mapped, each of them a `View`.
pub(crate) struct Section<'file, View> {
    file: &'file OpenFile<'file>,
    access: ProtFlags,
    view: PhantomData<View>,
}

impl<'file> Section<'file, SourceMapping> {
    /// Opens a file that is not empty for reading.
    pub(crate) fn of_source(file: &'file OpenFile<'file>, _bytes: u64) -> io::Result<Self> {
        Ok(Self { file, access: ProtFlags::READ, view: PhantomData })
    }
}

impl<'file> Section<'file, Mapping> {
    /// Opens a file for writing that has at least `bytes` bytes.
    pub(crate) fn of_destination(file: &'file OpenFile<'file>, _bytes: u64) -> io::Result<Self> {
        Ok(Self { file, access: ProtFlags::READ | ProtFlags::WRITE, view: PhantomData })
    }
}

impl<const IS_WRITABLE: bool> Section<'_, Pages<IS_WRITABLE>> {
    /// Maps a part that begins at a multiple of 64 KiB and is not empty.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Pages<IS_WRITABLE>> {
        Pages::of_part(self.file, offset, bytes, self.access, MapFlags::SHARED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(mapping: &Mapping, range: &Range<usize>) -> usize {
        mapping[range.clone()].as_ptr() as usize
    }

    #[test]
    fn a_buffer_in_huge_pages_is_aligned_and_as_long_as_asked_for() {
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
