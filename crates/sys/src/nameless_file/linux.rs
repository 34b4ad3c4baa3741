//! `O_TMPFILE` and `linkat`.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, linkat};

pub(super) fn create(folder: &Path) -> Option<File> {
    OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open(folder).ok()
}

pub(super) fn give_name(file: &File, path: &Path) -> io::Result<()> {
    // By its descriptor itself (AT_EMPTY_PATH) only root may name it on most kernels.
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_seen_when_it_has_its_name_and_replaces_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut file = create(folder.path()).expect("a file without a name where temporary files go");
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
