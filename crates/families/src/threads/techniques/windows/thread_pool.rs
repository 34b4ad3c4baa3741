use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use sys::failure::in_context;
use windows_sys::Win32::System::Threading::{
    CloseThreadpool, CloseThreadpoolWork, CreateThreadpool, CreateThreadpoolWork, PTP_CALLBACK_INSTANCE,
    PTP_POOL, PTP_WORK, SetThreadpoolThreadMaximum, SetThreadpoolThreadMinimum, SubmitThreadpoolWork,
    TP_CALLBACK_ENVIRON_V3, TP_CALLBACK_PRIORITY_NORMAL, WaitForThreadpoolWorkCallbacks,
};

use crate::threads::give_up::give_up;
use crate::threads::prelude::*;

pub(in crate::threads) const THREAD_POOL: Technique<ThreadsJob> = Technique {
    name: "thread_pool",
    idea: "a work item for each share in a pool of the system, one thread a processor; a forced yield is SwitchToThread",
    source: "Windows API, CreateThreadpool and SubmitThreadpoolWork",
    ..Technique::usual(|job| job.done_by(work))
};

fn work(job: &ThreadsJob) -> io::Result<()> {
    let pool = Pool::new(job)?;
    job.course.created();
    pool.run()
}

struct Pool<'job> {
    job: &'job ThreadsJob,
    pool: PTP_POOL,
    next: AtomicUsize,
}

impl<'job> Pool<'job> {
    fn new(job: &'job ThreadsJob) -> io::Result<Self> {
        // SAFETY: the argument is reserved.
        let pool = unsafe { CreateThreadpool(std::ptr::null()) };
        if pool == 0 {
            return Err(in_context("create a thread pool", io::Error::last_os_error()));
        }
        let made = Self { job, pool, next: AtomicUsize::new(0) };
        let threads = job.workers() as u32;
        // SAFETY: the pool is ours and open.
        let has_threads = unsafe {
            SetThreadpoolThreadMaximum(pool, threads);
            SetThreadpoolThreadMinimum(pool, threads)
        };
        match has_threads {
            0 => Err(in_context("start the threads of the pool", io::Error::last_os_error())),
            _ => Ok(made),
        }
    }

    fn run(&self) -> io::Result<()> {
        let environment = TP_CALLBACK_ENVIRON_V3 {
            Version: 3,
            Pool: self.pool,
            CallbackPriority: TP_CALLBACK_PRIORITY_NORMAL,
            Size: size_of::<TP_CALLBACK_ENVIRON_V3>() as u32,
            ..Default::default()
        };
        let context = (&raw const *self).cast_mut().cast();
        // SAFETY: the callback is one for work items; what it gets and the environment outlive the item, which is waited for
        // and closed below.
        let work = unsafe { CreateThreadpoolWork(Some(run_one), context, &raw const environment) };
        if work == 0 {
            return Err(in_context("create a work item", io::Error::last_os_error()));
        }
        // SAFETY: the item is open. An item runs once for each time that it is submitted.
        unsafe {
            (0..self.job.shares).for_each(|_| SubmitThreadpoolWork(work));
            WaitForThreadpoolWorkCallbacks(work, 0);
            CloseThreadpoolWork(work);
        }
        Ok(())
    }
}

impl Drop for Pool<'_> {
    fn drop(&mut self) {
        // SAFETY: the pool is ours, and none of its items is left.
        unsafe { CloseThreadpool(self.pool) };
    }
}

unsafe extern "system" fn run_one(_: PTP_CALLBACK_INSTANCE, context: *mut c_void, _: PTP_WORK) {
    // SAFETY: the context is the pool, which `run` gave, and lives until all callbacks have ended.
    let pool = unsafe { &*context.cast::<Pool<'_>>() };
    let nth = pool.next.fetch_add(1, Ordering::Relaxed);
    pool.job.course.ended(1, pool.job.share(nth).run(give_up));
}
