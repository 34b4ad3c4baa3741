//! Many pieces in flight past the file cache, their ends collected at a completion port.

use std::io;
use std::path::Path;
use std::ptr;

use windows_sys::Win32::Foundation::ERROR_IO_PENDING;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_NO_BUFFERING, FILE_FLAG_OVERLAPPED, ReadFile, WriteFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, OVERLAPPED, OVERLAPPED_ENTRY};

use crate::disk::job::Notes;
use crate::disk::pieces::Piece;
use crate::files::{Buffer, OpenFile, Port, Use, checked, checked_status, invalid, overlapped_at};

/// Ends that are collected in one call.
const ENTRIES: usize = 64;

/// Opens the file for a queue of reads or of writes.
pub(in crate::disk) fn open(path: &Path, purpose: Use) -> io::Result<OpenFile<'_>> {
    OpenFile::open_with(path, purpose, FILE_FLAG_OVERLAPPED | FILE_FLAG_NO_BUFFERING)
}

/// A piece in flight, and the structure that the system holds on to meanwhile.
struct Slot {
    overlapped: OVERLAPPED,
    piece: Piece,
}

pub(in crate::disk) struct Queue<'file> {
    file: &'file OpenFile<'file>,
    port: Port,
    /// Address of the first byte of the buffers. The system reads and writes through it while the program holds no reference to
    /// the bytes in flight.
    memory: *mut u8,
    is_write: bool,
    /// Never moved, nor touched while a piece of it is in flight.
    slots: Vec<Slot>,
    pub(in crate::disk) in_flight: usize,
}

impl Queue<'_> {
    fn step(&self) -> &'static str {
        if self.is_write { "WriteFile" } else { "ReadFile" }
    }
}

impl<'file> Queue<'file> {
    /// Opens a queue of reads or of writes of pieces that lie in this many slots of the memory.
    pub(in crate::disk) fn open(
        file: &'file OpenFile<'file>, memory: &Buffer, slots: usize, is_write: bool, _notes: &mut Notes,
    ) -> io::Result<Self> {
        let port = Port::of_files(&[file])?;
        let slot = || Slot { overlapped: OVERLAPPED::default(), piece: Piece { offset: 0, bytes: 0 } };
        let slots = std::iter::repeat_with(slot).take(slots).collect();
        Ok(Self { file, port, memory: memory.address_of(0), is_write, slots, in_flight: 0 })
    }

    /// Begins the transfer of a piece, whose memory begins at `start` among the buffers.
    pub(in crate::disk) fn begin(&mut self, slot: usize, piece: Piece, start: usize) -> io::Result<()> {
        let too_long =
            |_| self.file.at(self.step())(invalid("a piece of 4 GiB or more is too long for a call"));
        let bytes = u32::try_from(piece.bytes).map_err(too_long)?;
        // SAFETY: the piece lies inside the memory.
        let address = unsafe { self.memory.add(start) };
        let slot = &mut self.slots[slot];
        slot.piece = piece;
        slot.overlapped = overlapped_at(piece.offset);
        let overlapped = &raw mut slot.overlapped;
        let handle = self.file.handle();
        // SAFETY: the memory of the piece and its structure belong to the system until its end has come out of the port: no other
        // code touches them before, both outlive the queue, and `drop` waits for that.
        let answer = unsafe {
            if self.is_write {
                WriteFile(handle, address, bytes, ptr::null_mut(), overlapped)
            } else {
                ReadFile(handle, address, bytes, ptr::null_mut(), overlapped)
            }
        };
        match checked(answer) {
            Err(error) if error.raw_os_error() != Some(ERROR_IO_PENDING as i32) => {
                Err(self.file.at(self.step())(error))
            }
            // What was done before the call returned comes out of the port all the same.
            _ => {
                self.in_flight += 1;
                Ok(())
            }
        }
    }

    /// Waits for at least one end, and adds the slots and pieces that were moved whole.
    pub(in crate::disk) fn add_ended(&mut self, ended: &mut Vec<(usize, Piece)>) -> io::Result<()> {
        let mut entries = [OVERLAPPED_ENTRY::default(); ENTRIES];
        let count = self.port.wait(&mut entries)?;
        self.in_flight -= count;
        let first = self.slots.as_ptr();
        for &OVERLAPPED_ENTRY { lpOverlapped, dwNumberOfBytesTransferred, .. } in &entries[..count] {
            let slot = (lpOverlapped.addr() - first.addr()) / size_of::<Slot>();
            let Slot { overlapped, piece } = &self.slots[slot];
            checked_status(overlapped.Internal as i32).map_err(self.file.at(self.step()))?;
            if dwNumberOfBytesTransferred as usize != piece.bytes {
                return Err(self.file.at(self.step())(io::Error::from(io::ErrorKind::UnexpectedEof)));
            }
            ended.push((slot, *piece));
        }
        Ok(())
    }
}

impl Drop for Queue<'_> {
    /// After an error others may still be in flight: their memory must outlive them.
    fn drop(&mut self) {
        if self.in_flight == 0 {
            return;
        }
        // SAFETY: the handle is open, and all of its calls are meant.
        unsafe { CancelIoEx(self.file.handle(), ptr::null()) };
        let mut entries = [OVERLAPPED_ENTRY::default(); ENTRIES];
        while self.in_flight > 0
            && let Ok(count) = self.port.wait(&mut entries)
        {
            self.in_flight -= count;
        }
    }
}
