//! Lines that are asked for before their turn.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::Kernels;
use crate::contract::Technique;

pub(super) const PREFETCH: Technique<BlocksJob> = looping::<Prefetch>(
    "prefetch",
    "as sse2, and each line is asked for 512 bytes before its turn",
    "AMD, Software Optimization Guide",
);

struct Prefetch;

impl Way for Prefetch {
    const NEEDS: &'static str = "an x86-64 processor";

    fn kernels() -> Result<Kernels, String> {
        instructions::prefetching()
    }
}
