//! The techniques: those that are compiled, and a table of loops in assembly. What exists on every system is listed first.
//!
//! Left out, each for a reason:
//!
//! - `clzero`: it stores zeros only, and what is written is a value of the program's.
//! - `MADV_COLLAPSE`: it makes huge pages of base pages that are there already, and the loops then find what
//!   `transparent_huge_pages` finds.
//! - Stores of single bytes: no compiler leaves them so.
//! - Non-temporal loads: on ordinary memory they are loads.

mod compiled;
mod loops;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod transparent_huge_pages;
}

use super::job::BlocksJob;
use crate::contract::{Technique, joined};

pub(super) const TECHNIQUES: &[Technique<BlocksJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<BlocksJob>] =
    &joined::<_, { WITHOUT_ASSEMBLY.len() + loops::LOOPS.len() }>(WITHOUT_ASSEMBLY, loops::LOOPS);

const WITHOUT_ASSEMBLY: &[Technique<BlocksJob>] = &[compiled::PLAIN, compiled::STD_SLICE, compiled::MEMSET];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<BlocksJob>] = &[linux::transparent_huge_pages::TRANSPARENT_HUGE_PAGES];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<BlocksJob>] = &[];
