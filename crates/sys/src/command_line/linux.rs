//! The rules of a POSIX shell.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

pub(super) const SHELL: [&str; 2] = ["sh", "-c"];

/// A word so that the system's shell takes it as it is.
/// Between single quotation marks every byte is itself, but for that mark.
#[must_use]
pub fn quoted(word: &OsStr) -> OsString {
    let mut quoted = vec![b'\''];
    for &byte in word.as_bytes() {
        match byte {
            b'\'' => quoted.extend(br"'\''"),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'\'');
    OsString::from_vec(quoted)
}

/// The files that a path to a program may mean.
pub(super) fn file_names(path: &Path) -> Vec<PathBuf> {
    vec![path.to_owned()]
}

/// Where programs are looked for next to `PATH`.
pub(super) fn further_folders() -> Vec<PathBuf> {
    Vec::new()
}

/// The words of a command line; `None` when a quotation mark is not closed. Nothing is replaced, and nothing is run.
///
/// Linux: as a shell splits. Windows: as its programs split theirs, where a backslash is a part of a path.
#[must_use]
pub fn split(line: &str) -> Option<Vec<String>> {
    shlex::split(line)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{quoted, split};

    #[test]
    fn a_quoted_word_holds_whatever_a_name_may_hold() {
        for name in ["plain", "a b", "it's", "$HOME `x` \\ \"q\" *"] {
            let line = quoted(OsStr::new(name)).into_string().expect("text");
            assert_eq!(split(&line).expect("closed"), [name]);
        }
    }

    #[test]
    fn single_quotes_and_backslashes_are_those_of_a_shell() {
        let words = split(r"awk '{print $1} \' a\ b").expect("closed");
        assert_eq!(words, ["awk", r"{print $1} \", "a b"]);
        assert_eq!(split("cp 'a b"), None);
    }
}
