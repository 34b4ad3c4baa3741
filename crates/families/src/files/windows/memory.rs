//! Windows' pages of memory.

use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::{self, NonNull};

use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_READ, FILE_MAP_WRITE, FlushViewOfFile, MEM_COMMIT, MEM_RELEASE, MEM_RESERVE,
    MEMORY_MAPPED_VIEW_ADDRESS, MapViewOfFile, PAGE_READONLY, PAGE_READWRITE, PrefetchVirtualMemory,
    UnmapViewOfFile, VirtualAlloc, VirtualFree, WIN32_MEMORY_RANGE_ENTRY,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use super::{OpenFile, checked};
use crate::files::{Mapping, Pages, SourceMapping};

/// # Safety
/// The memory was allocated, and nothing refers to it any more.
unsafe fn free(start: *mut u8, _bytes: usize) {
    // SAFETY: the caller vouches for it.
    let freed = unsafe { VirtualFree(start.cast(), 0, MEM_RELEASE) };
    debug_assert!(freed != 0, "{}", io::Error::last_os_error());
}

/// # Safety
/// It is a view of a file, and nothing refers to it any more.
unsafe fn unmap(start: *mut u8, _bytes: usize) {
    // SAFETY: the caller vouches for it.
    let unmapped = unsafe { UnmapViewOfFile(MEMORY_MAPPED_VIEW_ADDRESS { Value: start.cast() }) };
    debug_assert!(unmapped != 0, "{}", io::Error::last_os_error());
}

impl SourceMapping {
    pub(crate) fn of_source(file: &OpenFile, bytes: u64) -> io::Result<Self> {
        Section::of_source(file, bytes)?.view(0, bytes as usize)
    }

    pub(crate) fn at_once(file: &OpenFile, bytes: u64) -> io::Result<Self> {
        let mapping = Self::of_source(file, bytes)?;
        mapping.populate(0..mapping.len());
        Ok(mapping)
    }

    /// Does nothing: a view takes no such advice.
    pub(crate) fn advise_sequential(&self) -> io::Result<()> {
        Ok(())
    }

    /// Has the system read a range of a mapped file in few and large requests. Where it does not, pages come when touched.
    pub(crate) fn populate(&self, range: Range<usize>) {
        let start = self.start_of(&range);
        let entry = WIN32_MEMORY_RANGE_ENTRY { VirtualAddress: start.cast(), NumberOfBytes: range.len() };
        // SAFETY: the pseudo-handle is that of this process, and the one entry lies inside the mapping.
        unsafe { PrefetchVirtualMemory(GetCurrentProcess(), 1, &raw const entry, 0) };
    }
}

/// Does nothing: PrefetchVirtualMemory reads pages from the device, but no call spares the fault of the first touch.
pub(crate) fn look_up(_mapped: &[u8]) {}

/// As [`look_up`].
pub(crate) fn look_up_for_writing<Element>(_part: &mut [Element]) {}

impl Mapping {
    /// A page-aligned buffer of zeros; its pages come when they are touched, which no flag changes here.
    pub(crate) fn mapped_buffer(bytes: usize) -> io::Result<Self> {
        Self::of_kind(bytes, 0)
    }

    pub(crate) fn of_kind(bytes: usize, kind: u32) -> io::Result<Self> {
        let kind = MEM_RESERVE | MEM_COMMIT | kind;
        // SAFETY: new memory at an address of the system's choice touches no memory in use.
        let start = unsafe { VirtualAlloc(ptr::null(), bytes, kind, PAGE_READWRITE) };
        let start = NonNull::new(start.cast()).ok_or_else(|| {
            let error = io::Error::last_os_error();
            let size = model::format_bytes(bytes as u64);
            sys::failure::in_context(format_args!("VirtualAlloc of a buffer of {size}"), error)
        })?;
        Ok(Self::new(start, bytes, free))
    }

    /// As [`Mapping::mapped_buffer`], and its place in it: Windows gives huge pages only to accounts with a right of their own.
    pub(crate) fn buffer_in_huge_pages(bytes: usize) -> io::Result<(Self, Range<usize>)> {
        Ok((Self::buffer(bytes)?, 0..bytes))
    }

    /// The first `bytes` bytes of a file; a shorter file grows to that length. `bytes` must not be 0.
    pub(crate) fn of_destination(file: &OpenFile, bytes: usize) -> io::Result<Self> {
        Section::of_destination(file, bytes as u64)?.view(0, bytes)
    }

    /// Hands the changed pages to the file system, where a flush of the file finds them.
    pub(crate) fn hand_over(&self, file: &OpenFile) -> io::Result<()> {
        self.flush().map_err(file.at("FlushViewOfFile"))
    }

    pub(crate) fn flush(&self) -> io::Result<()> {
        // SAFETY: the range is a live view of this value.
        checked(unsafe { FlushViewOfFile(self.address_of(0).cast(), self.len()) })
    }
}

/// A file that is to be mapped, in whole or in parts: one object of the system for all of its views, each of them a `View`.
pub(crate) struct Section<'file, View> {
    file: &'file OpenFile<'file>,
    object: OwnedHandle,
    access: u32,
    view: PhantomData<View>,
}

impl<'file> Section<'file, SourceMapping> {
    pub(crate) fn of_source(file: &'file OpenFile<'file>, bytes: u64) -> io::Result<Self> {
        Self::new(file, bytes, PAGE_READONLY, FILE_MAP_READ)
    }
}

impl<'file> Section<'file, Mapping> {
    /// For writing the first `bytes` bytes of a file, which must not be 0; a shorter file grows to that length.
    pub(crate) fn of_destination(file: &'file OpenFile<'file>, bytes: u64) -> io::Result<Self> {
        Self::new(file, bytes, PAGE_READWRITE, FILE_MAP_READ | FILE_MAP_WRITE)
    }
}

impl<'file, View> Section<'file, View> {
    fn new(file: &'file OpenFile<'file>, bytes: u64, protection: u32, access: u32) -> io::Result<Self> {
        let (high, low) = halves(bytes);
        // SAFETY: the handle is open; without attributes and name the object is new, and its handle ours alone.
        let object =
            unsafe { CreateFileMappingW(file.handle(), ptr::null(), protection, high, low, ptr::null()) };
        if object.is_null() {
            return Err(file.at("CreateFileMapping")(io::Error::last_os_error()));
        }
        // SAFETY: it was opened above, for this value alone. A view keeps its object alive by itself.
        let object = unsafe { OwnedHandle::from_raw_handle(object) };
        Ok(Self { file, object, access, view: PhantomData })
    }
}

impl<const IS_WRITABLE: bool> Section<'_, Pages<IS_WRITABLE>> {
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Pages<IS_WRITABLE>> {
        let (high, low) = halves(offset);
        // SAFETY: a new view at an address of the system's choice touches no memory in use.
        let view = unsafe { MapViewOfFile(self.object.as_raw_handle(), self.access, high, low, bytes) };
        match NonNull::new(view.Value.cast()) {
            Some(start) => Ok(Pages::new(start, bytes, unmap)),
            None => Err(self.file.at("MapViewOfFile")(io::Error::last_os_error())),
        }
    }
}

fn halves(number: u64) -> (u32, u32) {
    ((number >> 32) as u32, number as u32)
}
