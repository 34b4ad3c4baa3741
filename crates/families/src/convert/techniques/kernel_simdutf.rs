use model::{Availability, Host, Setting};

use crate::convert::prelude::*;

pub(super) const KERNEL_SIMDUTF: Technique<ConvertJob> = Technique {
    name: "kernel_simdutf",
    idea: "the best way to move the file, and simdutf: 16 KiB validated as ASCII, then converted from Latin-1",
    source: "simdutf, validate_ascii and convert_latin1_to_utf16le",
    calls: &["mmap file", "write", "!read"],
    needs: "a build with the feature simdutf",
    probe,
    ..Technique::usual(|job| job.done_by(convert))
};

#[cfg(all(test, feature = "simdutf"))]
pub(in crate::convert) use built_in::widen;
#[cfg(feature = "simdutf")]
use built_in::{convert, probe};
#[cfg(not(feature = "simdutf"))]
use skipped::{convert, probe};

#[cfg(feature = "simdutf")]
mod built_in {
    use super::{Availability, Host, Setting};
    use crate::convert::kernel::Unit;
    use crate::convert::prelude::*;
    use crate::convert::techniques::convert_by_best_mover;

    /// Looked at and then converted, since the library has no call that does both and stops at the first byte that is
    /// not ASCII: the second pass finds the bytes in the nearest cache.
    const BLOCK: usize = 16 << 10;

    pub(super) fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
        convert_by_best_mover(job, widen, notes)
    }

    pub(super) fn probe(_host: &Host, _setting: &Setting) -> Availability {
        Availability::Ready
    }

    pub(in crate::convert) fn widen(from: &[u8], to: &mut [Unit]) -> Result<(), usize> {
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
}

#[cfg(not(feature = "simdutf"))]
mod skipped {
    use super::{Availability, Host, Setting};
    use crate::convert::prelude::*;

    const MISSING: &str = "it was left out of this build, since it needs a C++ compiler: \
                           cargo build --release --features simdutf builds it in";

    pub(super) fn convert(_job: &ConvertJob, _notes: &mut Notes) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, MISSING))
    }

    pub(super) fn probe(_host: &Host, _setting: &Setting) -> Availability {
        Availability::Missing(MISSING.to_owned())
    }
}
