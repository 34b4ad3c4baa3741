//! A file that has no name until it is whole: of who is killed while it is written, nothing is left.

use std::fs::File;
use std::io;
use std::path::Path;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// A file to write, on the volume of this folder and with the rights of any new file. `None` where the system or the file
/// system knows none without a name, and where the folder takes no new file.
pub fn create(folder: &Path) -> Option<File> {
    system::create(folder)
}

/// Gives such a file its name.
///
/// # Errors
/// Something stands there already, or the folder takes no new file.
pub fn give_name(file: &File, path: &Path) -> io::Result<()> {
    system::give_name(file, path)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_seen_when_it_has_its_name_and_replaces_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(mut file) = create(folder.path()) else { return };
        file.write_all(b"whole").expect("written");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        let (path, usual) = (folder.path().join("named"), folder.path().join("usual"));
        give_name(&file, &path).expect("a name");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "whole");
        let refused = give_name(&file, &path).expect_err("something stands there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        fs::write(&usual, "").expect("written");
        let rights = |path: &Path| fs::metadata(path).expect("a file").permissions().mode();
        assert_eq!(rights(&path), rights(&usual));
    }

    #[test]
    fn where_no_folder_is_there_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(create(&folder.path().join("none")).is_none());
    }
}
