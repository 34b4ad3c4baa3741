use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{AtomicLock, AtomicWait};

pub(super) const BROADCAST_ATOMIC_WAIT: Technique<PipelineJob> = Technique {
    name: "broadcast_atomic_wait",
    alias: &["broadcast-mutex-signalobjectandwait"],
    idea: "one call gives back the lock and waits; all are woken",
    source: "Hart, Windows System Programming, ThreeStage",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<AtomicLock, AtomicWait<true>>>)
};
