//! How do I sort a file of records?
//!
//! Every technique opens the input, brings its records into ascending order of their keys, writes them to a new file and
//! closes both inside the clock; with durability it also waits for the device. Records of equal keys may stand in any
//! order.
//!
//! With `output=suppressed` nothing is written, and the work is still equal: every technique leaves all records in memory, one
//! behind the other in their new order, where the proof reads them. Some move records while they sort; those that only find
//! the order gather the records at the end. `memory_copy` is the limit of both.
//!
//! Giving memory back is inside the clock, as the ends of threads are: when a technique returns, it holds nothing but the
//! sorted records of a suppressed output. No buffer is larger than the file.

mod family;
mod generate;
mod job;
mod layout;
mod proof;
mod workload;

mod beside;
mod crew;
mod digits;
mod external;
mod gather;
mod in_flight;
mod loser_tree;
mod merge;
mod ordered;
mod packed_order;
mod packing;
mod partition;
mod pool;
mod qsort;
mod radix;
mod room;
mod shared;
mod source;
mod tags;
mod threads;
mod tree;
mod typed;

mod techniques;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod direct;
    mod heap;

    pub(super) mod system;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    pub(super) mod direct;
    mod heap;

    pub(super) mod system;
}

#[cfg(target_os = "linux")]
use linux::{direct, system};
#[cfg(windows)]
use windows::{direct, system};

#[cfg(test)]
mod tests;

pub use family::Sort;

use techniques::TECHNIQUES;

/// The plain way to do it, which the answer compares the fastest with.
const REFERENCE: &str = "sort_unstable";
