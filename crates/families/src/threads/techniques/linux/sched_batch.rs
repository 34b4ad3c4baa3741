//! Threads that the scheduler takes for work in the background.

use std::thread::yield_now;

use crate::contract::Technique;
use crate::threads::job::ThreadsJob;
use crate::threads::start::{Begin, thread_each};
use crate::threads::system::batch::as_batch;
use crate::threads::workload::{a_thread_each, system_yields};

pub(in crate::threads) const SCHED_BATCH: Technique<ThreadsJob> = Technique {
    name: "sched_batch",
    idea: "as thread_each, under SCHED_BATCH: a thread that wakes up does not preempt a running one",
    source: "sched(7)",
    calls: &["sched_setscheduler SCHED_BATCH"],
    calls_at: |workload| [a_thread_each(workload), system_yields(workload)].concat(),
    variant_of: Some("thread_each"),
    ..Technique::usual(|job| job.done_by(|job| as_batch(|| thread_each(job, None, Begin::AtOnce, yield_now))))
};
