use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Threading::{CreateEventW, INFINITE, WaitForMultipleObjects};

use crate::convert::prelude::*;
use crate::convert::windows::overlapped::{convert_in, convert_overlapped};
use crate::in_flight::pieces::{Pieces, Transfer};
use crate::in_flight::windows::calls::{Begun, Calls, answer_in};

pub(in crate::convert) const OVERLAPPED_EVENTS: Technique<ConvertJob> = Technique {
    name: "overlapped_events",
    idea: "as presized, by FILE_FLAG_OVERLAPPED with 4 buffers of 64 KiB of input, an event for each, \
           WaitForMultipleObjects",
    source: "Microsoft, Synchronous and Asynchronous I/O",
    ..Technique::usual(|job| {
        job.done_by(|job, notes| convert_overlapped(job, BUFFERS, STEPS, notes, wait_for_events))
    })
};

pub(in crate::convert) const OVERLAPPED_EVENTS_32K: Technique<ConvertJob> = Technique {
    name: "overlapped_events_32k",
    alias: &["atouOV"],
    idea: "as overlapped_events, with buffers of 32 KiB, the output not presized; one event a buffer, not two",
    source: "Hart, Windows System Programming, atouOV",
    variant_of: Some("overlapped_events"),
    ..Technique::usual(|job| {
        job.done_by(|job, notes| convert_in(job, (BUFFERS, 32 << 10), false, STEPS, notes, wait_for_events))
    })
};

/// A wait takes up to 64 events.
const BUFFERS: usize = 4;
const STEPS: [&str; 2] = ["ReadFile", "WriteFile"];

fn wait_for_events(pieces: Pieces, notes: &mut Notes) -> io::Result<()> {
    let slots = (0..pieces.blocks()).map(|_| Slot::new()).collect::<io::Result<_>>()?;
    Waiting { pieces, slots, calls: Calls::default() }.run(notes)
}

/// One block: its event, and the structure that the system holds on to while it is in flight.
struct Slot {
    overlapped: OVERLAPPED,
    event: OwnedHandle,
    is_write: bool,
    in_flight: bool,
}

impl Slot {
    fn new() -> io::Result<Self> {
        // SAFETY: without attributes and name the event is new, and its handle ours alone.
        let event = unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) };
        if event.is_null() {
            let error = io::Error::last_os_error();
            return Err(sys::failure::in_context("CreateEvent", error));
        }
        // SAFETY: it was opened above, for this value alone.
        let event = unsafe { OwnedHandle::from_raw_handle(event) };
        Ok(Self { overlapped: OVERLAPPED::default(), event, is_write: false, in_flight: false })
    }
}

struct Waiting<'job> {
    pieces: Pieces<'job>,
    /// Never moved or touched while in flight.
    slots: Vec<Slot>,
    calls: Calls,
}

impl Waiting<'_> {
    fn run(mut self, notes: &mut Notes) -> io::Result<()> {
        for nth in 0..self.slots.len() {
            let first = self.pieces.begin(nth);
            self.start_next(nth, first);
        }
        // After an error too: the system may still write into the buffers of what is in flight.
        loop {
            let in_flight: Vec<usize> =
                (0..self.slots.len()).filter(|&nth| self.slots[nth].in_flight).collect();
            if in_flight.is_empty() {
                notes.push(self.calls.note());
                return self.pieces.finish();
            }
            let events: Vec<HANDLE> =
                in_flight.iter().map(|&nth| self.slots[nth].event.as_raw_handle()).collect();
            // SAFETY: the events are open, and there are as many as said.
            let first = unsafe { WaitForMultipleObjects(events.len() as u32, events.as_ptr(), 0, INFINITE) };
            let Some(&nth) = in_flight.get((first - WAIT_OBJECT_0) as usize) else {
                let error = io::Error::last_os_error();
                std::mem::forget(self);
                return Err(sys::failure::in_context("WaitForMultipleObjects", error));
            };
            let slot = &mut self.slots[nth];
            slot.in_flight = false;
            // SAFETY: the event says that the call has ended.
            let answer = unsafe { answer_in(&raw const slot.overlapped) };
            let next = self.pieces.ended(nth, slot.is_write, answer);
            self.start_next(nth, next);
        }
    }

    /// Starts transfers of a block until one of them is in flight or none is left.
    fn start_next(&mut self, nth: usize, mut next: Option<Transfer>) {
        while let Some(transfer) = next {
            let file = self.pieces.file(&transfer);
            let slot = &mut self.slots[nth];
            (slot.is_write, slot.in_flight) = (transfer.is_write, true);
            let event = slot.event.as_raw_handle();
            // SAFETY: the block's memory and structure are not touched until the event says that it has ended.
            match unsafe { self.calls.start(file, transfer, event, &raw mut slot.overlapped) } {
                Begun::Pending => return,
                Begun::AtOnce(answer) => {
                    slot.in_flight = false;
                    next = self.pieces.ended(nth, transfer.is_write, answer);
                }
            }
        }
    }
}
