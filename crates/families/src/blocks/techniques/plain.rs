use crate::blocks::kernels;
use crate::blocks::prelude::*;

pub(super) const PLAIN: Technique<BlocksJob> = Technique {
    name: "plain",
    idea: "a load or store of 4 bytes at a time, which the compiler may neither join nor replace",
    source: "the published programs for looping and sub-looping",
    ..looping(|job| job.done_by(Ok(kernels::PLAIN), Pages::Base))
};
