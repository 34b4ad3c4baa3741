use encoding_rs::mem::copy_ascii_to_basic_latin;

use super::convert_by_best_mover;
use crate::convert::kernel::Unit;
use crate::convert::prelude::*;

pub(super) const KERNEL_ENCODING_RS: Technique<ConvertJob> = Technique {
    name: "kernel_encoding_rs",
    idea: "the best way to move the file, and encoding_rs::mem::copy_ascii_to_basic_latin, which stops at other bytes",
    source: "crate encoding_rs, module mem",
    calls: &["mmap file", "write", "!read"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, widen, notes)))
};

pub(in crate::convert) fn widen(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    // SAFETY: any 16 bits are a unit. The encoder only writes, and the ways of moving files that this kernel is given to
    // have it write to pages of the system, which hold zeros or what was written before.
    let to = unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().cast::<u16>(), to.len()) };
    let converted = copy_ascii_to_basic_latin(from, to);
    if cfg!(target_endian = "big") {
        to.iter_mut().for_each(|unit| *unit = unit.to_le());
    }
    if converted == from.len() { Ok(()) } else { Err(converted) }
}
