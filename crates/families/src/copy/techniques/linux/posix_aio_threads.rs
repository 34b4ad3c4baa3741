//! POSIX asynchronous I/O whose requests each name a routine, which the library calls on a thread of its own.

use std::cell::UnsafeCell;
use std::io;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use libc::{aiocb, sigval};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, buffer_of};
use crate::copy::linux::parts::{Part, Parts};
use crate::copy::workload::one_file_only;
use crate::files::{
    AioRoutine, AioTransfer, Mapping, OpenFile, answer_of, has_ended, idle_request, presize, start_request,
};

pub(in crate::copy) const POSIX_AIO_THREADS: Technique<CopyJob> = Technique {
    name: "posix_aio_threads",
    idea: "aio_read and aio_write with 4 buffers of 256 KiB; SIGEV_THREAD: each end starts the next on a new thread",
    source: "aio(7), sigevent(3type)",
    calls: &["clone3|clone", "pread64", "pwrite64"],
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const BLOCKS: u64 = 4;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        presize(&destination, bytes, notes)?;
        let transfer = Transfer::new(&source, &destination, bytes)?;
        transfer.begin();
        if let Err((is_write, error)) = Transfer::wait(&transfer) {
            let (file, step) = if is_write { (&destination, "aio_write") } else { (&source, "aio_read") };
            let told = file.at(step)(error);
            if transfer.lock().in_flight > 0 {
                // The library goes on with what it has: neither the memory nor the numbers of the files may be used again.
                std::mem::forget((transfer, source, destination));
            }
            return Err(told);
        }
    }
    destination.finish(job.durable)
}

/// One block of the buffer: the request that the library holds on to, and what its routine must know.
struct Slot {
    control: UnsafeCell<aiocb>,
    nth: usize,
    transfer: Weak<Transfer>,
}

/// What is shared with the routines. It lives until the last of them has ended.
struct Transfer {
    buffer: Mapping,
    slots: Vec<Slot>,
    source: RawFd,
    destination: RawFd,
    progress: Mutex<Progress>,
    all_ended: Condvar,
}

// SAFETY: a slot's request is touched by the holder of the lock and by the library alone.
unsafe impl Send for Transfer {}
// SAFETY: through a shared reference, too, a request is touched by the holder of the lock and by the library alone.
unsafe impl Sync for Transfer {}

struct Progress {
    blocks: Vec<Block>,
    parts: Parts,
    in_flight: usize,
    /// How many requests were booked as ended.
    ended: u64,
    failed: Option<(bool, io::Error)>,
}

/// A block of the buffer with its part of the file, and what its latest request does.
#[derive(Clone, Copy, Default)]
struct Block {
    part: Part,
    is_write: bool,
    in_flight: bool,
}

