use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{AtomicLock, AtomicWait};

pub(super) const SIGNAL_ATOMIC_WAIT: Technique<PipelineJob> = Technique {
    name: "signal_atomic_wait",
    alias: &["signal-mutex-signalobjectandwait"],
    idea: "one call gives back the lock and waits; one thread is woken",
    source: "Hart, Windows System Programming, ThreeStage",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<AtomicLock, AtomicWait<false>>>)
};
