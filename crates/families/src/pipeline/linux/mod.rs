//! What the strategies are made of on Linux.

pub(in crate::pipeline) mod address;
mod events;
mod kernel_lock;
mod message_queue;
mod pipe;
mod pthread;
mod semaphore;
mod sockets;

pub(in crate::pipeline) use events::{AutoResetEvent, PulsedEvent};
pub(in crate::pipeline) use kernel_lock::KernelLock;
pub(in crate::pipeline) use message_queue::{MOST_MESSAGES, MessageQueue};
pub(in crate::pipeline) use pipe::{pipe_of, read_part, write_part};
pub(in crate::pipeline) use pthread::{AdaptiveWait, BroadcastWait, SignalWait, UserLock};
pub(in crate::pipeline) use semaphore::Semaphore;
pub(in crate::pipeline) use sockets::sockets_of;
