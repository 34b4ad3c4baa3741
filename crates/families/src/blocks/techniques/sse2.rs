//! The vector registers that every x86-64 processor has.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::Kernels;
use crate::contract::Technique;

pub(super) const SSE2: Technique<BlocksJob> =
    looping::<Sse2>("sse2", "registers of 128 bits, four in a turn", "tinymembench, SSE2 fill");

struct Sse2;

impl Way for Sse2 {
    const NEEDS: &'static str = "an x86-64 processor";

    fn kernels() -> Result<Kernels, String> {
        instructions::sse2()
    }
}
