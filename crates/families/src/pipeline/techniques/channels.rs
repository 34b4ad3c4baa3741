use std::sync::mpsc;

use tokio::sync::mpsc as tokio_mpsc;

use crate::pipeline::prelude::*;

pub(super) const CROSSBEAM: Technique<PipelineJob> = Technique {
    name: "crossbeam",
    idea: "crossbeam's bounded channel, a ring with a number in each place, whose ends spin before they sleep",
    source: "crossbeam-channel, bounded",
    calls: &["clone3|clone"],
    ..Technique::usual(PipelineJob::by::<Crossbeam>)
};

pub(super) const FLUME: Technique<PipelineJob> = Technique {
    name: "flume",
    idea: "flume's bounded channel, two rings behind one lock",
    source: "flume, bounded",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Flume>)
};

pub(super) const KANAL: Technique<PipelineJob> = Technique {
    name: "kanal",
    idea: "kanal's bounded channel, which writes a message where the waiting thread will read it",
    source: "kanal, bounded",
    calls: &["clone3|clone"],
    ..Technique::usual(PipelineJob::by::<Kanal>)
};

pub(super) const STD_SYNC_CHANNEL: Technique<PipelineJob> = Technique {
    name: "std_sync_channel",
    idea: "the standard library's bounded channel, a ring whose ends spin before they sleep",
    source: "Rust, std::sync::mpsc::sync_channel",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<StdSyncChannel>)
};

pub(super) const TOKIO_MPSC: Technique<PipelineJob> = Technique {
    name: "tokio_mpsc",
    idea: "tokio's bounded channel between threads: a semaphore of places, and blocks of messages in a list",
    source: "tokio, sync::mpsc::channel",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<TokioMpsc>)
};

/// Makes the strategy of a channel. A macro, as no trait stands above the ends of channels of different crates.
macro_rules! strategy_of_channel {
    ($strategy:ident, $library:ident::$open:ident, $sender:ident::$send:ident, $receiver:ident::$receive:ident) => {
        struct $strategy;

        impl Strategy for $strategy {
            type Put<T: Send + 'static> = $library::$sender<T>;
            type Take<T: Send + 'static> = $library::$receiver<T>;

            fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
                let (put, take) = $library::$open(bounds.depth);
                Ok(Ends { puts: vec![put; bounds.senders], take })
            }
        }

        impl<T: Send + 'static> Put<T> for $library::$sender<T> {
            fn put(&mut self, message: T) -> io::Result<()> {
                self.$send(message).map_err(|_| hung_up())
            }
        }

        impl<T: Send + 'static> Take<T> for $library::$receiver<T> {
            fn take(&mut self) -> io::Result<T> {
                // Most answer with a result, one with an option.
                self.$receive().into_iter().next().ok_or_else(hung_up)
            }
        }
    };
}

strategy_of_channel!(Crossbeam, crossbeam_channel::bounded, Sender::send, Receiver::recv);
strategy_of_channel!(Flume, flume::bounded, Sender::send, Receiver::recv);
strategy_of_channel!(Kanal, kanal::bounded, Sender::send, Receiver::recv);
strategy_of_channel!(StdSyncChannel, mpsc::sync_channel, SyncSender::send, Receiver::recv);
strategy_of_channel!(TokioMpsc, tokio_mpsc::channel, Sender::blocking_send, Receiver::blocking_recv);
