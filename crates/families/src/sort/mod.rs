//! How do I sort a file of records?
//!
//! Every technique opens the input, brings its records into ascending order of their keys, writes them to a new file and closes
//! both inside the clock; with durability it also waits for the device. Records of equal keys may stand in any order.
//!
//! With `output=suppressed` nothing is written, and the work is still equal: every technique leaves all records in memory, one
//! behind the other in their new order, where the proof reads them. Some move records while they sort; those that only find
//! the order gather the records at the end. `memory_copy` is the limit of both.
//!
//! Giving memory back is inside the clock, as the ends of threads are (but `voracious_sort`, whose library does not wait for
//! them): when a technique returns, it holds nothing but the sorted records of a suppressed output. No buffer is larger than
//! the file.

mod files;
mod job;
mod layout;
mod proof;
mod workload;

mod external;
mod lockstep;
mod loser_tree;
mod merge;
mod ordered;
mod packing;
mod pool;
mod qsort;
mod radix;
mod source;
mod tags;
mod transfers;
mod tree;
mod typed;

mod techniques;

#[cfg_attr(target_os = "linux", path = "linux/direct.rs")]
#[cfg_attr(windows, path = "windows/direct.rs")]
mod direct;
#[cfg_attr(target_os = "linux", path = "linux/system.rs")]
#[cfg_attr(windows, path = "windows/system.rs")]
mod system;

#[cfg(all(test, target_os = "linux"))]
mod linux {
    mod tests;
}

#[cfg(test)]
mod tests;

/// The imports of most techniques of the family.
mod prelude {
    pub(super) use std::io;
    pub(super) use std::time::Instant;

    pub(super) use model::{Availability, Host, Setting};

    pub(super) use super::job::{Account, SortJob, Sorted, elapsed_ns};
    pub(super) use crate::contract::Technique;
    pub(super) use crate::files::tried_out;
    pub(super) use crate::parameters::{memory_bytes, number_on};
}

use std::num::NonZero;
use std::path::{Path, PathBuf};

use crate::contract::{AnyFamily, Family};
use job::SortJob;
use techniques::TECHNIQUES;
use workload::Shape;

/// The family of sorts of a file of records.
pub static SORT: &dyn AnyFamily = &Family::<SortJob> {
    name: "sort",
    question: "How do I sort a file of records?",
    baseline: "sort_unstable",
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    range: workload::range,
    set: workload::set,
    // The length of a file must fit to the length of the records, which may be set after the file was named.
    check: |workload| {
        let shape = Shape::of(workload).map_err(|refused| refused.to_string())?;
        let named = workload.files.first().map_or(Path::new("--size"), PathBuf::as_path);
        shape.records(named).map(drop).map_err(|refused| refused.to_string())
    },
    // The output of the first repetition would make the second another piece of work.
    consumes_its_input: true,
    usual_bytes_per_second: Some(1_000_000_000),
    renews_inputs: true,
    files: Some(files::FILES),
    ..Family::usual(
        |trial, parameters| {
            let shape = Shape::of(&trial.workload)?;
            Ok(SortJob {
                input: files::input_of(&trial.workload, &trial.scratch)?,
                output: trial.scratch.join(files::OUTPUT),
                index: trial.scratch.join(files::INDEX),
                kept_index: files::index_of(&trial.workload, &trial.scratch)?,
                runs: trial.scratch.join(files::RUNS),
                layout: shape.layout,
                bytes: shape.bytes,
                written: shape.written,
                durable: trial.setting.is_durable(),
                cold: trial.setting.is_cold(),
                parameters,
                processors: NonZero::new(trial.setting.conditions.processors.len()),
                memory_limit_bytes: trial.setting.conditions.memory_limit_bytes,
            })
        },
        |workload, scratch| {
            let layout = Shape::of(workload)?.layout;
            proof::proof_once_sorted(&files::input_of(workload, scratch)?, layout)
        },
    )
};
