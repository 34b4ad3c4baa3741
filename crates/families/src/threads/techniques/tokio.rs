use std::sync::Arc;

use ::tokio::runtime::{Builder, Runtime};
use ::tokio::task::yield_now;

use crate::threads::prelude::*;

pub(super) const TOKIO: Technique<ThreadsJob> = Technique {
    name: "tokio",
    idea: "a task for each share on tokio's runtime, one worker a processor; a forced yield is tokio::task::yield_now",
    source: "crate tokio, runtime::Builder::new_multi_thread",
    calls: &["clone3|clone"],
    calls_at: own_yields,
    ..Technique::usual(|job| {
        job.done_by(|job| {
            let runtime = Builder::new_multi_thread().worker_threads(job.workers()).build();
            tasks(job, &runtime.map_err(|error| in_context("start tokio's threads", error))?)
        })
    })
};

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

fn tasks(job: &ThreadsJob, runtime: &Runtime) -> io::Result<()> {
    runtime.block_on(async {
        let tasks = (0..job.shares).map(|nth| {
            let (mut share, course) = (job.share(nth), Arc::clone(&job.course));
            runtime.spawn(async move {
                while share.goes_on() {
                    yield_now().await;
                }
                course.ended(1, share.sum());
            })
        });
        let tasks: Vec<_> = tasks.collect();
        job.course.created();
        for task in tasks {
            task.await.map_err(|error| io::Error::other(format!("a task of tokio: {error}")))?;
        }
        Ok(())
    })
}
