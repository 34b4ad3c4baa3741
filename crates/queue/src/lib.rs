#![forbid(unsafe_code)]
//! A bounded queue between threads that makes few calls of the system and few switches between threads.
//!
//! A ring behind one lock, and threads that sleep at either end. What makes it cheap where threads are many and processors
//! few is not the ring but whom it wakes, and when:
//!
//! - Who finds the queue full leaves its unit and waits: the next taker finds it there, without a switch in between.
//! - Who waits for units holds out its hands: as many as it will take do not count against the depth.
//! - A thread at the other end is woken only when one is asleep, and none is while another is still on its way.
//! - A thread that slept because the queue was full is woken when half of it is free, so that a switch pays for many units.
//! - A thread that puts units into many queues in turn may leave the sleepers alone for a while ([`Manner::QUIETLY`]).
//! - Before they sleep, some threads let others run and look again: a switch costs less than a sleep and a wake.
//!
//! The calls to wake are made after the lock is given back: who is woken finds it free.

mod backoff;
mod sync;

#[cfg(all(test, loom))]
mod every_order;

use std::collections::VecDeque;

use backoff::AWAKE_EACH;
pub use backoff::Patience;
use sync::{AtomicBool, AtomicU64, Condvar, Mutex, MutexGuard, Ordering};

/// Units for which memory is taken in advance. A deep queue seldom fills, and memory that nothing has touched costs more than to grow.
const AT_ONCE: usize = 64;

/// The queue was closed: nothing can be put any more. Holds what was not put.
#[derive(Debug, PartialEq, Eq)]
pub struct Closed<T>(pub T);

/// The manner of putting a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The patience while the queue is full.
    pub patience: Patience,
    /// Sleeping takers are woken only when the queue is full. Who puts no more for now calls [`Queue::wake`].
    pub quiet: bool,
}

impl Manner {
    /// Wakes a taker at the first unit.
    pub const USUAL: Self = Self { patience: Patience::Usual, quiet: false };
    /// Wakes a taker when the queue is full, and waits as a thread between two queues does.
    pub const QUIETLY: Self = Self { patience: Patience::Between, quiet: true };
}

/// A bounded queue for any number of threads at either end: first in, first out.
pub struct Queue<T> {
    state: Apart<Mutex<State<T>>>,
    seen: Apart<Seen>,
    units: Condvar,
    room: Condvar,
    /// Bound of the units in it.
    depth: usize,
    /// This much room wakes a sleeping putter.
    enough: usize,
    /// This many threads of this process may wait awake with the usual patience.
    awake: usize,
}

/// In cache lines of its own: two processors that put and take hand each of them to and fro, so they are to be few.
#[repr(align(64))]
struct Apart<T>(T);

/// Counters that are read without the lock, and changed under it.
struct Seen {
    /// Units so far.
    put: AtomicU64,
    taken: AtomicU64,
    /// Number of the last unit whose putter need not wait.
    admitted: AtomicU64,
    closed: AtomicBool,
}

/// With the lock it fits into a cache line.
struct State<T> {
    /// The units of the queue, then those of the putters who wait.
    ring: VecDeque<T>,
    /// Units that the waiting takers will take.
    hands: u64,
    takers: Sleepers,
    putters: Sleepers,
}

#[cfg(all(not(loom), target_pointer_width = "64"))]
const _: () = assert!(size_of::<Apart<Mutex<State<u8>>>>() == align_of::<Apart<u8>>());

/// Counts the threads that sleep at one end, so that a wake-up is sent only when one sleeps.
#[derive(Default)]
struct Sleepers {
    /// Threads that went to sleep and have not looked at the queue since.
    asleep: u32,
    /// Those of them that were called and have not come yet.
    called: u32,
}

impl Sleepers {
    /// Returns whether to wake one now. While one is on its way, no other is called: it looks itself whether there is enough for the next.
    fn call(&mut self) -> bool {
        let call = self.asleep > 0 && self.called == 0;
        self.called += u32::from(call);
        call
    }

    fn sleeps(&mut self) {
        self.asleep += 1;
    }

    /// A sleeper is back, called or not: who was not called takes the place of one who was, and does what that one would do.
    fn wakes(&mut self) {
        self.asleep -= 1;
        self.called = self.called.saturating_sub(1);
    }
}

impl Seen {
    /// The lock is held, so nothing changes meanwhile.
    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }
}

