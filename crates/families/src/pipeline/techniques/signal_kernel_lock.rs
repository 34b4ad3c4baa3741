use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{AutoResetEvent, KernelLock};

pub(super) const SIGNAL_KERNEL_LOCK: Technique<PipelineJob> = Technique {
    name: "signal_kernel_lock",
    alias: &["signal-mutex"],
    idea: "a lock that enters the kernel (Linux: a pipe that holds one byte), and an event that stays set until one thread has waited for it",
    source: "Hart, Windows System Programming, ThreeStage",
    calls: &["pipe2", "read", "write", "futex"],
    ..Technique::usual(PipelineJob::by::<Locked<KernelLock, AutoResetEvent>>)
};
