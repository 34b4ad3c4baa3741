//! What condition variables are made of: a number that counts the wakes, and a wait that ends when it has changed.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::locked::{Conditions, Lock, Locked, Side};
use crate::pipeline::strategy::Waits;
use crate::pipeline::system::UserLock;
use crate::pipeline::system::address::{wait_while, wake_one};

pub(super) const WAIT_ON_ADDRESS: Technique<PipelineJob> = Technique {
    name: "wait_on_address",
    idea: "a lock in user mode, and a number of wakes that is waited for: futex, or WaitOnAddress; no call when no thread waits",
    source: "Franke, Russell, Kirkwood: Fuss, Futexes and Furwocks",
    calls: &["futex"],
    ..Technique::usual(PipelineJob::by::<Locked<Counted>>)
};

struct Counted {
    lock: UserLock,
    room: Changes,
    message: Changes,
}

/// What is waited for.
#[derive(Default)]
struct Changes {
    wakes: AtomicU32,
    /// Threads that wait; changed with the lock held.
    waiting: AtomicU32,
}

impl Counted {
    fn changes(&self, side: Side) -> &Changes {
        match side {
            Side::Room => &self.room,
            Side::Message => &self.message,
        }
    }
}

impl Conditions for Counted {
    fn open(_waits: &Waits) -> io::Result<Self> {
        Ok(Self { lock: UserLock::open()?, room: Changes::default(), message: Changes::default() })
    }

    fn lock(&self) -> io::Result<()> {
        self.lock.lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.lock.unlock()
    }

    fn wait(&self, side: Side) -> io::Result<()> {
        let changes = self.changes(side);
        // Read with the lock held: a wake that comes after it changes the number, and the wait ends at once.
        let seen = changes.wakes.load(Ordering::Relaxed);
        changes.waiting.fetch_add(1, Ordering::Relaxed);
        self.lock.unlock()?;
        wait_while(&changes.wakes, seen)?;
        self.lock.lock()?;
        changes.waiting.fetch_sub(1, Ordering::Relaxed);
        Ok(())
    }

    fn wake(&self, side: Side) -> io::Result<()> {
        let changes = self.changes(side);
        if changes.waiting.load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        changes.wakes.fetch_add(1, Ordering::Relaxed);
        wake_one(&changes.wakes)
    }
}
