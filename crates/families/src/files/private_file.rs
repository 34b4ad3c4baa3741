//! Files in private folders: copies of the user's own, and small ones for trying things out, gone when they are dropped.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use model::{Availability, Setting, Workload};

use super::{at, made_privately};

/// Returns the workload over one regular file: its name, its size, its path.
pub(crate) fn workload_of_one(family: &str, files: &[PathBuf]) -> Result<Workload, String> {
    let [file] = files else {
        return Err(format!("the family {family} works on one file, and {} were named", files.len()));
    };
    let shown = file.display();
    let found = fs::metadata(file).map_err(|error| format!("{shown}: {error}"))?;
    if !found.is_file() {
        let what = if found.is_dir() { "is a directory" } else { "is no regular file" };
        return Err(format!("{shown} {what}; the family {family} works on one file"));
    }
    File::open(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    Ok(Workload { files: vec![file.clone()], ..Workload::of_bytes(name, found.len()) })
}

/// Makes the private copy, for this user alone.
pub(crate) fn copy_in(original: &Path, copy: &Path, bytes: u64) -> io::Result<()> {
    let copied = copy_into(original, made_privately(copy, original)?, bytes)?;
    if copied == bytes { Ok(()) } else { Err(changed(original, "it", bytes, copied)) }
}

/// Copies at most one byte more than there should be: enough to see that there are more, also of a file without an end.
pub(crate) fn copy_into(original: &Path, mut to: File, bytes: u64) -> io::Result<u64> {
    let mut from = File::open(original).map_err(at("open", original))?.take(bytes.saturating_add(1));
    io::copy(&mut from, &mut to).map_err(at("copy", original))
}

/// Returns the error about an original whose size has changed, alone or with others.
pub(crate) fn changed(original: &Path, what: &str, bytes: u64, copied: u64) -> io::Error {
    let now = if copied > bytes { format!("more than {bytes}") } else { copied.to_string() };
    let sentence = format!(
        "{what} had {bytes} bytes before and {now} when copied; let no program change what is copied"
    );
    at("copy", original)(io::Error::new(io::ErrorKind::InvalidData, sentence))
}

pub(crate) struct PrivateFile {
    path: PathBuf,
    folder: PathBuf,
}

/// Tries something out on a private file of `bytes` bytes; errors begin with `refused`.
pub(crate) fn tried_out(
    setting: &Setting, bytes: usize, refused: &str, attempt: impl FnOnce(&PrivateFile) -> io::Result<()>,
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
        let nowhere = "there is no scratch folder for it; 'bakeoff list' says why";
        let directory =
            setting.directory().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, nowhere))?;
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

    /// Returns the error without the names of the private files: they are gone when it is read.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_user_gives_a_workload_of_its_name_and_size() {
        let (folder, file) = crate::testing::scratch_with("letters", "12345");
        let workload = workload_of_one("copy", std::slice::from_ref(&file)).expect("a file");
        assert_eq!((workload.name.as_str(), workload.bytes()), ("letters", Some(5)));
        assert_eq!(workload.files, std::slice::from_ref(&file));
        let copy = folder.path().join("copy");
        copy_in(&file, &copy, 5).expect("copied");
        assert_eq!(fs::read(&copy).expect("readable"), b"12345");
        let changed = copy_in(&file, &copy, 4).expect_err("another size").to_string();
        assert!(changed.contains("letters"), "{changed}");
        assert!(changed.contains("4 bytes before and more than 4"), "{changed}");
    }

    #[test]
    fn what_is_no_single_readable_file_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("scratch");
        let refused = |files: &[PathBuf]| workload_of_one("copy", files).expect_err("no file");
        let absent = folder.path().join("absent");
        assert!(refused(std::slice::from_ref(&absent)).contains("absent"));
        assert!(refused(&[folder.path().to_owned()]).contains("is a directory"));
        assert!(refused(&[absent.clone(), absent]).contains("2 were named"));
    }
}
