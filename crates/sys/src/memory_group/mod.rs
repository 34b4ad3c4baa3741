//! A limit of the memory of a process with its part of the file cache, by a control group: so a file can be larger than memory.

#[cfg(target_os = "linux")]
pub(crate) mod linux;
#[cfg(target_os = "linux")]
pub use linux::{available, limit_bytes, refaults, slows_writers};

/// Refuses: a job limits what processes commit, and nothing limits a process's part of the file cache.
#[cfg(windows)]
pub fn available() -> Result<String, String> {
    Err("Windows limits the memory of processes, and not their part of the file cache".to_owned())
}

/// Returns nothing: there is none.
#[cfg(windows)]
pub fn limit_bytes() -> Option<u64> {
    None
}

/// Returns nothing: nothing counts them.
#[cfg(windows)]
pub fn refaults() -> Option<u64> {
    None
}
