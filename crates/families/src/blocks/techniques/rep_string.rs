//! One instruction for the whole piece.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::{Kernels, Work};
use crate::contract::Technique;

pub(super) const REP_STRING: Technique<BlocksJob> = looping::<RepString>(
    "rep_string",
    "rep stosb, and rep movsb for a copy: one instruction, whose steps the processor chooses",
    "Intel, Optimization Reference Manual, enhanced REP MOVSB and STOSB",
);

struct RepString;

impl Way for RepString {
    const WORKS: &'static [Work] = &[Work::Write, Work::Copy];
    const NEEDS: &'static str = "an x86-64 processor";

    fn kernels() -> Result<Kernels, String> {
        instructions::string()
    }
}
