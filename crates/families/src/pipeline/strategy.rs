//! How the threads hand messages to each other: a bounded queue, its ends, and what a strategy must provide.
//!
//! A strategy is a type that opens queues of any message. Where all threads share one object, that object is a [`Queue`]
//! and its ends are baselines to it; where the ends differ (channels, rings), the strategy names their types.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How many messages a queue holds, and how many threads put into it. One thread takes.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// Messages that the queue holds before a put blocks; at least 1.
    pub(super) depth: usize,
    /// Threads that put; at least 1.
    pub(super) senders: usize,
    /// What a strategy whose waits are limited needs.
    pub(super) waits: Waits,
}

/// The limit of one wait, and how often it was reached.
#[derive(Debug, Clone, Default)]
pub(super) struct Waits {
    /// The longest wait of a strategy that has a time-out.
    pub(super) timeout: Option<Duration>,
    timed_out: Arc<AtomicU64>,
}

impl Waits {
    /// Waits that end after `timeout`, where there is one.
    pub(super) fn limited(timeout: Option<Duration>) -> Self {
        Self { timeout, timed_out: Arc::default() }
    }

    /// Notes that a wait reached its limit.
    pub(super) fn note_time_out(&self) {
        self.timed_out.fetch_add(1, Ordering::Relaxed);
    }

    /// How many waits reached their limit so far.
    pub(super) fn timed_out(&self) -> u64 {
        self.timed_out.load(Ordering::Relaxed)
    }
}

/// One way to hand messages from thread to thread.
pub(super) trait Strategy: 'static {
    /// The end that one of the sending threads holds.
    type Put<T: Send + 'static>: Put<T>;
    /// The end that the taking thread holds.
    type Take<T: Send + 'static>: Take<T>;

    /// Opens a bounded queue.
    ///
    /// # Errors
    /// The system refuses what the queue is made of.
    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>>;
}

/// Both ends of a queue.
pub(super) struct Ends<P, T> {
    /// One end for each sending thread.
    pub(super) puts: Vec<P>,
    /// The end of the taking thread.
    pub(super) take: T,
}

/// The end of a queue that a sending thread holds.
pub(super) trait Put<T>: Send + 'static {
    /// Puts a message; blocks while the queue is full.
    ///
    /// # Errors
    /// A call of the system failed, or the other end is gone.
    fn put(&mut self, message: T) -> io::Result<()>;

    /// Puts all messages in their order and leaves the list empty. A queue that gives in batches does it at once.
    ///
    /// # Errors
    /// As [`Put::put`].
    fn put_all(&mut self, messages: &mut Vec<T>) -> io::Result<()> {
        messages.drain(..).try_for_each(|message| self.put(message))
    }
}

/// The end of a queue that the taking thread holds.
pub(super) trait Take<T>: Send + 'static {
    /// Takes the oldest message; blocks while the queue is empty.
    ///
    /// # Errors
    /// A call of the system failed, or all other ends are gone.
    fn take(&mut self) -> io::Result<T>;

    /// Appends at least one message and at most `most`, which is not 0; blocks while the queue is empty. A queue that is
    /// emptied in batches gives what is there.
    ///
    /// # Errors
    /// As [`Take::take`].
    fn take_some(&mut self, most: usize, into: &mut Vec<T>) -> io::Result<()> {
        debug_assert!(most > 0, "at least one message is asked for");
        into.push(self.take()?);
        Ok(())
    }
}

/// A queue that all its threads share.
pub(super) trait Queue<T>: Send + Sync + Sized + 'static {
    /// See [`Strategy::open`].
    ///
    /// # Errors
    /// The system refuses what the queue is made of.
    fn open(bounds: &Bounds) -> io::Result<Self>;

    /// See [`Put::put`].
    ///
    /// # Errors
    /// A call of the system failed.
    fn put(&self, message: T) -> io::Result<()>;

    /// See [`Take::take`].
    ///
    /// # Errors
    /// A call of the system failed.
    fn take(&self) -> io::Result<T>;

    /// See [`Put::put_all`].
    ///
    /// # Errors
    /// A call of the system failed.
    fn put_all(&self, messages: &mut Vec<T>) -> io::Result<()> {
        messages.drain(..).try_for_each(|message| self.put(message))
    }

    /// See [`Take::take_some`].
    ///
    /// # Errors
    /// A call of the system failed.
    fn take_some(&self, most: usize, into: &mut Vec<T>) -> io::Result<()> {
        debug_assert!(most > 0, "at least one message is asked for");
        into.push(self.take()?);
        Ok(())
    }
}

/// Opens a queue that all its threads share.
///
/// # Errors
/// The system refuses what the queue is made of.
pub(super) fn shared<T, Q: Queue<T>>(bounds: &Bounds) -> io::Result<Ends<Arc<Q>, Arc<Q>>> {
    let queue = Arc::new(Q::open(bounds)?);
    Ok(Ends { puts: vec![Arc::clone(&queue); bounds.senders], take: queue })
}

impl<T, Q: Queue<T>> Put<T> for Arc<Q> {
    fn put(&mut self, message: T) -> io::Result<()> {
        Queue::put(&**self, message)
    }

    fn put_all(&mut self, messages: &mut Vec<T>) -> io::Result<()> {
        Queue::put_all(&**self, messages)
    }
}

impl<T, Q: Queue<T>> Take<T> for Arc<Q> {
    fn take(&mut self) -> io::Result<T> {
        Queue::take(&**self)
    }

    fn take_some(&mut self, most: usize, into: &mut Vec<T>) -> io::Result<()> {
        Queue::take_some(&**self, most, into)
    }
}

/// The error of an end whose other end is gone.
pub(super) fn hung_up() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the other end of a queue is gone")
}
