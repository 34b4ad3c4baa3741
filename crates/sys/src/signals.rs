//! The actions of signals.

/// Sets up handlers of signals by `set_up`; where hangups were ignored before (`nohup`), they are ignored afterwards too.
#[cfg(target_os = "linux")]
pub fn keep_hangups_ignored<T>(set_up: impl FnOnce() -> T) -> T {
    let were_ignored = action_of(libc::SIGHUP) == libc::SIG_IGN;
    let done = set_up();
    if were_ignored {
        // SAFETY: no handler is set that could run.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    }
    done
}

/// Calls `set_up`: Windows has no hangup.
#[cfg(windows)]
pub fn keep_hangups_ignored<T>(set_up: impl FnOnce() -> T) -> T {
    set_up()
}

/// What a terminal, or who ends a session, sends to all processes.
#[cfg(target_os = "linux")]
pub(crate) const OF_A_TERMINAL: [libc::c_int; 4] = [libc::SIGINT, libc::SIGQUIT, libc::SIGHUP, libc::SIGTERM];

/// Blocks the signals of a terminal for the calling thread (`SIG_BLOCK`), or lets them come again (`SIG_UNBLOCK`).
#[cfg(target_os = "linux")]
pub(crate) fn mask_those_of_a_terminal(how: libc::c_int) {
    // SAFETY: an all-zero set is valid and emptied before it is used; the old set is not asked for.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for signal in OF_A_TERMINAL {
            libc::sigaddset(&raw mut set, signal);
        }
        libc::pthread_sigmask(how, &raw const set, std::ptr::null_mut());
    }
}

/// Returns `SIG_DFL`, `SIG_IGN`, or the place of a handler.
#[cfg(target_os = "linux")]
pub(crate) fn action_of(signal: libc::c_int) -> usize {
    // SAFETY: an all-zero `sigaction` is valid; the call only asks.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut now);
        now.sa_sigaction
    }
}

/// Has a handler called, which must be safe at any time, and calls of the system tried again after it. False where that is refused.
#[cfg(target_os = "linux")]
pub(crate) fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int), flags: libc::c_int) -> bool {
    // SAFETY: an all-zero `sigaction` is valid; the handler is one by the contract of the caller.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_RESTART | flags;
        libc::sigaction(signal, &raw const action, std::ptr::null_mut()) == 0
    }
}
