//! Extended I/O: the system calls a routine at the end of each transfer, which starts the next.

use std::io;
use std::ptr;

use windows_sys::Win32::Foundation::STATUS_PENDING;
use windows_sys::Win32::Storage::FileSystem::{ReadFileEx, WriteFileEx};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Threading::{INFINITE, SleepEx};

use super::calls::{Calls, answer_in, read_to_the_end};
use crate::files::{checked, overlapped_at};
use crate::in_flight::pieces::{Pieces, Transfer};

/// One block. The structure stands first: a routine gets its address, and so the slot's.
#[repr(C)]
struct Slot {
    overlapped: OVERLAPPED,
    extended: *mut Extended<'static>,
    nth: usize,
    is_write: bool,
}

struct Extended<'job> {
    pieces: Pieces<'job>,
    /// Never moved while in flight.
    slots: Vec<Slot>,
    in_flight: usize,
    calls: Calls,
}

/// Starts the first transfer of each block, and sleeps while the routines do the rest. A note counts the calls.
pub(crate) fn run(pieces: Pieces, notes: &mut Vec<String>) -> io::Result<()> {
    run_sleeping(pieces, INFINITE, notes)
}

/// As [`run`], asking again and again instead of sleeping.
pub(crate) fn run_polling(pieces: Pieces, notes: &mut Vec<String>) -> io::Result<()> {
    run_sleeping(pieces, 0, notes)
}

fn run_sleeping(pieces: Pieces, most_ms: u32, notes: &mut Vec<String>) -> io::Result<()> {
    let blocks = pieces.blocks();
    let slot =
        |nth| Slot { overlapped: OVERLAPPED::default(), extended: ptr::null_mut(), nth, is_write: false };
    let slots = (0..blocks).map(slot).collect();
    let mut extended = Extended { pieces, slots, in_flight: 0, calls: Calls::default() };
    // The routines work through this pointer, and so does all other code.
    let this = &raw mut extended;
    // SAFETY: routines run on this thread, and only inside SleepEx: nothing else uses what the pointer points to, and
    // it stays there until nothing is in flight.
    unsafe {
        for nth in 0..blocks {
            let extended = &mut *this;
            extended.slots[nth].extended = this.cast();
            let first = extended.pieces.begin(nth);
            start_next(this, nth, first);
        }
        // After an error too: the system may still write into the buffers of what is in flight.
        while (&raw const (*this).in_flight).read() > 0 {
            SleepEx(most_ms, 1);
        }
    }
    notes.push(extended.calls.note());
    extended.pieces.finish()
}

/// Called by the system, inside `SleepEx`, when a transfer has ended.
unsafe extern "system" fn ended(_code: u32, _moved: u32, overlapped: *mut OVERLAPPED) {
    // SAFETY: the structure is the first field of a slot that lives until nothing is in flight, and its call has ended.
    unsafe {
        let slot = overlapped.cast::<Slot>();
        let (this, nth, is_write) = ((*slot).extended, (*slot).nth, (*slot).is_write);
        let answer = answer_in(overlapped);
        (*this).in_flight -= 1;
        let next = (*this).pieces.ended(nth, is_write, answer);
        start_next(this, nth, next);
    }
}

/// Starts transfers of a block until one of them is in flight or none is left.
///
/// # Safety
/// The pointer is that of [`run`], which waits until nothing is in flight.
unsafe fn start_next(this: *mut Extended, nth: usize, mut next: Option<Transfer>) {
    while let Some(transfer) = next {
        // SAFETY: the caller vouches for the pointer; the block is not touched until its routine has been called.
        unsafe {
            match start(this, nth, transfer) {
                Ok(()) => return,
                Err(refused) => {
                    next = (*this).pieces.ended(nth, transfer.is_write, read_to_the_end(refused));
                }
            }
        }
    }
}

/// # Safety
/// As for [`start_next`].
unsafe fn start(this: *mut Extended, nth: usize, transfer: Transfer) -> io::Result<()> {
    let Transfer { is_write, memory, bytes, offset } = transfer;
    // SAFETY: the caller vouches for the pointer; the slot, its memory and the file stay until its routine was called.
    unsafe {
        let extended = &mut *this;
        let handle = extended.pieces.file(&transfer).handle();
        let slot = &mut extended.slots[nth];
        slot.is_write = is_write;
        slot.overlapped = overlapped_at(offset);
        let overlapped = &raw mut slot.overlapped;
        let answer = if is_write {
            WriteFileEx(handle, memory, bytes, overlapped, Some(ended))
        } else {
            ReadFileEx(handle, memory, bytes, overlapped, Some(ended))
        };
        checked(answer)?;
        // The routine is called in any case: only the structure shows whether there was something to wait for.
        let status = (&raw const (*overlapped).Internal).read_volatile();
        extended.calls.count(status as i32 == STATUS_PENDING);
        extended.in_flight += 1;
    }
    Ok(())
}
