//! Data that programs have written and the device has not got yet.

use std::io;
use std::path::Path;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

/// Bytes, of the whole machine, that wait to be written or are being written now.
pub fn dirty_bytes() -> Option<u64> {
    system::dirty_bytes()
}

/// Writes back the file system that holds `directory` when more than `below_bytes` are dirty on the machine, or
/// when the system does not tell how many are.
pub fn settle(directory: &Path, below_bytes: u64) -> io::Result<()> {
    if dirty_bytes().is_some_and(|bytes| bytes <= below_bytes) {
        return Ok(());
    }
    system::write_back_file_system(directory)
}

/// Makes the names in `directory` durable (not the data of its files).
pub fn flush_directory(directory: &Path) -> io::Result<()> {
    system::flush_directory(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_settled_file_system_holds_no_dirty_file_of_ours() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("data"), vec![1; 1 << 20]).expect("written");
        flush_directory(folder.path()).expect("a directory");
        settle(folder.path(), 0).expect("a directory");
    }

    #[test]
    fn a_missing_directory_is_named() {
        let missing = Path::new("/no/such/directory");
        let refused = flush_directory(missing).expect_err("nothing there");
        assert!(refused.to_string().contains("/no/such/directory"), "{refused}");
        // So many bytes are never dirty: nothing is done, and nothing is wrong.
        if dirty_bytes().is_some() {
            settle(missing, u64::MAX).expect("nothing to do");
        }
    }
}
