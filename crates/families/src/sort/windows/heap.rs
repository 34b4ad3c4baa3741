//! A private heap of the system.

use std::io;
use std::marker::PhantomData;
use std::ptr::NonNull;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Memory::{
    HEAP_NO_SERIALIZE, HEAP_ZERO_MEMORY, HeapAlloc, HeapCreate, HeapDestroy, HeapFree,
};

use crate::sort::room::no_room;

/// Memory of any size, piece by piece. One that is `SERIALIZED` may be used by several threads, of which one at a time is
/// inside of it; another belongs to one thread alone and takes no lock (`HEAP_NO_SERIALIZE`).
///
/// Dropping the heap gives back all of its pages at once, whatever was allocated in it.
pub(in crate::sort) struct Heap<const SERIALIZED: bool> {
    handle: HANDLE,
    /// Keeps the compiler from sharing a heap without a lock.
    alone: PhantomData<*const ()>,
}

// SAFETY: a heap belongs to the process, not to the thread that made it.
unsafe impl<const SERIALIZED: bool> Send for Heap<SERIALIZED> {}
// SAFETY: the system takes the heap's lock in every call.
unsafe impl Sync for Heap<true> {}

impl<const SERIALIZED: bool> Heap<SERIALIZED> {
    /// Whether dropping the heap gives back all of its pieces.
    pub(in crate::sort) const GIVEN_BACK_AT_ONCE: bool = true;

    const FLAGS: u32 = if SERIALIZED { 0 } else { HEAP_NO_SERIALIZE };

    /// A heap without a piece, which may grow as long as there is memory.
    pub(in crate::sort) fn new() -> io::Result<Self> {
        // SAFETY: making a heap has no conditions.
        let handle = unsafe { HeapCreate(Self::FLAGS, 0, 0) };
        if handle.is_null() {
            let error = io::Error::last_os_error();
            return Err(sys::failure::in_context("no memory for a heap: HeapCreate", error));
        }
        Ok(Self { handle, alone: PhantomData })
    }

    /// A piece of `bytes` bytes, aligned for every type. What stands in it is unknown.
    pub(in crate::sort) fn allocate(&self, bytes: usize) -> io::Result<NonNull<u8>> {
        self.allocate_with(0, bytes)
    }

    pub(in crate::sort) fn allocate_zeroed(&self, bytes: usize) -> io::Result<NonNull<u8>> {
        self.allocate_with(HEAP_ZERO_MEMORY, bytes)
    }

    fn allocate_with(&self, flags: u32, bytes: usize) -> io::Result<NonNull<u8>> {
        // SAFETY: the heap lives, and one without a lock is used by one thread only.
        let start = unsafe { HeapAlloc(self.handle, flags, bytes) };
        NonNull::new(start.cast()).ok_or_else(|| no_room("a piece of the heap", bytes))
    }

    /// Gives a piece back.
    ///
    /// # Safety
    /// It must have come from this heap, and must not be used afterwards.
    pub(in crate::sort) unsafe fn free(&self, piece: NonNull<u8>) {
        // SAFETY: the caller promises that the piece came from this heap and is given up here.
        let freed = unsafe { HeapFree(self.handle, 0, piece.as_ptr().cast()) };
        debug_assert!(freed != 0, "{}", io::Error::last_os_error());
    }

    /// Keeps all other threads out of a serialized heap until the value is dropped; does nothing to another heap.
    #[cfg(test)]
    pub(in crate::sort) fn hold(&self) -> Option<tests::Held<'_>> {
        SERIALIZED.then(|| tests::Held::new(self.handle))
    }
}

impl<const SERIALIZED: bool> Drop for Heap<SERIALIZED> {
    fn drop(&mut self) {
        // SAFETY: the heap lives, and this is its last use.
        let destroyed = unsafe { HeapDestroy(self.handle) };
        debug_assert!(destroyed != 0, "{}", io::Error::last_os_error());
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::System::Memory::{HeapLock, HeapUnlock};

    use super::*;

    /// A heap that other threads wait for.
    pub(in crate::sort) struct Held<'heap> {
        handle: HANDLE,
        heap: PhantomData<&'heap ()>,
    }

    impl Held<'_> {
        pub(super) fn new(handle: HANDLE) -> Self {
            // SAFETY: the heap lives and has a lock.
            assert_ne!(unsafe { HeapLock(handle) }, 0, "{}", io::Error::last_os_error());
            Self { handle, heap: PhantomData }
        }
    }

    impl Drop for Held<'_> {
        fn drop(&mut self) {
            // SAFETY: this thread holds the lock of a heap that lives.
            unsafe { HeapUnlock(self.handle) };
        }
    }
}
