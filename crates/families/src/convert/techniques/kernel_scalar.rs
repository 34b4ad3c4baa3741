use super::convert_by_best_mover;
use crate::convert::kernel::Unit;
use crate::convert::prelude::*;

pub(super) const KERNEL_SCALAR: Technique<ConvertJob> = Technique {
    name: "kernel_scalar",
    idea: "the best way to move the file, and a loop that looks at each byte before it stores it",
    source: "Hart, Windows System Programming, atou",
    calls: &["mmap file", "write", "!read"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_best_mover(job, widen, notes)))
};

/// The way out in the middle keeps compilers from using vector instructions.
pub(in crate::convert) fn widen(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    for (place, (unit, &byte)) in to.iter_mut().zip(from).enumerate() {
        if !byte.is_ascii() {
            return Err(place);
        }
        unit.write(u16::from(byte).to_le());
    }
    Ok(())
}
