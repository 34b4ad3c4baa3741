use crate::threads::prelude::*;
use crate::threads::turns::in_turn;

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
