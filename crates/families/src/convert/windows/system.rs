//! What the techniques that are the same on every system ask of Windows.

use crate::convert::kernel::Unit;

/// Nothing to do: PrefetchVirtualMemory reads pages from the device, but no call spares the fault of the first touch.
pub(in crate::convert) fn look_up(_part: &[u8]) {}

/// As [`look_up`].
pub(in crate::convert) fn look_up_for_writing(_part: &mut [Unit]) {}
