//! A file that is mapped view by view.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_READ, FILE_MAP_WRITE, PAGE_READONLY, PAGE_READWRITE,
};

use super::{Mapping, OpenFile};

/// A file of which parts are mapped, one after the other or several at a time.
pub(crate) struct Views<'file> {
    file: &'file OpenFile<'file>,
    object: OwnedHandle,
    access: u32,
}

impl<'file> Views<'file> {
    /// Views for reading. The file must not be empty.
    pub(crate) fn of_source(file: &'file OpenFile<'file>) -> io::Result<Self> {
        Self::new(file, 0, PAGE_READONLY, FILE_MAP_READ)
    }

    /// Views for writing; the file gets a length of `bytes`, which must not be 0. Nothing is to be noted: every file
    /// system here allocates.
    pub(crate) fn of_destination(
        file: &'file OpenFile<'file>,
        bytes: u64,
        _notes: &mut Vec<String>,
    ) -> io::Result<Self> {
        Self::new(file, bytes, PAGE_READWRITE, FILE_MAP_READ | FILE_MAP_WRITE)
    }

    /// A size of 0 stands for that of the file.
    fn new(file: &'file OpenFile<'file>, bytes: u64, protection: u32, access: u32) -> io::Result<Self> {
        let (high, low) = ((bytes >> 32) as u32, bytes as u32);
        // SAFETY: the handle is open; without attributes and name the object is new, and its handle ours alone.
        let object =
            unsafe { CreateFileMappingW(file.handle(), ptr::null(), protection, high, low, ptr::null()) };
        if object.is_null() {
            return Err(file.at("CreateFileMapping")(io::Error::last_os_error()));
        }
        // SAFETY: it was opened above, and no other value owns it.
        let object = unsafe { OwnedHandle::from_raw_handle(object) };
        Ok(Self { file, object, access })
    }

    /// The view that begins at `offset`, a multiple of 64 KiB, which is where views may begin on every system.
    pub(crate) fn view(&self, offset: u64, bytes: usize) -> io::Result<Mapping> {
        Mapping::of_view(self.object.as_raw_handle(), self.access, offset, bytes)
            .map_err(self.file.at("MapViewOfFile"))
    }

    /// Gives a view of a destination back. Where the file is made durable, the changed pages are handed to the file
    /// system before, where its flush finds them.
    pub(crate) fn give_back(&self, view: Mapping, durable: bool) -> io::Result<()> {
        if durable { view.flush().map_err(self.file.at("FlushViewOfFile")) } else { Ok(()) }
    }
}
