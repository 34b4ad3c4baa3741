//! A small file for trying things out, gone as soon as it is dropped.

use std::io;
use std::path::{Path, PathBuf};

use model::Setting;
use tempfile::TempDir;

use crate::files::at;

/// A file in a private folder of the directory that a setting names.
pub(crate) struct PrivateFile {
    path: PathBuf,
    folder: TempDir,
}

impl PrivateFile {
    /// Writes `bytes` bytes that are not zero (a file system may elide zeros) into a new private folder.
    pub(crate) fn with_bytes(setting: &Setting, bytes: usize) -> io::Result<Self> {
        let directory = &setting.directory;
        let folder = tempfile::Builder::new()
            .prefix(".bakeoff-attempt-")
            .tempdir_in(directory)
            .map_err(at("create a folder in", directory))?;
        let path = folder.path().join("source");
        std::fs::write(&path, vec![b'b'; bytes]).map_err(at("write", &path))?;
        Ok(Self { path, folder })
    }

    /// The file that was written.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A path beside it where no file stands.
    pub(crate) fn absent(&self) -> PathBuf {
        self.folder.path().join("destination")
    }
}
