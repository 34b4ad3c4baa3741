//! flume's bounded channel.

use std::io;

use flume::{Receiver, Sender, bounded};

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::strategy::{Bounds, Ends, Put, Strategy, Take, hung_up};

pub(super) const FLUME: Technique<PipelineJob> = Technique {
    name: "flume",
    idea: "flume's bounded channel, two rings behind one lock",
    source: "flume, bounded",
    ..Technique::usual(PipelineJob::by::<Flume>)
};

struct Flume;

impl Strategy for Flume {
    type Put<T: Send + 'static> = Sender<T>;
    type Take<T: Send + 'static> = Receiver<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let (put, take) = bounded(bounds.depth);
        Ok(Ends { puts: vec![put; bounds.senders], take })
    }
}

impl<T: Send + 'static> Put<T> for Sender<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        self.send(message).map_err(|_| hung_up())
    }
}

impl<T: Send + 'static> Take<T> for Receiver<T> {
    fn take(&mut self) -> io::Result<T> {
        self.recv().map_err(|_| hung_up())
    }
}
