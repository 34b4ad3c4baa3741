use std::sync::atomic::{AtomicU32, Ordering};

use crate::pipeline::locked::{Condition, Lock, Locked};
use crate::pipeline::prelude::*;
use crate::pipeline::system::{UserLock, wait_while, wake_one};

pub(super) const WAIT_ON_ADDRESS: Technique<PipelineJob> = Technique {
    name: "wait_on_address",
    idea: "a lock in user mode, and a number of wakes that is waited for: futex, or WaitOnAddress; no call when no thread waits",
    source: "Franke, Russell, Kirkwood: Fuss, Futexes and Furwocks",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<UserLock, Changes>>)
};

#[derive(Default)]
struct Changes {
    wakes: AtomicU32,
    /// Threads that wait; changed with the lock held.
    waiting: AtomicU32,
}

impl<L: Lock> Condition<L> for Changes {
    fn open() -> io::Result<Self> {
        Ok(Self::default())
    }

    fn wait(&self, lock: &L, _waits: &Waits) -> io::Result<()> {
        // Read with the lock held: a wake that comes after it changes the number, and the wait ends at once.
        let seen = self.wakes.load(Ordering::Relaxed);
        self.waiting.fetch_add(1, Ordering::Relaxed);
        lock.apart(|| wait_while(&self.wakes, seen))?;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        Ok(())
    }

    fn wake(&self) -> io::Result<()> {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        self.wakes.fetch_add(1, Ordering::Relaxed);
        wake_one(&self.wakes)
    }
}
