use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{AtomicWait, AutoResetEvent, KernelLock, PulsedEvent, UserLock};

pub(super) const PUBLISHED: &[Technique<PipelineJob>] = &[
    Technique {
        name: "broadcast_kernel_lock",
        alias: &["broadcast-mutex-5ms"],
        idea: "a lock that enters the kernel (Linux: a pipe that holds one byte), an event whose pulse wakes all, and waits that end after a time-out: a pulse before a wait is lost",
        source: "Hart, Windows System Programming, ThreeStage",
        calls: &["pipe2", "read", "write", "futex"],
        parameters: &[timeout(&[5_000_000])],
        ..Technique::usual(PipelineJob::by::<Locked<KernelLock, PulsedEvent>>)
    },
    Technique {
        name: "broadcast_user_lock",
        alias: &["broadcast-critsec-25ms"],
        idea: "a lock in user mode, an event whose pulse wakes all, and waits that end after a time-out: a pulse before a wait is lost",
        source: "Hart, Windows System Programming, ThreeStage",
        calls: &["futex"],
        parameters: &[timeout(&[25_000_000])],
        ..Technique::usual(PipelineJob::by::<Locked<UserLock, PulsedEvent>>)
    },
    Technique {
        name: "broadcast_atomic_wait",
        alias: &["broadcast-mutex-signalobjectandwait"],
        idea: "a lock that enters the kernel, given back by the call that waits; a pulse wakes all. Linux has no such call: a thread is counted as waiting before it gives back the lock, a pipe that holds one byte, so that no wake is lost",
        source: "Hart, Windows System Programming, ThreeStage",
        calls: &["pipe2", "read", "write", "futex"],
        ..Technique::usual(PipelineJob::by::<Locked<KernelLock, AtomicWait<true>>>)
    },
    Technique {
        name: "signal_kernel_lock",
        alias: &["signal-mutex"],
        idea: "a lock that enters the kernel (Linux: a pipe that holds one byte), and an event that stays set until one thread has waited for it",
        source: "Hart, Windows System Programming, ThreeStage",
        calls: &["pipe2", "read", "write", "futex"],
        ..Technique::usual(PipelineJob::by::<Locked<KernelLock, AutoResetEvent>>)
    },
    Technique {
        name: "signal_user_lock",
        alias: &["signal-critsec"],
        idea: "a lock in user mode, and an event that stays set until one thread has waited for it",
        source: "Hart, Windows System Programming, ThreeStage",
        calls: &["futex"],
        ..Technique::usual(PipelineJob::by::<Locked<UserLock, AutoResetEvent>>)
    },
    Technique {
        name: "signal_atomic_wait",
        alias: &["signal-mutex-signalobjectandwait"],
        idea: "as broadcast_atomic_wait; an event that stays set until one thread has waited for it wakes one",
        source: "Hart, Windows System Programming, ThreeStage",
        calls: &["pipe2", "read", "write", "futex"],
        ..Technique::usual(PipelineJob::by::<Locked<KernelLock, AtomicWait<false>>>)
    },
];
