use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const SSE2: Technique<BlocksJob> = Technique {
    name: "sse2",
    idea: "registers of 128 bits, four in a turn",
    source: "tinymembench, SSE2 fill",
    needs: "an x86-64 processor",
    probe: |_host, _setting| available(instructions::sse2(), Pages::Base),
    ..looping(|job| job.done_by(instructions::sse2(), Pages::Base))
};
