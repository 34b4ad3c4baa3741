//! What the strategies are made of on Linux.

mod futex;
mod kernel;
mod pipe;
mod pthread;

pub(in crate::pipeline) use futex::{AutoResetEvent, PulsedEvent, wait_while, wake_one};
pub(in crate::pipeline) use kernel::{AtomicWait, KernelLock, Semaphore, ensure_whole};
pub(in crate::pipeline) use pipe::{pipe_of, read_part, write_part};
pub(in crate::pipeline) use pthread::{AdaptiveLock, ConditionVariable, UserLock};
