//! What the techniques that are the same on every system ask of Linux.

use rustix::mm::{Advice, madvise};

use crate::convert::kernel::Unit;

/// Looks up the pages of a part of a mapping, which must begin at a page, for reading: one call instead of a fault for
/// every few of them. A kernel before 5.14 refuses, and that is no error: every page is then looked up when it is touched.
pub(in crate::convert) fn look_up(part: &[u8]) {
    // SAFETY: the range is memory of this process, and looking pages up does not change their contents.
    let _ = unsafe { madvise(part.as_ptr().cast_mut().cast(), part.len(), Advice::LinuxPopulateRead) };
}

/// As [`look_up`], for writing.
pub(in crate::convert) fn look_up_for_writing(part: &mut [Unit]) {
    // SAFETY: as in look_up.
    let _ = unsafe { madvise(part.as_mut_ptr().cast(), size_of_val(part), Advice::LinuxPopulateWrite) };
}
