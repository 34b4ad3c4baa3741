//! Fibers on a thread for each processor.

use crate::contract::Technique;
use crate::threads::job::ThreadsJob;
use crate::threads::start::on_each_processor;
use crate::threads::system::fiber::in_turn;
use crate::threads::turns::Taken;

pub(in crate::threads) const FIBERS: Technique<ThreadsJob> = Technique {
    name: "fibers",
    idea: "a fiber for each share, on one thread a processor; a forced yield is SwitchToFiber",
    source: "Windows API, CreateFiberEx and SwitchToFiber",
    ..Technique::usual(|job| {
        job.done_by(|job| {
            let taken = Taken::new(job);
            on_each_processor(job, || {
                while let Some(shares) = taken.take() {
                    in_turn(job, shares)?;
                }
                Ok(())
            })
        })
    })
};
