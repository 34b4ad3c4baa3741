//! Where a command's program stands, found before the clock starts: otherwise its first step would be to try `execve` in one
//! folder of `PATH` after the other, and a longer `PATH` would be a longer time.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::process::Launch;

/// The file that the system will run for this program; `None` for a path, and where only the system can tell.
pub(super) fn file_of(program: &OsStr, launch: &Launch) -> Option<PathBuf> {
    let own = launch.environment.iter().rev().find(|(name, _)| name == "PATH");
    let folders = own.map_or_else(|| std::env::var_os("PATH"), |(_, folders)| Some(folders.clone()))?;
    found(program, &folders, launch.directory.as_deref())
}

/// Looks for a name as execvp(3) does: an empty entry is the current folder, and what cannot be run is passed over. Relative
/// entries are seen from the folder in which the command will run.
fn found(program: &OsStr, folders: &OsString, directory: Option<&Path>) -> Option<PathBuf> {
    if program.is_empty() || program.as_bytes().contains(&b'/') {
        return None;
    }
    let entries = folders.as_bytes().split(|&byte| byte == b':').map(OsStr::from_bytes);
    let mut files =
        entries.map(|entry| if entry.is_empty() { Path::new(".") } else { Path::new(entry) }.join(program));
    files.find(|file| {
        let seen_from_here = directory.map_or_else(|| file.clone(), |directory| directory.join(file));
        seen_from_here.is_file() && access(&seen_from_here, Access::EXEC_OK).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A folder with three others: in the first `tool` is a folder, in the second it may not be run, in the third it may.
    fn folders() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for (name, mode) in [("closed", 0o644), ("open", 0o755)] {
            let folder = root.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            fs::write(folder.join("tool"), "exit 0\n").expect("a file");
            fs::set_permissions(folder.join("tool"), Permissions::from_mode(mode)).expect("its owner may");
        }
        fs::create_dir_all(root.path().join("nested/tool")).expect("a folder");
        root
    }

    #[test]
    fn the_first_file_that_can_be_run_is_taken_and_others_of_its_name_are_passed_over() {
        let root = folders();
        let at = |name: &str| root.path().join(name).display().to_string();
        let path = [at("absent"), at("nested"), at("closed"), at("open"), at("absent")].join(":");
        let tool = |path: &str| found("tool".as_ref(), &path.into(), None);
        assert_eq!(tool(&path), Some(root.path().join("open/tool")));
        assert_eq!(tool(&at("closed")), None);
        assert_eq!(tool(""), None, "it is not in the folder of this test");
    }

    #[test]
    fn empty_and_relative_entries_are_seen_from_the_folder_in_which_the_command_runs() {
        let root = folders();
        let open = root.path().join("open");
        for path in ["", ":/absent", "/absent:", "/absent::/other"] {
            assert_eq!(found("tool".as_ref(), &path.into(), Some(&open)), Some("./tool".into()), "{path}");
        }
        let relative = found("tool".as_ref(), &"closed:open".into(), Some(root.path()));
        assert_eq!(relative, Some("open/tool".into()));
    }

    #[test]
    fn a_path_is_left_as_it_is_and_the_path_of_the_command_counts_more_than_our_own() {
        let root = folders();
        let open = root.path().join("open");
        let mut launch = Launch::new("tool");
        assert_eq!(file_of(&launch.program, &launch), None, "no folder of our own has it");
        launch.environment.push(("PATH".into(), open.clone().into()));
        assert_eq!(file_of("tool".as_ref(), &launch), Some(open.join("tool")));
        for path in ["open/tool", "/bin/sh", "./tool", ""] {
            assert_eq!(file_of(path.as_ref(), &launch), None, "{path}");
        }
        launch.environment.push(("PATH".into(), "/absent".into()));
        assert_eq!(file_of("tool".as_ref(), &launch), None, "the last one counts");
    }
}
