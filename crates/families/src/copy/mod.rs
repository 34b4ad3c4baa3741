//! How do I copy a file?
//!
//! Every technique opens the source, creates the destination, copies, and closes both inside the clock; with
//! durability it also waits for the device. Buffers are no larger than the file, and no technique fills memory that it does not use.

mod family;
mod job;
mod past_cache;
mod techniques;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod parts;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    #[cfg(test)]
    mod tests;
}

#[cfg(test)]
mod tests;

pub use family::Copy;

use techniques::TECHNIQUES;

/// The plain way to do it, which the answer compares the fastest with.
const REFERENCE: &str = "std_copy";
