use kanal::{Receiver, Sender, bounded};

use crate::pipeline::channel::strategy_of_channel;
use crate::pipeline::prelude::*;

pub(super) const KANAL: Technique<PipelineJob> = Technique {
    name: "kanal",
    idea: "kanal's bounded channel, which writes a message where the waiting thread will read it",
    source: "kanal, bounded",
    calls: &["clone3|clone"],
    ..Technique::usual(PipelineJob::by::<Kanal>)
};

strategy_of_channel!(Kanal, bounded, Sender::send, Receiver::recv);
