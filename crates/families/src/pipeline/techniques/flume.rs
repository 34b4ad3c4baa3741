use flume::{Receiver, Sender, bounded};

use crate::pipeline::channel::strategy_of_channel;
use crate::pipeline::prelude::*;

pub(super) const FLUME: Technique<PipelineJob> = Technique {
    name: "flume",
    idea: "flume's bounded channel, two rings behind one lock",
    source: "flume, bounded",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Flume>)
};

strategy_of_channel!(Flume, bounded, Sender::send, Receiver::recv);
