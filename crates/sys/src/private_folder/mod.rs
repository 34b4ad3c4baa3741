//! Folders that only their owner may enter.

use std::io;
use std::path::Path;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
mod system;

pub use system::{
    create, file_system_number, is_own_folder, open_own_file, path_from_bytes, path_to_bytes,
    remove_contents, remove_entry, unlock,
};

/// Makes sure of a folder into which only the user may put something, whatever the umask: makes it, with those around it that are
/// missing, or closes one of this user's to others. What is another's stays as it is. On Windows a folder that is there is not
/// changed: the list of the folder around it holds.
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

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_is_created_once_and_files_are_none() {
        let home = tempfile::tempdir().expect("a folder");
        let (path, absent) = (home.path().join("private"), home.path().join("absent"));
        let file = path.join("file");
        create(&path).expect("a new name");
        fs::write(&file, "x").expect("its owner may write");
        assert_eq!(create(&path).expect_err("it exists").kind(), io::ErrorKind::AlreadyExists);
        for (path, is_folder, is_file) in
            [(&path, true, false), (&file, false, true), (&absent, false, false)]
        {
            assert_eq!(is_own_folder(path).expect("an answer"), is_folder, "{}", path.display());
            assert_eq!(open_own_file(path).expect("an answer").is_some(), is_file, "{}", path.display());
        }
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
        let removed = remove_contents(home.path(), OsStr::new(""), &|| match asked.replace(1) {
            0 => Ok(()),
            _ => Err(io::ErrorKind::Interrupted.into()),
        });
        assert_eq!(removed.expect_err("stopped").kind(), io::ErrorKind::Interrupted);
        assert!(home.path().join("a/b/file").exists() && home.path().join("c/d/file").exists());
    }

    #[test]
    fn a_path_comes_back_from_its_bytes() {
        let path = Path::new("somewhere").join("with spaces\nand lines").join("grün");
        assert_eq!(path_from_bytes(&path_to_bytes(&path).expect("Unicode")).expect("a path"), path);
    }
}
