use std::ops::Range;

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};

use crate::parameters::bytes;
use crate::threads::prelude::*;
use crate::threads::turns::on_taken_shares;

pub(super) const COROUTINES: Technique<ThreadsJob> = Technique {
    name: "coroutines",
    idea: "a coroutine with a stack of its own for each share, on threads that begin on different processors, one for each; a forced yield switches to the next",
    source: "crate corosensei",
    calls: &["!sched_yield"],
    calls_at: |workload| [fewer_threads(workload), a_stack_each(workload)].concat(),
    parameters: &[bytes(STACK_BYTES, "size of each coroutine's stack", &[64 << 10])],
    ..Technique::usual(|job| job.done_by(|job| on_taken_shares(job, |shares| in_turn(job, shares))))
};

/// Works on these shares in turn, each on a stack of its own.
fn in_turn(job: &ThreadsJob, shares: Range<usize>) -> io::Result<()> {
    let count = shares.len();
    let stack_bytes = job.stack_bytes()?;
    let mut live = Vec::with_capacity(count);
    for nth in shares {
        let stack = DefaultStack::new(stack_bytes)
            .map_err(|error| in_context(format!("map the stack of coroutine {}", nth + 1), error))?;
        let mut share = job.share(nth);
        live.push(Coroutine::<(), (), u64, _>::with_stack(stack, move |yielder, ()| {
            while share.goes_on() {
                yielder.suspend(());
            }
            share.sum()
        }));
    }
    let mut sum = 0;
    while !live.is_empty() {
        live.retain_mut(|coroutine| match coroutine.resume(()) {
            CoroutineResult::Yield(()) => true,
            CoroutineResult::Return(own) => {
                sum += own;
                false
            }
        });
    }
    job.course.ended(count, sum);
    Ok(())
}
