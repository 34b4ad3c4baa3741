//! How do I find the lines with a pattern in many files?
//!
//! Every technique opens the files, finds the lines, writes them as `PATH:LINE` in the order of the files, and closes
//! everything inside the clock; with durability it also waits for the device.
//!
//! Buffers are no larger than what there is to read, and all memory is given back inside the clock: every technique frees
//! its buffers, unmaps its files, closes its ring and waits for its threads before it returns.

mod family;
mod workload;

mod expected;
mod generate;
mod in_turn;
mod inputs;
mod job;
mod pattern;
mod proof;
mod text;
mod user_files;

mod expression;
mod kernel;
mod lines;
mod literal_set;
mod output;
mod part;
mod rolling;
mod searcher;
mod stitch;
mod threads;
mod walk;

mod techniques;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod children;
    pub(super) mod folder;
    pub(super) mod mapped;
    pub(super) mod names;
    pub(super) mod source;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    pub(super) mod children;
    pub(super) mod folder;
    pub(super) mod mapped;
    pub(super) mod names;
    pub(super) mod source;

    #[cfg(test)]
    mod tests;
}

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

#[cfg(test)]
#[path = "../../tests/search_processes/awkward.rs"]
mod awkward;
#[cfg(test)]
mod tests;

pub use family::Search;
pub use part::{SEARCH_PART, search_part};

use techniques::TECHNIQUES;

/// The plain way to do it, which the answer compares the fastest with.
const REFERENCE: &str = "sequential";
