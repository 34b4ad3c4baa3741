//! A small file for trying things out, gone as soon as it is dropped.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use model::{Availability, Setting};

use crate::files::at;

/// A file in a private folder of the directory that a setting names.
pub(crate) struct PrivateFile {
    path: PathBuf,
    folder: PathBuf,
}

/// Tries something out on a private file of `bytes` bytes; `refused` is the sentence before the system's own words.
pub(crate) fn tried_out(
    setting: &Setting,
    bytes: usize,
    refused: &str,
    attempt: impl FnOnce(&PrivateFile) -> io::Result<()>,
) -> Availability {
    let file = match PrivateFile::with_bytes(setting, bytes) {
        Ok(file) => file,
        Err(error) => return Availability::Missing(format!("it could not be tried out: {error}")),
    };
    match attempt(&file) {
        Ok(()) => Availability::Ready,
        Err(error) => Availability::Missing(format!("{refused}: {}", file.without_paths(&error))),
    }
}

impl PrivateFile {
    /// Writes `bytes` bytes that are not zero (a file system may elide zeros) into a new private folder.
    fn with_bytes(setting: &Setting, bytes: usize) -> io::Result<Self> {
        let nowhere = || {
            io::Error::new(
                io::ErrorKind::NotFound,
                "there is no scratch folder for it; 'bakeoff list' says why",
            )
        };
        let directory = setting.directory().ok_or_else(nowhere)?;
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = directory.join(format!(".bakeoff-attempt-{}-{number}", std::process::id()));
        sys::private_folder::create(&folder).map_err(at("create a folder in", directory))?;
        let file = Self { path: folder.join("source"), folder };
        std::fs::write(&file.path, vec![b'b'; bytes]).map_err(at("write", &file.path))?;
        Ok(file)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn absent(&self) -> PathBuf {
        self.folder.join("destination")
    }

    /// An error in words that do not name the private files: they are gone when it is read.
    fn without_paths(&self, error: &io::Error) -> String {
        let mut text = error.to_string();
        for path in [self.path(), &self.absent()] {
            text = text.replace(&format!(" {}", path.display()), "");
        }
        text
    }
}

impl Drop for PrivateFile {
    fn drop(&mut self) {
        // What is left over stands in a folder that only this user may enter.
        std::fs::remove_dir_all(&self.folder).ok();
    }
}