impl Transfer {
    fn new(source: &OpenFile, destination: &OpenFile, bytes: u64) -> io::Result<Arc<Self>> {
        let count = bytes.div_ceil(BLOCK_BYTES as u64).min(BLOCKS) as usize;
        let buffer = buffer_of(bytes, count * BLOCK_BYTES)?;
        let blocks = vec![Block::default(); count];
        let progress =
            Progress { blocks, parts: Parts::of_bytes(bytes), in_flight: 0, ended: 0, failed: None };
        Ok(Arc::new_cyclic(|transfer| {
            let control = || UnsafeCell::new(idle_request());
            let slot = |nth| Slot { control: control(), nth, transfer: transfer.clone() };
            Self {
                buffer,
                slots: (0..count).map(slot).collect(),
                source: source.as_fd().as_raw_fd(),
                destination: destination.as_fd().as_raw_fd(),
                progress: Mutex::new(progress),
                all_ended: Condvar::new(),
            }
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) {
        let mut progress = self.lock();
        for nth in 0..self.slots.len() {
            self.advance(&mut progress, nth);
        }
    }

    /// Waits until nothing is in flight: after an error too, the library may still use the buffer. Something is left in
    /// flight only where a routine was lost.
    fn wait(transfer: &Arc<Self>) -> Result<(), (bool, io::Error)> {
        /// The library drops a routine without a word when it cannot start a thread for it.
        const PATIENCE: Duration = Duration::from_secs(2);
        let mut progress = transfer.lock();
        let mut untold = None;
        while progress.in_flight > 0 {
            let waited = transfer.all_ended.wait_timeout(progress, PATIENCE);
            let (guard, time) = waited.unwrap_or_else(PoisonError::into_inner);
            progress = guard;
            // A request that has just ended is booked by a routine that waits for the lock: one is lost only where it was
            // seen before, and nothing was booked since.
            let before = untold.take();
            if time.timed_out() && transfer.has_ended_untold(&progress) {
                untold = Some(progress.ended);
            }
            if untold.is_some() && untold == before {
                let lost = "the C library could start no thread for a routine";
                return Err((false, io::Error::new(io::ErrorKind::WouldBlock, lost)));
            }
        }
        progress.failed.take().map_or(Ok(()), Err)
    }

    /// Whether a request has ended while its routine was not called.
    fn has_ended_untold(&self, progress: &Progress) -> bool {
        let ended = |slot: &Slot| {
            // SAFETY: what is in flight was started, and was not asked for its answer.
            progress.blocks[slot.nth].in_flight && unsafe { has_ended(slot.control.get()) }
        };
        self.slots.iter().any(ended)
    }

    /// Books the end of a block's request and starts the next.
    fn ended(&self, nth: usize) {
        let mut progress = self.lock();
        // SAFETY: the request has ended, since its routine was called, and is asked for its answer once.
        let answer = unsafe { answer_of(self.slots[nth].control.get()) };
        progress.in_flight -= 1;
        progress.ended += 1;
        progress.note(nth, answer);
        if progress.failed.is_none() {
            self.advance(&mut progress, nth);
        }
        if progress.in_flight == 0 {
            self.all_ended.notify_one();
        }
    }

    /// Starts what a block of which nothing is in flight does next.
    fn advance(&self, progress: &mut Progress, nth: usize) {
        let Some(Block { part, is_write, .. }) = progress.next_request(nth) else { return };
        let done = if is_write { part.written } else { part.read };
        let transfer = AioTransfer {
            is_write,
            file: if is_write { self.destination } else { self.source },
            memory: self.buffer.address_of(nth * BLOCK_BYTES + done),
            bytes: part.length - done,
            offset: part.offset + done as u64,
        };
        let slot = &self.slots[nth];
        let told = (&raw const *slot).cast_mut().cast();
        let routine = AioRoutine { function: routine, told };
        // SAFETY: nothing of this block is in flight, so the request is ours to fill. It stays where it is, as does
        // the block's part of the buffer, until the last routine has ended; the files are open until nothing is in flight.
        match unsafe { start_request(slot.control.get(), transfer, Some(routine)) } {
            Ok(()) => {
                progress.blocks[nth].in_flight = true;
                progress.in_flight += 1;
            }
            Err(refused) => {
                progress.failed.get_or_insert((is_write, refused));
            }
        }
    }
}

impl Progress {
    /// Books what a request answered.
    fn note(&mut self, nth: usize, answer: io::Result<usize>) {
        let block = &mut self.blocks[nth];
        block.in_flight = false;
        let outcome = answer.and_then(|count| block.part.book(block.is_write, count));
        if let Err(error) = outcome {
            self.failed.get_or_insert((block.is_write, error));
        }
    }

    /// The next request of a block: the rest of what it reads, the rest of what it writes, or the next part of the file.
    fn next_request(&mut self, nth: usize) -> Option<Block> {
        let block = &mut self.blocks[nth];
        if block.part.is_written() {
            *block = Block { part: self.parts.next(BLOCK_BYTES)?, ..Block::default() };
        }
        block.is_write = block.part.is_read();
        Some(*block)
    }
}

/// Called by the library, on a thread of its own, when a request has ended.
extern "C" fn routine(value: sigval) {
    // SAFETY: the value is the address of a slot, which lives at least until this request is booked as ended below.
    let slot = unsafe { &*value.sival_ptr.cast::<Slot>() };
    // The transfer must outlive the notification at the end of the booking.
    if let Some(transfer) = slot.transfer.upgrade() {
        transfer.ended(slot.nth);
    }
}
