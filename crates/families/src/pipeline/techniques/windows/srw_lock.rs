//! The slim lock of Windows with condition variables.

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::locked::Locked;
use crate::pipeline::system::SlimWait;

pub(in crate::pipeline::techniques) const SRW_LOCK: Technique<PipelineJob> = Technique {
    name: "srw_lock",
    idea: "SRWLOCK and SleepConditionVariableSRW; one thread is woken",
    source: "Microsoft, Slim Reader/Writer (SRW) Locks",
    ..Technique::usual(PipelineJob::by::<Locked<SlimWait>>)
};
