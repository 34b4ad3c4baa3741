//! Many pieces in flight, their ends collected at a completion port, today's form of overlapped I/O.

use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::Storage::FileSystem::SetFileCompletionNotificationModes;
use windows_sys::Win32::System::IO::{
    CreateIoCompletionPort, GetQueuedCompletionStatusEx, OVERLAPPED, OVERLAPPED_ENTRY,
};
use windows_sys::Win32::System::Threading::INFINITE;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes};
use crate::convert::pieces::{Pieces, Transfer};
use crate::convert::windows::overlapped::{Begun, Calls, answer_in, convert_overlapped};
use crate::files::{OpenFile, checked};
use crate::parameters::buffers;

pub(in crate::convert) const COMPLETION_PORT: Technique<ConvertJob> = Technique {
    name: "completion_port",
    idea: "overlapped calls and a completion port, which is not told of calls that end at once; 64 KiB of input a buffer",
    source: "Microsoft, I/O Completion Ports and SetFileCompletionNotificationModes",
    parameters: &[buffers(&[4, 32])],
    ..Technique::usual(|job| job.done_by(convert))
};

/// `FILE_SKIP_COMPLETION_PORT_ON_SUCCESS`.
const SKIP_WHAT_WAS_DONE_AT_ONCE: u8 = 1;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_overlapped(job, job.parameter("buffers")?, ["ReadFile", "WriteFile"], notes, |pieces, notes| {
        Ported::new(pieces, notes)?.run(notes)
    })
}

/// One block: the structure that the system holds on to while it is in flight.
struct Slot {
    overlapped: OVERLAPPED,
    is_write: bool,
}

struct Ported<'job> {
    pieces: Pieces<'job>,
    port: OwnedHandle,
    /// For each of the two files, whether a call that was done at once is told by its return only, and not by the
    /// port as well.
    is_spared: [bool; 2],
    /// Never moved or touched while in flight.
    slots: Vec<Slot>,
    in_flight: usize,
    calls: Calls,
}

impl<'job> Ported<'job> {
    fn new(pieces: Pieces<'job>, notes: &mut Notes) -> io::Result<Self> {
        // SAFETY: no file is given, so the call makes a new port, whose handle is ours alone.
        let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, ptr::null_mut(), 0, 1) };
        if port.is_null() {
            let error = io::Error::last_os_error();
            return Err(sys::failure::in_context("CreateIoCompletionPort", error));
        }
        // SAFETY: it was opened above, for this value alone.
        let port = unsafe { OwnedHandle::from_raw_handle(port) };
        let [source, destination] = pieces.files();
        let is_spared = [join(source, &port)?, join(destination, &port)?];
        if is_spared != [true; 2] {
            notes.push(
                "fell back: FILE_SKIP_COMPLETION_PORT_ON_SUCCESS was refused, the port is told every end"
                    .into(),
            );
        }
        let slot = || Slot { overlapped: OVERLAPPED::default(), is_write: false };
        let slots = std::iter::repeat_with(slot).take(pieces.blocks()).collect();
        Ok(Self { pieces, port, is_spared, slots, in_flight: 0, calls: Calls::default() })
    }

    fn run(mut self, notes: &mut Notes) -> io::Result<()> {
        for nth in 0..self.slots.len() {
            let first = self.pieces.begin(nth);
            self.start_next(nth, first);
        }
        let mut entries = vec![OVERLAPPED_ENTRY::default(); self.slots.len()];
        // After an error too: the system may still write into the buffers of what is in flight.
        while self.in_flight > 0 {
            let count = match self.wait(&mut entries) {
                Ok(count) => count,
                Err(error) => {
                    std::mem::forget(self);
                    return Err(error);
                }
            };
            for entry in &entries[..count] {
                let nth = (entry.lpOverlapped.addr() - self.slots.as_ptr().addr()) / size_of::<Slot>();
                self.in_flight -= 1;
                // SAFETY: the port says that the call has ended.
                let answer = unsafe { answer_in(&raw const self.slots[nth].overlapped) };
                let next = self.pieces.ended(nth, self.slots[nth].is_write, answer);
                self.start_next(nth, next);
            }
        }
        notes.push(self.calls.note());
        self.pieces.finish()
    }

    /// Starts transfers of a block until one of them is in flight or none is left.
    fn start_next(&mut self, nth: usize, mut next: Option<Transfer>) {
        while let Some(transfer) = next {
            let file = self.pieces.file(&transfer);
            let slot = &mut self.slots[nth];
            slot.is_write = transfer.is_write;
            // SAFETY: the block's memory and structure are not touched until its end has come out of the port.
            let begun =
                unsafe { self.calls.start(file, transfer, ptr::null_mut(), &raw mut slot.overlapped) };
            match begun {
                Begun::AtOnce(answer)
                    if self.is_spared[usize::from(transfer.is_write)] || answer.is_err() =>
                {
                    next = self.pieces.ended(nth, transfer.is_write, answer);
                }
                Begun::AtOnce(_) | Begun::Pending => {
                    self.in_flight += 1;
                    return;
                }
            }
        }
    }

    /// Waits for at least one end; gives how many entries were filled.
    fn wait(&self, entries: &mut [OVERLAPPED_ENTRY]) -> io::Result<usize> {
        let mut count = 0;
        let (port, room) = (self.port.as_raw_handle(), entries.len() as u32);
        // SAFETY: the port is open, and there are as many entries as said.
        checked(unsafe {
            GetQueuedCompletionStatusEx(port, entries.as_mut_ptr(), room, &raw mut count, INFINITE, 0)
        })
        .map_err(|error| sys::failure::in_context("GetQueuedCompletionStatusEx", error))?;
        Ok(count as usize)
    }
}

/// Has the ends of a file's calls told at the port; gives whether those that were done at once are left out.
fn join(file: &OpenFile, port: &OwnedHandle) -> io::Result<bool> {
    // SAFETY: both handles are open.
    let joined = unsafe { CreateIoCompletionPort(file.handle(), port.as_raw_handle(), 0, 0) };
    checked(i32::from(!joined.is_null())).map_err(file.at("CreateIoCompletionPort for"))?;
    // SAFETY: the handle is open.
    Ok(unsafe { SetFileCompletionNotificationModes(file.handle(), SKIP_WHAT_WAS_DONE_AT_ONCE) } != 0)
}
