//! POSIX asynchronous I/O whose ends call a routine, each in a new thread, as atouEX would have had it on the Linux of
//! its day.

use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use libc::{aio_error, aio_read, aio_return, aio_write, aiocb, c_int, c_void, sigval};
use model::Class;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::pieces::{Pieces, Transfer};
use crate::files::{OpenFile, presize};

pub(in crate::convert) const POSIX_AIO_CALLBACK: Technique<ConvertJob> = Technique {
    name: "posix_aio_callback",
    alias: &[],
    idea: "aio_read and aio_write with 4 buffers and SIGEV_THREAD: at each end the C library starts a thread that converts",
    source: "aio(7), sigevent(7)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(convert),
};

const BUFFERS: usize = 4;
const PIECE_BYTES: usize = 64 << 10;

/// A call that has ended is told in this time, or never: the C library drops an end for which it gets no thread.
const PATIENCE: Duration = Duration::from_secs(10);

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        presize(&destination, 2 * bytes, notes)?;
        let steps = ["aio_read", "aio_write"];
        let pieces = Pieces::new(job, (&source, &destination), bytes, (BUFFERS, PIECE_BYTES), steps)?;
        run(pieces)?;
    }
    destination.finish(job.durable)
}

/// One request of a block. The library holds on to its address while it is in flight.
struct Request {
    control: aiocb,
    is_write: bool,
    in_flight: bool,
}

// SAFETY: the pointers in it belong to a transfer, not to the thread that started it.
unsafe impl Send for Request {}

/// All that the routines work on, one at a time.
struct Work<'job> {
    pieces: Pieces<'job>,
    /// Never moved: the vector does not grow.
    requests: Vec<Request>,
}

/// What the routines and the thread that waits for them share.
struct Shared<'job> {
    /// `None` once the waiting thread has taken it, when nothing is in flight.
    work: Mutex<Option<Work<'job>>>,
    ended: Condvar,
}

/// What a routine is told: which block its transfer was of. Each transfer in flight has one.
struct Told<'job> {
    shared: Arc<Shared<'job>>,
    nth: usize,
}

fn run(pieces: Pieces) -> io::Result<()> {
    let idle = || Request {
        // SAFETY: all of its fields are numbers and pointers, for which zero is a value.
        control: unsafe { std::mem::zeroed() },
        is_write: false,
        in_flight: false,
    };
    let requests: Vec<Request> = std::iter::repeat_with(idle).take(pieces.blocks()).collect();
    let shared =
        Arc::new(Shared { work: Mutex::new(Some(Work { pieces, requests })), ended: Condvar::new() });
    let mut guard = shared.lock();
    if let Some(work) = &mut *guard {
        for nth in 0..work.requests.len() {
            let first = work.pieces.begin(nth);
            work.start(&shared, nth, first);
        }
    }
    loop {
        match guard.take() {
            Some(work) if work.in_flight() > 0 => *guard = Some(work),
            Some(work) => return work.pieces.finish(),
            None => return Ok(()),
        }
        let waited = shared.ended.wait_timeout(guard, PATIENCE);
        let timeout;
        (guard, timeout) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
        if timeout.timed_out() && guard.as_ref().is_some_and(Work::has_ended_untold) {
            // The memory stays: other transfers may still be in flight.
            std::mem::forget(guard.take());
            return Err(io::Error::other("aio: the C library got no thread to tell the end of a transfer"));
        }
    }
}

impl<'job> Shared<'job> {
    fn lock(&self) -> MutexGuard<'_, Option<Work<'job>>> {
        self.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<'job> Work<'job> {
    fn in_flight(&self) -> usize {
        self.requests.iter().filter(|request| request.in_flight).count()
    }

    /// Whether a transfer has ended and no routine was called.
    fn has_ended_untold(&self) -> bool {
        let started = self.requests.iter().filter(|request| request.in_flight);
        // SAFETY: these requests were started, and their answers were not asked for.
        started
            .into_iter()
            .any(|request| unsafe { aio_error(&raw const request.control) } != libc::EINPROGRESS)
    }

    /// Starts transfers of a block until one of them is in flight or none is left.
    fn start(&mut self, shared: &Arc<Shared<'job>>, nth: usize, mut next: Option<Transfer>) {
        while let Some(transfer) = next {
            match self.try_to_start(shared, nth, transfer) {
                Ok(()) => return,
                // Out of threads or memory (EAGAIN): asked again at once, it would say the same for ever.
                Err(refused) => {
                    next = self.pieces.ended(nth, transfer.is_write, Err(io::Error::other(refused)));
                }
            }
        }
    }

    fn try_to_start(&mut self, shared: &Arc<Shared<'job>>, nth: usize, transfer: Transfer) -> io::Result<()> {
        let told = Box::into_raw(Box::new(Told { shared: Arc::clone(shared), nth }));
        let request = &mut self.requests[nth];
        let control = &raw mut request.control;
        // SAFETY: the request is not in flight, and stays where it is. The structure of the notice is the one that the
        // C library reads there. The transfer's memory is not touched until the transfer has ended; the file is open
        // until nothing is in flight.
        let started = unsafe {
            (*control).aio_fildes = self.pieces.file(&transfer).as_fd().as_raw_fd();
            (*control).aio_buf = transfer.memory.cast();
            (*control).aio_nbytes = transfer.bytes as usize;
            (*control).aio_offset = transfer.offset as libc::off_t;
            (&raw mut (*control).aio_sigevent).cast::<Notice>().write(Notice {
                value: sigval { sival_ptr: told.cast() },
                signal: 0,
                notify: libc::SIGEV_THREAD,
                routine: transfer_ended,
                attributes: std::ptr::null_mut(),
            });
            if transfer.is_write { aio_write(control) } else { aio_read(control) }
        };
        if started != 0 {
            let refused = io::Error::last_os_error();
            // SAFETY: it was made above, and no routine will be told it.
            drop(unsafe { Box::from_raw(told) });
            return Err(refused);
        }
        (request.is_write, request.in_flight) = (transfer.is_write, true);
        Ok(())
    }

    /// Books the end of a block's transfer, and starts its next.
    fn book(&mut self, shared: &Arc<Shared<'job>>, nth: usize) {
        let request = &mut self.requests[nth];
        // SAFETY: the request has ended, and is asked for its answer once.
        let answer = unsafe {
            match aio_error(&raw const request.control) {
                0 => Ok(aio_return(&raw mut request.control) as usize),
                code => Err(io::Error::from_raw_os_error(code)),
            }
        };
        request.in_flight = false;
        let next = self.pieces.ended(nth, request.is_write, answer);
        self.start(shared, nth, next);
    }
}

/// `struct sigevent` of sigevent(7) as it is for `SIGEV_THREAD`; the crate libc names other fields.
#[repr(C)]
struct Notice {
    value: sigval,
    signal: c_int,
    notify: c_int,
    routine: extern "C" fn(sigval),
    attributes: *mut c_void,
}

const _: () = assert!(size_of::<Notice>() <= size_of::<libc::sigevent>(), "it has to fit");

/// Called by the C library in a thread of its own, when a transfer has ended.
extern "C" fn transfer_ended(value: sigval) {
    // SAFETY: it was made for this one call; what it points to lives until the waiting thread has seen that nothing is in
    // flight, and this transfer is until it has been booked.
    let Told { shared, nth } = *unsafe { Box::from_raw(value.sival_ptr.cast::<Told<'static>>()) };
    if let Some(work) = &mut *shared.lock() {
        work.book(&shared, nth);
    }
    shared.ended.notify_one();
}
