//! Takes memory until there is none.

use std::io;

use crate::contract::Technique;
use crate::control::job::{ControlJob, control};
use crate::files::unsupported;

pub(super) const EXHAUST_MEMORY: Technique<ControlJob> =
    control("exhaust_memory", "allocates and touches memory until the limit of the setting is met", |job| {
        job.done_by(exhaust)
    });

/// Taken in one step: small enough to come close to any limit.
const STEP_BYTES: usize = 1 << 20;
/// No page is larger than a step, and none is smaller than this.
const PAGE_BYTES: usize = 4096;

/// Stops at the setting's own limit even where nothing enforces it, so that the machine stays up.
fn exhaust(job: &ControlJob) -> io::Result<()> {
    let Some(limit_bytes) = job.memory_limit_bytes else {
        let sentence =
            "exhaust_memory runs only with a memory limit: without one it would take the whole machine";
        return Err(unsupported(sentence));
    };
    let mut taken: Vec<Vec<u8>> = Vec::new();
    while (taken.len() * STEP_BYTES) as u64 <= limit_bytes {
        let mut step = Vec::new();
        let refused = taken.try_reserve(1).and_then(|()| step.try_reserve_exact(STEP_BYTES));
        if refused.is_err() {
            let got = model::format_bytes((taken.len() * STEP_BYTES) as u64);
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, format!("no memory after {got}")));
        }
        for page in step.spare_capacity_mut().iter_mut().step_by(PAGE_BYTES) {
            page.write(1);
        }
        taken.push(std::hint::black_box(step));
    }
    let limit = model::format_bytes(limit_bytes);
    let sentence = format!("took all of {limit}, and nothing stopped it before");
    Err(io::Error::new(io::ErrorKind::OutOfMemory, sentence))
}
