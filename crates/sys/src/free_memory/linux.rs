//! Huge pages, which only whole free blocks can serve, each given back but for single small pages.

use std::ffi::c_void;
use std::io;
use std::ptr::null_mut;

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

use crate::host::system::huge_pages;

/// x86-64 and ARM with small pages of 4 KiB.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// A mapping of which hardly anything is present.
pub(super) struct Pages {
    start: *mut c_void,
    bytes: usize,
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `map`, and nothing else refers to it.
        let _ = unsafe { munmap(self.start, self.bytes) };
    }
}

impl Pages {
    fn map(bytes: usize) -> io::Result<Self> {
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: a new mapping at an address of the kernel's choice touches nothing that is ours.
        let start = unsafe { mmap_anonymous(null_mut(), bytes, access, flags) }?;
        Ok(Self { start, bytes })
    }
}

pub(super) fn keep(bytes: u64, block_bytes: u64, goes_on: &dyn Fn() -> bool) -> io::Result<(u64, Pages)> {
    // A kernel that has turned huge pages off takes the advice without a word.
    match huge_pages().as_deref() {
        None | Some("never") => Err(io::Error::other("the kernel gives programs no huge pages")),
        Some(_) => keep_blocks(bytes, block_bytes, goes_on),
    }
}

fn keep_blocks(bytes: u64, block_bytes: u64, goes_on: &dyn Fn() -> bool) -> io::Result<(u64, Pages)> {
    let bytes = usize::try_from(bytes).map_err(io::Error::other)?.next_multiple_of(HUGE_PAGE_BYTES);
    let small_bytes = rustix::param::page_size();
    let step_bytes = usize::try_from(block_bytes).map_or(HUGE_PAGE_BYTES, |block| block.min(HUGE_PAGE_BYTES));
    if step_bytes < 2 * small_bytes {
        return Err(io::Error::other("single pages are handed back"));
    }
    // One page more has room for the first huge page wherever it begins.
    let pages = Pages::map(bytes + HUGE_PAGE_BYTES)?;
    let skipped_bytes = pages.start.align_offset(HUGE_PAGE_BYTES);
    // SAFETY: the offset lies inside the mapping, which is one huge page longer than `bytes`.
    let start = unsafe { pages.start.byte_add(skipped_bytes) };
    // SAFETY: the range lies inside the mapping, in which nothing is yet.
    unsafe {
        madvise(start, bytes, Advice::LinuxHugepage)?;
        madvise(start, bytes, Advice::LinuxDontFork)?;
    }
    let mut kept_bytes = 0;
    while kept_bytes < bytes && goes_on() {
        // SAFETY: the huge page lies inside the mapping, and nothing refers to it.
        unsafe { punch(start.byte_add(kept_bytes), step_bytes, small_bytes) }?;
        kept_bytes += HUGE_PAGE_BYTES;
    }
    Ok((kept_bytes as u64, pages))
}

/// Makes a huge page present, by its first byte, splits it, and gives back all but the first small page of each step.
///
/// # Safety
/// The huge page at `start` is mapped for this alone.
unsafe fn punch(start: *mut c_void, step_bytes: usize, small_bytes: usize) -> io::Result<()> {
    for offset in (0..HUGE_PAGE_BYTES).step_by(step_bytes) {
        // SAFETY: both ranges lie in the huge page, and its contents do not matter. Advice for one small page splits the huge
        // page at once; without, what is given back stays with it until memory is short.
        unsafe {
            let kept = start.byte_add(offset);
            kept.cast::<u8>().write_volatile(1);
            let _ = madvise(kept, small_bytes, Advice::LinuxCold);
            madvise(kept.byte_add(small_bytes), step_bytes - small_bytes, Advice::LinuxDontNeed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present_pages(pages: &Pages) -> usize {
        let small_bytes = rustix::param::page_size();
        let mut resident = vec![0_u8; pages.bytes / small_bytes];
        // SAFETY: the mapping is as long as is reported, and the answer has one byte for each of its pages.
        let status = unsafe { libc::mincore(pages.start, pages.bytes, resident.as_mut_ptr()) };
        assert_eq!(status, 0);
        resident.iter().filter(|&&page| page & 1 == 1).count()
    }

    #[test]
    fn one_small_page_of_each_block_stays_and_the_rest_is_free() {
        for (bytes, block_bytes, pages) in [(16 << 20, 2 << 20, 8), (4 << 20, 64 << 10, 64)] {
            let (kept, mapping) = keep_blocks(bytes, block_bytes, &|| true).expect("a mapping");
            assert_eq!((kept, present_pages(&mapping)), (bytes, pages));
        }
        assert!(keep_blocks(4 << 20, 4096, &|| true).is_err(), "blocks of single pages cannot be kept");
    }

    #[test]
    fn it_ends_when_it_is_told_to() {
        let left = std::cell::Cell::new(3);
        let (bytes, pages) =
            keep_blocks(1 << 30, 2 << 20, &|| left.replace(left.get() - 1) > 0).expect("a mapping");
        assert_eq!((bytes, present_pages(&pages)), (6 << 20, 3));
    }
}
