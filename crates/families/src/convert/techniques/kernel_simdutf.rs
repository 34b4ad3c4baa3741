use super::convert_by_best_mover;
use crate::convert::kernel::Kernel;
#[cfg(feature = "simdutf")]
use crate::convert::kernel::Unit;
use crate::convert::prelude::*;
use crate::files::unsupported;

pub(super) const KERNEL_SIMDUTF: Technique<ConvertJob> = Technique {
    name: "kernel_simdutf",
    idea: "the best way to move the file, and simdutf: 16 KiB validated as ASCII, then converted from Latin-1",
    source: "simdutf, validate_ascii and convert_latin1_to_utf16le",
    calls: &["mmap file", "write", "!read"],
    needs: "a build with the feature simdutf",
    probe,
    ..Technique::usual(|job| job.done_by(convert))
};

const MISSING: &str = "it was left out of this build, since it needs a C++ compiler: \
                       cargo build --release --features simdutf builds it in";

#[cfg(feature = "simdutf")]
const KERNEL: Option<Kernel> = Some(widen);
#[cfg(not(feature = "simdutf"))]
const KERNEL: Option<Kernel> = None;

fn probe(_host: &Host, _setting: &Setting) -> Availability {
    KERNEL.map_or_else(|| Availability::Missing(MISSING.to_owned()), |_| Availability::Ready)
}

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_by_best_mover(job, KERNEL.ok_or_else(|| unsupported(MISSING))?, notes)
}

/// Validates and then converts, since no call does both: the second pass finds the bytes in the nearest cache.
#[cfg(feature = "simdutf")]
pub(in crate::convert) fn widen(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
    const BLOCK: usize = 16 << 10;
    assert_eq!(from.len(), to.len(), "a unit for every byte");
    for (nth, (block, units)) in from.chunks(BLOCK).zip(to.chunks_mut(BLOCK)).enumerate() {
        if !simdutf::validate_ascii(block) {
            let place = block.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
            return Err(nth * BLOCK + place);
        }
        // SAFETY: both are as long as said, and a unit is written for every byte.
        let written = unsafe {
            simdutf::convert_latin1_to_utf16le(block.as_ptr(), block.len(), units.as_mut_ptr().cast())
        };
        assert_eq!(written, block.len(), "a unit for every byte");
    }
    Ok(())
}
