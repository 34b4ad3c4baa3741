//! A thread for each processor, and shares that take turns on it.

use crate::contract::Technique;
use crate::threads::calls::fewer_threads;
use crate::threads::job::ThreadsJob;
use crate::threads::start::on_each_processor;
use crate::threads::turns::{Taken, in_turn};

pub(super) const POOL: Technique<ThreadsJob> = Technique {
    name: "pool",
    idea: "one thread a processor, the calling one among them; each takes some shares at a time, which take turns",
    source: "bakeoff",
    calls: &["!sched_yield"],
    calls_at: fewer_threads,
    ..Technique::usual(|job| {
        job.done_by(|job| {
            let taken = Taken::new(job);
            on_each_processor(job, || {
                while let Some(shares) = taken.take() {
                    in_turn(job, shares);
                }
                Ok(())
            })
        })
    })
};
