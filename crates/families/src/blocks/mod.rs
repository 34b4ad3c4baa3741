//! How large a piece of memory should a loop work on?
//!
//! A loop makes this many passes over memory. *Looping* makes each pass over the whole; *sub-looping* makes all passes over a
//! piece of it, then goes on to the next piece. Both execute the same instructions on the same bytes equally often, and
//! differ only in how much of the memory is used again soon: a piece that a cache holds is loaded once. The levels of the
//! curve are pieces from 1 KiB to the whole, which is looping.
//!
//! What is done to the memory (write, read, update, copy) is part of the workload, since a load and a store cannot be ranked
//! with each other. The techniques are the instructions that do it, and the pages in which the memory lies.
//!
//! The memory is mapped, touched and filled before the clock starts: the question is about loops over memory that is there.

mod workload;

mod job;
mod kernels;
mod memory;

mod techniques;

#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
use x86 as instructions;

#[cfg(not(target_arch = "x86_64"))]
mod not_x86;
#[cfg(not(target_arch = "x86_64"))]
use not_x86 as instructions;

#[cfg_attr(target_os = "linux", path = "linux/mapping.rs")]
#[cfg_attr(windows, path = "windows/mapping.rs")]
mod mapping;

#[cfg(test)]
mod tests;

/// The imports of most techniques of the family.
mod prelude {
    pub(super) use super::job::{BlocksJob, available, fills_a_huge_page, looping, writes_and_copies};
    pub(super) use super::mapping::Pages;
    pub(super) use crate::contract::Technique;
}

use model::Metric;

use crate::contract::{AnyFamily, Family, Isolation};
use job::BlocksJob;
use techniques::TECHNIQUES;

/// The family of loops over memory, in pieces of any size.
pub static BLOCKS: &dyn AnyFamily = &Family::<BlocksJob> {
    name: "blocks",
    question: "How large a piece of memory should a loop work on?",
    baseline: "plain",
    techniques: TECHNIQUES,
    isolation: Isolation::Session,
    workloads: workload::of_preset,
    paid: workload::paid,
    axes: workload::AXES,
    range: workload::range,
    further_levels: || workload::levels_of(&workload::caches()),
    set: workload::set,
    check: workload::check,
    curve: Some(workload::CURVE),
    same_work_over: Some(workload::PIECE),
    marks: workload::marks,
    metrics: &[Metric::more(job::BANDWIDTH, "the bandwidth"), Metric::WORK],
    ..Family::usual(
        |trial, _parameters| BlocksJob::of(&trial.workload),
        |workload, _scratch| Ok(BlocksJob::of(workload)?.expected()),
    )
};
