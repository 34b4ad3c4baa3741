//! An open file that knows its path, so that every failing step can name it.

use std::fs::{File, OpenOptions};
use std::io;
use std::mem::MaybeUninit;
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, IntoRawHandle, OwnedHandle};
use std::path::Path;
use std::ptr;
use std::slice;

use windows_sys::Win32::Foundation::{
    CloseHandle, ERROR_HANDLE_EOF, FILETIME, GENERIC_READ, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_BEGIN, FILE_FLAG_NO_BUFFERING, FILE_FLAG_SEQUENTIAL_SCAN, FILE_FLAG_WRITE_THROUGH,
    FILE_STORAGE_INFO, FILE_WRITE_ATTRIBUTES, FileStorageInfo, GetFileInformationByHandleEx, GetFileSizeEx,
    ReadFile, SetEndOfFile, SetFilePointerEx, SetFileTime, WriteFile,
};
use windows_sys::Win32::System::IO::{
    CreateIoCompletionPort, GetQueuedCompletionStatusEx, OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0,
    OVERLAPPED_ENTRY,
};
use windows_sys::Win32::System::Threading::INFINITE;

use crate::files::{at, checked, room_of};

pub(crate) struct OpenFile<'path> {
    file: File,
    path: &'path Path,
}

/// An open file as a further thread uses it: a handle that waits does one thing at a time, so each thread has its own.
pub(crate) type ThreadFile<'file> = OpenFile<'file>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Read,
    /// Writing one that must not exist: a left-over would be another piece of work (its blocks are freed first).
    Create,
    Change,
}

/// The length of one call is a number of 32 bits.
const CALL_BYTES: usize = 1 << 30;

