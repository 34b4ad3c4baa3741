use std::thread::yield_now;

use ::rayon::ThreadPoolBuilder;
use ::rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::threads::prelude::*;

pub(super) const RAYON: Technique<ThreadsJob> = Technique {
    name: "rayon",
    idea: "a parallel iterator over the shares, one thread a processor; a forced yield is the system's",
    // Its own yield runs another share on top of the stack: thousands of shares would pile up there.
    source: "crate rayon, ParallelIterator and ThreadPoolBuilder",
    calls: &["clone3|clone"],
    calls_at: system_yields,
    ..Technique::usual(|job| job.done_by(work))
};

fn work(job: &ThreadsJob) -> io::Result<()> {
    let built = ThreadPoolBuilder::new().num_threads(job.workers()).build();
    let pool = built.map_err(|error| io::Error::other(format!("start rayon's threads: {error}")))?;
    job.course.created();
    pool.install(|| {
        (0..job.shares).into_par_iter().for_each(|nth| job.course.ended(1, job.share(nth).run(yield_now)));
    });
    Ok(())
}
