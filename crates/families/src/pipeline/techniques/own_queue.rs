//! Our own queue, made for threads that are many and processors that are few.
//!
//! A thread between two queues, which takes here and puts there, wakes the takers behind it only when their queues are full, or
//! before it sleeps itself: so a switch to them pays for many messages.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use queue::{Manner, Patience, Queue};

use crate::pipeline::prelude::*;

pub(super) const OWN_QUEUE: Technique<PipelineJob> = Technique {
    name: "own_queue",
    idea: "a ring behind a lock with few wake-ups: yield before sleeping, wake putters at half a queue and takers at a full one",
    source: "bakeoff, the crate queue",
    calls: &["futex", "sched_yield", "!eventfd2"],
    ..Technique::usual(PipelineJob::by::<OwnQueue>)
};

/// Messages that are taken at a time: more would fill memory that nothing has touched yet.
const TAKEN_MOST: usize = 64;

struct OwnQueue;

impl Strategy for OwnQueue {
    type Put<T: Send + 'static> = PutEnd<T>;
    type Take<T: Send + 'static> = TakeEnd<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let shared = Arc::new(Shared {
            queue: Queue::new(bounds.depth, processors()),
            senders: AtomicUsize::new(bounds.senders),
            left_alone: AtomicBool::new(false),
        });
        let puts = (0..bounds.senders).map(|_| PutEnd(Arc::clone(&shared))).collect();
        Ok(Ends { puts, take: TakeEnd { shared, one: Vec::with_capacity(1) } })
    }
}

/// Asked once: a pipeline of many threads has many queues.
fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| sys::affinity::count(None))
}

struct Shared<T> {
    queue: Queue<T>,
    senders: AtomicUsize,
    /// True where its taker is on the list of the thread that puts.
    left_alone: AtomicBool,
}

trait Wake {
    fn wake(&self);
}

impl<T> Wake for Shared<T> {
    fn wake(&self) {
        self.left_alone.store(false, Ordering::Relaxed);
        self.queue.wake();
    }
}

thread_local! {
    static TAKES: Cell<bool> = const { Cell::new(false) };
    static PUTS: Cell<bool> = const { Cell::new(false) };
    /// The queues whose takers it left alone.
    static LEFT_ALONE: RefCell<Vec<Arc<dyn Wake>>> = const { RefCell::new(Vec::new()) };
}

struct PutEnd<T>(Arc<Shared<T>>);

impl<T: Send + 'static> PutEnd<T> {
    fn manner(&self) -> Manner {
        PUTS.set(true);
        if !TAKES.get() {
            return Manner::USUAL;
        }
        if !self.0.left_alone.swap(true, Ordering::Relaxed) {
            let queue: Arc<dyn Wake> = Arc::<Shared<T>>::clone(&self.0);
            LEFT_ALONE.with_borrow_mut(|queues| queues.push(queue));
        }
        Manner::QUIETLY
    }
}

impl<T: Send + 'static> Put<T> for PutEnd<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        let manner = self.manner();
        self.0.queue.put(message, manner).map_err(|_| hung_up())
    }

    fn put_all(&mut self, messages: &mut Vec<T>) -> io::Result<()> {
        let manner = self.manner();
        self.0.queue.put_all(messages, manner).map_err(|_| hung_up())
    }
}

impl<T> Drop for PutEnd<T> {
    fn drop(&mut self) {
        if self.0.senders.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.queue.close();
        }
    }
}

struct TakeEnd<T> {
    shared: Arc<Shared<T>>,
    /// Empty between two calls.
    one: Vec<T>,
}

impl<T: Send + 'static> Take<T> for TakeEnd<T> {
    fn take(&mut self) -> io::Result<T> {
        let mut one = std::mem::take(&mut self.one);
        self.take_some(1, &mut one)?;
        let message = one.pop();
        self.one = one;
        message.ok_or_else(hung_up)
    }

    fn take_some(&mut self, most: usize, into: &mut Vec<T>) -> io::Result<()> {
        TAKES.set(true);
        let patience = if PUTS.get() { Patience::Between } else { Patience::Usual };
        let most = most.min(TAKEN_MOST);
        let wake_all =
            || LEFT_ALONE.with_borrow_mut(|queues| queues.drain(..).for_each(|queue| queue.wake()));
        match self.shared.queue.take(most, into, patience, wake_all) {
            0 => Err(hung_up()),
            _ => Ok(()),
        }
    }
}

impl<T> Drop for TakeEnd<T> {
    fn drop(&mut self) {
        self.shared.queue.close();
    }
}
