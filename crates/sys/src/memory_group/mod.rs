//! A limit of the memory of a process together with its part of the file cache, by a control group: that is how a file can be larger
//! than memory on any host.

#[cfg(target_os = "linux")]
pub(crate) mod linux;
#[cfg(target_os = "linux")]
pub use linux::{available, limit_bytes, refaults};

/// A job limits what processes commit, and nothing limits a process's part of the file cache.
#[cfg(windows)]
pub fn available() -> Result<String, String> {
    Err("Windows limits the memory of processes, and not their part of the file cache".to_owned())
}

/// There is none.
#[cfg(windows)]
pub fn limit_bytes() -> Option<u64> {
    None
}

/// Nothing counts them.
#[cfg(windows)]
pub fn refaults() -> Option<u64> {
    None
}
