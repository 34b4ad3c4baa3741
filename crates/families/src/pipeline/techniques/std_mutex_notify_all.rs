use super::std_mutex_notify_one::StdMutex;
use crate::pipeline::prelude::*;

pub(super) const STD_MUTEX_NOTIFY_ALL: Technique<PipelineJob> = Technique {
    name: "std_mutex_notify_all",
    idea: "the standard library's Mutex and Condvar; all that wait are woken after the lock is given back",
    source: "Rust, std::sync::Condvar",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<StdMutex<true>>)
};
