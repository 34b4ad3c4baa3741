//! A job limits what processes commit, and nothing limits a process's part of the file cache.

pub(super) fn available() -> Result<String, String> {
    Err("Windows limits the memory of processes, and not their part of the file cache".to_owned())
}

pub(super) fn limit_bytes() -> Option<u64> {
    None
}

pub(super) fn refaults() -> Option<u64> {
    None
}
