//! tokio's bounded channel, used from threads that block.

use std::io;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::strategy::{Bounds, Ends, Put, Strategy, Take, hung_up};

pub(super) const TOKIO_MPSC: Technique<PipelineJob> = Technique {
    name: "tokio_mpsc",
    idea: "tokio's bounded channel between threads: a semaphore of places, and blocks of messages in a list",
    source: "tokio, sync::mpsc::channel",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<TokioMpsc>)
};

struct TokioMpsc;

impl Strategy for TokioMpsc {
    type Put<T: Send + 'static> = Sender<T>;
    type Take<T: Send + 'static> = Receiver<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let (put, take) = channel(bounds.depth);
        Ok(Ends { puts: vec![put; bounds.senders], take })
    }
}

impl<T: Send + 'static> Put<T> for Sender<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        self.blocking_send(message).map_err(|_| hung_up())
    }
}

impl<T: Send + 'static> Take<T> for Receiver<T> {
    fn take(&mut self) -> io::Result<T> {
        self.blocking_recv().ok_or_else(hung_up)
    }
}
