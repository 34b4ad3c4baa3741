//! What a signal does to this process.

use libc::c_int;

/// `SIG_DFL`, `SIG_IGN`, or the place of a handler.
pub(crate) fn action_of(signal: c_int) -> usize {
    // SAFETY: an all-zero `sigaction` is valid; the call only asks.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut now);
        now.sa_sigaction
    }
}

/// Has a handler called, which must be safe at any time, and calls of the system tried again after it. False where that is refused.
pub(crate) fn handle(signal: c_int, handler: extern "C" fn(c_int), flags: c_int) -> bool {
    // SAFETY: an all-zero `sigaction` is valid; the handler is one by the contract of the caller.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_RESTART | flags;
        libc::sigaction(signal, &raw const action, std::ptr::null_mut()) == 0
    }
}
