//! A POSIX message queue that carries the addresses of the messages.

use std::io;
use std::sync::Arc;

use model::Availability;

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::strategy::{Bounds, Ends, Queue, Strategy, shared};
use crate::pipeline::system::MessageQueue;

pub(in crate::pipeline::techniques) const POSIX_MESSAGE_QUEUE: Technique<PipelineJob> = Technique {
    name: "posix_message_queue",
    idea: "the addresses of the messages go through a queue of the kernel (mq_send, mq_receive); above 10 messages it needs root",
    source: "mq_overview(7)",
    calls: &["mq_timedsend", "mq_timedreceive"],
    probe: |_host, _setting| match MessageQueue::open(1) {
        Ok(_) => Availability::Ready,
        Err(error) => Availability::Missing(format!("POSIX message queues are refused here: {error}")),
    },
    ..Technique::usual(PipelineJob::by::<PosixMessageQueue>)
};

struct PosixMessageQueue;

impl Strategy for PosixMessageQueue {
    type Put<T: Send + 'static> = Arc<MessageQueue>;
    type Take<T: Send + 'static> = Arc<MessageQueue>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        shared::<T, MessageQueue>(bounds)
    }
}

impl<T: Send + 'static> Queue<T> for MessageQueue {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        Self::open(bounds.depth)
    }

    fn put(&self, message: T) -> io::Result<()> {
        self.send(packed(message))
    }

    fn take(&self) -> io::Result<T> {
        let address = self.receive()?;
        // SAFETY: only addresses of packed messages of this type are sent to this queue, and each is received once.
        Ok(unsafe { unpacked(address) })
    }
}
