//! The techniques, one file each.

mod exhaust_memory;
mod misbehaving;
mod shrinking_file;
mod sleeping;
mod slower;
mod spinning;
mod tiny;

use crate::contract::Technique;
use crate::control::job::ControlJob;

pub(super) const TECHNIQUES: &[Technique<ControlJob>] = &[
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
