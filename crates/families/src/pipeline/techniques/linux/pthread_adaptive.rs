use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{AdaptiveLock, AtomicWait};

pub(in crate::pipeline::techniques) const PTHREAD_ADAPTIVE: Technique<PipelineJob> = Technique {
    name: "pthread_adaptive",
    idea: "a pthread mutex that spins before it sleeps (PTHREAD_MUTEX_ADAPTIVE_NP), and condition variables; one thread is woken",
    source: "glibc, pthread_mutexattr_settype",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<AdaptiveLock, AtomicWait<false>>>)
};
