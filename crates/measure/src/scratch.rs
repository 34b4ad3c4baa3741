//! Private folders for inputs and outputs, removed whatever happens. Each has an entry in a register under the user's state
//! directory, locked while its process lives: by that the next start knows an orphan (kill -9, power loss). A folder is emptied
//! first; then its marker goes, the folder and the entry, so that the next start can go on wherever a removal was interrupted.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sys::file_lock::{self, FileLock};
use sys::private_folder;

use crate::error::MeasureError;
use crate::stop::{LIMIT_NS, check_stop};

/// The beginning of every scratch folder's name; see [`name_of`].
const PREFIX: &str = ".bakeoff-";
/// A folder without this file inside is not ours, whatever its name.
const MARKER: &str = "this-is-scratch-of-bakeoff";
/// No entry is longer: a path, and the number of a file system.
const LONGEST_ENTRY_BYTES: u64 = 64 << 10;
/// An entry is made in less than a millisecond; who waits longer for its turn finds out that a process was stopped meanwhile.
const PATIENCE: Duration = Duration::from_secs(5);

/// The register of scratch folders.
#[derive(Debug, Clone)]
pub struct ScratchRegister {
    folder: PathBuf,
    in_use: Arc<Mutex<Vec<PathBuf>>>,
}

/// The scratch folders of processes that are gone.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Orphans {
    /// These were removed.
    pub removed: Vec<PathBuf>,
    /// These are still there, each with the reason.
    pub kept: Vec<(PathBuf, String)>,
}

impl ScratchRegister {
    /// Opens (and creates) the register in a folder of its own. Other users may not write there: they could remove entries, and
    /// what a killed process left would never be found.
    pub fn open(folder: &Path) -> io::Result<Self> {
        private_folder::create_all(folder)?;
        Ok(Self { folder: folder.to_owned(), in_use: Arc::default() })
    }

    /// Returns the scratch folders of this process that are not removed yet.
    pub fn in_use(&self) -> Vec<PathBuf> {
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Removes the scratch folders of processes that are gone. What cannot be removed stays registered for the next time. What is
    /// no regular file of this user, or has a name that this program gives to none, is left alone.
    pub fn remove_orphans(&self) -> io::Result<Orphans> {
        let mut orphans = Orphans::default();
        // The lock of a process that was killed during its turn goes with this one.
        drop(self.turn(Duration::ZERO));
        for entry in fs::read_dir(&self.folder)?.flatten() {
            if !is_own_name(&entry.file_name()) {
                continue;
            }
            let Ok(Some(file)) = private_folder::open_own_file(&entry.path()) else { continue };
            if file.try_lock().is_err() {
                continue;
            }
            // Through this handle: on Windows a lock keeps every other one from reading.
            let Ok(text) = contents(&file) else { continue };
            if text.is_empty() {
                drop(file);
                self.forget_unwritten(&entry.path());
                continue;
            }
            // `None`: killed while it wrote where its folder would be; or no entry that this program writes.
            if let Some(registered) = Registered::read(&text, &entry.file_name()) {
                match registered.remove(&check_stop(&AtomicBool::new(false), LIMIT_NS)) {
                    Ok(Removal::Done) => orphans.removed.push(registered.path),
                    Ok(Removal::Absent) => {}
                    // It may come back after years; until then an entry costs one small file, and there is nothing to say.
                    Ok(Removal::VolumeAway) => continue,
                    Err(error) => {
                        orphans.kept.push((registered.path, error.to_string()));
                        continue;
                    }
                }
            }
            // Windows refuses to delete a file that is open and locked.
            drop(file);
            fs::remove_file(entry.path()).ok();
        }
        Ok(orphans)
    }

    /// Creates a private folder inside `directory`. An error says whether it or the register cannot be written.
    pub fn create(&self, directory: &Path) -> Result<Scratch, MeasureError> {
        let what = format!("a scratch folder cannot be made in {}", directory.display());
        let name = name_of(std::process::id(), sys::random::draw());
        let registered = Registered::new(directory, &name).map_err(MeasureError::io(&*what))?;
        let text = registered.text().map_err(MeasureError::io(&*what))?;
        // Registered before it exists: a kill between the two leaves an entry too many, never a folder.
        let entry_path = self.folder.join(&name);
        let entry = self.write_entry(&entry_path, &text).map_err(|error| {
            fs::remove_file(&entry_path).ok();
            let folder = self.folder.display();
            let what = format!("scratch folders are registered in {folder}, which cannot be written");
            MeasureError::io(what)(error)
        })?;
        let mut scratch =
            Scratch { registered, entry: Some(entry), entry_path, in_use: Arc::clone(&self.in_use) };
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner).push(scratch.path().to_owned());
        private_folder::create(scratch.path()).map_err(MeasureError::io(&*what))?;
        // Before anything else can fail: it has to be removed then, too.
        scratch.registered.has_owner = private_folder::is_own_folder(scratch.path()).unwrap_or(false);
        File::create_new(scratch.path().join(MARKER)).map_err(MeasureError::io(&*what))?;
        Ok(scratch)
    }

    /// Returns a new entry, locked for as long as the file is open.
    fn write_entry(&self, path: &Path, text: &[u8]) -> io::Result<File> {
        let _turn = self.turn(PATIENCE)?;
        let mut entry = File::create_new(path)?;
        entry.lock()?;
        entry.write_all(text)?;
        Ok(entry)
    }

    /// Removes an entry without a text unless it is being made now: its maker has a turn until it is locked and written.
    fn forget_unwritten(&self, path: &Path) {
        let Ok(_turn) = self.turn(Duration::ZERO) else { return };
        let Ok(Some(file)) = private_folder::open_own_file(path) else { return };
        if file.try_lock().is_ok() && contents(&file).is_ok_and(|text| text.is_empty()) {
            // Windows refuses to delete a file that is open and locked.
            drop(file);
            fs::remove_file(path).ok();
        }
    }

