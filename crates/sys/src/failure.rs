//! Errors of the system: a full disk is no fault of the technique that met it.

use std::borrow::Borrow;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use model::FailureKind;
use thiserror::Error;

/// No space as the system reports it, for this user too; and a spent limit of open files, that of the process or the system.
#[cfg(target_os = "linux")]
const CODES: [(i32, FailureKind); 4] = [
    (libc::ENOSPC, FailureKind::DiskFull),
    (libc::EDQUOT, FailureKind::DiskFull),
    (libc::EMFILE, FailureKind::TooManyFiles),
    (libc::ENFILE, FailureKind::TooManyFiles),
];
/// No space as the file system, a call on an open file, and the quota of this user report it; and too many open files.
#[cfg(windows)]
const CODES: [(i32, FailureKind); 4] = {
    use windows_sys::Win32::Foundation as codes;
    [
        (codes::ERROR_DISK_FULL as i32, FailureKind::DiskFull),
        (codes::ERROR_HANDLE_DISK_FULL as i32, FailureKind::DiskFull),
        (codes::ERROR_DISK_QUOTA_EXCEEDED as i32, FailureKind::DiskFull),
        (codes::ERROR_TOO_MANY_OPEN_FILES as i32, FailureKind::TooManyFiles),
    ]
};

/// Returns the kind of failure of what returned `error`.
pub fn kind_of(error: &io::Error) -> FailureKind {
    if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) {
        return FailureKind::DiskFull;
    }
    let known = code_of(error).and_then(|code| CODES.iter().find(|(known, _)| *known == code));
    known.map_or(FailureKind::Refused, |(_, kind)| *kind)
}

/// Puts what was tried in front of an error: `write /path: No space left on device`. The system's code stays, for [`kind_of`].
pub fn in_context(tried: impl fmt::Display, error: impl Borrow<io::Error>) -> io::Error {
    let error = error.borrow();
    reworded(format!("{tried}: {error}"), error)
}

/// Puts the path of what it is about in front of an error.
pub(crate) fn named(path: &Path, error: impl Borrow<io::Error>) -> io::Error {
    in_context(path.display(), error)
}

/// Gives an error another text; the code stays.
pub fn reworded(text: String, error: &io::Error) -> io::Error {
    coded(error.kind(), text, code_of(error))
}

pub(crate) fn coded(kind: ErrorKind, text: String, code: Option<i32>) -> io::Error {
    io::Error::new(kind, Coded { text, code })
}

/// Returns the code that the system gave, however often something was put in front.
pub fn code_of(error: &io::Error) -> Option<i32> {
    error.raw_os_error().or_else(|| error.get_ref()?.downcast_ref::<Coded>()?.code)
}

#[derive(Debug, Error)]
#[error("{text}")]
struct Coded {
    text: String,
    code: Option<i32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_system_are_known_whatever_stands_in_front() {
        for (code, kind) in CODES {
            let error = io::Error::from_raw_os_error(code);
            assert_eq!(kind_of(&error), kind, "code {code}");
            let wrapped = in_context("copy", in_context("write /a", &error));
            assert_eq!(kind_of(&wrapped), kind, "code {code} in context");
            assert_eq!(wrapped.to_string(), format!("copy: write /a: {error}"));
        }
    }

    #[test]
    fn everything_else_was_refused() {
        for kind in [ErrorKind::PermissionDenied, ErrorKind::Unsupported, ErrorKind::Other] {
            assert_eq!(kind_of(&kind.into()), FailureKind::Refused, "{kind:?}");
        }
        // The text of another program decides nothing.
        assert_eq!(kind_of(&io::Error::other("No space left on device")), FailureKind::Refused);
    }
}
