//! Fibers on a thread for each processor.

use crate::contract::Technique;
use crate::threads::job::ThreadsJob;
use crate::threads::system::fiber::in_turn;
use crate::threads::turns::on_taken_shares;

pub(in crate::threads) const FIBERS: Technique<ThreadsJob> = Technique {
    name: "fibers",
    idea: "a fiber for each share, on one thread a processor; a forced yield is SwitchToFiber",
    source: "Windows API, CreateFiberEx and SwitchToFiber",
    ..Technique::usual(|job| job.done_by(|job| on_taken_shares(job, |shares| in_turn(job, shares))))
};
