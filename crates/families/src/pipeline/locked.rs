//! A ring behind a lock: put and take wait in a loop until there is room or a message, as the published queue does.
//!
//! The strategies differ in the lock, in what is waited on, and in which threads are woken.

use std::cell::UnsafeCell;
use std::collections::VecDeque;
use std::io;
use std::marker::PhantomData;
use std::sync::Arc;

use super::strategy::{Bounds, Ends, Queue, Strategy, Waits, shared};

/// What a thread waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Room for a message.
    Room,
    /// A message.
    Message,
}

/// A lock with the two conditions of a bounded queue.
pub(super) trait Conditions: Sized + Send + Sync + 'static {
    /// Makes the lock, which is free, and the conditions.
    fn open(waits: &Waits) -> io::Result<Self>;

    /// Takes the lock.
    fn lock(&self) -> io::Result<()>;

    /// Gives back the lock, which the caller holds.
    fn unlock(&self) -> io::Result<()>;

    /// Gives back the lock, waits, and takes it again. May return for no reason: the caller looks again.
    fn wait(&self, side: Side) -> io::Result<()>;

    /// Wakes one of those that wait, or all. The caller holds the lock.
    fn wake(&self, side: Side) -> io::Result<()>;
}

/// A lock that the thread holding it releases.
pub(super) trait Lock: Sized + Send + Sync + 'static {
    /// Makes the lock, which is free.
    fn open() -> io::Result<Self>;

    /// Takes the lock.
    fn lock(&self) -> io::Result<()>;

    /// Gives back the lock, which the caller holds.
    fn unlock(&self) -> io::Result<()>;
}

/// Something to wait on that knows of no lock.
pub(super) trait Event: Sized + Send + Sync + 'static {
    /// Makes the event, which is not set.
    fn open() -> io::Result<Self>;

    /// Waits for it, or until the limit of a wait is reached.
    fn wait(&self, waits: &Waits) -> io::Result<()>;

    /// Sets or pulses it.
    fn wake(&self) -> io::Result<()>;
}

/// The lock is given back in one call and the event waited for in another: what is woken between them is not yet waiting.
pub(super) struct Apart<L, E> {
    lock: L,
    room: E,
    message: E,
    waits: Waits,
}

impl<L, E> Apart<L, E> {
    fn event(&self, side: Side) -> &E {
        match side {
            Side::Room => &self.room,
            Side::Message => &self.message,
        }
    }
}

impl<L: Lock, E: Event> Conditions for Apart<L, E> {
    fn open(waits: &Waits) -> io::Result<Self> {
        Ok(Self { lock: L::open()?, room: E::open()?, message: E::open()?, waits: waits.clone() })
    }

    fn lock(&self) -> io::Result<()> {
        self.lock.lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.lock.unlock()
    }

    fn wait(&self, side: Side) -> io::Result<()> {
        self.lock.unlock()?;
        self.event(side).wait(&self.waits)?;
        self.lock.lock()
    }

    fn wake(&self, side: Side) -> io::Result<()> {
        self.event(side).wake()
    }
}

/// The strategy of a ring behind such a lock.
pub(super) struct Locked<C>(PhantomData<C>);

impl<C: Conditions> Strategy for Locked<C> {
    type Put<T: Send + 'static> = Arc<LockedQueue<T, C>>;
    type Take<T: Send + 'static> = Arc<LockedQueue<T, C>>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        shared(bounds)
    }
}

/// The ring behind the lock.
pub(super) struct LockedQueue<T, C> {
    conditions: C,
    messages: UnsafeCell<VecDeque<T>>,
    depth: usize,
}

// SAFETY: only the thread that holds the lock touches the messages, and no reference to them leaves it; messages move to other threads.
unsafe impl<T: Send, C: Conditions> Sync for LockedQueue<T, C> {}

impl<T, C: Conditions> LockedQueue<T, C> {
    /// Waits with the lock held until `may` says so, changes the messages, wakes the other side, and gives back the lock.
    fn within<R>(
        &self,
        side: Side,
        may: impl Fn(usize) -> bool,
        change: impl FnOnce(&mut VecDeque<T>) -> R,
    ) -> io::Result<R> {
        self.conditions.lock()?;
        // SAFETY: the lock is held, and the reference ends with this line.
        while !may(unsafe { &*self.messages.get() }.len()) {
            self.conditions.wait(side)?;
        }
        // SAFETY: the lock is held until the change is done, and its result borrows nothing.
        let result = change(unsafe { &mut *self.messages.get() });
        let other = match side {
            Side::Room => Side::Message,
            Side::Message => Side::Room,
        };
        self.conditions.wake(other)?;
        self.conditions.unlock()?;
        Ok(result)
    }
}

impl<T: Send + 'static, C: Conditions> Queue<T> for LockedQueue<T, C> {
    fn open(bounds: &Bounds) -> io::Result<Self> {
        let messages = UnsafeCell::new(VecDeque::with_capacity(bounds.depth));
        Ok(Self { conditions: C::open(&bounds.waits)?, messages, depth: bounds.depth })
    }

    fn put(&self, message: T) -> io::Result<()> {
        self.within(Side::Room, |length| length < self.depth, |messages| messages.push_back(message))
    }

    fn take(&self) -> io::Result<T> {
        let taken = self.within(Side::Message, |length| length > 0, VecDeque::pop_front)?;
        taken.ok_or_else(|| io::Error::other("a queue that was not empty holds no message"))
    }
}
