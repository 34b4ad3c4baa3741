//! POSIX asynchronous I/O: a request from its start to its answer.

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::RawFd;
use std::ptr;

use libc::{aio_error, aio_read, aio_return, aio_write, aiocb, sigval};

#[derive(Debug, Clone, Copy)]
pub(crate) struct AioTransfer {
    pub(crate) is_write: bool,
    pub(crate) file: RawFd,
    pub(crate) memory: *mut u8,
    pub(crate) bytes: usize,
    pub(crate) offset: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct AioRoutine {
    pub(crate) function: extern "C" fn(sigval),
    pub(crate) argument: *mut c_void,
}

/// `struct sigevent` of sigevent(3type) as it is for `SIGEV_THREAD`; the crate libc names other fields.
#[repr(C)]
struct ThreadEvent {
    value: sigval,
    signal: c_int,
    notify: c_int,
    function: extern "C" fn(sigval),
    attributes: *mut c_void,
}

const _: () = assert!(size_of::<ThreadEvent>() <= size_of::<libc::sigevent>(), "it has to fit");

pub(crate) fn idle_request() -> aiocb {
    // SAFETY: all of its fields are numbers and pointers, for which zero is a value.
    unsafe { std::mem::zeroed() }
}

/// Starts a request. Its end is reported to the routine, or where there is none to nothing but [`has_ended`].
///
/// # Errors
/// Out of threads or memory (`EAGAIN`), and whatever else the library reports: the routine will not be called then.
///
/// # Safety
/// The request is not in flight. Until it has ended it stays where it is, the memory is valid and touched by nothing
/// else, and the file is open.
pub(crate) unsafe fn start_request(
    control: *mut aiocb, transfer: AioTransfer, routine: Option<AioRoutine>,
) -> io::Result<()> {
    // SAFETY: the caller owns the request, and keeps memory and file. A thread's event fits inside the request's own.
    let started = unsafe {
        (*control).aio_fildes = transfer.file;
        (*control).aio_buf = transfer.memory.cast();
        (*control).aio_nbytes = transfer.bytes;
        (*control).aio_offset = transfer.offset as libc::off_t;
        match routine {
            Some(AioRoutine { function, argument }) => {
                (&raw mut (*control).aio_sigevent).cast::<ThreadEvent>().write(ThreadEvent {
                    value: sigval { sival_ptr: argument },
                    signal: 0,
                    notify: libc::SIGEV_THREAD,
                    function,
                    attributes: ptr::null_mut(),
                });
            }
            None => (*control).aio_sigevent.sigev_notify = libc::SIGEV_NONE,
        }
        if transfer.is_write { aio_write(control) } else { aio_read(control) }
    };
    if started == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Returns whether a request has ended, reported or not.
///
/// # Safety
/// It was started, and was not asked for its answer since.
pub(crate) unsafe fn has_ended(control: *const aiocb) -> bool {
    // SAFETY: the caller vouches for it.
    unsafe { aio_error(control) != libc::EINPROGRESS }
}

/// Returns the bytes that a request moved.
///
/// # Safety
/// It was started and has ended, and is asked for its answer once.
pub(crate) unsafe fn answer_of(control: *mut aiocb) -> io::Result<usize> {
    // SAFETY: the caller vouches for it. The answer is fetched after an error too, as POSIX wants it.
    let (code, count) = unsafe { (aio_error(control), aio_return(control)) };
    match (code, usize::try_from(count)) {
        (0, Ok(count)) => Ok(count),
        (0, Err(_)) => Err(io::Error::last_os_error()),
        (code, _) => Err(io::Error::from_raw_os_error(code)),
    }
}
