//! Waiting until a number in memory has changed: `WaitOnAddress`.

use std::io;
use std::sync::atomic::AtomicU32;

use windows_sys::Win32::System::Threading::{INFINITE, WaitOnAddress, WakeByAddressSingle};

/// Waits while the number is `seen`. May return for no reason.
pub(in crate::pipeline) fn wait_while(number: &AtomicU32, seen: u32) -> io::Result<()> {
    // SAFETY: both are valid numbers of the size that is said, for as long as the call takes.
    match unsafe {
        WaitOnAddress(number.as_ptr().cast(), (&raw const seen).cast(), size_of::<u32>(), INFINITE)
    } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Wakes one thread that waits for the number.
pub(in crate::pipeline) fn wake_one(number: &AtomicU32) -> io::Result<()> {
    // SAFETY: the address is only compared with those that threads wait for.
    unsafe { WakeByAddressSingle(number.as_ptr().cast()) };
    Ok(())
}
