//! The standard library's mutex with two condition variables, as most programs would write a bounded queue.

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::std_queue::StdMutex;

pub(super) const STD_MUTEX_NOTIFY_ONE: Technique<PipelineJob> = Technique {
    name: "std_mutex_notify_one",
    idea: "the standard library's Mutex and Condvar; one thread is woken after the lock is given back",
    source: "Rust, std::sync::Condvar",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<StdMutex<false>>)
};
