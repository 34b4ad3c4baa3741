//! What a reading of a clock costs next to a plain loop in C.
//!
//! It times loops on this host, which must do nothing else meanwhile, and needs `cc`: like an ignored test it runs with
//! `--ignored` only, and with `--release` to see anything.

#[path = "../harness/mod.rs"]
mod harness;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
#[path = "../plain/mod.rs"]
mod plain;
#[cfg(not(target_os = "linux"))]
mod linux {
    pub(crate) const TIMED: &[crate::harness::Check] = &[];
}

fn main() -> std::process::ExitCode {
    harness::run(&[], linux::TIMED)
}
