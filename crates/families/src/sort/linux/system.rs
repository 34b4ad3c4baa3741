//! What sorting asks of Linux: mapped records, memory, presized files.

use std::ffi::CStr;
use std::io;
use std::marker::PhantomData;
use std::num::NonZero;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{FallocateFlags, fadvise};
use rustix::mm::{Advice, madvise};

use crate::files::{HUGE_PAGE_BYTES, Mapping, OpenFile, has_allocated};
use crate::sort::job::Account;
use crate::sort::source::no_room;

/// Returns memory that will all be used: large pages, which come when touched; or small ones, by one call instead of faults.
pub(in crate::sort) fn memory(bytes: usize) -> io::Result<Mapping> {
    // A large page of which less than half is wanted would cost more than the small ones in its place.
    let large_bytes = (bytes + HUGE_PAGE_BYTES / 2) / HUGE_PAGE_BYTES * HUGE_PAGE_BYTES;
    if large_bytes == 0 {
        return Mapping::buffer(bytes);
    }
    let pages = untouched_memory(bytes)?;
    // SAFETY: the range was mapped above; the advice changes no contents. Refused, the pages are small.
    let _ = unsafe { madvise(pages.address_of(0).cast(), large_bytes, Advice::LinuxHugepage) };
    if bytes > large_bytes {
        // SAFETY: the rest belongs to the same range and shows zeros anyway. Refused (before 5.14), pages come when touched.
        let _ = unsafe {
            let rest = pages.address_of(large_bytes).cast();
            madvise(rest, bytes - large_bytes, Advice::LinuxPopulateWrite)
        };
    }
    Ok(pages)
}

/// Returns addresses without a page behind them until they are touched.
pub(in crate::sort) fn untouched_memory(bytes: usize) -> io::Result<Mapping> {
    // The kernel puts whole large pages, and nothing else, where large pages begin.
    let is_large = bytes >= HUGE_PAGE_BYTES / 2;
    let rounded = if is_large { bytes.checked_next_multiple_of(HUGE_PAGE_BYTES) } else { Some(bytes) };
    Mapping::untouched(rounded.unwrap_or(bytes))
}

/// Gives a new file its blocks and its length: in a mere hole, a full disk would show during the work, or as `SIGBUS`.
pub(in crate::sort) fn allocate(file: &OpenFile, bytes: u64, account: &mut Account) -> io::Result<()> {
    if bytes == 0 || has_allocated(file, FallocateFlags::empty(), bytes)? {
        return Ok(());
    }
    account.note("fell back: this file system cannot allocate ahead, the file is a hole at first".to_owned());
    file.set_length(bytes)
}

/// Has the kernel read what follows `offset` while other work is done; where that is refused, it is read later.
pub(in crate::sort) fn read_ahead(file: &OpenFile, offset: u64) {
    const AHEAD_BYTES: u64 = 64 << 20;
    let _ = fadvise(file, offset, NonZero::new(AHEAD_BYTES), rustix::fs::Advice::WillNeed);
}

pub(in crate::sort) fn c_library() -> String {
    // SAFETY: the call gives a string that ends in a zero byte and stays for ever.
    let version = unsafe { CStr::from_ptr(libc::gnu_get_libc_version()) };
    format!("glibc {}", version.to_string_lossy())
}

/// Has threads share one heap: one of its own takes 64 MiB of address space, which a limit of memory counts.
pub(in crate::sort) fn share_one_heap() {
    // SAFETY: the call changes how later allocations are made, and nothing else. Refused, it changes nothing.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
}

/// Returns the bytes of address space that this process has taken; they count to a limit of memory.
pub(in crate::sort) fn taken_bytes() -> io::Result<u64> {
    const PATH: &str = "/proc/self/statm";
    let text = std::fs::read_to_string(PATH).map_err(crate::files::at("read", Path::new(PATH)))?;
    let pages = text.split_whitespace().next().and_then(|word| word.parse::<u64>().ok());
    let unclear =
        || io::Error::new(io::ErrorKind::InvalidData, format!("{PATH} does not begin with a number"));
    Ok(pages.ok_or_else(unclear)?.saturating_mul(rustix::param::page_size() as u64))
}

/// Memory piece by piece. A `SERIALIZED` heap takes a lock for every use by one of several threads. Linux has no heaps next to
/// the C library's: every piece is one of `malloc` and must be freed alone.
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
    pub(in crate::sort) const GIVEN_BACK_AT_ONCE: bool = false;

    pub(in crate::sort) fn new() -> io::Result<Self> {
        Ok(Self { lock: Mutex::new(()), alone: PhantomData })
    }

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

    /// Keeps all other threads out of a serialized heap until the value is dropped.
    pub(in crate::sort) fn hold(&self) -> Option<MutexGuard<'_, ()>> {
        SERIALIZED.then(|| self.lock.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
