//! A ring behind a lock: put and take wait in a loop until there is room or a message, as the published queue does.
//!
//! The strategies differ in the lock, in what is waited on, and in which threads are woken.

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::io;
use std::marker::PhantomData;

use super::strategy::{Bounds, Queue, Shared, Waits};

/// A lock that the thread holding it releases.
pub(super) trait Lock: Sized + Send + Sync + 'static {
    fn open() -> io::Result<Self>;

    fn lock(&self) -> io::Result<()>;

    fn unlock(&self) -> io::Result<()>;

    /// Gives back the lock, waits, and takes it again, in three calls.
    fn apart(&self, wait: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.unlock()?;
        wait()?;
        self.lock()
    }
}

/// A condition that a thread waits for with a lock held: room, or a message.
pub(super) trait Condition<L>: Sized + Send + Sync + 'static {
    fn open() -> io::Result<Self>;

    /// Gives back the lock, waits for at most the limit, and takes it again. May return for no reason: the caller looks again.
    fn wait(&self, lock: &L, waits: &Waits) -> io::Result<()>;

    /// Wakes one of those that wait, or all. The caller holds the lock.
    fn wake(&self) -> io::Result<()>;
}

pub(super) struct Locked<L, C>(PhantomData<(L, C)>);

impl<L: Lock, C: Condition<L>> Shared for Locked<L, C> {
    type Queue<T: Send + 'static> = LockedQueue<T, L, C>;
}

pub(super) struct LockedQueue<T, L, C> {
    lock: L,
    room: C,
    message: C,
    waits: Waits,
    messages: UnsafeCell<VecDeque<T>>,
    depth: usize,
}

// SAFETY: only the holder of the lock touches the messages, which move to other threads; no reference leaves it.
unsafe impl<T: Send, L: Lock, C: Condition<L>> Sync for LockedQueue<T, L, C> {}

impl<T, L: Lock, C: Condition<L>> LockedQueue<T, L, C> {
    /// Waits with the lock held until `may` says so, changes the messages, wakes the other side, and gives back the lock.
    fn within<R>(
        &self, (own, other): (&C, &C), may: impl Fn(usize) -> bool,
        change: impl FnOnce(&mut VecDeque<T>) -> R,
    ) -> io::Result<R> {
        self.lock.lock()?;
        // SAFETY: the lock is held, and the reference ends with this line.
        while !may(unsafe { &*self.messages.get() }.len()) {
            own.wait(&self.lock, &self.waits)?;
        }
        // SAFETY: the lock is held until the change is done, and its result borrows nothing.
        let result = change(unsafe { &mut *self.messages.get() });
        other.wake()?;
        self.lock.unlock()?;
        Ok(result)
    }
}

impl<T: Send + 'static, L: Lock, C: Condition<L>> Queue<T> for LockedQueue<T, L, C> {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        Ok(Self {
            lock: L::open()?,
            room: C::open()?,
            message: C::open()?,
            waits: bounds.waits.clone(),
            messages: UnsafeCell::new(VecDeque::with_capacity(bounds.depth)),
            depth: bounds.depth,
        })
    }

    fn put(&self, message: T) -> io::Result<()> {
        let sides = (&self.room, &self.message);
        self.within(sides, |length| length < self.depth, |messages| messages.push_back(message))
    }

    fn take(&self) -> io::Result<T> {
        let sides = (&self.message, &self.room);
        let taken = self.within(sides, |length| length > 0, VecDeque::pop_front)?;
        taken.ok_or_else(|| io::Error::other("a queue that was not empty holds no message"))
    }
}