impl<T> Queue<T> {
    /// Makes a queue of at most `depth` units, where 0 is taken as 1, for threads that share this many processors.
    pub fn new(depth: usize, processors: usize) -> Self {
        let depth = depth.max(1);
        let state = State {
            ring: VecDeque::with_capacity(depth.min(AT_ONCE)),
            hands: 0,
            takers: Sleepers::default(),
            putters: Sleepers::default(),
        };
        let seen = Seen {
            put: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            admitted: AtomicU64::new(depth as u64),
            closed: AtomicBool::new(false),
        };
        Self {
            state: Apart(Mutex::new(state)),
            seen: Apart(seen),
            units: Condvar::new(),
            room: Condvar::new(),
            depth,
            enough: depth.div_ceil(2),
            awake: AWAKE_EACH * processors.max(1),
        }
    }

    /// Puts a unit; waits while the queue is full. A unit that was put before the queue was closed is still taken.
    pub fn put(&self, unit: T, manner: Manner) -> Result<(), Closed<T>> {
        let mut state = self.lock();
        if self.seen.0.is_closed() {
            return Err(Closed(unit));
        }
        state.ring.push_back(unit);
        self.announce(state, 1, manner);
        Ok(())
    }

    /// Puts all units in their order; waits while the queue is full.
    /// Errors: the queue was closed. What was not put by then stays in `units`.
    pub fn put_all(&self, units: &mut Vec<T>, manner: Manner) -> Result<(), Closed<()>> {
        while !units.is_empty() {
            let mut state = self.lock();
            if self.seen.0.is_closed() {
                return Err(Closed(()));
            }
            let some = units.len().min(self.depth);
            state.ring.extend(units.drain(..some));
            self.announce(state, some, manner);
        }
        Ok(())
    }

    /// Takes the oldest units, `most` at most, to the end of `into`; waits while there is none. Returns their number: 0 once the queue is closed
    /// and empty, or if `most` is 0. Calls `before_sleep` at most once, to wake those whom it left alone (see [`Manner::QUIETLY`]).
    pub fn take(
        &self, most: usize, into: &mut Vec<T>, patience: Patience, before_sleep: impl FnOnce(),
    ) -> usize {
        if most == 0 {
            return 0;
        }
        let hands = most.min(self.depth);
        into.reserve(hands.min(AT_ONCE));
        let mut state = self.wait_for_units(hands, patience, before_sleep);
        let taken = most.min(state.ring.len());
        into.extend(state.ring.drain(..taken));
        self.release(state, taken);
        taken
    }

    /// Wakes a sleeping taker if units are there that were put quietly.
    pub fn wake(&self) {
        let mut state = self.lock();
        let taker = !state.ring.is_empty() && state.takers.call();
        drop(state);
        if taker {
            self.units.notify_one();
        }
    }

    /// Ends the queue: nothing is put any more, what is there is still taken.
    pub fn close(&self) {
        let state = self.lock();
        self.seen.0.closed.store(true, Ordering::Release);
        drop(state);
        self.units.notify_all();
        self.room.notify_all();
    }

    /// Reports that this many units were put, and waits until the last of them is within the bounds.
    fn announce(&self, mut state: MutexGuard<'_, State<T>>, units: usize, manner: Manner) {
        let seen = &self.seen.0;
        let last = seen.put.load(Ordering::Relaxed) + units as u64;
        seen.put.store(last, Ordering::Release);
        let wake_at = if manner.quiet { self.depth } else { 1 };
        let taker = state.ring.len() >= wake_at && state.takers.call();
        let full = last > self.admitted(&state);
        drop(state);
        if taker {
            self.units.notify_one();
        }
        if full {
            self.wait_for_room(last, manner.patience);
        }
    }

    /// Waits until who put the unit with this number may go on.
    fn wait_for_room(&self, number: u64, patience: Patience) {
        let Seen { admitted, closed, .. } = &self.seen.0;
        let seen = || number <= admitted.load(Ordering::Acquire) || closed.load(Ordering::Acquire);
        if patience.awaits(self.awake, seen) {
            return;
        }
        let mut state = self.lock();
        while number > self.admitted(&state) && !self.seen.0.is_closed() {
            state.putters.sleeps();
            state = sync::wait(&self.room, state);
            state.putters.wakes();
        }
        // The takers lack units, and this thread may never put another one.
        let next = state.ring.is_empty() && state.putters.call();
        drop(state);
        if next {
            self.room.notify_one();
        }
    }

