//! Pages of memory straight from the system: page-aligned buffers and mapped files.

use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::{self, NonNull};
use std::slice;

use windows_sys::Win32::System::Memory::{
    FlushViewOfFile, MEM_COMMIT, MEM_RELEASE, MEM_RESERVE, MEMORY_MAPPED_VIEW_ADDRESS, PAGE_READWRITE,
    PrefetchVirtualMemory, UnmapViewOfFile, VirtualAlloc, VirtualFree, WIN32_MEMORY_RANGE_ENTRY,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use super::{OpenFile, Section, checked};

/// A range of pages that is given back when it is dropped, and that is never empty.
pub(super) struct Pages {
    start: NonNull<u8>,
    bytes: usize,
    is_file: bool,
}

// SAFETY: the pages belong to the process, not to the thread that mapped them.
unsafe impl Send for Pages {}
// SAFETY: a shared reference gives the pages for reading, and their addresses. Writing through an address is unsafe:
// the place that does it answers for it that no thread reads or writes the same bytes meanwhile.
unsafe impl Sync for Pages {}

impl Pages {
    /// A view that was made for this value alone.
    pub(super) fn of_view(start: NonNull<u8>, bytes: usize) -> Self {
        Self { start, bytes, is_file: true }
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
        let start = self.start.as_ptr().cast();
        let given_back = if self.is_file {
            // SAFETY: the view was made by this value and no reference into it outlives the value.
            unsafe { UnmapViewOfFile(MEMORY_MAPPED_VIEW_ADDRESS { Value: start }) }
        } else {
            // SAFETY: the memory was allocated by this value and no reference into it outlives the value.
            unsafe { VirtualFree(start, 0, MEM_RELEASE) }
        };
        debug_assert!(given_back != 0, "{}", io::Error::last_os_error());
    }
}

/// A mapped file for reading.
///
/// The system does not let a file be cut off while it is mapped. A page that cannot be read from the device ends the
/// process with an exception, which is a failure of the trial like any other.
pub(crate) struct SourceMapping(Pages);

impl SourceMapping {
    /// The first `bytes` bytes of a file. `bytes` must not be 0.
    pub(crate) fn of_source(file: &OpenFile, bytes: usize) -> io::Result<Self> {
        Section::of_source(file, bytes as u64)?.view(0, bytes)
    }

    /// Takes over pages that were mapped for reading.
    pub(super) fn of_pages(pages: Pages) -> Self {
        Self(pages)
    }

    /// The address of a byte, for a place that reads it without a reference.
    pub(crate) fn address_of(&self, offset: usize) -> *const u8 {
        self.0.address_of(offset)
    }

    /// Asks the system to read a range of a mapped file from the device, in few and large requests, and to look its
    /// pages up. An advice that is not taken is no error: the pages then come when they are touched.
    pub(crate) fn prefetch(&self, range: Range<usize>) {
        let start = self.0.address_of(range.start);
        assert!(range.end <= self.len(), "{range:?} lies outside a mapping of {} bytes", self.len());
        let entry = WIN32_MEMORY_RANGE_ENTRY { VirtualAddress: start.cast(), NumberOfBytes: range.len() };
        // SAFETY: the pseudo-handle is that of this process, and the one entry lies inside the mapping.
        unsafe { PrefetchVirtualMemory(GetCurrentProcess(), 1, &raw const entry, 0) };
    }
}

impl Deref for SourceMapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Pages for reading and writing: a page-aligned buffer, or a mapped file.
pub(crate) struct Mapping(Pages);

impl Mapping {
    /// A page-aligned buffer of zeros; its pages come when they are touched, which no flag changes here.
    pub(crate) fn buffer(bytes: usize) -> io::Result<Self> {
        // SAFETY: new memory at an address of the system's choice touches no memory in use.
        let start = unsafe { VirtualAlloc(ptr::null(), bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE) };
        let start = NonNull::new(start.cast()).ok_or_else(|| {
            let error = io::Error::last_os_error();
            let size = model::format_bytes(bytes as u64);
            sys::failure::in_context(format_args!("VirtualAlloc of a buffer of {size}"), error)
        })?;
        Ok(Self(Pages { start, bytes, is_file: false }))
    }

    /// As [`Mapping::buffer`], and where in it the buffer lies: Windows gives huge pages only to accounts with a right of their own.
    pub(crate) fn buffer_in_huge_pages(bytes: usize) -> io::Result<(Self, Range<usize>)> {
        Ok((Self::buffer(bytes)?, 0..bytes))
    }

    /// A page-aligned buffer of zeros whose pages come when they are touched.
    pub(crate) fn untouched(bytes: usize) -> io::Result<Self> {
        Self::buffer(bytes)
    }

    /// The first `bytes` bytes of a file; a shorter file grows to that length. `bytes` must not be 0.
    pub(crate) fn of_destination(file: &OpenFile, bytes: usize) -> io::Result<Self> {
        Section::of_destination(file, bytes as u64)?.view(0, bytes)
    }

    /// The same mapping, from now on for reading only. The system is not asked.
    pub(crate) fn into_source(self) -> SourceMapping {
        SourceMapping(self.0)
    }

    /// Takes over pages that were mapped for reading and writing.
    pub(super) fn of_pages(pages: Pages) -> Self {
        Self(pages)
    }

    /// The address of a byte, for the system to read or write while the process holds no reference to it.
    pub(crate) fn address_of(&self, offset: usize) -> *mut u8 {
        self.0.address_of(offset)
    }

    /// Hands the changed pages of a mapped file to the file system, where a flush of the file finds them.
    pub(crate) fn flush(&self) -> io::Result<()> {
        // SAFETY: the range is a live view of this value.
        checked(unsafe { FlushViewOfFile(self.0.start.as_ptr().cast(), self.0.bytes) })
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
