//! What the techniques that are the same on every system ask of Linux.

use rustix::mm::{Advice, madvise};

use crate::convert::kernel::Unit;

/// Looks up the pages of a part that begins at a page, in one call. A kernel before 5.14 refuses; pages then come when touched.
pub(in crate::convert) fn look_up(part: &[u8]) {
    // SAFETY: the range is memory of this process, and looking pages up does not change their contents.
    let _ = unsafe { madvise(part.as_ptr().cast_mut().cast(), part.len(), Advice::LinuxPopulateRead) };
}

/// As [`look_up`], for writing.
pub(in crate::convert) fn look_up_for_writing(part: &mut [Unit]) {
    // SAFETY: as in look_up.
    let _ = unsafe { madvise(part.as_mut_ptr().cast(), size_of_val(part), Advice::LinuxPopulateWrite) };
}
