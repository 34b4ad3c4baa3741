use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const AVX512: Technique<BlocksJob> = Technique {
    name: "avx512",
    idea: "registers of 512 bits, four in a turn",
    source: "likwid-bench, store_avx512",
    needs: "an x86-64 processor with AVX-512",
    probe: |_host, _setting| available(instructions::avx512(), Pages::Base),
    ..looping(|job| job.done_by(instructions::avx512(), Pages::Base))
};
