//! What a small copy costs next to a plain C program that makes the same calls.
//!
//! It times copies on this host, which must do nothing else meanwhile, and needs `cc`: like ignored tests these run with
//! `--ignored` only, and with `--release` to see anything. Both read the same figures, which are taken once.

#[path = "../harness/mod.rs"]
mod harness;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
#[path = "../plain/mod.rs"]
mod plain;
#[cfg(not(target_os = "linux"))]
mod linux {
    use crate::harness::Check;

    pub(crate) const COMPLETE: &[Check] = &[];
    pub(crate) const TIMED: &[Check] = &[];
}

fn main() -> std::process::ExitCode {
    harness::run(linux::COMPLETE, linux::TIMED)
}
