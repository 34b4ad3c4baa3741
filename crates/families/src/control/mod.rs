//! Does the instrument see what is there, and nothing else?
//!
//! Techniques whose truth is known beforehand: identical ones, ones that are slower by a known share, and ones
//! that misbehave in a known way. No default run holds them.

mod family;
mod job;
mod spin;

mod exhaust_memory;
mod misbehaving;
mod shrinking_file;
mod sleeping;
mod slower;
mod spinning;
mod tiny;

#[cfg(test)]
mod tests;

pub use family::Control;

use crate::contract::Technique;
use job::ControlJob;

/// The plain way to do it, which the answer compares the fastest with.
const REFERENCE: &str = "spin_a";

const TECHNIQUES: &[Technique<ControlJob>] = &[
    spinning::SPIN_A,
    spinning::SPIN_B,
    spinning::SPIN_C,
    spinning::SPIN_D,
    spinning::SPIN_E,
    spinning::SPIN_F,
    spinning::SPIN_G,
    spinning::SPIN_H,
    spinning::SPIN_I,
    spinning::SPIN_J,
    spinning::SPIN_PLUS_1,
    spinning::SPIN_PLUS_2,
    spinning::SPIN_PLUS_5,
    spinning::SPIN_PLUS_5_B,
    spinning::SPIN_PLUS_5_C,
    spinning::SPIN_PLUS_5_D,
    spinning::SPIN_PLUS_5_E,
    spinning::SPIN_PLUS_5_F,
    spinning::SPIN_PLUS_5_G,
    spinning::SPIN_PLUS_5_H,
    tiny::TINY,
    tiny::TINY_B,
    slower::DRIFTING,
    slower::HEAVY_TAIL,
    slower::FIRST_IS_SLOWER,
    slower::FIRST_IS_SLOWER_B,
    slower::FIRST_IS_SLOWER_PLUS_5,
    sleeping::SLEEP_5MS,
    sleeping::SLEEP_7MS,
    sleeping::SLEEP_20MS,
    misbehaving::WRONG_ANSWER,
    misbehaving::INSTANT,
    misbehaving::REFUSED,
    misbehaving::HANG,
    misbehaving::CRASH,
    misbehaving::FAULT,
    exhaust_memory::EXHAUST_MEMORY,
    shrinking_file::SHRINKING_FILE,
];
