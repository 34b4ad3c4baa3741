//! `errno`.

use libc::{EDQUOT, EMFILE, ENFILE, ENOSPC};
use model::FailureKind;

/// No space, or none for this user.
pub(super) const CODES_OF_A_FULL_DISK: [i32; 2] = [ENOSPC, EDQUOT];
/// The limit of the process, and that of the system.
pub(super) const CODES_OF_TOO_MANY_FILES: [i32; 2] = [EMFILE, ENFILE];

pub(super) fn kind_of_code(code: i32) -> Option<FailureKind> {
    match code {
        code if CODES_OF_A_FULL_DISK.contains(&code) => Some(FailureKind::DiskFull),
        code if CODES_OF_TOO_MANY_FILES.contains(&code) => Some(FailureKind::TooManyFiles),
        _ => None,
    }
}
