use crate::parameters::bytes;
use crate::threads::give_up::give_up;
use crate::threads::prelude::*;
use crate::threads::start::{Begin, thread_each};

pub(super) const THREAD_EACH: Technique<ThreadsJob> = Technique {
    name: "thread_each",
    idea: "std::thread for each share, with its usual stack; a forced yield is sched_yield (Windows: Sleep(0), as published)",
    source: "Khatsiev, yielding threads (2003)",
    calls_at: a_yielding_thread_each,
    ..Technique::usual(|job| job.done_by(|job| thread_each(job, None, Begin::AtOnce, give_up)))
};

pub(super) const THREAD_EACH_TOGETHER: Technique<ThreadsJob> = Technique {
    name: "thread_each_together",
    idea: "as thread_each, but no thread begins before all are created, so that all of them are alive at once",
    source: "Khatsiev, yielding threads (2003)",
    calls_at: a_yielding_thread_each,
    ..Technique::usual(|job| job.done_by(|job| thread_each(job, None, Begin::Together, give_up)))
};

pub(super) const SMALL_STACKS: Technique<ThreadsJob> = Technique {
    name: "small_stacks",
    idea: "as thread_each, with stacks that leave room for more threads",
    source: "Rust's standard library, thread::Builder::stack_size",
    calls_at: a_yielding_thread_each,
    parameters: &[bytes(STACK_BYTES, "size of each thread's stack", &[64 << 10])],
    variant_of: Some("thread_each"),
    ..Technique::usual(|job| {
        job.done_by(|job| thread_each(job, Some(job.stack_bytes()?), Begin::AtOnce, give_up))
    })
};
