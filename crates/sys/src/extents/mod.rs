//! Whether a file owns its blocks.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::failure::named;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::is_linked;

/// Whether any part of the file is stored in blocks that another file uses too (reflink, block clone).
///
/// `None` when the file system does not say.
pub fn shared(path: &Path) -> io::Result<Option<bool>> {
    let file = File::open(path).map_err(|error| named(path, error))?;
    let mut start = 0;
    loop {
        let Some(seen) = system::look(&file, start).map_err(|error| named(path, error))? else {
            return Ok(None);
        };
        match seen.next {
            Some(next) if !seen.is_shared => start = next,
            _ => return Ok(Some(seen.is_shared)),
        }
    }
}

/// What some of the extents of a file have shown.
struct Seen {
    is_shared: bool,
    /// Where the others begin.
    next: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_name_makes_a_file_linked() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "bytes").expect("written");
        assert!(!is_linked(&file).expect("a file"));
        std::fs::hard_link(&file, &link).expect("a link");
        assert!(is_linked(&file).expect("a file") && is_linked(&link).expect("a file"));
        std::fs::remove_file(&link).expect("removed");
        assert!(!is_linked(&file).expect("a file"));
        assert!(is_linked(&link).is_err());
    }

    #[test]
    fn a_file_that_was_just_written_shares_nothing() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), vec![7; 100_000]).expect("written");
        assert_ne!(shared(file.path()).expect("readable"), Some(true));
    }

    #[test]
    fn a_missing_file_is_an_error_with_its_name() {
        let refused = shared(Path::new("/no/such/file")).expect_err("nothing there");
        assert!(refused.to_string().contains("/no/such/file"), "{refused}");
    }
}
