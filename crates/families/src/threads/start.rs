//! Threads of the system: one for each share, or one for each processor.

use std::io;
use std::sync::RwLock;
use std::thread::{Builder, scope};

use sys::failure::reworded;
use sys::thread_limits::limit_reached;
use sys::thread_scope;

use super::job::ThreadsJob;

/// The moment at which the threads begin with their shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    /// Each as soon as it runs.
    AtOnce,
    /// All together, when the last one was created.
    Together,
}

/// Starts a thread for each share. `stack_bytes` is `None` for the usual size of Rust's standard library.
pub(super) fn thread_each(
    job: &ThreadsJob, stack_bytes: Option<usize>, begin: Begin, give_up: fn(),
) -> io::Result<()> {
    // Threads wait for their turn to read while it is held for writing. Whether they are to work stands inside.
    let gate = RwLock::new(false);
    let own = |nth: usize| {
        if begin == Begin::AtOnce || gate.read().is_ok_and(|is_complete| *is_complete) {
            job.course.ended(1, job.share(nth).run(give_up));
        }
    };
    let own = &own;
    scope(|scope| {
        let mut closed = gate.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        for nth in 0..job.shares {
            // Where a thread is refused, those that wait are let go without work when the gate is dropped.
            let refused = |error| refused((nth, job.shares), stack_bytes, &error);
            job.room.check(job.course.alive(nth)).map_err(refused)?;
            let builder = stack_bytes.map_or_else(Builder::new, |bytes| Builder::new().stack_size(bytes));
            builder.spawn_scoped(scope, move || own(nth)).map_err(refused)?;
        }
        job.course.created();
        *closed = true;
        Ok(())
    })
}

/// Runs `work` on one thread a processor, of which the calling one is the last, but on at most a thread a share.
pub(super) fn on_each_processor(
    job: &ThreadsJob, work: impl Fn() -> io::Result<()> + Sync,
) -> io::Result<()> {
    let count = job.workers();
    let work = &work;
    thread_scope::scope(|scope| {
        let start =
            |nth| scope.spawn(Builder::new(), work).map_err(|error| refused((nth, count), None, &error));
        let others: Vec<_> = (1..count).map(start).collect::<io::Result<_>>()?;
        job.course.created();
        let mut outcome = work();
        for other in others {
            outcome = outcome.and(other.join());
        }
        outcome
    })
}

/// Returns the sentence for a thread that the system refused, with the limit that was reached where that can be said.
fn refused((nth, count): (usize, usize), stack_bytes: Option<usize>, error: &io::Error) -> io::Error {
    let limit = limit_reached(stack_bytes);
    reworded(format!("thread {} of {count} could not be started: {error}{limit}", nth + 1), error)
}
