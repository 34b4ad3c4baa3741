//! A thread for each processor that gives it up as the thread of a share would.

use std::thread::yield_now;

use crate::contract::Technique;
use crate::threads::calls::{fewer_threads, system_yields};
use crate::threads::job::ThreadsJob;
use crate::threads::start::on_each_processor;
use crate::threads::turns::Taken;

pub(super) const POOL_YIELDING: Technique<ThreadsJob> = Technique {
    name: "pool_yielding",
    idea: "as pool, but a share runs to its end, and a forced yield is the system's",
    source: "bakeoff",
    calls_at: |workload| [fewer_threads(workload), system_yields(workload)].concat(),
    ..Technique::usual(|job| {
        job.done_by(|job| {
            let taken = Taken::new(job);
            on_each_processor(job, || {
                while let Some(shares) = taken.take() {
                    let count = shares.len();
                    job.course.ended(count, shares.map(|nth| job.share(nth).run(yield_now)).sum());
                }
                Ok(())
            })
        })
    })
};
