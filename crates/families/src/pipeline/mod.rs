//! How do threads hand work to each other?
//!
//! As many producers as consumers, and two stages between them: a transmitter that collects units to blocks, and a receiver
//! that unpacks them and gives each unit to its consumer; or, on another route, a thread sends each unit back. All queues
//! are bounded, so that threads wait for room as well as for units. A strategy is how a queue waits and wakes; everything
//! else is the same for all. Opening the queues and starting and joining the threads are part of the work.

mod job;
mod locked;
mod parcel;
mod patience;
mod roll;
mod stages;
mod strategy;
mod techniques;
mod unit;
mod workload;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

#[cfg(test)]
mod tests;

/// The imports of most techniques of the family.
mod prelude {
    pub(super) use std::io;

    pub(super) use super::job::{PipelineJob, timeout};
    pub(super) use super::strategy::{
        Bounds, Ends, Put, Queue, Shared, Strategy, Take, Waits, hung_up, retried,
    };
    pub(super) use crate::contract::Technique;
}

use crate::contract::{AnyFamily, Family};
use job::{METRICS, PipelineJob};
use techniques::TECHNIQUES;

/// The family of queues between threads.
pub static PIPELINE: &dyn AnyFamily = &Family::<PipelineJob> {
    name: "pipeline",
    question: "How do threads hand work to each other?",
    baseline: "std_mutex_notify_one",
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    range: workload::range,
    check: workload::check,
    metrics: METRICS,
    curve: Some(workload::CURVE),
    threads: workload::threads,
    ..Family::usual(
        |trial, parameters| PipelineJob::of(&trial.workload, &parameters),
        |workload, _scratch| Ok(workload::order_of(workload)?.0.expected()),
    )
};
