//! The bounded channels that are compared, behind one interface.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Condvar, Mutex};
use queue::Queue;

/// A kind of bounded queue with one taker. It ends when all who put are dropped.
pub(crate) trait Channel {
    type Putter<T: Send>: Put<T>;
    type Taker<T: Send>: Take<T>;
    fn new<T: Send>(depth: usize) -> (Self::Putter<T>, Self::Taker<T>);
}

pub(crate) trait Put<T>: Clone + Send {
    fn put(&self, unit: T);
}

pub(crate) trait Take<T>: Send {
    fn take(&self) -> Option<T>;
}

macro_rules! channel {
    ($name:ident, $putter:path, $taker:path, $new:expr) => {
        pub(crate) struct $name;

        impl Channel for $name {
            type Putter<T: Send> = $putter;
            type Taker<T: Send> = $taker;
            fn new<T: Send>(depth: usize) -> (Self::Putter<T>, Self::Taker<T>) {
                $new(depth)
            }
        }

        impl<T: Send> Put<T> for $putter {
            fn put(&self, unit: T) {
                let _ = self.send(unit);
            }
        }

        impl<T: Send> Take<T> for $taker {
            fn take(&self) -> Option<T> {
                self.recv().ok()
            }
        }
    };
}

channel!(Crossbeam, crossbeam_channel::Sender<T>, crossbeam_channel::Receiver<T>, crossbeam_channel::bounded);
channel!(Flume, flume::Sender<T>, flume::Receiver<T>, flume::bounded);
channel!(Kanal, kanal::Sender<T>, kanal::Receiver<T>, kanal::bounded);
channel!(Std, std::sync::mpsc::SyncSender<T>, std::sync::mpsc::Receiver<T>, std::sync::mpsc::sync_channel);

/// Who puts into a queue that must be told its end.
pub(crate) struct Putter<Q: Close> {
    queue: Arc<Q>,
    putters: Arc<AtomicUsize>,
}

pub(crate) trait Close {
    fn close(&self);
}

impl<Q: Close> Putter<Q> {
    pub(crate) fn new(queue: Arc<Q>) -> Self {
        Self { queue, putters: Arc::new(AtomicUsize::new(1)) }
    }
}

impl<Q: Close> Clone for Putter<Q> {
    fn clone(&self) -> Self {
        self.putters.fetch_add(1, Ordering::Relaxed);
        Self { queue: self.queue.clone(), putters: self.putters.clone() }
    }
}

impl<Q: Close> Drop for Putter<Q> {
    fn drop(&mut self) {
        if self.putters.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.queue.close();
        }
    }
}

impl<Q: Close> std::ops::Deref for Putter<Q> {
    type Target = Q;
    fn deref(&self) -> &Q {
        &self.queue
    }
}

/// Our own queue, a unit at a time.
pub(crate) struct Own;

impl Channel for Own {
    type Putter<T: Send> = Putter<Queue<T>>;
    type Taker<T: Send> = Arc<Queue<T>>;
    fn new<T: Send>(depth: usize) -> (Self::Putter<T>, Self::Taker<T>) {
        let queue = Arc::new(Queue::new(depth));
        (Putter::new(queue.clone()), queue)
    }
}

impl<T> Close for Queue<T> {
    fn close(&self) {
        Queue::close(self);
    }
}

impl<T: Send> Put<T> for Putter<Queue<T>> {
    fn put(&self, unit: T) {
        let _ = self.queue.put(unit);
    }
}

impl<T: Send> Take<T> for Arc<Queue<T>> {
    fn take(&self) -> Option<T> {
        Queue::take(self)
    }
}

/// The textbook's queue: a lock and two conditions.
pub(crate) struct ParkingLot;

pub(crate) struct Textbook<T> {
    state: Mutex<(VecDeque<T>, bool)>,
    units: Condvar,
    room: Condvar,
    depth: usize,
}

impl Channel for ParkingLot {
    type Putter<T: Send> = Putter<Textbook<T>>;
    type Taker<T: Send> = Arc<Textbook<T>>;
    fn new<T: Send>(depth: usize) -> (Self::Putter<T>, Self::Taker<T>) {
        let state = Mutex::new((VecDeque::with_capacity(depth), false));
        let queue = Arc::new(Textbook { state, units: Condvar::new(), room: Condvar::new(), depth });
        (Putter::new(queue.clone()), queue)
    }
}

impl<T> Close for Textbook<T> {
    fn close(&self) {
        self.state.lock().1 = true;
        self.units.notify_all();
    }
}

impl<T: Send> Put<T> for Putter<Textbook<T>> {
    fn put(&self, unit: T) {
        let mut state = self.state.lock();
        while state.0.len() >= self.depth {
            self.room.wait(&mut state);
        }
        state.0.push_back(unit);
        drop(state);
        self.units.notify_one();
    }
}

impl<T: Send> Take<T> for Arc<Textbook<T>> {
    fn take(&self) -> Option<T> {
        let mut state = self.state.lock();
        while state.0.is_empty() && !state.1 {
            self.units.wait(&mut state);
        }
        let unit = state.0.pop_front();
        drop(state);
        self.room.notify_one();
        unit
    }
}
