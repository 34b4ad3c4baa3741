use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{AutoResetEvent, UserLock};

pub(super) const SIGNAL_USER_LOCK: Technique<PipelineJob> = Technique {
    name: "signal_user_lock",
    alias: &["signal-critsec"],
    idea: "a lock in user mode, and an event that stays set until one thread has waited for it",
    source: "Hart, Windows System Programming, ThreeStage",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<UserLock, AutoResetEvent>>)
};
