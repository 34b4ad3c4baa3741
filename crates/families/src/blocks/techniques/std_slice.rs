//! What a program in Rust writes, and the compiler makes of it.

use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::Kernels;
use crate::contract::Technique;

pub(super) const STD_SLICE: Technique<BlocksJob> = looping::<StdSlice>(
    "std_slice",
    "fill, copy_from_slice and loops over slices: the compiler chooses the instructions",
    "Rust's standard library",
);

struct StdSlice;

impl Way for StdSlice {
    fn kernels() -> Result<Kernels, String> {
        Ok(Kernels {
            write: Some(|to, value| to.fill(value)),
            read: Some(|from| from.iter().fold(0, |sum: u32, word| sum.wrapping_add(*word))),
            update: Some(|words| words.iter_mut().for_each(|word| *word = word.wrapping_add(1))),
            copy: Some(|from, to| to.copy_from_slice(from)),
            fence: None,
        })
    }
}
