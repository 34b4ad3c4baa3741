//! Does the instrument see what is there, and nothing else?
//!
//! Techniques whose truth is known beforehand: identical ones, ones that are slower by a known share, and ones
//! that misbehave in a known way. No default run holds them.

mod family;
mod job;
mod spin;
mod techniques;

#[cfg(test)]
mod tests;

pub use family::Control;

use techniques::TECHNIQUES;

/// The plain way to do it, which the answer compares the fastest with.
const REFERENCE: &str = "spin_a";
