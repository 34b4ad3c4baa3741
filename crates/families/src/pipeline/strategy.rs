//! How the threads hand messages to each other: a bounded queue, its ends, and what a strategy must provide.
//!
//! A strategy is a type that opens queues of any message. Where all threads share one object, that object is a [`Queue`]
//! and its ends are references to it; where the ends differ (channels, rings), the strategy names their types.
//!
//! What fails is a call of the system, or finds the other end gone.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(super) struct Bounds {
    pub(super) depth: usize,
    pub(super) senders: usize,
    pub(super) waits: Waits,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Waits {
    /// The longest wait of a strategy that has a time-out.
    pub(super) timeout: Option<Duration>,
    pub(super) timed_out: Arc<AtomicU64>,
}

impl Waits {
    pub(super) fn note_time_out(&self) {
        self.timed_out.fetch_add(1, Ordering::Relaxed);
    }
}

/// One way to hand messages from thread to thread.
pub(super) trait Strategy: 'static {
    type Put<T: Send + 'static>: Put<T>;
    type Take<T: Send + 'static>: Take<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>>;
}

pub(super) struct Ends<P, T> {
    pub(super) puts: Vec<P>,
    pub(super) take: T,
}

pub(super) trait Put<T>: Send + 'static {
    /// Puts a message; blocks while the queue is full.
    fn put(&mut self, message: T) -> io::Result<()>;

    /// Puts all messages in their order and leaves the list empty. A queue that gives in batches does it at once.
    fn put_all(&mut self, messages: &mut Vec<T>) -> io::Result<()> {
        messages.drain(..).try_for_each(|message| self.put(message))
    }
}

pub(super) trait Take<T>: Send + 'static {
    fn take(&mut self) -> io::Result<T>;

    /// Appends 1 to `most` messages; blocks while the queue is empty. A queue that is emptied in batches gives what is there.
    fn take_some(&mut self, most: usize, into: &mut Vec<T>) -> io::Result<()> {
        debug_assert!(most > 0, "at least one message is asked for");
        into.push(self.take()?);
        Ok(())
    }
}

pub(super) trait Shared: 'static {
    type Queue<T: Send + 'static>: Queue<T>;
}

/// A queue that all its threads share: see [`Strategy::open`], [`Put::put`] and [`Take::take`].
pub(super) trait Queue<T>: Send + Sync + Sized + 'static {
    fn open(bounds: &Bounds) -> io::Result<Self>;

    fn put(&self, message: T) -> io::Result<()>;

    fn take(&self) -> io::Result<T>;
}

impl<S: Shared> Strategy for S {
    type Put<T: Send + 'static> = Arc<S::Queue<T>>;
    type Take<T: Send + 'static> = Arc<S::Queue<T>>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let queue = Arc::new(S::Queue::open(bounds)?);
        Ok(Ends { puts: vec![Arc::clone(&queue); bounds.senders], take: queue })
    }
}

impl<T, Q: Queue<T>> Put<T> for Arc<Q> {
    fn put(&mut self, message: T) -> io::Result<()> {
        Queue::put(&**self, message)
    }
}

impl<T, Q: Queue<T>> Take<T> for Arc<Q> {
    fn take(&mut self) -> io::Result<T> {
        Queue::take(&**self)
    }
}

/// Repeats a call that a signal interrupts.
#[inline]
pub(super) fn retried<Made>(mut call: impl FnMut() -> io::Result<Made>) -> io::Result<Made> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

pub(super) fn hung_up() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the other end of a queue is gone")
}
