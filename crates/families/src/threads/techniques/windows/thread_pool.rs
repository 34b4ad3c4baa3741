//! The thread pool of Windows.

use std::io;

use crate::contract::Technique;
use crate::threads::job::ThreadsJob;
use crate::threads::system::pool::Pool;

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
