//! The lock of a file that several processes read, change and replace.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Between two attempts. The lock is held for a few milliseconds at a time.
const PAUSE: Duration = Duration::from_millis(10);

/// The lock of a file. It is given back when it is dropped, or when its process ends in any other way.
#[must_use = "the lock is given back at once"]
pub struct FileLock {
    /// Locked as long as it is open.
    _file: File,
    path: PathBuf,
}

/// Waits for the lock of a file, at most for `patience`. The lock is a file next to it, `.NAME.lock`, so that the file may be absent or
/// replaced; it is removed with the lock, and one that a killed process left is taken over.
/// Errors: the path names no file, its folder takes no new file, or another process held the lock all the time.
pub fn wait_for(path: &Path, patience: Duration) -> io::Result<FileLock> {
    let path = path_of_lock(path)?;
    let start = Instant::now();
    loop {
        match take(&path) {
            Ok(file) => return Ok(FileLock { _file: file, path }),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && start.elapsed() < patience => {}
            Err(error) => {
                return Err(crate::failure::in_context(format_args!("lock {}", path.display()), error));
            }
        }
        sleep(PAUSE);
    }
}

fn held_by_another() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "another process holds it")
}

fn path_of_lock(path: &Path) -> io::Result<PathBuf> {
    let Some(own) = path.file_name() else {
        let text = format!("{} names no file", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    };
    Ok(path.with_file_name([OsStr::new("."), own, OsStr::new(".lock")].into_iter().collect::<OsString>()))
}

/// Takes the lock by `flock`, and looks whether the file that was locked still stands there.
#[cfg(target_os = "linux")]
fn take(path: &Path) -> io::Result<File> {
    use std::fs::TryLockError;
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

    // What the system says of a link is that there are too many, and of a FIFO that there is no device.
    let no_file =
        || io::Error::other("what stands there is no regular file, and so no lock of bakeoff; remove it");
    // Neither through a link nor waiting for who reads from a FIFO. On NFS only a file that is open for writing can be locked.
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    let file = options.open(path).map_err(|error| match path.symlink_metadata() {
        Ok(there) if !there.is_file() => no_file(),
        _ => error,
    })?;
    if !file.metadata()?.is_file() {
        return Err(no_file());
    }
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(held_by_another()),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    // Who held it before may have removed it between the two calls: then the next one makes another, and locks that.
    let locked = file.metadata()?;
    match path.symlink_metadata() {
        Ok(there) if (there.dev(), there.ino()) == (locked.dev(), locked.ino()) => Ok(file),
        _ => Err(held_by_another()),
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        give_back(&self.path);
    }
}

/// Removes the file before the lock is given back: later it could be that of the next one. Where it stays, the next one takes it over.
#[cfg(target_os = "linux")]
fn give_back(path: &Path) {
    let _ = std::fs::remove_file(path);
}

/// Does nothing: the system deletes the file when it is closed.
#[cfg(windows)]
fn give_back(_: &Path) {}

/// Returns a file that no other process may open meanwhile, and that the system deletes when it is closed.
#[cfg(windows)]
fn take(path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    use windows_sys::Win32::Foundation as codes;
    use windows_sys::Win32::Storage::FileSystem::{
        FILE_ATTRIBUTE_HIDDEN, FILE_FLAG_DELETE_ON_CLOSE, FILE_FLAG_OPEN_REPARSE_POINT,
    };

    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).share_mode(0);
    // The link itself, were there one, and not what it leads to: the file is deleted when it is closed.
    options
        .attributes(FILE_ATTRIBUTE_HIDDEN)
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE | FILE_FLAG_OPEN_REPARSE_POINT);
    options.open(path).map_err(|error| match error.raw_os_error().map(i32::cast_unsigned) {
        Some(codes::ERROR_SHARING_VIOLATION) => held_by_another(),
        // What is said of a file that is just being deleted, and of a folder that takes no file.
        Some(codes::ERROR_DELETE_PENDING | codes::ERROR_ACCESS_DENIED) => {
            io::Error::new(io::ErrorKind::WouldBlock, error.to_string())
        }
        _ => error,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn place() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        (folder, path)
    }

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).expect("readable").count()
    }

    #[test]
    fn who_comes_second_waits_until_the_lock_is_given_back() {
        let (folder, path) = place();
        let first = wait_for(&path, LONG).expect("the lock");
        let refused = wait_for(&path, Duration::ZERO).err().expect("it is held").to_string();
        assert!(refused.contains(".file.lock: ") && refused.contains("another process"), "{refused}");
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let second = scope.spawn(|| {
                let _lock = wait_for(&path, LONG).expect("the lock");
                is_over.load(Ordering::SeqCst)
            });
            sleep(3 * PAUSE);
            is_over.store(true, Ordering::SeqCst);
            drop(first);
            assert!(second.join().expect("a thread"));
        });
        assert_eq!(names(folder.path()), 0, "nothing is left behind");
    }

    #[test]
    fn no_change_is_lost_where_several_rewrite_a_file() {
        let (folder, path) = place();
        fs::write(&path, "0").expect("written");
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let _lock = wait_for(&path, LONG).expect("the lock");
                        let text = fs::read_to_string(&path).expect("readable");
                        let number: u32 = text.parse().expect("a number");
                        fs::write(&path, (number + 1).to_string()).expect("written");
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&path).expect("readable"), "40");
        assert_eq!(names(folder.path()), 1);
    }

    #[test]
    fn what_a_killed_process_left_is_taken_over_and_removed() {
        let (folder, path) = place();
        fs::write(folder.path().join(".file.lock"), "").expect("left behind");
        drop(wait_for(&path, LONG).expect("the lock"));
        assert_eq!(names(folder.path()), 0);
    }

    #[test]
    fn a_lock_in_a_folder_that_does_not_exist_is_refused_at_once() {
        let (folder, _) = place();
        let path = folder.path().join("none").join("file");
        let refused = wait_for(&path, LONG).err().expect("no folder").to_string();
        assert!(refused.contains("none"), "{refused}");
        wait_for(Path::new("/"), LONG).err().expect("no file");
    }

    /// At once although there is patience; whatever stands in the place of the lock is still there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_folder_or_fifo_as_a_lock_is_refused_and_kept() {
        use std::os::unix::fs::symlink;

        use rustix::fs::{CWD, FileType, Mode};

        let (folder, path) = place();
        let (lock, other) = (folder.path().join(".file.lock"), folder.path().join("other"));
        let assert_refused = || {
            let refused = wait_for(&path, Duration::MAX).err().expect("no lock").to_string();
            assert!(refused.contains(".file.lock: what stands there is no regular file"), "{refused}");
            assert!(lock.symlink_metadata().is_ok(), "{refused}");
        };
        fs::write(&other, "kept").expect("written");
        for target in [other.as_path(), &folder.path().join("absent"), Path::new("/dev/null"), &lock] {
            symlink(target, &lock).expect("a link");
            assert_refused();
            assert!(!folder.path().join("absent").exists(), "the link was followed");
            fs::remove_file(&lock).expect("an own link");
        }
        assert_eq!(fs::read_to_string(&other).expect("a text"), "kept");
        fs::create_dir(&lock).expect("a folder");
        assert_refused();
        fs::remove_dir(&lock).expect("an own folder");
        rustix::fs::mknodat(CWD, &lock, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a FIFO");
        assert_refused();
        // Open for both, as it can be without a writer.
        let _reader = File::options().read(true).write(true).open(&lock).expect("an own FIFO");
        assert_refused();
    }
}
