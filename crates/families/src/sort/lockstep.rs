//! Threads that work in step: they write their own places of shared arrays, sort stably into buckets, and wait for all.

use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;

use sys::thread_scope::{Handle, scope};

use super::source::{bytes_of_threads, ensure_room};
use crate::files::no_thread;

/// Enough for loops without recursion, and little next to a limit of memory.
const STACK_BYTES: usize = 256 << 10;

/// Parts of threads begin at multiples of this many records: those of the published length then fill whole pages, and no two
/// threads write the same line of the numbers for them.
pub(super) const GRAIN: usize = 64;

pub(super) struct Member<'crew> {
    nth: usize,
    threads: usize,
    meeting: &'crew Meeting,
}

/// Works on this many threads, the calling one first; returns their results, or the first error, which ends the others too.
pub(super) fn together<R: Send>(
    threads: usize, work: impl Fn(&Member) -> io::Result<R> + Sync,
) -> io::Result<Vec<R>> {
    if threads > 1 {
        ensure_room("threads", bytes_of_threads(threads - 1, STACK_BYTES))?;
    }
    let meeting =
        Meeting { state: Mutex::new(State { waiting: 0, past: 0, off: false }), over: Condvar::new() };
    let (meeting, work) = (&meeting, &work);
    let part = move |nth: usize| {
        let member = Member { nth, threads, meeting };
        let mut watch = CallOff { meeting, done: false };
        let brought = work(&member)?;
        watch.done = true;
        Ok(brought)
    };
    scope(|scope| {
        let mut others = Vec::new();
        let mut refused = None;
        for nth in 1..threads {
            match scope.spawn(Builder::new().stack_size(STACK_BYTES), move || part(nth)) {
                Ok(other) => others.push(other),
                Err(error) => {
                    meeting.call_off();
                    refused = Some(no_thread(error));
                    break;
                }
            }
        }
        let first = match refused {
            None => part(0),
            Some(error) => Err(error),
        };
        let all: Vec<io::Result<R>> =
            std::iter::once(first).chain(others.into_iter().map(Handle::join)).collect();
        all_or_first_error(all)
    })
}

/// Returns all results, or the error for which the others only stopped.
fn all_or_first_error<R>(all: Vec<io::Result<R>>) -> io::Result<Vec<R>> {
    let mut home = Vec::new();
    let mut stopped = None;
    for brought in all {
        match brought {
            Ok(brought) => home.push(brought),
            Err(error) if error.get_ref().is_some_and(|inner| inner.is::<CalledOff>()) => {
                stopped.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    stopped.map_or(Ok(home), Err)
}

impl Member<'_> {
    pub(super) fn nth(&self) -> usize {
        self.nth
    }

    /// Returns this thread's part of `count` things: parts are even, and each begins at a multiple of `grain`.
    pub(super) fn part_of(&self, count: usize, grain: usize) -> Range<usize> {
        self.part_of_nth(self.nth, count, grain)
    }

    pub(super) fn part_of_nth(&self, nth: usize, count: usize, grain: usize) -> Range<usize> {
        let grains = count.div_ceil(grain);
        let bound = |nth: usize| (grains * nth / self.threads * grain).min(count);
        bound(nth)..bound(nth + 1)
    }

    /// Waits until all are here, or one has failed and will never come.
    pub(super) fn meet(&self) -> io::Result<()> {
        self.meeting.wait(self.threads)
    }

    /// Waits until all are here, lets the first one do something alone, and waits for it.
    pub(super) fn meet_and(&self, alone: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        self.meet()?;
        if self.nth == 0 {
            alone()?;
        }
        self.meet()
    }
}

/// A meeting, which is called off when a thread will not come.
struct Meeting {
    state: Mutex<State>,
    over: Condvar,
}

struct State {
    waiting: usize,
    past: usize,
    off: bool,
}

#[derive(Debug)]
struct CalledOff;

impl std::fmt::Display for CalledOff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("another thread failed")
    }
}

impl std::error::Error for CalledOff {}

impl Meeting {
    fn wait(&self, threads: usize) -> io::Result<()> {
        if threads == 1 {
            return Ok(());
        }
        let mut state = self.state();
        let present = state.past;
        state.waiting += 1;
        if state.waiting == threads {
            (state.waiting, state.past) = (0, present + 1);
            self.over.notify_all();
        }
        while state.past == present && !state.off {
            state = self.over.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.past == present { Err(io::Error::other(CalledOff)) } else { Ok(()) }
    }

    fn call_off(&self) {
        self.state().off = true;
        self.over.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Calls the meeting off when its thread ends before its work does: by an error or by a panic.
struct CallOff<'crew> {
    meeting: &'crew Meeting,
    done: bool,
}

impl Drop for CallOff<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.meeting.call_off();
        }
    }
}

pub(super) struct Shared<'array, T> {
    start: *mut T,
    length: usize,
    array: PhantomData<&'array mut [T]>,
}