impl<'path> OpenFile<'path> {
    pub(crate) fn open(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, Use::Read, 0)
    }

    pub(crate) fn create(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, Use::Create, 0)
    }

    pub(crate) fn open_sequential(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, Use::Read, FILE_FLAG_SEQUENTIAL_SCAN)
    }

    pub(crate) fn create_sequential(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, Use::Create, FILE_FLAG_SEQUENTIAL_SCAN)
    }

    pub(crate) fn open_to_map(path: &'path Path) -> io::Result<Self> {
        Self::open_sequential(path)
    }

    pub(crate) fn create_to_map(path: &'path Path) -> io::Result<Self> {
        Self::create(path)
    }

    pub(crate) fn open_to_change(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, Use::Change, 0)
    }

    pub(crate) fn create_write_through(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, Use::Create, FILE_FLAG_WRITE_THROUGH)
    }

    pub(crate) fn open_direct(path: &'path Path) -> io::Result<Self> {
        Self::open_with(path, Use::Read, FILE_FLAG_NO_BUFFERING)
    }

    pub(crate) fn create_direct(path: &'path Path, through: bool) -> io::Result<Self> {
        let further = if through { FILE_FLAG_WRITE_THROUGH } else { 0 };
        Self::open_with(path, Use::Create, FILE_FLAG_NO_BUFFERING | further)
    }

    /// Opens an existing file such that reading it leaves its access time alone: this needs the right to change its attributes.
    pub(crate) fn open_without_access_time(path: &'path Path, notes: &mut Vec<String>) -> io::Result<Self> {
        /// Both halves of the time that stands for "no more changes through this handle".
        const NEVER: u32 = u32::MAX;
        let opened = OpenOptions::new().access_mode(GENERIC_READ | FILE_WRITE_ATTRIBUTES).open(path);
        let file = match opened {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                notes.push(
                    "fell back: leaving the access time alone needs the right to change attributes".into(),
                );
                return Self::open(path);
            }
            opened => Self { file: opened.map_err(at("open", path))?, path },
        };
        let never = FILETIME { dwLowDateTime: NEVER, dwHighDateTime: NEVER };
        // SAFETY: the handle is open, the time is valid, and the two others are left out.
        checked(unsafe { SetFileTime(file.handle(), ptr::null(), &raw const never, ptr::null()) })
            .map_err(file.at("SetFileTime"))?;
        Ok(file)
    }

    /// This file once more, for a thread that reads.
    pub(crate) fn for_thread_to_read(&self) -> io::Result<ThreadFile<'path>> {
        Self::open_with(self.path, Use::Read, 0)
    }

    pub(crate) fn for_thread_to_write(&self) -> io::Result<ThreadFile<'path>> {
        Self::open_to_change(self.path)
    }

    /// Opens a file with these flags (`FILE_FLAG_...`). A destination may be read as well, which mapping it needs.
    pub(crate) fn open_with(path: &'path Path, purpose: Use, flags: u32) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(purpose != Use::Read).create_new(purpose == Use::Create).custom_flags(flags);
        let step = if purpose == Use::Create { "create" } else { "open" };
        Ok(Self { file: options.open(path).map_err(at(step, path))?, path })
    }

    pub(crate) fn handle(&self) -> HANDLE {
        self.file.as_raw_handle()
    }

    pub(crate) fn size_bytes(&self) -> io::Result<u64> {
        let mut bytes = 0;
        // SAFETY: the handle is open, and the place is valid for the answer.
        checked(unsafe { GetFileSizeEx(self.handle(), &raw mut bytes) }).map_err(self.at("GetFileSizeEx"))?;
        Ok(u64::try_from(bytes).unwrap_or(0))
    }

    pub(crate) fn read_into<'room>(&self, room: &'room mut [MaybeUninit<u8>]) -> io::Result<&'room mut [u8]> {
        let count = self.read_with(room, ptr::null_mut())?;
        // SAFETY: the call has filled as many bytes.
        Ok(unsafe { slice::from_raw_parts_mut(room.as_mut_ptr().cast(), count) })
    }

    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        // SAFETY: what is read there is bytes.
        self.read_with(unsafe { room_of(buffer) }, &mut overlapped_at(offset))
    }

    fn read_with(&self, buffer: &mut [MaybeUninit<u8>], place: *mut OVERLAPPED) -> io::Result<usize> {
        let mut count = 0;
        let wanted = buffer.len().min(CALL_BYTES) as u32;
        // SAFETY: the handle is open and the buffer has room for what is wanted; both live through the call, which
        // waits because the file was not opened for overlapped work.
        let answer =
            unsafe { ReadFile(self.handle(), buffer.as_mut_ptr().cast(), wanted, &raw mut count, place) };
        match checked(answer) {
            Ok(()) => Ok(count as usize),
            Err(error) if error.raw_os_error() == Some(ERROR_HANDLE_EOF as i32) => Ok(0),
            Err(error) => Err(self.at("ReadFile")(error)),
        }
    }

    pub(crate) fn write_all(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            bytes = &bytes[self.write_with(bytes, ptr::null_mut())?..];
        }
        Ok(())
    }

    pub(crate) fn write_all_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let count = self.write_with(bytes, &mut overlapped_at(offset))?;
            bytes = &bytes[count..];
            offset += count as u64;
        }
        Ok(())
    }

    fn write_with(&self, bytes: &[u8], place: *mut OVERLAPPED) -> io::Result<usize> {
        let mut count = 0;
        let wanted = bytes.len().min(CALL_BYTES) as u32;
        // SAFETY: the handle is open and the slice has as many bytes as are announced; both live through the call,
        // which waits because the file was not opened for overlapped work.
        let answer = unsafe { WriteFile(self.handle(), bytes.as_ptr(), wanted, &raw mut count, place) };
        checked(answer).map_err(self.at("WriteFile"))?;
        match count {
            0 => {
                Err(self.at("WriteFile")(io::Error::new(io::ErrorKind::WriteZero, "nothing more was taken")))
            }
            count => Ok(count as usize),
        }
    }

    pub(crate) fn set_length(&self, bytes: u64) -> io::Result<()> {
        self.file.set_len(bytes).map_err(self.at("SetFileInformationByHandle FileEndOfFileInfo"))
    }

    /// Waits until the data is on the device. Names are kept in the file system's journal.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.file.sync_data().map_err(self.at("FlushFileBuffers"))
    }

    pub(crate) fn finish(self, durable: bool) -> io::Result<()> {
        if durable {
            self.flush()?;
        }
        let path = self.path;
        // SAFETY: the handle was owned by `self`, is given up here and not used afterwards.
        checked(unsafe { CloseHandle(self.file.into_raw_handle()) }).map_err(at("CloseHandle", path))
    }

    pub(crate) fn finish_one_of_many(self, durable: bool) -> io::Result<()> {
        self.finish(durable)
    }

    pub(crate) fn at<E: Into<io::Error>>(&self, step: &str) -> impl FnOnce(E) -> io::Error {
        at(step, self.path)
    }
}

