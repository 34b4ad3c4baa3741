//! A file of which parts are mapped, one after the other.

use std::io;
use std::marker::PhantomData;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::{self, NonNull};

use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_READ, FILE_MAP_WRITE, MapViewOfFile, PAGE_READONLY, PAGE_READWRITE,
};

use super::OpenFile;
use super::memory::unmap;
use crate::files::{Mapping, Pages, SourceMapping};

/// A file that is to be mapped, in whole or in parts: one object of the system for all of its views, each
/// of them a `View`.
pub(crate) struct Section<'file, View> {
    file: &'file OpenFile<'file>,
    object: OwnedHandle,
    access: u32,
    view: PhantomData<View>,
}

impl<'file> Section<'file, SourceMapping> {
    /// For reading the first `bytes` bytes of a file that is not empty; 0 stands for all of them.
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

impl<View: From<Pages>> Section<'_, View> {
    /// A part that begins at `offset`, a multiple of 64 KiB; its length must not be 0.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<View> {
        let (high, low) = halves(offset);
        // SAFETY: a new view at an address of the system's choice touches no memory in use.
        let view = unsafe { MapViewOfFile(self.object.as_raw_handle(), self.access, high, low, bytes) };
        match NonNull::new(view.Value.cast()) {
            Some(start) => Ok(Pages::new(start, bytes, unmap).into()),
            None => Err(self.file.at("MapViewOfFile")(io::Error::last_os_error())),
        }
    }
}

/// A number of 64 bits as the system takes it.
fn halves(number: u64) -> (u32, u32) {
    ((number >> 32) as u32, number as u32)
}
