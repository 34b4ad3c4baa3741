use std::ffi::c_void;
use std::ops::Range;
use std::ptr::{NonNull, null};

use sys::failure::in_context;
use windows_sys::Win32::System::Threading::{
    ConvertFiberToThread, ConvertThreadToFiber, CreateFiberEx, DeleteFiber, SwitchToFiber,
};

use crate::threads::prelude::*;
use crate::threads::share::Share;
use crate::threads::turns::on_taken_shares;

pub(in crate::threads) const FIBERS: Technique<ThreadsJob> = Technique {
    name: "fibers",
    idea: "a fiber for each share, on one thread a processor; a forced yield is SwitchToFiber",
    source: "Windows API, CreateFiberEx and SwitchToFiber",
    ..Technique::usual(|job| job.done_by(|job| on_taken_shares(job, |shares| in_turn(job, shares))))
};

const STACK_BYTES: usize = 64 << 10;

/// The calling thread as a fiber, until it is dropped.
struct Home(NonNull<c_void>);

impl Home {
    fn convert() -> io::Result<Self> {
        // SAFETY: the thread is no fiber: it was started by us, or converted back before.
        let home = NonNull::new(unsafe { ConvertThreadToFiber(null()) });
        home.map(Self).ok_or_else(|| in_context("make a fiber of the thread", io::Error::last_os_error()))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // SAFETY: the thread runs on its own stack, which is this fiber's.
        unsafe { ConvertFiberToThread() };
    }
}

/// The work of a fiber. It stands in a box, since the fiber keeps its address.
struct Work {
    share: Share,
    home: NonNull<c_void>,
    has_ended: bool,
}

struct Fiber {
    handle: NonNull<c_void>,
    work: Box<Work>,
}

impl Fiber {
    fn new(mut work: Box<Work>) -> io::Result<Self> {
        let at = (&raw mut *work).cast();
        // SAFETY: the function is one for fibers, and what it gets lives as long as the fiber.
        let handle = unsafe { CreateFiberEx(0, STACK_BYTES, 0, Some(run), at) };
        match NonNull::new(handle) {
            Some(handle) => Ok(Self { handle, work }),
            None => Err(in_context("create a fiber", io::Error::last_os_error())),
        }
    }
}

impl Drop for Fiber {
    fn drop(&mut self) {
        // SAFETY: the fiber is ours and not the one that runs; nothing on its stack needs to be dropped.
        unsafe { DeleteFiber(self.handle.as_ptr()) };
    }
}

/// A fiber must not return, which would end its thread: it goes home for ever.
unsafe extern "system" fn run(at: *mut c_void) {
    let work = at.cast::<Work>();
    loop {
        // SAFETY: the work lives as long as its fiber, and only one of fiber and home runs at a time.
        let goes_on = unsafe { (*work).share.goes_on() };
        // SAFETY: as above; the home is the fiber of the thread on which this one runs.
        unsafe {
            (*work).has_ended = !goes_on;
            SwitchToFiber((*work).home.as_ptr());
        }
    }
}

/// Works on these shares in turn, each on a fiber of its own.
fn in_turn(job: &ThreadsJob, shares: Range<usize>) -> io::Result<()> {
    let count = shares.len();
    let home = Home::convert()?;
    let fiber = |nth| Fiber::new(Box::new(Work { share: job.share(nth), home: home.0, has_ended: false }));
    let mut live: Vec<Fiber> = shares.map(fiber).collect::<io::Result<_>>()?;
    let mut sum = 0;
    while !live.is_empty() {
        live.retain(|fiber| {
            let work = (&raw const *fiber.work).cast_mut();
            // SAFETY: the fiber was created by this thread, has not been deleted, and comes back here; no reference to its
            // work is held while it runs.
            unsafe { SwitchToFiber(fiber.handle.as_ptr()) };
            // SAFETY: the fiber does not run now, and the work lives.
            let (has_ended, own) = unsafe { ((*work).has_ended, (*work).share.sum()) };
            if has_ended {
                sum += own;
            }
            !has_ended
        });
    }
    job.course.ended(count, sum);
    Ok(())
}
