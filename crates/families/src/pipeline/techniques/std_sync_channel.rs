use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use crate::pipeline::channel::strategy_of_channel;
use crate::pipeline::prelude::*;

pub(super) const STD_SYNC_CHANNEL: Technique<PipelineJob> = Technique {
    name: "std_sync_channel",
    idea: "the standard library's bounded channel, a ring whose ends spin before they sleep",
    source: "Rust, std::sync::mpsc::sync_channel",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<StdSyncChannel>)
};

strategy_of_channel!(StdSyncChannel, sync_channel, SyncSender::send, Receiver::recv);
