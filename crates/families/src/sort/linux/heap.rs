//! A heap of the program's own, on top of the C library's.

use std::io;
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::sort::room::no_room;

/// Memory of any size, piece by piece. One that is `SERIALIZED` may be used by several threads, of which one at a time is
/// inside of it; another belongs to one thread alone and takes no lock.
///
/// Linux has no heaps next to the C library's, so every piece is one of `malloc` and must be freed alone.
pub(in crate::sort) struct Heap<const SERIALIZED: bool> {
    lock: Mutex<()>,
    /// Keeps the compiler from sharing a heap without a lock.
    alone: PhantomData<*const ()>,
}

// SAFETY: `malloc` knows nothing of the thread that calls it.
unsafe impl<const SERIALIZED: bool> Send for Heap<SERIALIZED> {}
// SAFETY: every call takes the lock.
unsafe impl Sync for Heap<true> {}

impl<const SERIALIZED: bool> Heap<SERIALIZED> {
    /// Whether dropping the heap gives back all of its pieces.
    pub(in crate::sort) const GIVEN_BACK_AT_ONCE: bool = false;

    pub(in crate::sort) fn new() -> io::Result<Self> {
        Ok(Self { lock: Mutex::new(()), alone: PhantomData })
    }

    /// A piece of `bytes` bytes, aligned for every type. What stands in it is unknown.
    pub(in crate::sort) fn allocate(&self, bytes: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: asking for memory has no conditions.
        self.asked_for(bytes, || unsafe { libc::malloc(bytes) })
    }

    pub(in crate::sort) fn allocate_zeroed(&self, bytes: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: asking for memory has no conditions.
        self.asked_for(bytes, || unsafe { libc::calloc(bytes, 1) })
    }

    fn asked_for(&self, bytes: usize, ask: impl FnOnce() -> *mut libc::c_void) -> io::Result<NonNull<u8>> {
        let _held = self.hold();
        NonNull::new(ask().cast()).ok_or_else(|| no_room("a piece of the heap", bytes))
    }

    /// Gives a piece back.
    ///
    /// # Safety
    /// It must have come from this heap, and must not be used afterwards.
    pub(in crate::sort) unsafe fn free(&self, piece: NonNull<u8>) {
        let _held = self.hold();
        // SAFETY: the caller promises that the piece came from `malloc` or `calloc` above and is given up here.
        unsafe { libc::free(piece.as_ptr().cast()) };
    }

    /// Keeps all other threads out of a serialized heap until the value is dropped; does nothing to another heap.
    pub(in crate::sort) fn hold(&self) -> Option<MutexGuard<'_, ()>> {
        SERIALIZED.then(|| self.lock.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