pub(crate) fn overlapped_at(offset: u64) -> OVERLAPPED {
    let place = OVERLAPPED_0_0 { Offset: offset as u32, OffsetHigh: (offset >> 32) as u32 };
    OVERLAPPED { Anonymous: OVERLAPPED_0 { Anonymous: place }, ..OVERLAPPED::default() }
}

/// For systems that do not report the sector: a multiple of those of all devices in use.
const FALL_BACK_BYTES: usize = 4_096;

/// Returns the alignment for `FILE_FLAG_NO_BUFFERING`. Network file systems and Wine do not answer: a page is assumed.
pub(crate) fn alignment_bytes(file: &OpenFile) -> io::Result<usize> {
    let mut storage = FILE_STORAGE_INFO::default();
    // SAFETY: the handle is open; the place is the structure that this question is answered with, and as large as said.
    let known = unsafe {
        GetFileInformationByHandleEx(
            file.handle(),
            FileStorageInfo,
            (&raw mut storage).cast(),
            size_of::<FILE_STORAGE_INFO>() as u32,
        )
    };
    let sector = storage.LogicalBytesPerSector.max(storage.PhysicalBytesPerSectorForPerformance) as usize;
    Ok(if known == 0 || sector == 0 { FALL_BACK_BYTES } else { sector })
}

/// Gives the file its length, and with it its clusters. Nothing is to be noted: every file system here can.
pub(crate) fn presize(file: &OpenFile, bytes: u64, _notes: &mut Vec<String>) -> io::Result<()> {
    move_to(file, bytes as i64)?;
    // SAFETY: the handle is open.
    checked(unsafe { SetEndOfFile(file.handle()) }).map_err(file.at("SetEndOfFile"))?;
    move_to(file, 0)
}

/// A mapping gives the file its length and its clusters by itself.
pub(crate) fn reserve(_file: &OpenFile, _bytes: u64, _notes: &mut Vec<String>) -> io::Result<()> {
    Ok(())
}

fn move_to(file: &OpenFile, offset: i64) -> io::Result<()> {
    // SAFETY: the handle is open, and the new position is not asked for.
    checked(unsafe { SetFilePointerEx(file.handle(), offset, ptr::null_mut(), FILE_BEGIN) })
        .map_err(file.at("SetFilePointerEx"))
}

pub(crate) struct Port(OwnedHandle);

impl Port {
    pub(crate) fn of_files(files: &[&OpenFile]) -> io::Result<Self> {
        // SAFETY: no file is given, so the call makes a new port, whose handle is ours alone.
        let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, ptr::null_mut(), 0, 1) };
        if port.is_null() {
            let error = io::Error::last_os_error();
            return Err(sys::failure::in_context("CreateIoCompletionPort", error));
        }
        // SAFETY: it was opened above, and no other value owns it.
        let port = unsafe { OwnedHandle::from_raw_handle(port) };
        for file in files {
            // SAFETY: both handles are open.
            let joined = unsafe { CreateIoCompletionPort(file.handle(), port.as_raw_handle(), 0, 0) };
            checked(i32::from(!joined.is_null())).map_err(file.at("CreateIoCompletionPort for"))?;
        }
        Ok(Self(port))
    }

    pub(crate) fn handle(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    /// Waits for at least one end; gives how many entries were filled.
    pub(crate) fn wait(&self, entries: &mut [OVERLAPPED_ENTRY]) -> io::Result<usize> {
        let mut count = 0;
        let (port, room) = (self.handle(), entries.len() as u32);
        // SAFETY: the port is open, and there are as many entries as said.
        let answer = unsafe {
            GetQueuedCompletionStatusEx(port, entries.as_mut_ptr(), room, &raw mut count, INFINITE, 0)
        };
        checked(answer).map_err(|error| sys::failure::in_context("GetQueuedCompletionStatusEx", error))?;
        Ok(count as usize)
    }
}