    /// One process at a time makes an entry.
    fn turn(&self, patience: Duration) -> io::Result<FileLock> {
        file_lock::wait_for(&self.folder.join("register"), patience)
    }
}

/// Returns the name of a scratch folder and of its entry: of the process that makes it, and a number that cannot be guessed.
fn name_of(process: u32, drawn: u64) -> String {
    format!("{PREFIX}{process}-{drawn:016x}")
}

/// Returns whether a name is one that [`name_of`] gives, to the letter.
fn is_own_name(name: &OsStr) -> bool {
    let parts = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
    parts.is_some_and(|(process, drawn)| {
        let numbers = process.parse().ok().zip(u64::from_str_radix(drawn, 16).ok());
        numbers.is_some_and(|(process, drawn)| name == name_of(process, drawn).as_str())
    })
}

fn contents(file: &File) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    file.take(LONGEST_ENTRY_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// A folder as its entry reports it: its path and, after a zero byte, the number of the file system that it was made on.
#[derive(Debug)]
struct Registered {
    path: PathBuf,
    file_system: Option<u64>,
    /// The folder has to belong to this user. False where this very process made it and its file system reports another
    /// owner all the same, or none: a FAT volume, a server that knows the user under another identity.
    has_owner: bool,
}

/// How a removal ended that met no error.
#[derive(Debug, PartialEq, Eq)]
enum Removal {
    Done,
    Absent,
    /// The folder around it is not there, or on another file system than it was.
    VolumeAway,
}

impl Registered {
    fn new(directory: &Path, name: &str) -> io::Result<Self> {
        let parent = dunce::canonicalize(directory)?;
        let file_system = private_folder::file_system_number(&parent)?;
        Ok(Self { path: parent.join(name), file_system, has_owner: true })
    }

    fn text(&self) -> io::Result<Vec<u8>> {
        let mut text = private_folder::path_to_bytes(&self.path)?;
        if let Some(number) = self.file_system {
            text.push(0);
            text.extend(number.to_string().bytes());
        }
        Ok(text)
    }

    /// `None` unless the path is as [`ScratchRegister::create`] makes it: whole, without detours, ending in the entry's name.
    fn read(text: &[u8], entry: &OsStr) -> Option<Self> {
        let mut parts = text.splitn(2, |&byte| byte == 0);
        let bytes = parts.next()?;
        let path = private_folder::path_from_bytes(bytes).ok()?;
        let file_system = parts.next().and_then(|number| std::str::from_utf8(number).ok()?.parse().ok());
        let straight =
            path.components().all(|part| !matches!(part, Component::CurDir | Component::ParentDir));
        // Components drop a trailing slash and `/.`; what is put together from them must be what was written.
        let rebuilt: PathBuf = path.components().collect();
        let same = rebuilt.as_os_str() == path.as_os_str();
        let ours = path.is_absolute() && straight && same && path.file_name() == Some(entry);
        ours.then_some(Self { path, file_system, has_owner: true })
    }

    /// Removes the folder if, and only if, it is one of ours.
    fn remove(&self, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<Removal> {
        use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
        let path = &self.path;
        match path.symlink_metadata() {
            // It is absent, stands below what has become a file, or has a name that no file has.
            Err(error) if matches!(error.kind(), NotFound | NotADirectory | InvalidFilename) => {
                return Ok(self.absent());
            }
            Err(error) => return Err(error),
            Ok(_) => {}
        }
        if self.has_owner && !private_folder::is_own_folder(path)? {
            return Err(foreign());
        }
        // A program that worked in it may have closed it.
        private_folder::unlock(path)?;
        let is_marked = path.join(MARKER).symlink_metadata().is_ok_and(|marker| marker.is_file());
        if !is_marked && !fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()) {
            return Err(foreign());
        }
        private_folder::remove_contents(path, OsStr::new(MARKER), check_stop)?;
        private_folder::remove_entry(path, OsStr::new(MARKER), check_stop)?;
        if let Err(error) = fs::remove_dir(path) {
            // Something was put into it meanwhile: without its marker no later start would remove it.
            File::create_new(path.join(MARKER)).ok();
            return Err(error);
        }
        Ok(Removal::Done)
    }

    fn absent(&self) -> Removal {
        match self.path.parent().map(private_folder::file_system_number) {
            Some(Ok(number)) if number == self.file_system || self.file_system.is_none() => Removal::Absent,
            _ => Removal::VolumeAway,
        }
    }
}

fn foreign() -> io::Error {
    io::Error::other(
        "it is not as bakeoff left it; look inside, and remove it yourself if you do not need it",
    )
}

/// A private folder that is removed when this value is dropped.
#[derive(Debug)]
pub struct Scratch {
    registered: Registered,
    /// `None` once its removal was tried.
    entry: Option<File>,
    entry_path: PathBuf,
    in_use: Arc<Mutex<Vec<PathBuf>>>,
}

impl Scratch {
    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.registered.path
    }

    /// Removes it now, unless an error of `check_stop` ends that. What is left stays registered; the next start tries again.
    pub fn remove(mut self, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
        self.try_to_remove(check_stop)
    }

    fn try_to_remove(&mut self, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
        // With its entry's lock, so that no other process removes it at the same time.
        let entry = self.entry.take();
        match self.registered.remove(check_stop)? {
            Removal::VolumeAway => return Err(io::Error::other("its volume is not mounted")),
            Removal::Done | Removal::Absent => {}
        }
        drop(entry);
        fs::remove_file(&self.entry_path).ok();
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| path != self.path());
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.entry.is_some() {
            self.try_to_remove(&|| Ok(())).ok();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
