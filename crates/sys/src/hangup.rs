//! The signal of a terminal that is closed.

/// Sets up handlers of signals by `set_up`; where hangups were ignored before, they are ignored afterwards too. `nohup` starts
/// a program like that, so that it outlives its terminal.
#[cfg(target_os = "linux")]
pub fn stay_ignored<T>(set_up: impl FnOnce() -> T) -> T {
    let were_ignored = crate::signals::action_of(libc::SIGHUP) == libc::SIG_IGN;
    let done = set_up();
    if were_ignored {
        // SAFETY: no handler is set that could run.
        unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
    }
    done
}

/// Windows has no hangup: a console that is closed ends its programs, and none can refuse that.
#[cfg(windows)]
pub fn stay_ignored<T>(set_up: impl FnOnce() -> T) -> T {
    set_up()
}
