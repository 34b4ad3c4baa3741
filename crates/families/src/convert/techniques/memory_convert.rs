use model::Proof;

use crate::convert::kernel::{Unit, bytes_of};
use crate::convert::prelude::*;
use crate::files::{BEFORE, digest_of, fill_from, in_memory};

pub(super) const MEMORY_CONVERT: Technique<ConvertJob> = Technique {
    name: "memory_convert",
    idea: "as many bytes converted from one buffer into another, both present before the clock: no files at all",
    source: "a loop over memory",
    calls: &["!read", "!write"],
    ceiling: true,
    ..Technique::usual(|job| {
        let kernel = job.kernel();
        let convert = move |from: &[u8], to: &mut [Unit]| job.convert(kernel, 0, from, to).map(|_| ());
        let untouched = Unit::new(u16::MAX);
        in_memory(job.bytes, untouched, convert, is_converted, |room| fill_from(&job.source, room), proof_of)
    })
};

fn is_converted(to: &[Unit]) -> bool {
    // SAFETY: all units were written before the clock.
    unsafe { bytes_of(to) }.chunks_exact(2).all(|unit| unit == [BEFORE, 0])
}

fn proof_of(to: &[Unit]) -> io::Result<Proof> {
    // SAFETY: all units were written, before the clock or in it.
    let bytes = unsafe { bytes_of(to) };
    Ok(Proof { bytes: bytes.len() as u64, digest: digest_of(bytes) })
}
