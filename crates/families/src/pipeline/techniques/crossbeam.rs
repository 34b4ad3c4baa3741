use crossbeam_channel::{Receiver, Sender, bounded};

use crate::pipeline::channel::strategy_of_channel;
use crate::pipeline::prelude::*;

pub(super) const CROSSBEAM: Technique<PipelineJob> = Technique {
    name: "crossbeam",
    idea: "crossbeam's bounded channel, a ring with a number in each place, whose ends spin before they sleep",
    source: "crossbeam-channel, bounded",
    calls: &["clone3|clone"],
    ..Technique::usual(PipelineJob::by::<Crossbeam>)
};

strategy_of_channel!(Crossbeam, bounded, Sender::send, Receiver::recv);
