use crate::threads::prelude::*;
use crate::threads::turns::on_taken_shares;

pub(super) const POOL_YIELDING: Technique<ThreadsJob> = Technique {
    name: "pool_yielding",
    idea: "as pool, but a share runs to its end, and a forced yield is the system's",
    source: "bakeoff",
    calls_at: |workload| [fewer_threads(workload), system_yields(workload)].concat(),
    ..Technique::usual(|job| {
        job.done_by(|job| {
            on_taken_shares(job, |shares| {
                let count = shares.len();
                job.course.ended(count, shares.map(|nth| job.share(nth).run(yield_now)).sum());
                Ok(())
            })
        })
    })
};
