//! How do I convert a file from ASCII to UTF-16LE?
//!
//! Every technique opens the source, creates the output, converts, and closes both inside the clock; with durability it
//! also waits for the device. No byte-order mark is written. A byte above 0x7F is an error, and then nothing is left
//! behind.
//!
//! Two questions are kept apart: how the file is moved (all with the same kernel), and which kernel converts (all with
//! the same mover: the techniques whose names begin with `kernel_`).

mod blocks;
mod family;
mod job;
mod kernel;
mod output;
mod pieces;
mod plain;
mod stream;
mod techniques;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod requests;
    pub(super) mod system;
    pub(super) mod uring;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    pub(super) mod overlapped;
    pub(super) mod system;

    #[cfg(test)]
    mod tests;
}

#[cfg(test)]
mod tests;

pub use family::Convert;

use techniques::TECHNIQUES;

#[cfg(target_os = "linux")]
use linux::system;
#[cfg(windows)]
use windows::system;

/// The plain way to do it, which the answer compares the fastest with.
const REFERENCE: &str = "read_write@64K";
