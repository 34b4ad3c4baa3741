use std::ptr;

use libc::{aio_suspend, aiocb};

use crate::convert::prelude::*;
use crate::in_flight::linux::requests::{Outcome, Request};
use crate::in_flight::linux::routines::run;
use crate::in_flight::pieces::{Pieces, Transfer};

pub(in crate::convert) const POSIX_AIO: Technique<ConvertJob> = Technique {
    name: "posix_aio",
    idea: "aio_read, aio_suspend, aio_write with 4 buffers: threads of the C library, one request a file at a time",
    source: "aio(7)",
    calls: &["clone3|clone", "pread64", "pwrite64"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_requests(job, notes, run_by_suspending)))
};

pub(in crate::convert) const POSIX_AIO_CALLBACK: Technique<ConvertJob> = Technique {
    name: "posix_aio_callback",
    idea: "aio_read and aio_write with 4 buffers and SIGEV_THREAD: at each end the C library starts a thread that converts",
    source: "aio(7), sigevent(7)",
    calls: &["clone3|clone", "pread64", "pwrite64"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_requests(job, notes, run)))
};

const BUFFERS: usize = 4;
const PIECE_BYTES: usize = 64 << 10;

/// Converts into an output of full length through 4 buffers, by `run`.
fn convert_by_requests(
    job: &ConvertJob, notes: &mut Notes, run: impl FnOnce(Pieces) -> Outcome,
) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = job.create()?;
    let bytes = source.size_bytes()?;
    if bytes > 0 {
        presize(&destination, 2 * bytes, notes)?;
        let steps = ["aio_read", "aio_write"];
        let pieces = job.pieces([&source, &destination], steps, bytes, (BUFFERS, PIECE_BYTES))?;
        return run(pieces).settled((source, destination))?.1.finish(job.durable);
    }
    destination.finish(job.durable)
}

fn run_by_suspending(mut pieces: Pieces) -> Outcome {
    // Never moved: the vector does not grow.
    let mut requests = Request::of_blocks(&pieces);
    for (nth, request) in requests.iter_mut().enumerate() {
        let first = pieces.begin(nth);
        start_next(&mut pieces, nth, request, first);
    }
    loop {
        // After an error too: the library may still write into the buffers of what is in flight.
        let waiting: Vec<*const aiocb> =
            requests.iter().filter(|request| request.is_in_flight()).map(Request::control).collect();
        if waiting.is_empty() {
            return Outcome::Ended(pieces.finish());
        }
        // SAFETY: all requests in the list are in flight, and no time limit is given. Each is asked below, interrupted or not.
        unsafe { aio_suspend(waiting.as_ptr(), waiting.len() as i32, ptr::null()) };
        for (nth, request) in requests.iter_mut().enumerate() {
            if let Some(answer) = request.take_answer() {
                let next = pieces.ended(nth, request.is_write(), answer);
                start_next(&mut pieces, nth, request, next);
            }
        }
    }
}

/// Starts transfers of a block until one of them is in flight or none is left.
fn start_next(pieces: &mut Pieces, nth: usize, request: &mut Request, mut next: Option<Transfer>) {
    while let Some(transfer) = next {
        // SAFETY: nothing of this block is in flight. Request, pieces and open files stay until nothing is in flight.
        match unsafe { request.start(pieces, transfer, None) } {
            Ok(()) => return,
            Err(refused) => next = pieces.ended(nth, transfer.is_write, Err(refused)),
        }
    }
}
