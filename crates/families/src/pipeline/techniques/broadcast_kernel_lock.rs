use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{KernelLock, PulsedEvent};

pub(super) const BROADCAST_KERNEL_LOCK: Technique<PipelineJob> = Technique {
    name: "broadcast_kernel_lock",
    alias: &["broadcast-mutex-5ms"],
    idea: "a lock that enters the kernel (Linux: a pipe that holds one byte), an event whose pulse wakes all, and waits that end after a time-out: a pulse before a wait is lost",
    source: "Hart, Windows System Programming, ThreeStage",
    calls: &["pipe2", "read", "write", "futex"],
    parameters: &[timeout(&[5_000_000])],
    ..Technique::usual(PipelineJob::by::<Locked<KernelLock, PulsedEvent>>)
};
