//! The part of a file that the file cache holds, and how to make that nothing or all.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use model::Residency;

use crate::failure::named;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{evict, lives_in_memory, residency};

/// The result of an attempt to drop files from the file cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Eviction {
    /// Pages of all the files together that are still resident; `None` when the system does not say.
    pub residency: Option<Residency>,
    /// The files are known to be out of the cache: at most one page in a thousand is left.
    pub proven: bool,
    /// The way in which it was done and checked, or the reason why it is not proven, in a sentence.
    pub how: String,
}

/// Reads the whole file, so that it is in the file cache (as far as it fits). `check_stop` is called before each piece.
pub fn load(path: &Path, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
    let mut file = File::open(path).map_err(|error| named(path, error))?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        check_stop()?;
        if file.read(&mut buffer).map_err(|error| named(path, error))? == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn a_missing_file_is_named() {
        let missing = PathBuf::from("/no/such/file");
        let loaded = load(&missing, &|| Ok(()));
        for refused in [evict(&[missing]).map(drop), loaded] {
            let refused = refused.expect_err("nothing there").to_string();
            assert!(refused.contains("/no/such/file"), "{refused}");
        }
    }
}
