//! How do I copy a file?
//!
//! Every technique opens the source, creates the destination, copies, and closes both inside the clock; with
//! durability it also waits for the device. Buffers are no larger than the file, and no technique fills memory that it does not use.

mod files;
mod job;
mod past_cache;
mod techniques;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod parts;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    #[cfg(test)]
    mod tests;
}

#[cfg(test)]
mod tests;

use std::num::NonZero;

use crate::contract::{AnyFamily, Family};
use crate::files::{proof_of, single};
use job::CopyJob;
use techniques::TECHNIQUES;

/// How do I copy a file?
pub static COPY: &dyn AnyFamily = &FAMILY;

static FAMILY: Family<CopyJob> = Family {
    name: "copy",
    question: "How do I copy a file?",
    reference: "std_copy",
    techniques: TECHNIQUES,
    workloads: files::workloads,
    // The destination of the first copy would make the second another piece of work.
    consumes_its_input: true,
    usual_bytes_per_second: Some(6_000_000_000),
    files: Some(files::FILES),
    ..Family::usual(
        |trial, parameters| {
            Ok(CopyJob {
                source: single::input("copy", &trial.workload, &trial.scratch)?,
                destination: single::output("copy", &trial.scratch),
                bytes: single::input_bytes("copy", &trial.workload)?,
                durable: trial.setting.is_durable(),
                parameters,
                processors: NonZero::new(trial.setting.conditions.processors.len()),
            })
        },
        |workload, scratch| proof_of(&single::input("copy", workload, scratch)?),
    )
};
