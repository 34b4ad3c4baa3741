//! Work that is far too short for one reading of the clock.

use crate::contract::Technique;
use crate::control::job::{ControlJob, control};
use crate::control::spin::spin;

/// About 50 ns on a processor of 3 to 5 GHz.
const ITERATIONS: u64 = 20;

const fn tiny(name: &'static str) -> Technique<ControlJob> {
    control(name, "20 iterations, about 50 ns: a stretch must hold many of them", |job| {
        job.done_by(|_| {
            spin(ITERATIONS);
            Ok(())
        })
    })
}

pub(super) const TINY: Technique<ControlJob> = tiny("tiny");
pub(super) const TINY_B: Technique<ControlJob> = tiny("tiny_b");
