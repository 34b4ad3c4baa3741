use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const PREFETCH: Technique<BlocksJob> = Technique {
    name: "prefetch",
    idea: "as sse2, and each line is asked for 512 bytes before its turn",
    source: "AMD, Software Optimization Guide",
    needs: "an x86-64 processor",
    probe: |_host, _setting| available(instructions::prefetching(), Pages::Base),
    ..looping(|job| job.done_by(instructions::prefetching(), Pages::Base))
};
