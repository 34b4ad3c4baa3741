use ::tokio::runtime::Builder;

use super::tokio::tasks;
use crate::threads::prelude::*;

pub(super) const TOKIO_CURRENT: Technique<ThreadsJob> = Technique {
    name: "tokio_current",
    idea: "a task for each share on the calling thread; a forced yield is tokio::task::yield_now",
    source: "crate tokio, runtime::Builder::new_current_thread",
    calls: &["!clone3|clone"],
    calls_at: own_yields,
    ..Technique::usual(|job| {
        job.done_by(|job| {
            let runtime = Builder::new_current_thread().build();
            tasks(job, &runtime.map_err(|error| in_context("start tokio's runtime", error))?)
        })
    })
};
