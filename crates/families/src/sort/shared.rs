//! An array that several threads write, each at its own places.

use std::marker::PhantomData;
use std::ops::Range;
use std::slice;

/// A slice whose parts are handed out without asking whether they overlap.
pub(super) struct Shared<'array, T> {
    start: *mut T,
    length: usize,
    array: PhantomData<&'array mut [T]>,
}

// SAFETY: the parts that threads get are theirs alone, as the code that hands them out promises.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'array, T: Copy> Shared<'array, T> {
    /// Shares an array that no other code may touch as long as this value lives.
    pub(super) fn new(array: &'array mut [T]) -> Self {
        Self { start: array.as_mut_ptr(), length: array.len(), array: PhantomData }
    }

    pub(super) fn len(&self) -> usize {
        self.length
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
