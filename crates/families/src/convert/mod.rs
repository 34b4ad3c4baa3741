//! How do I convert a file from ASCII to UTF-16LE?
//!
//! Every technique opens the source, creates the output, converts, and closes both inside the clock; with durability it also waits
//! for the device. No byte-order mark is written. A byte above 0x7F is an error, and then nothing is left behind.
//!
//! Two questions are kept apart: how the file is moved (all with the same kernel), and which kernel converts (all with
//! the same mover: the techniques whose names begin with `kernel_`).

mod blocks;
mod files;
mod job;
mod kernel;
mod output;
mod plain;
mod prelude;
mod special;
mod stream;
mod techniques;
#[cfg(target_arch = "x86_64")]
mod x86;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod uring;
}

#[cfg(windows)]
mod windows {
    pub(super) mod overlapped;
}

#[cfg(test)]
mod tests;

use crate::contract::{AnyFamily, Family};
use crate::files::single;
use job::ConvertJob;
use plain::proof_of_converted;
pub(crate) use techniques::TECHNIQUES;

/// The family of conversions of a file from ASCII to UTF-16LE.
pub static CONVERT: &dyn AnyFamily = &Family::<ConvertJob> {
    name: "convert",
    question: "How do I convert a file from ASCII to UTF-16LE?",
    baseline: "read_write@64K",
    techniques: TECHNIQUES,
    workloads: files::workloads,
    // The output of the first conversion would make the second another piece of work.
    consumes_its_input: true,
    usual_bytes_per_second: Some(4_000_000_000),
    files: Some(files::FILES),
    ..Family::usual(
        |trial, parameters| {
            let source = single::input("convert", &trial.workload, &trial.scratch)?;
            ConvertJob::of_trial(trial, source, parameters)
        },
        |workload, scratch| proof_of_converted(&single::input("convert", workload, scratch)?),
    )
};
