//! SIGHUP.

pub(super) fn are_ignored() -> bool {
    // SAFETY: an all-zero `sigaction` is valid; the call only asks.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut now);
        now.sa_sigaction == libc::SIG_IGN
    }
}

pub(super) fn ignore() {
    // SAFETY: no handler is set that could run.
    unsafe {
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
    }
}
