//! How do I read the time?
//!
//! Every technique reads its clock a number of times and keeps the readings, as a program does that notes when things
//! happen. The readings follow each other at once, or with a chain of arithmetic between them, as in a program that does
//! other work: then what a reading adds is what counts, and the chain alone is shown as the limit.
//!
//! What cannot be ranked is told as facts: the resolution of each clock, its steps, whether it goes backwards, how far it
//! drifts, and whether reading it enters the kernel.

mod chain;
mod counter;
mod facts;
mod family;
mod job;
mod techniques;
mod time_source;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod clock_gettime;
}

#[cfg(windows)]
mod windows {
    pub(super) mod functions;
}

#[cfg(test)]
mod tests;

pub use facts::{ClockFact, FactValue, clock_facts};
pub use family::Clock;

use techniques::TECHNIQUES;

/// The plain way to do it, which the answer compares the fastest with.
const REFERENCE: &str = "std_instant";
