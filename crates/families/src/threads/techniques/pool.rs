use crate::threads::prelude::*;
use crate::threads::turns::{in_turn, on_taken_shares};

pub(super) const POOL: Technique<ThreadsJob> = Technique {
    name: "pool",
    idea: "one thread a processor, the calling one among them; each takes some shares at a time, which take turns",
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
