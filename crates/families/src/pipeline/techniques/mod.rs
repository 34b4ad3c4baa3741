//! The techniques: one file each, or a few that share their code. What exists on every system is listed first: a table of the
//! six published strategies, then today's.

mod channels;
mod disruptor;
mod kernel_semaphores;
mod own_queue;
mod parking_lot;
mod pipe;
mod published;
mod rtrb;
mod std_mutex;
mod wait_on_address;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod io_uring_messages;
    pub(super) mod posix_message_queue;
    pub(super) mod pthread;
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

const ON_EVERY_SYSTEM: &[Technique<PipelineJob>] =
    &joined::<_, { published::PUBLISHED.len() + OF_TODAY.len() }>(published::PUBLISHED, OF_TODAY);

const OF_TODAY: &[Technique<PipelineJob>] = &[
    std_mutex::STD_MUTEX_NOTIFY_ONE,
    std_mutex::STD_MUTEX_NOTIFY_ALL,
    channels::STD_SYNC_CHANNEL,
    wait_on_address::WAIT_ON_ADDRESS,
    parking_lot::PARKING_LOT,
    channels::CROSSBEAM,
    channels::FLUME,
    channels::KANAL,
    channels::TOKIO_MPSC,
    rtrb::RTRB,
    disruptor::DISRUPTOR,
    own_queue::OWN_QUEUE,
    kernel_semaphores::KERNEL_SEMAPHORES,
    pipe::PIPE,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<PipelineJob>] = &[
    linux::pthread::PTHREAD_BROADCAST,
    linux::pthread::PTHREAD_SIGNAL,
    linux::pthread::PTHREAD_ADAPTIVE,
    linux::socketpair::SOCKETPAIR,
    linux::posix_message_queue::POSIX_MESSAGE_QUEUE,
    linux::io_uring_messages::IO_URING_MESSAGES,
];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<PipelineJob>] =
    &[windows::srw_lock::SRW_LOCK, windows::completion_port::COMPLETION_PORT];
