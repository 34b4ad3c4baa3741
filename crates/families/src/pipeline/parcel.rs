//! A message as a number, for what the kernel carries: it takes its memory along and gives it back at the other end.

use std::sync::atomic::{AtomicBool, Ordering};

struct Parcel<T> {
    message: T,
    /// Shows compiler and sanitizers what the kernel does: the receiver sees what was written before a message was sent.
    is_packed: AtomicBool,
}

pub(super) fn packed<T: Send>(message: T) -> usize {
    let parcel = Box::new(Parcel { message, is_packed: AtomicBool::new(false) });
    parcel.is_packed.store(true, Ordering::Release);
    Box::into_raw(parcel).expose_provenance()
}

/// Returns the message behind an address.
///
/// # Safety
/// [`packed`] gave the address for a message of this type, and nothing else has unpacked it.
pub(super) unsafe fn unpacked<T: Send>(address: usize) -> T {
    let parcel = std::ptr::with_exposed_provenance_mut::<Parcel<T>>(address);
    // SAFETY: the caller says that a parcel of this type stands there.
    unsafe { &(*parcel).is_packed }.load(Ordering::Acquire);
    // SAFETY: as above, and that nothing else has taken it.
    unsafe { Box::from_raw(parcel) }.message
}
