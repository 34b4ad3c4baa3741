//! Limits of this process.

use std::hint::black_box;
use std::io;

use crate::failure;

/// Allows this process, and those it starts, as many open files as the user may have. Gives the number now allowed, where known.
#[cfg(target_os = "linux")]
pub fn raise_open_files() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let now = getrlimit(Resource::Nofile);
    if now.current != now.maximum {
        // Where even this is refused the old limit stays, and is what we report.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, maximum: now.maximum });
    }
    // The system has no unlimited number of files: `None` would be a limit it does not say.
    getrlimit(Resource::Nofile).current
}

/// Makes a write beyond the limit of a file's size (`ulimit -f`) an error instead of this process's end. By a handler that does
/// nothing: an *ignored* signal would be ignored by the commands that this process starts.
#[cfg(target_os = "linux")]
pub fn survive_full_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    if crate::signals::action_of(libc::SIGXFSZ) == libc::SIG_DFL {
        crate::signals::handle(libc::SIGXFSZ, nothing, 0);
    }
}

/// Returns nothing: Windows reports no limit of handles.
#[cfg(windows)]
pub fn raise_open_files() -> Option<u64> {
    None
}

/// Does nothing: Windows limits the size of no file.
#[cfg(windows)]
pub fn survive_full_files() {}

/// Sees whether this many bytes more can be reserved; none are kept. A thread or library that gets none ends the process silently.
pub fn check_memory(bytes: usize) -> io::Result<()> {
    let mut room: Vec<u8> = Vec::new();
    // The compiler may drop a reservation that nothing looks at.
    black_box(&mut room).try_reserve_exact(bytes).map_err(|_| {
        let text = format!("{} MiB more cannot be had; 'ulimit -v' shows the limit", bytes >> 20);
        io::Error::new(io::ErrorKind::OutOfMemory, text)
    })
}

/// Names the limits that may have kept a thread from being started: its number or the memory for its stack.
pub fn thread_refused(error: &io::Error) -> io::Error {
    let text =
        format!("no further thread can be started ({error}); 'ulimit -u' and 'ulimit -v' show the limits");
    failure::reworded(text, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_cannot_be_had_is_an_error_before_it_is_needed() {
        check_memory(1 << 20).expect("a MiB");
        let error = check_memory(usize::MAX >> 2).expect_err("more than any address space");
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
        assert!(error.to_string().contains("ulimit -v"), "{error}");
    }

    #[test]
    fn a_second_call_finds_nothing_left_to_raise() {
        let first = raise_open_files();
        assert!(first.is_none_or(|files| files >= 64), "{first:?}");
        assert_eq!(raise_open_files(), first);
    }
}
