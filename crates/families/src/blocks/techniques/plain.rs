//! The loop of the published programs.

use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::{self, Kernels};
use crate::contract::Technique;

pub(super) const PLAIN: Technique<BlocksJob> = looping::<Plain>(
    "plain",
    "a load or store of 4 bytes at a time, which the compiler may neither join nor replace",
    "the published programs for looping and sub-looping",
);

struct Plain;

impl Way for Plain {
    fn kernels() -> Result<Kernels, String> {
        Ok(kernels::PLAIN)
    }
}
