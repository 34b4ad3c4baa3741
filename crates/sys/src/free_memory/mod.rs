//! Free memory that a virtual machine would hand back to its host: with free page reporting every free block of some size (2 MiB as a
//! rule), and who takes it next waits for the host. No such block arises where one small page of it is in use.

use std::io;

#[cfg(target_os = "linux")]
#[path = "linux.rs"]
mod system;

/// Windows does not show whether its free memory is handed back.
#[cfg(windows)]
mod system {
    pub(super) struct Pages;

    pub(super) fn keep(_: u64, _: u64, _: &dyn Fn() -> bool) -> std::io::Result<(u64, Pages)> {
        Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "Windows has no free page reporting"))
    }
}

/// Free memory that stays with this machine until this is dropped. Of each block one page is in use; the rest is free for all.
#[must_use = "the memory is handed back at once"]
pub struct KeptMemory {
    /// The amount.
    pub bytes: u64,
    _pages: system::Pages,
}

/// Takes `bytes` of free memory from the host, and leaves one page in use in each `block_bytes`, the size from which on free
/// memory is handed back. `goes_on` is asked before each 2 MiB, which take some milliseconds where the host must find them.
/// Errors: the system has no huge pages for programs, or no room in the address space; or nothing was kept.
pub fn keep(bytes: u64, block_bytes: u64, goes_on: &dyn Fn() -> bool) -> io::Result<KeptMemory> {
    let (kept_bytes, pages) = system::keep(bytes, block_bytes, goes_on)?;
    match kept_bytes {
        0 => Err(io::Error::other("there was no time to keep free memory")),
        bytes => Ok(KeptMemory { bytes, _pages: pages }),
    }
}
