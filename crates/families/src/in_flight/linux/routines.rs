//! POSIX asynchronous I/O whose ends call a routine, each in a new thread of the C library.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use libc::sigval;

use super::requests::{Outcome, Request};
use crate::files::AioRoutine;
use crate::in_flight::pieces::{Pieces, Transfer};

/// A transfer that has ended is reported in this time, or never: the C library drops an end for which it gets no thread.
const PATIENCE: Duration = Duration::from_secs(10);

struct Work<'job> {
    pieces: Pieces<'job>,
    /// Never moved: the vector does not grow.
    requests: Vec<Request>,
}

struct Shared<'job> {
    /// `None` once the waiting thread has taken it, when nothing is in flight.
    work: Mutex<Option<Work<'job>>>,
    ended: Condvar,
}

/// A routine's argument: the block of its transfer. Each transfer in flight has one.
struct Argument<'job> {
    shared: Arc<Shared<'job>>,
    nth: usize,
}

/// Starts the first transfer of each block, and waits while the routines do the rest.
pub(crate) fn run(pieces: Pieces) -> Outcome {
    let requests = Request::of_blocks(&pieces);
    let shared =
        Arc::new(Shared { work: Mutex::new(Some(Work { pieces, requests })), ended: Condvar::new() });
    let mut guard = shared.lock();
    if let Some(work) = &mut *guard {
        for nth in 0..work.requests.len() {
            let first = work.pieces.begin(nth);
            work.start(&shared, nth, first);
        }
    }
    let mut unreported = None;
    loop {
        match guard.take() {
            Some(work) if work.is_in_flight() => *guard = Some(work),
            Some(work) => return Outcome::Ended(work.pieces.finish()),
            None => return Outcome::Ended(Ok(())),
        }
        let waited = shared.ended.wait_timeout(guard, PATIENCE);
        let timeout;
        (guard, timeout) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
        // One that has just ended is reported by a thread that waits for the lock: only one that was seen before is lost.
        let before = unreported.take();
        if timeout.timed_out() {
            unreported = guard.as_ref().and_then(|work| work.requests.iter().position(Request::has_ended));
            if unreported.is_some() && unreported == before {
                // Other transfers may still be in flight: their memory stays.
                std::mem::forget(guard.take());
                let lost = "aio: the C library got no thread to report the end of a transfer";
                return Outcome::Abandoned(io::Error::other(lost));
            }
        }
    }
}

impl<'job> Shared<'job> {
    fn lock(&self) -> MutexGuard<'_, Option<Work<'job>>> {
        self.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl<'job> Work<'job> {
    fn is_in_flight(&self) -> bool {
        self.requests.iter().any(Request::is_in_flight)
    }

    /// Starts transfers of a block until one of them is in flight or none is left.
    fn start(&mut self, shared: &Arc<Shared<'job>>, nth: usize, mut next: Option<Transfer>) {
        while let Some(transfer) = next {
            match self.try_to_start(shared, nth, transfer) {
                Ok(()) => return,
                Err(refused) => next = self.pieces.ended(nth, transfer.is_write, Err(refused)),
            }
        }
    }

    fn try_to_start(&mut self, shared: &Arc<Shared<'job>>, nth: usize, transfer: Transfer) -> io::Result<()> {
        let argument = Box::into_raw(Box::new(Argument { shared: Arc::clone(shared), nth }));
        let routine = AioRoutine { function: transfer_ended, argument: argument.cast() };
        // SAFETY: nothing of this block is in flight. Request, pieces and open files stay until nothing is in flight.
        let started = unsafe { self.requests[nth].start(&self.pieces, transfer, Some(routine)) };
        if started.is_err() {
            // SAFETY: it was made above, and no routine will get it.
            drop(unsafe { Box::from_raw(argument) });
        }
        started
    }

    fn book(&mut self, shared: &Arc<Shared<'job>>, nth: usize) {
        let request = &mut self.requests[nth];
        if let Some(answer) = request.take_answer() {
            let next = self.pieces.ended(nth, request.is_write(), answer);
            self.start(shared, nth, next);
        }
    }
}

/// Called by the C library in a thread of its own, when a transfer has ended.
extern "C" fn transfer_ended(value: sigval) {
    // SAFETY: made for this one call; its target lives until nothing is in flight, and this transfer is until it is booked.
    let Argument { shared, nth } = *unsafe { Box::from_raw(value.sival_ptr.cast::<Argument<'static>>()) };
    if let Some(work) = &mut *shared.lock() {
        work.book(&shared, nth);
    }
    shared.ended.notify_one();
}
