use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const REP_STRING: Technique<BlocksJob> = Technique {
    name: "rep_string",
    idea: "rep stosb, and rep movsb for a copy: one instruction, whose steps the processor chooses",
    source: "Intel, Optimization Reference Manual, enhanced REP MOVSB and STOSB",
    suits: writes_and_copies,
    needs: "an x86-64 processor",
    probe: |_host, _setting| available(instructions::string(), Pages::Base),
    ..looping(|job| job.done_by(instructions::string(), Pages::Base))
};
