use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::pipeline::channel::strategy_of_channel;
use crate::pipeline::prelude::*;

pub(super) const TOKIO_MPSC: Technique<PipelineJob> = Technique {
    name: "tokio_mpsc",
    idea: "tokio's bounded channel between threads: a semaphore of places, and blocks of messages in a list",
    source: "tokio, sync::mpsc::channel",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<TokioMpsc>)
};

strategy_of_channel!(TokioMpsc, channel, Sender::blocking_send, Receiver::blocking_recv);
