//! POSIX asynchronous I/O whose requests each name a routine, which the library calls on a thread of its own.

use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use libc::{aio_error, aio_read, aio_return, aio_write, aiocb, sigval};
use model::Class;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always, buffer_of};
use crate::files::{Mapping, OpenFile, presize};

pub(in crate::copy) const POSIX_AIO_THREADS: Technique<CopyJob> = Technique {
    name: "posix_aio_threads",
    alias: &[],
    idea: "aio_read and aio_write with 4 buffers of 256 KiB; SIGEV_THREAD: each end starts the next on a new thread",
    source: "aio(7), sigevent(3type)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(copy),
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
            return Err(file.at(step)(error));
        }
    }
    destination.finish(job.durable)
}

/// `struct sigevent` as both C libraries lay it out for `SIGEV_THREAD`; `libc` does not name these fields.
#[repr(C)]
struct ThreadEvent {
    value: sigval,
    signal: c_int,
    notify: c_int,
    function: unsafe extern "C" fn(sigval),
    attributes: *mut c_void,
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
    source: c_int,
    destination: c_int,
    bytes: u64,
    progress: Mutex<Progress>,
    all_ended: Condvar,
}

// SAFETY: a slot's request is touched by the holder of the lock and by the library alone.
unsafe impl Send for Transfer {}
// SAFETY: through a shared reference, too, a request is touched by the holder of the lock and by the library alone.
unsafe impl Sync for Transfer {}

struct Progress {
    blocks: Vec<Block>,
    next: u64,
    in_flight: usize,
    ended: u64,
    failed: Option<(bool, io::Error)>,
}

/// A part of the file on its way through one block of the buffer.
#[derive(Clone, Copy, Default)]
struct Block {
    offset: u64,
    length: usize,
    read: usize,
    written: usize,
    is_write: bool,
    in_flight: bool,
}

