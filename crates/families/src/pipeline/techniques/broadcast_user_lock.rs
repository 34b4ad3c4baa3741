use crate::pipeline::locked::Locked;
use crate::pipeline::prelude::*;
use crate::pipeline::system::{PulsedEvent, UserLock};

pub(super) const BROADCAST_USER_LOCK: Technique<PipelineJob> = Technique {
    name: "broadcast_user_lock",
    alias: &["broadcast-critsec-25ms"],
    idea: "a lock in user mode, an event whose pulse wakes all, and waits that end after a time-out: a pulse before a wait is lost",
    source: "Hart, Windows System Programming, ThreeStage",
    calls: &["futex"],
    parameters: &[timeout(&[25_000_000])],
    ..Technique::usual(PipelineJob::by::<Locked<UserLock, PulsedEvent>>)
};
