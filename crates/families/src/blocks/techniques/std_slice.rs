use crate::blocks::kernels::Kernels;
use crate::blocks::prelude::*;

pub(super) const STD_SLICE: Technique<BlocksJob> = Technique {
    name: "std_slice",
    idea: "fill, copy_from_slice and loops over slices: the compiler chooses the instructions",
    source: "Rust's standard library",
    ..looping(|job| job.done_by(Ok(KERNELS), Pages::Base))
};

const KERNELS: Kernels = Kernels {
    write: Some(|to, value| to.fill(value)),
    read: Some(|from| from.iter().fold(0, |sum: u32, word| sum.wrapping_add(*word))),
    update: Some(|words| words.iter_mut().for_each(|word| *word = word.wrapping_add(1))),
    copy: Some(|from, to| to.copy_from_slice(from)),
    fence: None,
};