impl Transfer {
    fn new(source: &OpenFile, destination: &OpenFile, bytes: u64) -> io::Result<Arc<Self>> {
        let count = bytes.div_ceil(BLOCK_BYTES as u64).min(BLOCKS) as usize;
        let buffer = buffer_of(bytes, count * BLOCK_BYTES)?;
        let blocks = vec![Block::default(); count];
        let progress = Progress { blocks, next: 0, in_flight: 0, ended: 0, failed: None };
        Ok(Arc::new_cyclic(|transfer| {
            // SAFETY: all fields of a request are numbers and pointers, for which zero is a value.
            let control = || UnsafeCell::new(unsafe { std::mem::zeroed() });
            let slot = |nth| Slot { control: control(), nth, transfer: transfer.clone() };
            Self {
                buffer,
                slots: (0..count).map(slot).collect(),
                source: source.as_fd().as_raw_fd(),
                destination: destination.as_fd().as_raw_fd(),
                bytes,
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

    /// Waits until nothing is in flight: after an error too, the library may still use the buffer.
    fn wait(transfer: &Arc<Self>) -> Result<(), (bool, io::Error)> {
        /// The library drops a routine without a word when it cannot start a thread for it.
        const PATIENCE: Duration = Duration::from_secs(2);
        let mut progress = transfer.lock();
        while progress.in_flight > 0 {
            let before = progress.ended;
            let waited = transfer.all_ended.wait_timeout(progress, PATIENCE);
            let (guard, time) = waited.unwrap_or_else(PoisonError::into_inner);
            progress = guard;
            if time.timed_out() && progress.ended == before && transfer.has_lost_a_routine(&progress) {
                // Others may still be in flight: their memory stays.
                std::mem::forget(Arc::clone(transfer));
                let lost = "the C library could start no thread for a routine";
                return Err((false, io::Error::new(io::ErrorKind::WouldBlock, lost)));
            }
        }
        progress.failed.take().map_or(Ok(()), Err)
    }

    fn has_lost_a_routine(&self, progress: &Progress) -> bool {
        let ended = |slot: &Slot| {
            // SAFETY: the request was started; asking for its state is allowed at any time.
            unsafe { aio_error(slot.control.get()) != libc::EINPROGRESS }
        };
        self.slots.iter().any(|slot| progress.blocks[slot.nth].in_flight && ended(slot))
    }

    /// Books the end of a block's request and starts the next.
    fn ended(&self, nth: usize) {
        let mut progress = self.lock();
        let control = self.slots[nth].control.get();
        // SAFETY: the request has ended: its routine was called.
        let code = unsafe { aio_error(control) };
        // SAFETY: as above; it is asked for its answer once.
        let answer = match (code, unsafe { aio_return(control) }) {
            (0, count) => Ok(count as usize),
            (code, _) => Err(io::Error::from_raw_os_error(code)),
        };
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
        let Some(Block { offset, length, read, written, is_write, .. }) =
            progress.next_request(nth, self.bytes)
        else {
            return;
        };
        let done = if is_write { written } else { read };
        let Slot { control, .. } = &self.slots[nth];
        let event = ThreadEvent {
            value: sigval { sival_ptr: (&raw const self.slots[nth]).cast_mut().cast() },
            signal: 0,
            notify: libc::SIGEV_THREAD,
            function: routine,
            attributes: std::ptr::null_mut(),
        };
        // SAFETY: nothing of this block is in flight, so the request is ours to fill. It stays where it is, as does
        // the block's part of the buffer, until the last routine has ended. The event lies inside the request's own,
        // which is larger.
        let started = unsafe {
            let control = control.get();
            (*control).aio_fildes = if is_write { self.destination } else { self.source };
            (*control).aio_buf = self.buffer.address_of(nth * BLOCK_BYTES + done).cast();
            (*control).aio_nbytes = length - done;
            (*control).aio_offset = (offset + done as u64) as libc::off_t;
            (&raw mut (*control).aio_sigevent).cast::<ThreadEvent>().write(event);
            if is_write { aio_write(control) } else { aio_read(control) }
        };
        if started == 0 {
            progress.blocks[nth].in_flight = true;
            progress.in_flight += 1;
        } else {
            progress.failed.get_or_insert((is_write, io::Error::last_os_error()));
        }
    }
}

impl Progress {
    /// Books what a request answered.
    fn note(&mut self, nth: usize, answer: io::Result<usize>) {
        let block = &mut self.blocks[nth];
        block.in_flight = false;
        let outcome = match (answer, block.is_write) {
            (Ok(0), false) => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
            (Ok(0), true) => Err(io::Error::from(io::ErrorKind::WriteZero)),
            (Ok(count), false) => {
                block.read += count;
                Ok(())
            }
            (Ok(count), true) => {
                block.written += count;
                Ok(())
            }
            (Err(error), _) => Err(error),
        };
        if let Err(error) = outcome {
            self.failed.get_or_insert((block.is_write, error));
        }
    }

    /// The next request of a block: the rest of what it reads, the rest of what it writes, or the next part of the file.
    fn next_request(&mut self, nth: usize, bytes: u64) -> Option<Block> {
        let block = &mut self.blocks[nth];
        if block.written == block.length {
            let length = (bytes - self.next).min(BLOCK_BYTES as u64) as usize;
            *block = Block { offset: self.next, length, ..Block::default() };
            self.next += length as u64;
            if length == 0 {
                return None;
            }
        }
        block.is_write = block.read == block.length;
        Some(*block)
    }
}

/// Called by the library, on a thread of its own, when a request has ended.
unsafe extern "C" fn routine(value: sigval) {
    // SAFETY: the value is the address of a slot, which lives at least until this request is booked as ended below.
    let slot = unsafe { &*value.sival_ptr.cast::<Slot>() };
    // The transfer must outlive the notification at the end of the booking.
    if let Some(transfer) = slot.transfer.upgrade() {
        transfer.ended(slot.nth);
    }
}
