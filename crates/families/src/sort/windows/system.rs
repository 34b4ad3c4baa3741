//! What sorting asks of Windows: mapped records, memory, presized files.

use std::io;
use std::marker::PhantomData;
use std::ptr::NonNull;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::Memory::{
    HEAP_NO_SERIALIZE, HEAP_ZERO_MEMORY, HeapAlloc, HeapCreate, HeapDestroy, HeapFree,
};

use crate::files::{Mapping, OpenFile};
use crate::sort::job::Account;
use crate::sort::source::no_room;

/// The memory of a process before it sorts anything: its image, its runtime, its stacks.
const TAKEN_BYTES: u64 = 16 << 20;

pub(in crate::sort) fn memory(bytes: usize) -> io::Result<Mapping> {
    let refused = |error: io::Error| sys::failure::in_context("no memory", error);
    Mapping::buffer(bytes).map_err(refused)
}

pub(in crate::sort) fn untouched_memory(bytes: usize) -> io::Result<Mapping> {
    memory(bytes)
}

pub(in crate::sort) fn allocate(file: &OpenFile, bytes: u64, _account: &mut Account) -> io::Result<()> {
    file.set_length(bytes)
}

/// Windows reads ahead by itself where a file is read from its beginning to its end.
pub(in crate::sort) fn read_ahead(_file: &OpenFile, _offset: u64) {}

pub(in crate::sort) fn c_library() -> String {
    "msvcrt.dll".to_owned()
}

/// All threads share one heap here, unless a program makes others.
pub(in crate::sort) fn share_one_heap() {}

pub(in crate::sort) fn taken_bytes() -> io::Result<u64> {
    Ok(TAKEN_BYTES)
}

/// Memory piece by piece, freed at once with the heap. `SERIALIZED` ones lock each use (else `HEAP_NO_SERIALIZE`).
pub(in crate::sort) struct Heap<const SERIALIZED: bool> {
    handle: HANDLE,
    alone: PhantomData<*const ()>,
}

// SAFETY: a heap belongs to the process, not to the thread that made it.
unsafe impl<const SERIALIZED: bool> Send for Heap<SERIALIZED> {}
// SAFETY: the system takes the heap's lock in every call.
unsafe impl Sync for Heap<true> {}

impl<const SERIALIZED: bool> Heap<SERIALIZED> {
    pub(in crate::sort) const GIVEN_BACK_AT_ONCE: bool = true;

    const FLAGS: u32 = if SERIALIZED { 0 } else { HEAP_NO_SERIALIZE };

    pub(in crate::sort) fn new() -> io::Result<Self> {
        // SAFETY: making a heap has no conditions.
        let handle = unsafe { HeapCreate(Self::FLAGS, 0, 0) };
        if handle.is_null() {
            let error = io::Error::last_os_error();
            return Err(sys::failure::in_context("no memory for a heap: HeapCreate", error));
        }
        Ok(Self { handle, alone: PhantomData })
    }

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
