//! A command on one line, split into words by the rules that its author knows: those of a shell, or of Windows. And the shell
//! itself, for who asks for one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

pub use system::{quoted, split};

/// The system's shell and the option that stands in front of a command for it: `sh -c`, `cmd /C`.
pub const SHELL: [&str; 2] = system::SHELL;

/// A program as it is to be started by a process that runs in `directory`: a path below it is made whole, a name is left to be
/// looked for.
#[must_use]
pub fn program_in(directory: &Path, program: &OsStr) -> PathBuf {
    let path = Path::new(program);
    if is_path(path) && path.is_relative() { directory.join(path) } else { path.to_owned() }
}

/// Whether a program is there: a path is looked at, a name is looked for as the system does when it starts one.
#[must_use]
pub fn is_there(program: &Path) -> bool {
    let is_file = |path: &Path| system::file_names(path).iter().any(|path| path.is_file());
    if is_path(program) {
        return is_file(program);
    }
    let path = std::env::var_os("PATH");
    let mut folders = path.iter().flat_map(std::env::split_paths).chain(system::further_folders());
    folders.any(|folder| is_file(&folder.join(program)))
}

fn is_path(program: &Path) -> bool {
    program.components().count() > 1
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::path::Path;

    use super::{SHELL, is_there, program_in, quoted, split};

    #[test]
    fn blanks_separate_words_and_quotation_marks_hold_them_together() {
        assert_eq!(split(" cp  \"a b\"\t\"\" c=\"d e\" \n").expect("closed"), ["cp", "a b", "", "c=d e"]);
        assert_eq!(split("").expect("closed"), Vec::<String>::new());
        assert_eq!((split("cp \"a b"), split("\"cp a b")), (None, None));
    }

    #[test]
    fn a_program_is_looked_for_by_its_name_and_looked_at_by_its_path() {
        assert!(is_there(Path::new(SHELL[0])), "the shell");
        assert!(is_there(&std::env::current_exe().expect("this test")));
        assert!(!is_there(Path::new("no-such-program")) && !is_there(Path::new("no/such/program")));
    }

    #[test]
    fn a_path_of_a_program_begins_in_the_directory_and_a_name_nowhere() {
        let folder = Path::new("folder");
        assert_eq!(program_in(folder, OsStr::new("./new/tool")), folder.join("./new/tool"));
        assert_eq!(program_in(folder, OsStr::new("tool")), Path::new("tool"));
    }

    #[test]
    fn a_quoted_word_is_one_word() {
        let line = format!("cp {} x", quoted(OsStr::new("/a b/c d")).to_string_lossy());
        assert_eq!(split(&line).expect("closed"), ["cp", "/a b/c d", "x"]);
    }
}