// SAFETY: the parts that threads get are theirs alone, as the code that hands them out promises.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'array, T: Copy> Shared<'array, T> {
    pub(super) fn new(array: &'array mut [T]) -> Self {
        Self { start: array.as_mut_ptr(), length: array.len(), array: PhantomData }
    }

    /// A part of the array.
    ///
    /// # Safety
    /// As long as the part is held, no other thread may hold or write a part that overlaps it.
    #[allow(clippy::mut_from_ref, reason = "the whole point: the caller promises that parts are disjoint")]
    pub(super) unsafe fn part(&self, range: Range<usize>) -> &mut [T] {
        assert!(range.start <= range.end && range.end <= self.length, "{range:?} of {}", self.length);
        // SAFETY: the part lies inside the array, and the caller promises that no other code uses it.
        unsafe { slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }

    /// A part of the array that is only read from now on.
    ///
    /// # Safety
    /// As long as the part is held, no thread may write to it.
    pub(super) unsafe fn read(&self, range: Range<usize>) -> &[T] {
        assert!(range.start <= range.end && range.end <= self.length, "{range:?} of {}", self.length);
        // SAFETY: the part lies inside the array, and the caller promises that no thread writes to it.
        unsafe { slice::from_raw_parts(self.start.add(range.start), range.len()) }
    }

    /// Writes one value.
    ///
    /// # Safety
    /// No other thread may read or write the same place at the same time.
    #[inline]
    pub(super) unsafe fn put(&self, at: usize, value: T) {
        assert!(at < self.length);
        // SAFETY: the place lies inside the array, and the caller promises that no other code uses it.
        unsafe { self.start.add(at).write(value) }
    }
}

pub(super) struct Partition {
    /// For each thread: first the items of each bucket, then the place of the next.
    counts: Vec<Mutex<Vec<u32>>>,
    bounds: OnceLock<Vec<usize>>,
    next: AtomicUsize,
}

/// Buckets are taken in lots of about this many items: few visits to the shared counter, and even ends.
const LOT_ITEMS: usize = 4 << 10;

impl Partition {
    pub(super) fn new(threads: usize) -> Self {
        let counts = (0..threads).map(|_| Mutex::default()).collect();
        Self { counts, bounds: OnceLock::new(), next: AtomicUsize::new(0) }
    }

    /// Moves this thread's items, counted by bucket, to their buckets in `to`; returns their bounds. All threads must come here.
    pub(super) fn distribute<T: Copy>(
        &self, member: &Member, counts: Vec<u32>, from: &[T], to: &Shared<T>, bucket_of: impl Fn(&T) -> usize,
    ) -> io::Result<&[usize]> {
        *lock(&self.counts[member.nth()]) = counts;
        member.meet_and(|| {
            self.turn_counts_into_places();
            Ok(())
        })?;
        let mut places = lock(&self.counts[member.nth()]);
        for item in from {
            let place = &mut places[bucket_of(item)];
            // SAFETY: each thread has as many places in a bucket as it counted, and none reads before all have met.
            unsafe { to.put(*place as usize, *item) };
            *place += 1;
        }
        drop(places);
        member.meet()?;
        Ok(self.bounds.get().map(Vec::as_slice).unwrap_or_default())
    }

    /// Puts the items of the first thread first in a bucket, each thread's in their order.
    fn turn_counts_into_places(&self) {
        let mut counts: Vec<MutexGuard<'_, Vec<u32>>> = self.counts.iter().map(lock).collect();
        let buckets = counts[0].len();
        let mut bounds = Vec::with_capacity(buckets + 1);
        let mut place = 0;
        for bucket in 0..buckets {
            bounds.push(place as usize);
            for counts in &mut counts {
                let count = std::mem::replace(&mut counts[bucket], place);
                place += count;
            }
        }
        bounds.push(place as usize);
        // The first and only time: the leading thread comes here once.
        let _ = self.bounds.set(bounds);
    }

    /// Returns the next buckets that no thread has taken; `None` when all are.
    pub(super) fn take(&self) -> Option<Range<usize>> {
        let bounds = self.bounds.get()?;
        let buckets = bounds.len() - 1;
        let items = bounds[buckets];
        // A lot begins where the first bucket behind a multiple of the lot's size begins.
        let bucket_at = |item: usize| bounds[..buckets].partition_point(|&start| start < item);
        loop {
            let lot = self.next.fetch_add(1, Ordering::Relaxed);
            if lot * LOT_ITEMS >= items {
                return None;
            }
            let end = (lot + 1) * LOT_ITEMS;
            let taken = bucket_at(lot * LOT_ITEMS)..if end >= items { buckets } else { bucket_at(end) };
            if !taken.is_empty() {
                return Some(taken);
            }
        }
    }
}

fn lock(counts: &Mutex<Vec<u32>>) -> MutexGuard<'_, Vec<u32>> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn no_thread_passes_a_meeting_before_all_are_there() {
        for threads in [1, 2, 5] {
            let arrived = AtomicUsize::new(0);
            let seen = together(threads, |member| {
                for round in 1..=20 {
                    arrived.fetch_add(1, Ordering::SeqCst);
                    member.meet()?;
                    assert_eq!(arrived.load(Ordering::SeqCst), round * threads);
                    member.meet()?;
                }
                Ok(member.nth())
            });
            assert_eq!(seen.expect("no thread failed"), (0..threads).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_thread_that_fails_is_reported_and_holds_no_other_up() {
        for failing in 0..3 {
            let outcome = together(3, |member| {
                member.meet()?;
                if member.nth() == failing {
                    return Err(io::Error::other("no room"));
                }
                member.meet()?;
                member.meet()
            });
            assert_eq!(outcome.expect_err("one failed").to_string(), "no room");
        }
    }

    #[test]
    fn parts_are_disjoint_and_complete_and_begin_at_multiples() {
        for (count, grain, threads) in [(0, 1, 2), (1, 1, 4), (10, 4, 3), (100_001, 512, 7), (5, 8, 2)] {
            let parts =
                together(threads, |member| Ok(member.part_of(count, grain))).expect("no thread failed");
            assert_eq!((parts[0].start, parts[threads - 1].end), (0, count));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert!(parts.iter().all(|part| part.start.is_multiple_of(grain) || part.start == count));
        }
    }
}
