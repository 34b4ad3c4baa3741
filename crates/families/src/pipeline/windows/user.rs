//! What enters the kernel only where a thread must wait: the critical section, and waiting until a number in memory has changed.

use std::cell::UnsafeCell;
use std::io;
use std::pin::Pin;
use std::sync::atomic::AtomicU32;

use windows_sys::Win32::System::Threading::{
    CRITICAL_SECTION, DeleteCriticalSection, EnterCriticalSection, INFINITE, InitializeCriticalSection,
    LeaveCriticalSection, WaitOnAddress, WakeByAddressSingle,
};

use crate::files::checked;
use crate::pipeline::locked::Lock;

/// A critical section, which enters the kernel only where another thread holds it.
pub(in crate::pipeline) struct UserLock(Pin<Box<UnsafeCell<CRITICAL_SECTION>>>);

// SAFETY: a critical section is made to be used by several threads at once.
unsafe impl Send for UserLock {}
// SAFETY: it is made to be used by several threads at once.
unsafe impl Sync for UserLock {}

impl Lock for UserLock {
    fn open() -> io::Result<Self> {
        // SAFETY: the structure consists of numbers and pointers, for which all zero is valid.
        let section = Self(Box::pin(UnsafeCell::new(unsafe { std::mem::zeroed() })));
        // SAFETY: its memory stays where it is, and it is not used yet.
        unsafe { InitializeCriticalSection(section.0.get()) };
        Ok(section)
    }

    fn lock(&self) -> io::Result<()> {
        // SAFETY: the section is initialised and stays where it is.
        unsafe { EnterCriticalSection(self.0.get()) };
        Ok(())
    }

    fn unlock(&self) -> io::Result<()> {
        // SAFETY: as above, and the caller holds it.
        unsafe { LeaveCriticalSection(self.0.get()) };
        Ok(())
    }
}

impl Drop for UserLock {
    fn drop(&mut self) {
        // SAFETY: no thread holds it any more: all of them shared what owns it.
        unsafe { DeleteCriticalSection(self.0.get()) };
    }
}

/// Waits while the number is `seen`. May return for no reason.
pub(in crate::pipeline) fn wait_while(number: &AtomicU32, seen: u32) -> io::Result<()> {
    // SAFETY: both are valid numbers of the size that is said, for as long as the call takes.
    checked(unsafe {
        WaitOnAddress(number.as_ptr().cast(), (&raw const seen).cast(), size_of::<u32>(), INFINITE)
    })
}

pub(in crate::pipeline) fn wake_one(number: &AtomicU32) -> io::Result<()> {
    // SAFETY: the address is only compared with those that threads wait for.
    unsafe { WakeByAddressSingle(number.as_ptr().cast()) };
    Ok(())
}
