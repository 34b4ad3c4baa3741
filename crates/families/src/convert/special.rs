//! Which kernel this processor has: those for instructions that not every one has, and the best for a file.

use std::io;

use model::Availability;

use super::kernel::{Kernel, plain};

#[cfg(target_arch = "x86_64")]
use super::x86 as machine;

#[cfg(not(target_arch = "x86_64"))]
mod machine {
    //! Other processors than x86-64: what the compiler makes of the plain loop.

    use super::{Kernel, plain};

    pub(in crate::convert) use none as sse2;
    pub(in crate::convert) use none as avx2;
    pub(in crate::convert) use none as avx512;
    pub(in crate::convert) use none as streaming;

    pub(in crate::convert) fn none() -> Option<Kernel> {
        None
    }

    pub(in crate::convert) fn widest() -> Kernel {
        plain
    }
}

pub(super) struct Special {
    of_this_processor: fn() -> Option<Kernel>,
    missing: &'static str,
}

const NO_AVX2: &str = "this processor has no AVX2 (x86-64 of 2013 and later, unless a hypervisor hides it)";
const NO_AVX512: &str =
    "this processor has no AVX-512BW and VL (servers of 2017 and later, unless a hypervisor hides them)";

pub(super) const SSE2: Special =
    Special { of_this_processor: machine::sse2, missing: "it needs an x86-64 processor" };
pub(super) const AVX2: Special = Special { of_this_processor: machine::avx2, missing: NO_AVX2 };
pub(super) const AVX512: Special = Special { of_this_processor: machine::avx512, missing: NO_AVX512 };
pub(super) const STREAMING: Special = Special { of_this_processor: machine::streaming, missing: NO_AVX2 };

impl Special {
    pub(super) fn kernel(&self) -> io::Result<Kernel> {
        (self.of_this_processor)().ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, self.missing))
    }

    pub(super) fn availability(&self) -> Availability {
        match (self.of_this_processor)() {
            Some(_) => Availability::Ready,
            None => Availability::Missing(self.missing.to_owned()),
        }
    }
}

/// From here on, wider registers gain more than it costs to ask the processor for them: 13 microseconds a MiB against up to 20
/// (a Xeon of 2023 in a virtual machine).
const WORTH_ASKING_BYTES: u64 = 2 << 20;

pub(super) fn best_for(bytes: u64) -> Kernel {
    if bytes < WORTH_ASKING_BYTES { plain } else { machine::widest() }
}
