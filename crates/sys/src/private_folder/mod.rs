//! Folders that only their owner may enter: how they are made, recognised, emptied and written down.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
mod system;

/// Creates a folder that only the user may enter, whatever the umask or the folder around it allow.
/// Errors: something of this name exists, or the folder around it does not exist or is not writable.
pub fn create(path: &Path) -> io::Result<()> {
    system::create(path)
}

/// Makes sure of a folder into which only the user may put something, whatever the umask: makes it, with those around it that
/// are missing, or takes away from one that is there and is this user's what others may do there, should they be allowed to
/// change it. What is another's stays as it is. On Windows a folder that is there is not changed: the list of the folder around
/// it holds.
pub fn create_all(path: &Path) -> io::Result<()> {
    let around = path.parent().filter(|around| !around.as_os_str().is_empty() && !around.is_dir());
    if let Some(around) = around {
        system::create_around(around)?;
    }
    match system::create(path) {
        Err(_) if path.is_dir() => system::close_to_others(path),
        made => made,
    }
}

/// Whether `path` is a folder of this user, and no link to one. An absent one is not.
/// Errors: the system does not say, for a reason other than its absence: on Windows also where the file system keeps no
/// owners.
pub fn is_own_folder(path: &Path) -> io::Result<bool> {
    system::is_own_folder(path)
}

/// Opens a regular file of this user for reading. `None` for all else: links, devices, pipes, files of other users.
/// Never follows a link and never waits for a writer.
/// Errors: the file is there and cannot be opened, or the system does not tell whose it is.
pub fn open_own_file(path: &Path) -> io::Result<Option<File>> {
    system::open_own_file(path)
}

/// The number of the file system that holds `path`; `None` where the system numbers none.
pub fn file_system_number(path: &Path) -> io::Result<Option<u64>> {
    system::file_system_number(path)
}

/// Removes all that is in a folder, except the entry called `kept` at its top. Links are removed, never followed, and
/// what is mounted inside is left alone. Rights and attributes that keep a file from being removed are taken away. Goes
/// on after an error, so that as much as possible is removed. `check_stop` is called before each entry; its error ends the
/// removal.
/// Errors: the first that occurred, with its path, or what `check_stop` said.
pub fn remove_contents(path: &Path, kept: &OsStr, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
    system::remove_contents(path, kept, check_stop)
}

/// Removes the entry `name` of a folder, as [`remove_contents`] would. An absent one is what was wanted.
pub fn remove_entry(folder: &Path, name: &OsStr, check_stop: &dyn Fn() -> io::Result<()>) -> io::Result<()> {
    system::remove_entry(folder, name, check_stop)
}

/// Gives the owner of a folder back the right to enter and change it, whatever a program that worked in it has done. Whose
/// it is, is not asked, since not every file system tells that of what this user has made: see [`is_own_folder`].
pub fn unlock(path: &Path) -> io::Result<()> {
    system::unlock(path)
}

/// A path as bytes, from which [`path_from_bytes`] makes the same path again.
/// Errors: the path cannot be written so: on Windows one that is no Unicode.
pub fn path_to_bytes(path: &Path) -> io::Result<Vec<u8>> {
    system::path_to_bytes(path)
}

/// The path that [`path_to_bytes`] wrote.
pub fn path_from_bytes(bytes: &[u8]) -> io::Result<PathBuf> {
    system::path_from_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_is_created_once_and_belongs_to_its_maker() {
        let home = tempfile::tempdir().expect("a folder");
        let path = home.path().join("private");
        create(&path).expect("a new name");
        assert!(is_own_folder(&path).expect("readable"));
        fs::write(path.join("file"), "x").expect("its owner may write");
        assert_eq!(create(&path).expect_err("it exists").kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn files_are_told_from_folders_and_from_what_is_absent() {
        let home = tempfile::tempdir().expect("a folder");
        let (file, absent) = (home.path().join("file"), home.path().join("absent"));
        fs::write(&file, "x").expect("written");
        assert!(!is_own_folder(&file).expect("readable") && !is_own_folder(&absent).expect("an answer"));
        assert!(open_own_file(&file).expect("readable").is_some());
        assert!(open_own_file(home.path()).expect("an answer").is_none());
        assert!(open_own_file(&absent).expect("an answer").is_none());
    }

    #[test]
    fn contents_are_removed_to_the_last_and_what_is_kept_stays() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(home.path().join("a/b/c")).expect("folders");
        for name in ["marker", "a/file", "a/b/file", "a/b/c/marker"] {
            fs::write(home.path().join(name), "x").expect("written");
        }
        remove_contents(home.path(), OsStr::new("marker"), &|| Ok(())).expect("all is ours");
        let left: Vec<_> = fs::read_dir(home.path()).expect("readable").flatten().collect();
        assert_eq!(left.iter().map(fs::DirEntry::file_name).collect::<Vec<_>>(), ["marker"]);
    }

    #[test]
    fn one_entry_is_removed_with_all_that_is_in_it_and_no_other() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(home.path().join("a/b")).expect("folders");
        fs::write(home.path().join("a/b/file"), "x").expect("written");
        fs::write(home.path().join("b"), "x").expect("written");
        for _ in 0..2 {
            remove_entry(home.path(), OsStr::new("a"), &|| Ok(())).expect("ours, or absent");
        }
        assert!(!home.path().join("a").exists() && home.path().join("b").exists());
    }

    #[test]
    fn a_removal_ends_as_soon_as_it_may_not_go_on() {
        let home = tempfile::tempdir().expect("a folder");
        for folder in ["a/b", "c/d"] {
            fs::create_dir_all(home.path().join(folder)).expect("folders");
            fs::write(home.path().join(folder).join("file"), "x").expect("written");
        }
        let asked = std::cell::Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            match asked.get() {
                1 => Ok(()),
                _ => Err(io::ErrorKind::Interrupted.into()),
            }
        };
        let stopped = remove_contents(home.path(), OsStr::new(""), &stop).expect_err("stopped");
        assert_eq!(stopped.kind(), io::ErrorKind::Interrupted);
        assert!(home.path().join("a/b/file").exists() && home.path().join("c/d/file").exists());
    }

    #[test]
    fn a_path_comes_back_from_its_bytes() {
        let path = Path::new("somewhere").join("with spaces\nand lines").join("grün");
        assert_eq!(path_from_bytes(&path_to_bytes(&path).expect("Unicode")).expect("a path"), path);
    }
}
