//! `Sleep(0)`, as published.

use windows_sys::Win32::System::Threading::Sleep;

/// Gives up the processor to a thread of the same priority.
pub(super) fn give_up() {
    // SAFETY: the call takes a number.
    unsafe { Sleep(0) };
}
