//! A folder and the names in it, read by `FindFirstFileEx`.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::files::at;

/// A folder with its files and folders; links and everything else are left out.
pub(in crate::search) struct Folder {
    path: PathBuf,
    entries: Vec<Entry>,
}

struct Entry {
    name: OsString,
    is_folder: bool,
}

impl Folder {
    pub(in crate::search) fn open(path: PathBuf) -> io::Result<Self> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&path).map_err(at("list", &path))? {
            let entry = entry.map_err(at("list", &path))?;
            // It came with the name: no further call is made.
            let kind = entry.file_type().map_err(at("look at an entry of", &path))?;
            if kind.is_file() || kind.is_dir() {
                entries.push(Entry { name: entry.file_name(), is_folder: kind.is_dir() });
            }
        }
        Ok(Self { path, entries })
    }

    /// Opens a folder of this folder.
    pub(in crate::search) fn inner(&self, nth: usize) -> io::Result<Self> {
        Self::open(self.path_of(nth))
    }

    /// Puts the entries in the byte order of the paths below: a folder counts as its name with `/` behind it.
    pub(in crate::search) fn sort(&mut self) {
        let key = |entry: &Entry| {
            let mut key = entry.name.as_encoded_bytes().to_vec();
            key.extend(entry.is_folder.then_some(b'/'));
            key
        };
        self.entries.sort_by_cached_key(key);
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::search) fn is_folder(&self, nth: usize) -> bool {
        self.entries[nth].is_folder
    }

    pub(in crate::search) fn path_of(&self, nth: usize) -> PathBuf {
        self.path.join(&self.entries[nth].name)
    }

    /// Writes what stands before the lines of a file in an answer.
    pub(in crate::search) fn prefix_into(&self, nth: usize, prefix: &mut Vec<u8>) {
        prefix.clear();
        prefix.extend_from_slice(self.path_of(nth).as_os_str().as_encoded_bytes());
        prefix.push(b':');
    }
}
