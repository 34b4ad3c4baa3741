//! Files past the cache, and overlapped calls with a completion port to read and write them.

use std::io;
use std::marker::PhantomData;
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, HANDLE};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_NO_BUFFERING, FILE_FLAG_OVERLAPPED, ReadFile, WriteFile,
};
use windows_sys::Win32::System::IO::{GetQueuedCompletionStatus, OVERLAPPED};
use windows_sys::Win32::System::Threading::INFINITE;

use crate::files::{OpenFile, Port, Use, checked, overlapped_at};
use crate::sort::transfers::Transfer;

pub(in crate::sort) const REFUSED: &str =
    "FILE_FLAG_NO_BUFFERING with overlapped calls is refused in this directory";

pub(in crate::sort) fn create_for_queue(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, Use::Create, FILE_FLAG_NO_BUFFERING | FILE_FLAG_OVERLAPPED)
}

pub(in crate::sort) fn open_for_queue(path: &Path) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, Use::Read, FILE_FLAG_NO_BUFFERING | FILE_FLAG_OVERLAPPED)
}

pub(in crate::sort) struct Queue<'file> {
    port: Port,
    handles: [HANDLE; 2],
    /// One for each transfer; never moved, and not touched while in flight.
    slots: Box<[OVERLAPPED]>,
    files: PhantomData<&'file OpenFile<'file>>,
}

impl<'file> Queue<'file> {
    pub(in crate::sort) fn new(
        entries: usize, from: &'file OpenFile<'file>, to: &'file OpenFile<'file>, _notes: &mut Vec<String>,
    ) -> io::Result<Self> {
        let port = Port::of_files(&[from, to])?;
        let slots = (0..entries).map(|_| OVERLAPPED::default()).collect();
        Ok(Self { port, handles: [from.handle(), to.handle()], slots, files: PhantomData })
    }

    /// Begins a transfer; `nth` comes back with its end. On an error nothing has begun.
    ///
    /// # Safety
    /// The memory must stay, and must not be touched, until the end has come.
    pub(in crate::sort) unsafe fn start(&mut self, nth: usize, transfer: Transfer) -> io::Result<()> {
        let Transfer { is_write, memory, bytes, offset } = transfer;
        let file = self.handles[usize::from(is_write)];
        let slot = &raw mut self.slots[nth];
        // SAFETY: the structure is used by no other call; the caller vouches for the memory; the handle is open.
        let answer = unsafe {
            *slot = overlapped_at(offset);
            if is_write {
                WriteFile(file, memory, bytes as u32, ptr::null_mut(), slot)
            } else {
                ReadFile(file, memory, bytes as u32, ptr::null_mut(), slot)
            }
        };
        // What was done at once is reported at the port as well.
        match checked(answer) {
            Err(error) if error.raw_os_error() != Some(ERROR_IO_PENDING as i32) => Err(error),
            _ => Ok(()),
        }
    }

    pub(in crate::sort) fn wait(&mut self) -> io::Result<(usize, io::Result<usize>)> {
        let (mut moved, mut key, mut ended) = (0, 0, ptr::null_mut::<OVERLAPPED>());
        let port = self.port.handle();
        // SAFETY: the port is open, and the places are valid for the answers.
        let answer = checked(unsafe {
            GetQueuedCompletionStatus(port, &raw mut moved, &raw mut key, &raw mut ended, INFINITE)
        });
        match answer {
            Err(error) if ended.is_null() => {
                Err(sys::failure::in_context("GetQueuedCompletionStatus", error))
            }
            answer => {
                let nth = (ended.addr() - self.slots.as_ptr().addr()) / size_of::<OVERLAPPED>();
                Ok((nth, answer.map(|()| moved as usize)))
            }
        }
    }
}
