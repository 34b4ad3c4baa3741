//! The standard library's bounded channel.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::strategy::{Bounds, Ends, Put, Strategy, Take, hung_up};

pub(super) const STD_SYNC_CHANNEL: Technique<PipelineJob> = Technique {
    name: "std_sync_channel",
    idea: "the standard library's bounded channel, a ring whose ends spin before they sleep",
    source: "Rust, std::sync::mpsc::sync_channel",
    ..Technique::usual(PipelineJob::by::<StdSyncChannel>)
};

struct StdSyncChannel;

impl Strategy for StdSyncChannel {
    type Put<T: Send + 'static> = SyncSender<T>;
    type Take<T: Send + 'static> = Receiver<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let (put, take) = sync_channel(bounds.depth);
        Ok(Ends { puts: vec![put; bounds.senders], take })
    }
}

impl<T: Send + 'static> Put<T> for SyncSender<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        self.send(message).map_err(|_| hung_up())
    }
}

impl<T: Send + 'static> Take<T> for Receiver<T> {
    fn take(&mut self) -> io::Result<T> {
        self.recv().map_err(|_| hung_up())
    }
}
