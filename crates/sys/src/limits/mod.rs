//! Limits of this process that are ours to move.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// Allows this process, and those it starts, as many open files as the system lets the user have.
///
/// Gives the number now allowed, `None` when the system does not tell. A limit that cannot be moved stays.
pub fn raise_open_files() -> Option<u64> {
    system::raise_open_files()
}

/// Makes a write beyond the limit of a file's size (`ulimit -f`) an error, which can be told, in place of this process's end.
/// Commands that this process starts are not affected.
pub fn survive_full_files() {
    system::survive_full_files();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_call_finds_nothing_left_to_raise() {
        let first = raise_open_files();
        assert!(first.is_none_or(|files| files >= 64), "{first:?}");
        assert_eq!(raise_open_files(), first);
    }
}
