use crate::threads::prelude::*;
use crate::threads::start::{Begin, thread_each};

pub(super) const THREAD_EACH_TOGETHER: Technique<ThreadsJob> = Technique {
    name: "thread_each_together",
    idea: "as thread_each, but no thread begins before all are created, so that all of them are alive at once",
    source: "Khatsiev, yielding threads (2003)",
    calls_at: |workload| [a_thread_each(workload), system_yields(workload)].concat(),
    ..Technique::usual(|job| job.done_by(|job| thread_each(job, None, Begin::Together, yield_now)))
};
