//! A bound for what a command writes.

use std::fs::{self, ReadDir};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_with::serde_as;

use super::wire::Text;

/// Between two looks at the file: rare enough to disturb nothing.
pub(super) const TICK_NS: u64 = 100_000_000;
/// Entries of a folder looked at in a tick, which takes some milliseconds: who waits for the command must not be deaf for longer.
const ENTRIES_A_TICK: usize = 5_000;
/// An entry takes at least this much of a disk, whatever its length: files without a byte fill one too.
const LEAST_ENTRY_BYTES: u64 = 4 << 10;

/// A file, or a folder with all that is in it, that a command may let grow only so far. It is looked at ten times a second: a limit of
/// the system would hold for all files, also those in memory.
#[serde_as]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// The file or folder. It need not exist.
    #[serde_as(as = "Text")]
    pub path: PathBuf,
    /// A command that makes it longer is killed. In a folder, every entry counts as 4 KiB at least.
    pub most_bytes: u64,
}

/// A look at what grows. Of a large folder only a part is counted at a time, the next part in the next look.
#[derive(Debug)]
pub struct Watched<'g> {
    growth: &'g Growth,
    /// The folders whose entries are not all counted yet, the innermost last.
    open: Vec<ReadDir>,
    counted_bytes: u64,
}

impl<'g> Watched<'g> {
    /// Returns a first look.
    pub fn new(growth: &'g Growth) -> Self {
        Self { growth, open: Vec::new(), counted_bytes: 0 }
    }

    /// Returns whether it is too long, as far as this look has come.
    pub fn is_exceeded(&mut self) -> bool {
        let Ok(seen) = self.growth.path.symlink_metadata() else { return false };
        if seen.is_dir() { self.count_on() } else { seen.is_file() && seen.len() > self.growth.most_bytes }
    }

    /// Counts some more entries of the folder, from its beginning once all are counted. What cannot be read is left out.
    fn count_on(&mut self) -> bool {
        if self.open.is_empty() {
            self.counted_bytes = 0;
            self.open.extend(fs::read_dir(&self.growth.path));
        }
        for _ in 0..ENTRIES_A_TICK {
            let Some(folder) = self.open.last_mut() else { break };
            let Some(entry) = folder.next() else {
                self.open.pop();
                continue;
            };
            let Ok(entry) = entry else { continue };
            let Ok(seen) = entry.metadata() else { continue };
            let bytes = if seen.is_file() { seen.len() } else { 0 };
            self.counted_bytes = self.counted_bytes.saturating_add(bytes.max(LEAST_ENTRY_BYTES));
            if self.counted_bytes > self.growth.most_bytes {
                return true;
            }
            if seen.is_dir() {
                self.open.extend(fs::read_dir(entry.path()));
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_as_long_as_all_that_is_in_it() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("output");
        fs::create_dir_all(path.join("a/b")).expect("folders");
        fs::write(path.join("a/b/file"), vec![1; 100_000]).expect("written");
        fs::write(path.join("file"), vec![1; 100_000]).expect("written");
        let absent = home.path().join("absent");
        // Two folders take their share.
        for (path, most_bytes, expected) in
            [(&path, 208_191, true), (&path, 208_192, false), (&absent, 0, false)]
        {
            let growth = Growth { path: path.clone(), most_bytes };
            assert_eq!(Watched::new(&growth).is_exceeded(), expected, "{growth:?}");
        }
    }

    #[test]
    fn empty_files_fill_a_folder_and_large_ones_take_several_looks() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("output");
        fs::create_dir(&path).expect("a folder");
        let files = 2 * ENTRIES_A_TICK as u64 + 1;
        (0..files).for_each(|nth| drop(fs::File::create_new(path.join(nth.to_string())).expect("made")));
        let exact = Growth { path: path.clone(), most_bytes: files * LEAST_ENTRY_BYTES };
        let mut watched = Watched::new(&exact);
        // Counted twice, and not added up.
        assert!((0..6).all(|_| !watched.is_exceeded()));
        let less = Growth { most_bytes: exact.most_bytes - 1, ..exact.clone() };
        let mut watched = Watched::new(&less);
        assert_eq!([(); 3].map(|()| watched.is_exceeded()), [false, false, true]);
    }
}
