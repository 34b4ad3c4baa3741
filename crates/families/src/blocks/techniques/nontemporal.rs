use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const NONTEMPORAL: Technique<BlocksJob> = Technique {
    name: "nontemporal",
    idea: "movntdq: stores past the caches, so that the old contents are not read first; a fence at the end",
    source: "tinymembench, SSE2 nontemporal fill",
    suits: writes_and_copies,
    needs: "an x86-64 processor",
    probe: |_host, _setting| available(instructions::streaming(), Pages::Base),
    ..looping(|job| job.done_by(instructions::streaming(), Pages::Base))
};
