//! Registers of 256 bits.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::Kernels;
use crate::contract::Technique;

pub(super) const AVX2: Technique<BlocksJob> =
    looping::<Avx2>("avx2", "registers of 256 bits, four in a turn", "likwid-bench, store_avx");

struct Avx2;

impl Way for Avx2 {
    const NEEDS: &'static str = "an x86-64 processor with AVX2";

    fn kernels() -> Result<Kernels, String> {
        instructions::avx2()
    }
}
