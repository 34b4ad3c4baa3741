//! How do I read the time?
//!
//! Every technique reads its clock a number of times and keeps the readings, as a program does that notes when things
//! happen. The readings follow each other at once, or with a chain of arithmetic between them, as in a program that does
//! other work: then what a reading adds is what counts, and the chain alone is shown as the limit.
//!
//! What cannot be ranked is reported as facts: the resolution of each clock, its steps, whether it goes backwards, how far it
//! drifts, and whether reading it enters the kernel.

mod counter;
mod facts;
mod job;
mod techniques;
mod time_source;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod clock_gettime;
}

#[cfg(windows)]
mod windows {
    pub(super) mod functions;
}

#[cfg(test)]
mod tests;

use std::io;

use model::{Preset, Workload};

use crate::contract::{AnyFamily, Family, Isolation};
use crate::parameters::{counts, number_of};
use job::{ClockJob, proof_of_calls};
use techniques::TECHNIQUES;

const CALLS: u64 = 1_000;
/// Readings in a batch of the published programs.
const PUBLISHED_CALLS: u64 = 1_000_000;
/// More would not end within the time that a process may take.
const CALLS_MAX: u64 = 1_000_000_000;
/// About 40 ns at 4 GHz: what a program may do between two events.
const CHAIN_STEPS: u64 = 16;
const CHAIN_STEPS_MAX: u64 = 1_000_000;

const CALLS_AXIS: &str = "calls";
const CHAIN_AXIS: &str = "chain_steps";

/// The family of clocks.
pub static CLOCK: &dyn AnyFamily = &Family::<ClockJob> {
    name: "clock",
    question: "How do I read the time?",
    baseline: "std_instant",
    class_baselines: &["monotonic_coarse", "get_tick_count_64"],
    techniques: TECHNIQUES,
    isolation: Isolation::Session,
    workloads: |preset| match preset {
        Preset::Published => vec![workload("1000000 calls back to back", PUBLISHED_CALLS, 0)],
        Preset::Quick | Preset::Large => vec![
            workload("1000 calls back to back", CALLS, 0),
            workload("1000 calls amid other work", CALLS, CHAIN_STEPS),
        ],
    },
    axes: &[
        counts(CALLS_AXIS, "readings in a batch", &[CALLS, PUBLISHED_CALLS]),
        counts(
            CHAIN_AXIS,
            "steps of other work between two readings; 16 take about 40 ns at 4 GHz",
            &[CHAIN_STEPS, 0],
        ),
    ],
    range: |axis| Some(if axis == CALLS_AXIS { 1..=CALLS_MAX } else { 0..=CHAIN_STEPS_MAX }),
    facts: Some(facts::facts),
    ..Family::usual(
        |trial, _parameters| job_of(&trial.workload),
        |workload, _scratch| Ok(proof_of_calls(job_of(workload)?.calls)),
    )
};

fn workload(name: &str, calls: u64, chain_steps: u64) -> Workload {
    let named = Workload { name: name.to_owned(), ..Workload::default() };
    named.with(CALLS_AXIS, calls).with(CHAIN_AXIS, chain_steps)
}

fn job_of(workload: &Workload) -> io::Result<ClockJob> {
    let calls = number_of(workload, CALLS_AXIS)?;
    Ok(ClockJob { calls, chain_steps: number_of(workload, CHAIN_AXIS)?, shown: None })
}
