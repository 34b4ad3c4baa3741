//! Windows neither shows what its file cache holds of a file nor drops one on request. Opening it without buffering while no other
//! process has it open is said to purge it: that is done, and never called proven.

use std::fs::OpenOptions;
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use model::Residency;
use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_NO_BUFFERING;

use super::Eviction;
use crate::failure::named;

const HOW: &str = "written back and opened once without buffering, which is said to purge a file; not proven, since \
                   Windows does not show what its file cache holds";

/// Nothing is known of a file that can be opened.
pub fn residency(path: &Path) -> io::Result<Option<Residency>> {
    // The file is opened all the same: a missing one is the caller's mistake on every system.
    OpenOptions::new().read(true).open(path).map(|_| None).map_err(|error| named(path, error))
}

/// Writes the files back, and opens each once without buffering.
pub fn evict(paths: &[PathBuf]) -> io::Result<Eviction> {
    for path in paths {
        purge(path).map_err(|error| named(path, error))?;
    }
    Ok(Eviction { residency: None, proven: false, how: HOW.to_owned() })
}

/// No file system of Windows is the file cache itself.
pub fn lives_in_memory(_path: &Path) -> bool {
    false
}

fn purge(path: &Path) -> io::Result<()> {
    OpenOptions::new().read(true).open(path)?;
    // Flushing takes the right to write. A file that this user may not write has nothing of ours to write back.
    if let Ok(file) = OpenOptions::new().write(true).open(path) {
        file.sync_all()?;
    }
    OpenOptions::new().read(true).custom_flags(FILE_FLAG_NO_BUFFERING).open(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{evict, residency};

    #[test]
    fn an_eviction_is_never_called_proven_and_says_why() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        std::fs::write(&path, [7; 5000]).expect("written");
        assert_eq!(residency(&path).expect("readable"), None);
        let eviction = evict(std::slice::from_ref(&path)).expect("a file of ours");
        assert!(!eviction.proven);
        assert!(eviction.how.contains("not proven"), "{eviction:?}");
        assert_eq!(std::fs::read(&path).expect("still there"), [7; 5000]);
    }
}
