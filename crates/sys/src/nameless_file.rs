//! A file that has no name until it is whole: a kill while it is written leaves nothing.

use std::fs::File;
use std::io;
use std::path::Path;

/// Returns a file to write on the volume of this folder. `None` where the file system knows none without a name or takes no new file.
#[cfg(target_os = "linux")]
pub fn create(folder: &Path) -> Option<File> {
    use std::os::unix::fs::OpenOptionsExt;
    File::options().write(true).custom_flags(libc::O_TMPFILE).open(folder).ok()
}

/// Gives such a file its name. Errors: something stands there already, or the folder takes no new file.
#[cfg(target_os = "linux")]
pub fn give_name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    // By its descriptor itself (AT_EMPTY_PATH) only root may name it on most kernels.
    let unnamed = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file));
    Ok(linkat(CWD, unnamed, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Returns nothing: files have names from the start.
#[cfg(windows)]
pub fn create(_folder: &Path) -> Option<File> {
    None
}

/// Refuses: there is no such file.
#[cfg(windows)]
pub fn give_name(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
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
        let mut file = create(folder.path()).expect("a file without a name where temporary files go");
        file.write_all(b"whole").expect("written");
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0);
        let (path, usual) = (folder.path().join("named"), folder.path().join("usual"));
        give_name(&file, &path).expect("a name");
        assert_eq!(fs::read_to_string(&path).expect("readable"), "whole");
        let refused = give_name(&file, &path).expect_err("something stands there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        fs::write(&usual, "").expect("written");
        let [own, others] =
            [&path, &usual].map(|path| fs::metadata(path).expect("a file").permissions().mode());
        assert_eq!(own, others);
        assert!(create(&folder.path().join("none")).is_none());
    }
}
