use crate::threads::give_up::give_up;
use crate::threads::prelude::*;
use crate::threads::turns::{in_turn, on_taken_shares};

pub(super) const POOL: Technique<ThreadsJob> = Technique {
    name: "pool",
    idea: "threads that begin on different processors, one for each, the calling one among them; each takes some shares at a time, which take turns",
    source: "bakeoff",
    calls: &["!sched_yield"],
    calls_at: fewer_threads,
    ..Technique::usual(|job| {
        job.done_by(|job| {
            on_taken_shares(job, |shares| {
                in_turn(job, shares);
                Ok(())
            })
        })
    })
};

pub(super) const POOL_YIELDING: Technique<ThreadsJob> = Technique {
    name: "pool_yielding",
    idea: "as pool, but a share runs to its end, and a forced yield is the system's",
    source: "bakeoff",
    calls_at: |workload| [fewer_threads(workload), system_yields(workload)].concat(),
    ..Technique::usual(|job| {
        job.done_by(|job| {
            on_taken_shares(job, |shares| {
                let count = shares.len();
                job.course.ended(count, shares.map(|nth| job.share(nth).run(give_up)).sum());
                Ok(())
            })
        })
    })
};

pub(super) const ONE_THREAD: Technique<ThreadsJob> = Technique {
    name: "one_thread",
    idea: "the calling thread alone: the shares take turns, and a forced yield is a step to the next one",
    source: "an event loop",
    calls: &["!clone3|clone", "!sched_yield"],
    ..Technique::usual(|job| {
        job.done_by(|job| {
            job.course.created();
            in_turn(job, 0..job.shares);
            Ok(())
        })
    })
};
