//! A limit of the memory of a process together with its part of the file cache.
//!
//! A limit of the address space says nothing of the file cache. What limits both is a control group: that is how a file can be
//! larger than memory on any host.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
pub(crate) mod system;

/// Finds out, by doing it, in which way this host limits the memory of a launch: in words that stand behind `by`.
/// Errors: one clause: why it cannot.
pub fn available() -> Result<String, String> {
    system::available()
}

/// The limit under which this process is; `None` where there is none.
pub fn limit_bytes() -> Option<u64> {
    system::limit_bytes()
}

/// Pages that the group of this process has fetched again after the file cache had let go of them, since the group was made;
/// `None` where nothing counts them.
pub fn refaults() -> Option<u64> {
    system::refaults()
}
