//! What the strategies are made of on Windows.

mod objects;
mod pipe;
mod user;

pub(in crate::pipeline) use objects::{AtomicWait, AutoResetEvent, KernelLock, PulsedEvent, Semaphore};
pub(in crate::pipeline) use pipe::{pipe_of, read_part, write_part};
pub(in crate::pipeline) use user::{UserLock, wait_while, wake_one};
