//! How do I find the lines with a pattern in many files?
//!
//! Every technique opens the files, finds the lines, writes them as `PATH:LINE` in the order of the files, and closes
//! everything inside the clock; with durability it also waits for the device.
//!
//! Buffers are no larger than what there is to read, and all memory is given back inside the clock: every technique frees
//! its buffers, unmaps its files, closes its ring and waits for its threads before it returns.

mod files;
mod workload;

mod generate;
mod inputs;
mod job;
mod pattern;
mod proof;

mod expression;
mod kernel;
mod lines;
mod output;
mod part;
mod searcher;
mod stitch;
mod threads;

mod techniques;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod children;
    pub(super) mod folder;
    pub(super) mod source;

    #[cfg(test)]
    mod tests;
}

#[cfg(windows)]
mod windows {
    pub(super) mod children;
    pub(super) mod folder;
    pub(super) mod source;

    #[cfg(test)]
    mod tests;
}

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

#[cfg(test)]
#[path = "../../tests/search_processes/awkward.rs"]
mod awkward;
#[cfg(test)]
mod tests;

/// The imports of most techniques of the family.
mod prelude {
    pub(super) use std::io;
    pub(super) use std::path::Path;

    pub(super) use model::{Availability, Host, Setting};

    pub(super) use super::job::{Notes, SearchJob, prefix_of, visit_below};
    pub(super) use super::kernel::{Best, Kernel};
    pub(super) use crate::contract::Technique;
    pub(super) use crate::files::SourceMapping;
}

pub use part::{SEARCH_PART, search_part};

use std::num::NonZero;

use crate::contract::{AnyFamily, Family};
use inputs::Place;
use job::SearchJob;
use pattern::Pattern;
use techniques::TECHNIQUES;

/// The family of searches for the lines with a pattern.
pub static SEARCH: &dyn AnyFamily = &Family::<SearchJob> {
    name: "search",
    question: "How do I find the lines with a pattern in many files?",
    baseline: "sequential",
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    range: workload::range,
    set: workload::set,
    curve: Some(workload::CURVE),
    // The answer of the first search would make the second another piece of work.
    consumes_its_input: true,
    usual_bytes_per_second: Some(12_000_000_000),
    files: Some(files::FILES),
    ..Family::usual(
        |trial, parameters| {
            Ok(SearchJob {
                place: Place::of(&trial.workload, &trial.scratch),
                answer: files::answer_in(&trial.scratch),
                bytes: trial.workload.bytes().unwrap_or(u64::MAX),
                pattern: Pattern::of(&trial.workload)?,
                durable: trial.setting.is_durable(),
                parameters,
                processors: NonZero::new(trial.setting.conditions.processors.len()),
            })
        },
        |workload, scratch| proof::expected(&Place::of(workload, scratch), &Pattern::of(workload)?),
    )
};
