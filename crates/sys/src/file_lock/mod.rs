//! Whose turn it is with a file that several processes read, change and replace.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

/// Between two attempts. The lock is held for a few milliseconds at a time.
const PAUSE: Duration = Duration::from_millis(10);

/// The lock of a file. It is given back when it is dropped, or when its process ends in any other way.
#[must_use = "the lock is given back at once"]
pub struct FileLock {
    _held: system::Held,
}

/// Waits for the lock of a file, at most for `patience`. The file need not exist, and may be replaced while the lock is held.
///
/// The lock is a file of its own next to it, `.NAME.lock`, which is removed with the lock. What a killed process left is
/// taken over.
/// Errors: the path names no file, its folder takes no new file, or another process held the lock all the time.
pub fn wait_for(path: &Path, patience: Duration) -> io::Result<FileLock> {
    let lock = path_of_lock(path)?;
    let start = Instant::now();
    loop {
        match system::take(&lock) {
            Ok(held) => return Ok(FileLock { _held: held }),
            Err(error) if is_passing(&error) && start.elapsed() < patience => sleep(PAUSE),
            Err(error) => {
                return Err(crate::failure::in_context(format_args!("lock {}", lock.display()), error));
            }
        }
    }
}

fn is_passing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

/// Another process holds the lock.
fn held_by_another() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "another process holds it")
}

fn path_of_lock(path: &Path) -> io::Result<PathBuf> {
    let no_file = || {
        let text = format!("{} names no file", path.display());
        io::Error::new(io::ErrorKind::InvalidInput, text)
    };
    let mut name = OsString::from(".");
    name.push(path.file_name().ok_or_else(no_file)?);
    name.push(".lock");
    Ok(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).expect("readable").count()
    }

    #[test]
    fn who_comes_second_waits_until_the_first_has_given_the_lock_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let first = wait_for(&path, LONG).expect("the lock");
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
    fn no_change_is_lost_where_several_read_a_file_and_write_it_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(&path, "0").expect("written");
        let add_one = || {
            let _lock = wait_for(&path, LONG).expect("the lock");
            let number: u32 = fs::read_to_string(&path).expect("readable").parse().expect("a number");
            fs::write(&path, (number + 1).to_string()).expect("written");
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|_| add_one()));
            }
        });
        assert_eq!(fs::read_to_string(&path).expect("readable"), "40");
        assert_eq!(names(folder.path()), 1);
    }

    #[test]
    fn who_has_no_patience_is_told_that_another_process_holds_the_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let _lock = wait_for(&path, LONG).expect("the lock");
        let refused = wait_for(&path, Duration::ZERO).err().expect("it is held").to_string();
        assert!(refused.contains(".file.lock: ") && refused.contains("another process"), "{refused}");
    }

    #[test]
    fn what_a_killed_process_left_is_taken_over_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        fs::write(folder.path().join(".file.lock"), "").expect("left behind");
        drop(wait_for(&path, LONG).expect("the lock"));
        assert_eq!(names(folder.path()), 0);
    }

    #[test]
    fn a_lock_in_a_folder_that_does_not_exist_is_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("none").join("file");
        let refused = wait_for(&path, LONG).err().expect("no folder").to_string();
        assert!(refused.contains("none"), "{refused}");
        wait_for(Path::new("/"), LONG).err().expect("no file");
    }
}
