//! Registers of 512 bits, a line of the cache each.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::Kernels;
use crate::contract::Technique;

pub(super) const AVX512: Technique<BlocksJob> =
    looping::<Avx512>("avx512", "registers of 512 bits, four in a turn", "likwid-bench, store_avx512");

struct Avx512;

impl Way for Avx512 {
    const NEEDS: &'static str = "an x86-64 processor with AVX-512";

    fn kernels() -> Result<Kernels, String> {
        instructions::avx512()
    }
}
