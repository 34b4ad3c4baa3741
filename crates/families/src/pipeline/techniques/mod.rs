//! The techniques, one file each. What exists on every system is listed first: the six published strategies, then today's.

mod broadcast_atomic_wait;
mod broadcast_kernel_lock;
mod broadcast_user_lock;
mod crossbeam;
mod disruptor;
mod flume;
mod kanal;
mod kernel_semaphores;
mod own_queue;
mod parking_lot;
mod pipe;
mod rtrb;
mod signal_atomic_wait;
mod signal_kernel_lock;
mod signal_user_lock;
mod std_mutex_notify_all;
mod std_mutex_notify_one;
mod std_sync_channel;
mod tokio_mpsc;
mod wait_on_address;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod io_uring_messages;
    pub(super) mod posix_message_queue;
    pub(super) mod pthread_adaptive;
    pub(super) mod socketpair;
}

#[cfg(windows)]
mod windows {
    pub(super) mod completion_port;
    pub(super) mod srw_lock;
}

use super::job::PipelineJob;
use crate::contract::{Technique, joined};

pub(super) const TECHNIQUES: &[Technique<PipelineJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<PipelineJob>] = &[
    broadcast_kernel_lock::BROADCAST_KERNEL_LOCK,
    broadcast_user_lock::BROADCAST_USER_LOCK,
    broadcast_atomic_wait::BROADCAST_ATOMIC_WAIT,
    signal_kernel_lock::SIGNAL_KERNEL_LOCK,
    signal_user_lock::SIGNAL_USER_LOCK,
    signal_atomic_wait::SIGNAL_ATOMIC_WAIT,
    std_mutex_notify_one::STD_MUTEX_NOTIFY_ONE,
    std_mutex_notify_all::STD_MUTEX_NOTIFY_ALL,
    std_sync_channel::STD_SYNC_CHANNEL,
    wait_on_address::WAIT_ON_ADDRESS,
    parking_lot::PARKING_LOT,
    crossbeam::CROSSBEAM,
    flume::FLUME,
    kanal::KANAL,
    tokio_mpsc::TOKIO_MPSC,
    rtrb::RTRB,
    disruptor::DISRUPTOR,
    own_queue::OWN_QUEUE,
    kernel_semaphores::KERNEL_SEMAPHORES,
    pipe::PIPE,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<PipelineJob>] = &[
    linux::pthread_adaptive::PTHREAD_ADAPTIVE,
    linux::socketpair::SOCKETPAIR,
    linux::posix_message_queue::POSIX_MESSAGE_QUEUE,
    linux::io_uring_messages::IO_URING_MESSAGES,
];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<PipelineJob>] =
    &[windows::srw_lock::SRW_LOCK, windows::completion_port::COMPLETION_PORT];
