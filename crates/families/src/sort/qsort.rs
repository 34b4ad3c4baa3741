//! The C library's `qsort`, which the published programs used.
#![allow(clippy::missing_const_for_thread_local, reason = "Windows: said of what is const already")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::slice;

use super::job::Account;
use super::layout::PREFIX_BYTES;
use super::system::c_library;

type Compare = unsafe extern "C" fn(*const c_void, *const c_void) -> c_int;

thread_local! {
    /// The length of the key, which `qsort` does not hand to the comparison.
    static KEY_BYTES: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn qsort(elements: &mut [u8], element_bytes: usize, key_bytes: usize) {
    assert!(element_bytes > 0 && elements.len().is_multiple_of(element_bytes) && key_bytes <= element_bytes);
    KEY_BYTES.set(key_bytes);
    let compare: Compare = if key_bytes == PREFIX_BYTES { compare_eight } else { compare_any };
    let count = elements.len() / element_bytes;
    // SAFETY: the slice holds `count` whole elements, and both comparisons read no more of one than its key.
    unsafe { libc::qsort(elements.as_mut_ptr().cast(), count, element_bytes, Some(compare)) }
}

/// Notes whose `qsort` it was: it is another algorithm in every library and version.
pub(super) fn name_the_library(account: &mut Account) {
    account.note(format!("qsort of {}", c_library()));
}

/// Keys of eight bytes, the published length: compared as two numbers.
///
/// # Safety
/// Both pointers must point to eight readable bytes.
unsafe extern "C" fn compare_eight(a: *const c_void, b: *const c_void) -> c_int {
    // SAFETY: the caller promises eight bytes.
    let (a, b) = unsafe { (a.cast::<[u8; 8]>().read(), b.cast::<[u8; 8]>().read()) };
    u64::from_be_bytes(a).cmp(&u64::from_be_bytes(b)) as c_int
}

/// Keys of any other length.
///
/// # Safety
/// Both pointers must point to as many readable bytes as `KEY_BYTES` of this thread says.
unsafe extern "C" fn compare_any(a: *const c_void, b: *const c_void) -> c_int {
    let key_bytes = KEY_BYTES.get();
    // SAFETY: the caller promises the bytes of a key.
    let (a, b) = unsafe {
        (slice::from_raw_parts(a.cast::<u8>(), key_bytes), slice::from_raw_parts(b.cast::<u8>(), key_bytes))
    };
    a.cmp(b) as c_int
}
