//! Stores past the caches.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::{Kernels, Work};
use crate::contract::Technique;

pub(super) const NONTEMPORAL: Technique<BlocksJob> = looping::<Nontemporal>(
    "nontemporal",
    "movntdq: stores past the caches, so that the old contents are not read first; a fence at the end",
    "tinymembench, SSE2 nontemporal fill",
);

struct Nontemporal;

impl Way for Nontemporal {
    const WORKS: &'static [Work] = &[Work::Write, Work::Copy];
    const NEEDS: &'static str = "an x86-64 processor";

    fn kernels() -> Result<Kernels, String> {
        instructions::streaming()
    }
}
