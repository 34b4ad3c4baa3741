//! Windows: a mutex, `PulseEvent` and `SignalObjectAndWait`. Linux: a pthread condition variable with `broadcast`.

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::locked::Locked;
use crate::pipeline::system::BroadcastWait;

pub(super) const BROADCAST_ATOMIC_WAIT: Technique<PipelineJob> = Technique {
    name: "broadcast_atomic_wait",
    alias: &["broadcast-mutex-signalobjectandwait"],
    idea: "one call gives back the lock and waits; all are woken",
    source: "Hart, Windows System Programming, ThreeStage",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<BroadcastWait>>)
};
