//! POSIX asynchronous I/O, the form that the historical program atouOV would have had on the Linux of its day.

use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::ptr;

use libc::{aio_error, aio_read, aio_return, aio_suspend, aio_write, aiocb};
use model::Class;

use crate::contract::Technique;
use crate::convert::job::{ConvertJob, Notes, always};
use crate::convert::pieces::{Pieces, Transfer};
use crate::files::{OpenFile, presize};

pub(in crate::convert) const POSIX_AIO: Technique<ConvertJob> = Technique {
    name: "posix_aio",
    alias: &[],
    idea: "aio_read, aio_suspend, aio_write with 4 buffers: threads of the C library, one request a file at a time",
    source: "aio(7)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(convert),
};

const BUFFERS: usize = 4;
const PIECE_BYTES: usize = 64 << 10;

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

fn run(mut pieces: Pieces) -> io::Result<()> {
    let idle = || Request {
        // SAFETY: all of its fields are numbers and pointers, for which zero is a value.
        control: unsafe { std::mem::zeroed() },
        is_write: false,
        in_flight: false,
    };
    // Never moved: the vector does not grow.
    let mut requests: Vec<Request> = std::iter::repeat_with(idle).take(pieces.blocks()).collect();
    for (nth, request) in requests.iter_mut().enumerate() {
        let first = pieces.begin(nth);
        start_next(&mut pieces, nth, request, first);
    }
    loop {
        // After an error too: the library may still write into the buffers of what is in flight.
        let waiting: Vec<*const aiocb> = requests
            .iter()
            .filter(|request| request.in_flight)
            .map(|request| &raw const request.control)
            .collect();
        if waiting.is_empty() {
            return pieces.finish();
        }
        // SAFETY: all requests in the list are in flight, and no time limit is given. Interrupted or not, every
        // request is asked below.
        unsafe { aio_suspend(waiting.as_ptr(), waiting.len() as i32, ptr::null()) };
        for (nth, request) in requests.iter_mut().enumerate().filter(|(_, request)| request.in_flight) {
            if let Some(answer) = ended(request) {
                request.in_flight = false;
                let next = pieces.ended(nth, request.is_write, answer);
                start_next(&mut pieces, nth, request, next);
            }
        }
    }
}

/// What came of a request; `None` while it is in flight.
fn ended(request: &mut Request) -> Option<io::Result<usize>> {
    // SAFETY: the request was started.
    match unsafe { aio_error(&raw const request.control) } {
        libc::EINPROGRESS => None,
        0 => {
            // SAFETY: the request has ended, and is asked for its answer once.
            let count = unsafe { aio_return(&raw mut request.control) };
            Some(usize::try_from(count).map_err(|_| io::Error::last_os_error()))
        }
        code => Some(Err(io::Error::from_raw_os_error(code))),
    }
}

/// Starts transfers of a block until one of them is in flight or none is left.
fn start_next(pieces: &mut Pieces, nth: usize, request: &mut Request, mut next: Option<Transfer>) {
    while let Some(transfer) = next {
        match start(pieces, request, transfer) {
            Ok(()) => return,
            // Out of threads or memory (EAGAIN): asked again at once, it would say the same for ever.
            Err(refused) => next = pieces.ended(nth, transfer.is_write, Err(io::Error::other(refused))),
        }
    }
}

fn start(pieces: &Pieces, request: &mut Request, transfer: Transfer) -> io::Result<()> {
    let control = &mut request.control;
    control.aio_fildes = pieces.file(&transfer).as_fd().as_raw_fd();
    control.aio_buf = transfer.memory.cast();
    control.aio_nbytes = transfer.bytes as usize;
    control.aio_offset = transfer.offset as libc::off_t;
    control.aio_sigevent.sigev_notify = libc::SIGEV_NONE;
    // SAFETY: the request stays where it is and the transfer's memory is not touched until it has ended; the
    // file is open until nothing is in flight.
    let started = unsafe { if transfer.is_write { aio_write(control) } else { aio_read(control) } };
    if started != 0 {
        return Err(io::Error::last_os_error());
    }
    (request.is_write, request.in_flight) = (transfer.is_write, true);
    Ok(())
}
