use async_executor::Executor;
use futures_lite::future::{block_on, yield_now};

use crate::threads::prelude::*;
use crate::threads::start::on_each_processor;

pub(super) const SMOL: Technique<ThreadsJob> = Technique {
    name: "smol",
    idea: "a task for each share on smol's executor, on threads that begin on different processors, one for each; a forced yield is smol::future::yield_now",
    source: "crates async-executor and futures-lite, which are smol's",
    calls_at: |workload| [fewer_threads(workload), own_yields(workload)].concat(),
    ..Technique::usual(|job| job.done_by(work))
};

fn work(job: &ThreadsJob) -> io::Result<()> {
    let executor = Executor::new();
    let (alive, ended) = async_channel::unbounded::<()>();
    for nth in 0..job.shares {
        let (mut share, course, alive) = (job.share(nth), &job.course, alive.clone());
        let task = executor.spawn(async move {
            while share.goes_on() {
                yield_now().await;
            }
            course.ended(1, share.sum());
            // The threads end when no task is left that holds one of these.
            drop(alive);
        });
        task.detach();
    }
    drop(alive);
    on_each_processor(job, || {
        // Nothing is ever sent: it is refused when all tasks have ended, and that is what is waited for.
        let _ = block_on(executor.run(ended.recv()));
        Ok(())
    })
}
