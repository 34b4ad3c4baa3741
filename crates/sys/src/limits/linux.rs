//! `RLIMIT_NOFILE` and `RLIMIT_FSIZE`.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

pub(super) fn raise_open_files() -> Option<u64> {
    let now = getrlimit(Resource::Nofile);
    if now.current != now.maximum {
        // Where even this is refused the old limit stays, and is what we report.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, maximum: now.maximum });
    }
    // The system has no unlimited number of files: `None` would be a limit it does not tell.
    getrlimit(Resource::Nofile).current
}

/// A handler that does nothing is used because an *ignored* signal would be ignored by commands.
pub(super) fn survive_full_files() {
    extern "C" fn nothing(_: libc::c_int) {}
    // SAFETY: an all-zero `sigaction` is valid; the first call only asks; the handler touches nothing, so it may run at
    // any time.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGXFSZ, std::ptr::null(), &raw mut before);
        if before.sa_sigaction == libc::SIG_DFL {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = nothing as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(libc::SIGXFSZ, &raw const action, std::ptr::null_mut());
        }
    }
}
