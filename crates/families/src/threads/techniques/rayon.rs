use ::rayon::iter::{IntoParallelIterator, ParallelIterator};
use ::rayon::{ThreadBuilder, ThreadPoolBuilder};

use crate::threads::give_up::give_up;
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
    let builder = ThreadPoolBuilder::new().num_threads(job.workers());
    // Scoped: a pool that is dropped waits for none of its threads.
    let done = builder.build_scoped(ThreadBuilder::run, |pool| {
        job.course.created();
        let shares = (0..job.shares).into_par_iter();
        pool.install(|| shares.for_each(|nth| job.course.ended(1, job.share(nth).run(give_up))));
    });
    done.map_err(|error| io::Error::other(format!("start rayon's threads: {error}")))
}
