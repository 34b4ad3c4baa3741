//! Extended I/O: the system calls a routine at the end of each transfer, which starts the next.

use std::io;
use std::ptr;

use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_OVERLAPPED, ReadFileEx, WriteFileEx};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Threading::{INFINITE, SleepEx};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::copy::workload::one_file_only;
use crate::files::{Mapping, OpenFile, Use, checked, checked_status, overlapped_at};

pub(in crate::copy) const COMPLETION_ROUTINES: Technique<CopyJob> = Technique {
    name: "completion_routines",
    idea: "ReadFileEx and WriteFileEx with 4 buffers of 256 KiB; their routines run in SleepEx and start the next",
    source: "Microsoft, Alertable I/O",
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const BLOCKS: u64 = 4;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open_with(&job.source, Use::Read, FILE_FLAG_OVERLAPPED)?;
    let destination = OpenFile::open_with(&job.destination, Use::Create, FILE_FLAG_OVERLAPPED)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        // A write that extends the file is done before its call returns; the length in advance avoids some of that.
        destination.set_length(bytes)?;
        run(&source, &destination, bytes)?;
    }
    destination.finish(job.durable)
}

/// One block. The structure stands first: a routine is told its address, and so the slot's.
#[repr(C)]
struct Slot {
    overlapped: OVERLAPPED,
    transfer: *mut Transfer<'static>,
    nth: usize,
    offset: u64,
    wanted: u32,
    is_write: bool,
}

struct Transfer<'files> {
    source: &'files OpenFile<'files>,
    destination: &'files OpenFile<'files>,
    buffer: Mapping,
    /// Never moved while in flight.
    slots: Vec<Slot>,
    bytes: u64,
    next: u64,
    in_flight: usize,
    outcome: io::Result<()>,
}

fn run(source: &OpenFile, destination: &OpenFile, bytes: u64) -> io::Result<()> {
    let count = bytes.div_ceil(BLOCK_BYTES as u64).min(BLOCKS) as usize;
    let slot = |nth| Slot {
        overlapped: OVERLAPPED::default(),
        transfer: ptr::null_mut(),
        nth,
        offset: 0,
        wanted: 0,
        is_write: false,
    };
    let mut transfer = Transfer {
        source,
        destination,
        buffer: Mapping::buffer(count * BLOCK_BYTES)?,
        slots: (0..count).map(slot).collect(),
        bytes,
        next: 0,
        in_flight: 0,
        outcome: Ok(()),
    };
    // The routines work through this pointer, and so does all other code until the end.
    let this = &raw mut transfer;
    // SAFETY: routines run on this thread, and only inside SleepEx: no reference is alive then, and what the pointer
    // points to stays there until nothing is in flight.
    unsafe {
        for nth in 0..count {
            let transfer = &mut *this;
            transfer.slots[nth].transfer = this.cast();
            transfer.read_next(nth);
        }
        // After an error too: the system may still write into the buffers of what is in flight.
        while (&raw const (*this).in_flight).read() > 0 {
            SleepEx(INFINITE, 1);
        }
    }
    transfer.outcome
}

/// Called by the system, inside `SleepEx`, when a transfer has ended.
unsafe extern "system" fn ended(_code: u32, moved: u32, overlapped: *mut OVERLAPPED) {
    // SAFETY: the structure is the first field of a slot that lives until nothing is in flight, and its call has ended.
    unsafe {
        let slot = overlapped.cast::<Slot>();
        let (this, nth) = ((*slot).transfer, (*slot).nth);
        (*this).ended(nth, moved);
    }
}

impl<'files> Transfer<'files> {
    /// A block that was read is written; one that was written takes the next piece of the file.
    fn ended(&mut self, nth: usize, moved: u32) {
        self.in_flight -= 1;
        let slot = &self.slots[nth];
        let (file, step) = self.file_and_step(slot.is_write);
        let whole = match checked_status(slot.overlapped.Internal as i32) {
            Ok(()) if moved != slot.wanted => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            status => status,
        };
        let whole = whole.map_err(file.at(step));
        let failed = whole.is_err() || self.outcome.is_err();
        if self.outcome.is_ok() {
            self.outcome = whole;
        }
        match (failed, self.slots[nth].is_write) {
            (true, _) => {}
            (false, true) => self.read_next(nth),
            (false, false) => self.start(nth, true),
        }
    }

    fn file_and_step(&self, is_write: bool) -> (&'files OpenFile<'files>, &'static str) {
        if is_write { (self.destination, "WriteFileEx") } else { (self.source, "ReadFileEx") }
    }

    fn read_next(&mut self, nth: usize) {
        let wanted = (self.bytes - self.next).min(BLOCK_BYTES as u64) as u32;
        if wanted > 0 && self.outcome.is_ok() {
            let slot = &mut self.slots[nth];
            (slot.offset, slot.wanted) = (self.next, wanted);
            self.next += u64::from(wanted);
            self.start(nth, false);
        }
    }

    fn start(&mut self, nth: usize, is_write: bool) {
        let memory = self.buffer.address_of(nth * BLOCK_BYTES);
        let (file, step) = self.file_and_step(is_write);
        let handle = file.handle();
        let slot = &mut self.slots[nth];
        slot.is_write = is_write;
        slot.overlapped = overlapped_at(slot.offset);
        let overlapped = &raw mut slot.overlapped;
        // SAFETY: the slot, its part of the buffer and the file stay until the routine has been called, and no other
        // code touches them before.
        let answer = unsafe {
            if is_write {
                WriteFileEx(handle, memory, slot.wanted, overlapped, Some(ended))
            } else {
                ReadFileEx(handle, memory, slot.wanted, overlapped, Some(ended))
            }
        };
        match checked(answer) {
            // The routine is called in any case.
            Ok(()) => self.in_flight += 1,
            Err(error) => self.outcome = Err(file.at(step)(error)),
        }
    }
}