    /// Locks once there are units, or the queue is closed.
    fn wait_for_units(
        &self, hands: usize, patience: Patience, before_sleep: impl FnOnce(),
    ) -> MutexGuard<'_, State<T>> {
        let ready = |state: &State<T>| !state.ring.is_empty() || self.seen.0.is_closed();
        let mut state = self.lock();
        if ready(&state) {
            return state;
        }
        state.hands += hands as u64;
        self.admit(&state);
        drop(state);
        let Seen { put, taken, closed, .. } = &self.seen.0;
        let seen =
            || put.load(Ordering::Acquire) > taken.load(Ordering::Acquire) || closed.load(Ordering::Acquire);
        let mut before_sleep = Some(before_sleep);
        if !patience.awaits(self.awake, seen) {
            before_sleep.take().into_iter().for_each(|wake| wake());
        }
        let mut state = self.lock();
        while !ready(&state) {
            // There were units, but another taker was faster.
            if let Some(wake) = before_sleep.take() {
                drop(state);
                wake();
                state = self.lock();
                continue;
            }
            state.takers.sleeps();
            state = sync::wait(&self.units, state);
            state.takers.wakes();
        }
        state.hands -= hands as u64;
        state
    }

    /// Reports that this many units were taken, and wakes a putter when there is room enough, and a taker when units are left.
    fn release(&self, mut state: MutexGuard<'_, State<T>>, units: usize) {
        let taken = &self.seen.0.taken;
        taken.store(taken.load(Ordering::Relaxed) + units as u64, Ordering::Release);
        self.admit(&state);
        let left = state.ring.len();
        let taker = left > 0 && state.takers.call();
        let putter = left + self.enough <= self.depth && state.putters.call();
        drop(state);
        if taker {
            self.units.notify_one();
        }
        if putter {
            self.room.notify_one();
        }
    }

    /// Returns the number of the last unit whose putter need not wait.
    fn admitted(&self, state: &State<T>) -> u64 {
        let taken = self.seen.0.taken.load(Ordering::Relaxed);
        taken.saturating_add(self.depth as u64).saturating_add(state.hands)
    }

    fn admit(&self, state: &State<T>) {
        self.seen.0.admitted.store(self.admitted(state), Ordering::Release);
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        sync::lock(&self.state.0)
    }
}

#[cfg(test)]
impl<T> Queue<T> {
    /// Returns the oldest units, as [`Queue::take`] gives them.
    fn taken(&self, most: usize) -> Vec<T> {
        let mut units = Vec::new();
        assert_eq!(self.take(most, &mut units, Patience::Usual, || ()), units.len());
        units
    }
}

/// What one thread can see. What several do is tried by loom (`every_order`) and by `tests/stress.rs`.
#[cfg(all(test, not(loom)))]
mod one_thread {
    use super::*;

    #[test]
    fn units_come_out_in_their_order() {
        let queue = Queue::new(4, 1);
        queue.put('a', Manner::USUAL).unwrap();
        queue.put_all(&mut vec!['b', 'c'], Manner::USUAL).unwrap();
        queue.put('d', Manner::QUIETLY).unwrap();
        assert_eq!([queue.taken(1), queue.taken(2), queue.taken(usize::MAX)].concat(), ['a', 'b', 'c', 'd']);
    }

    #[test]
    fn a_closed_queue_gives_what_is_there_and_then_ends() {
        let queue = Queue::new(2, 1);
        queue.put(1, Manner::USUAL).unwrap();
        queue.close();
        let mut left = vec![2, 3];
        assert_eq!(queue.put(2, Manner::USUAL), Err(Closed(2)));
        assert_eq!(queue.put_all(&mut left, Manner::USUAL), Err(Closed(())));
        assert_eq!(left, [2, 3]);
        assert_eq!([queue.taken(9), queue.taken(9)], [vec![1], vec![]]);
    }

    #[test]
    fn no_thread_waits_where_no_unit_is_wanted() {
        let queue = Queue::new(1, 1);
        queue.put(1, Manner::USUAL).unwrap();
        assert_eq!([queue.taken(0), queue.taken(1), queue.taken(0)], [vec![], vec![1], vec![]]);
    }

    #[test]
    fn the_least_and_the_greatest_depth_take_a_unit() {
        for depth in [0, usize::MAX] {
            let queue = Queue::new(depth, 1);
            queue.put(1, Manner::USUAL).unwrap();
            assert_eq!(queue.taken(usize::MAX), [1]);
        }
    }
}
