//! What small copies and readings of clocks cost next to plain C programs of the same calls.
//!
//! It times this host, which must do nothing else meanwhile, and needs `cc`: like ignored tests these run with `--ignored` only, and
//! with `--release` to see anything.

#[cfg(target_os = "linux")]
mod clocks;
#[cfg(target_os = "linux")]
mod copies;
#[path = "../harness/mod.rs"]
mod harness;
#[cfg(target_os = "linux")]
mod program;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    harness::run(copies::COMPLETE, &[copies::TIMED, clocks::TIMED].concat())
}

#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    harness::run(&[], &[])
}
