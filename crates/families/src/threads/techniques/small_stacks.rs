use crate::parameters::bytes;
use crate::threads::prelude::*;
use crate::threads::start::{Begin, thread_each};

pub(super) const SMALL_STACKS: Technique<ThreadsJob> = Technique {
    name: "small_stacks",
    idea: "as thread_each, with stacks that leave room for more threads",
    source: "Rust's standard library, thread::Builder::stack_size",
    calls_at: |workload| [a_thread_each(workload), system_yields(workload)].concat(),
    parameters: &[bytes(STACK_BYTES, "size of each thread's stack", &[64 << 10])],
    variant_of: Some("thread_each"),
    ..Technique::usual(|job| {
        job.done_by(|job| thread_each(job, Some(job.stack_bytes()?), Begin::AtOnce, yield_now))
    })
};
