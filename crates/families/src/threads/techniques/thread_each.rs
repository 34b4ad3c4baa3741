use crate::threads::prelude::*;
use crate::threads::start::{Begin, thread_each};

pub(super) const THREAD_EACH: Technique<ThreadsJob> = Technique {
    name: "thread_each",
    idea: "std::thread for each share, with its usual stack; a forced yield is sched_yield (Windows: SwitchToThread)",
    source: "Khatsiev, yielding threads (2003)",
    calls_at: |workload| [a_thread_each(workload), system_yields(workload)].concat(),
    ..Technique::usual(|job| job.done_by(|job| thread_each(job, None, Begin::AtOnce, yield_now)))
};
