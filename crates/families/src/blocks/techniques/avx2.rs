use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const AVX2: Technique<BlocksJob> = Technique {
    name: "avx2",
    idea: "registers of 256 bits, four in a turn",
    source: "likwid-bench, store_avx",
    needs: "an x86-64 processor with AVX2",
    probe: |_host, _setting| available(instructions::avx2(), Pages::Base),
    ..looping(|job| job.done_by(instructions::avx2(), Pages::Base))
};
