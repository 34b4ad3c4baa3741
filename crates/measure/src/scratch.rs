//! Private folders for inputs and outputs, removed whatever happens.
//!
//! Each folder has an entry in a register under the user's state directory. The entry is locked while its
//! process lives, so that the next start can tell an orphan (kill -9, power loss) from a folder in use.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rand::RngExt;

/// Every scratch folder's name begins so; nothing else is ever removed.
const PREFIX: &str = ".bakeoff-";
/// A folder without this file inside is not ours, whatever its name.
const MARKER: &str = "this-is-scratch-of-bakeoff";

/// The register of scratch folders.
#[derive(Debug)]
pub struct ScratchRegister {
    folder: PathBuf,
}

impl ScratchRegister {
    /// Opens (and creates) the register in a folder of its own.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Removes the scratch folders of processes that are gone; returns what was removed.
    ///
    /// # Errors
    /// The register cannot be read. A folder that cannot be removed stays registered for the next time.
    pub fn remove_orphans(&self) -> io::Result<Vec<PathBuf>> {
        let mut removed = Vec::new();
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let Ok(mut file) = File::open(entry.path()) else { continue };
            if file.try_lock().is_err() {
                continue;
            }
            // Through this handle: on Windows a lock keeps every other one from reading.
            let mut target = String::new();
            if file.read_to_string(&mut target).is_err() {
                continue;
            }
            let target = PathBuf::from(target);
            if target.as_os_str().is_empty() && is_new(&file) {
                continue;
            }
            if remove_ours(&target).is_ok() {
                let existed = !target.as_os_str().is_empty();
                // Windows refuses to delete a file that is open and locked.
                drop(file);
                fs::remove_file(entry.path()).ok();
                if existed {
                    removed.push(target);
                }
            }
        }
        Ok(removed)
    }

    /// Creates a private folder inside `directory`.
    ///
    /// # Errors
    /// `directory` does not exist or is not writable.
    pub fn create(&self, directory: &Path) -> io::Result<Scratch> {
        let name = format!("{PREFIX}{}-{:016x}", std::process::id(), rand::rng().random::<u64>());
        let parent = dunce::canonicalize(directory)?;
        let path = parent.join(&name);
        let entry_path = self.folder.join(&name);
        let mut entry = File::create_new(&entry_path)?;
        entry.lock()?;
        // Registered before it exists: a kill between the two leaves an entry too many, never a folder.
        entry.write_all(path.to_string_lossy().as_bytes())?;
        let scratch = Scratch { path, entry: Some(entry), entry_path };
        create_private(&parent, &name)?;
        File::create_new(scratch.path.join(MARKER))?;
        Ok(scratch)
    }
}

/// Whether an empty entry may belong to a process that has just made it and not locked it yet.
fn is_new(entry: &File) -> bool {
    const MOMENT: Duration = Duration::from_secs(60);
    let made = entry.metadata().and_then(|entry| entry.modified());
    made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age < MOMENT))
}

/// Creates a folder of exactly this name that only its owner may enter.
fn create_private(parent: &Path, name: &str) -> io::Result<()> {
    let folder = tempfile::Builder::new().prefix(name).rand_bytes(0).tempdir_in(parent)?;
    // From here on the register answers for it.
    let _ = folder.keep();
    Ok(())
}

/// Removes a folder if, and only if, it is one of ours. An absent one is fine.
fn remove_ours(path: &Path) -> io::Result<()> {
    let named = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
    if !named || !path.exists() {
        return Ok(());
    }
    let empty = || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if path.join(MARKER).exists() || empty() {
        fs::remove_dir_all(path)?;
    }
    Ok(())
}

/// A private folder that is removed when this value is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    entry: Option<File>,
    entry_path: PathBuf,
}

impl Scratch {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if remove_ours(&self.path).is_ok() {
            drop(self.entry.take());
            fs::remove_file(&self.entry_path).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn register() -> (tempfile::TempDir, ScratchRegister, PathBuf) {
        let home = tempfile::tempdir().expect("a temporary folder");
        let register = ScratchRegister::open(&home.path().join("state")).expect("a register");
        let data = home.path().join("data");
        fs::create_dir(&data).expect("a data folder");
        (home, register, data)
    }

    #[test]
    fn a_scratch_folder_goes_with_its_value() {
        let (_home, register, data) = register();
        let scratch = register.create(&data).expect("scratch");
        fs::write(scratch.path().join("output"), "x").expect("a file");
        let path = scratch.path().to_owned();
        drop(scratch);
        assert!(!path.exists());
        assert_eq!(fs::read_dir(&register.folder).expect("readable").count(), 0);
    }

    #[test]
    fn a_folder_in_use_is_no_orphan() {
        let (_home, register, data) = register();
        let scratch = register.create(&data).expect("scratch");
        assert_eq!(register.remove_orphans().expect("readable"), Vec::<PathBuf>::new());
        assert!(scratch.path().exists());
    }

    #[test]
    fn the_folder_of_a_process_that_is_gone_is_removed() {
        let (_home, register, data) = register();
        let mut scratch = register.create(&data).expect("scratch");
        let path = scratch.path().to_owned();
        // The lock goes with the process; the entry and the folder stay.
        drop(scratch.entry.take());
        std::mem::forget(scratch);
        assert_eq!(register.remove_orphans().expect("readable"), std::slice::from_ref(&path));
        assert!(!path.exists());
    }

    #[test]
    fn an_entry_that_was_made_this_moment_is_left_to_its_maker() {
        let (_home, register, _data) = register();
        let entry = register.folder.join(".bakeoff-1-0");
        let file = File::create_new(&entry).expect("an entry");
        register.remove_orphans().expect("readable");
        assert!(entry.exists());
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(3600)).expect("an own file");
        // Windows keeps the name of a file that somebody has open.
        drop(file);
        register.remove_orphans().expect("readable");
        assert!(!entry.exists());
    }

    #[test]
    fn a_folder_of_the_user_is_never_removed_even_if_registered() {
        let (_home, register, data) = register();
        for name in ["precious", ".bakeoff-precious"] {
            let precious = data.join(name);
            fs::create_dir(&precious).expect("a folder");
            fs::write(precious.join("thesis"), "years").expect("a file");
            fs::write(register.folder.join(name), precious.to_string_lossy().as_bytes()).expect("an entry");
            register.remove_orphans().expect("readable");
            assert!(precious.join("thesis").exists(), "{name}");
        }
    }

    #[test]
    fn a_missing_directory_is_refused() {
        let (_home, register, data) = register();
        assert!(register.create(&data.join("absent")).is_err());
    }
}
