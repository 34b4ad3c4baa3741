//! The signal of a terminal that is closed.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

/// Sets up handlers of signals by `set_up`; where hangups were ignored before, they are ignored afterwards too. `nohup` starts
/// a program like that, so that it outlives its terminal.
pub fn stay_ignored<T>(set_up: impl FnOnce() -> T) -> T {
    let were_ignored = system::are_ignored();
    let done = set_up();
    if were_ignored {
        system::ignore();
    }
    done
}
