//! A message as a number, for what the kernel carries: it takes its memory along and gives it back at the other end.

/// The address of a message that is on its way.
pub(super) fn packed<T: Send>(message: T) -> usize {
    Box::into_raw(Box::new(message)).expose_provenance()
}

/// The message behind an address.
///
/// # Safety
/// [`packed`] gave the address for a message of this type, and nothing else has unpacked it.
pub(super) unsafe fn unpacked<T: Send>(address: usize) -> T {
    // SAFETY: the caller says that the box is of this type and still whole.
    *unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut(address)) }
}
