use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{AdaptiveLock, ConditionVariable, UserLock};

pub(in crate::pipeline::techniques) const PTHREAD_BROADCAST: Technique<PipelineJob> = Technique {
    name: "pthread_broadcast",
    idea: "a pthread mutex, and condition variables, whose wait gives it back at once; all are woken (pthread_cond_broadcast)",
    source: "glibc, pthread_cond_wait",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<UserLock, ConditionVariable<true>>>)
};

pub(in crate::pipeline::techniques) const PTHREAD_SIGNAL: Technique<PipelineJob> = Technique {
    name: "pthread_signal",
    idea: "as pthread_broadcast; one thread is woken (pthread_cond_signal)",
    variant_of: Some("pthread_broadcast"),
    ..Technique {
        prepare: PipelineJob::by::<Locked<UserLock, ConditionVariable<false>>>,
        ..PTHREAD_BROADCAST
    }
};

pub(in crate::pipeline::techniques) const PTHREAD_ADAPTIVE: Technique<PipelineJob> = Technique {
    name: "pthread_adaptive",
    idea: "a pthread mutex that spins before it sleeps (PTHREAD_MUTEX_ADAPTIVE_NP), and condition variables; one thread is woken",
    source: "glibc, pthread_mutexattr_settype",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<AdaptiveLock, ConditionVariable<false>>>)
};
