//! Items sorted into buckets by several threads at once: counted, then moved, with the order of arrival kept.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::crew::Member;
use super::shared::Shared;

/// What the threads of one partition share.
pub(super) struct Partition {
    /// Of each thread: first how many of its items belong into each bucket, then where the next of them goes.
    counts: Vec<Mutex<Vec<u32>>>,
    /// Where each bucket begins, and where the last one ends.
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

    /// Moves this thread's items, of which `counts` says how many belong into each bucket, to their buckets in `to`.
    /// All threads must come here with counts of the same length; gives the bounds of the buckets.
    pub(super) fn distribute<T: Copy>(
        &self,
        member: &Member,
        counts: Vec<u32>,
        from: &[T],
        to: &Shared<T>,
        bucket_of: impl Fn(&T) -> usize,
    ) -> io::Result<&[usize]> {
        *lock(&self.counts[member.nth()]) = counts;
        member.meet_and(|| {
            self.turn_counts_into_places();
            Ok(())
        })?;
        let mut places = lock(&self.counts[member.nth()]);
        for item in from {
            let place = &mut places[bucket_of(item)];
            // SAFETY: every thread has places of its own in every bucket, as many as it has counted, and none
            // reads before all have met.
            unsafe { to.put(*place as usize, *item) };
            *place += 1;
        }
        drop(places);
        member.meet()?;
        Ok(self.bounds.get().map(Vec::as_slice).unwrap_or_default())
    }

    /// Inside a bucket, the items of the first thread come first, and each thread's in their order.
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

    /// The next buckets that no thread has taken; `None` when all are.
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
