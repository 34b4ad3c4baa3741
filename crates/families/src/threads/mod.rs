//! Over how many threads should fixed work be spread?
//!
//! A fixed number of iterations is split into equal shares, one for each thread that a program would start. A share draws a
//! number in each iteration, and gives up its processor after every 100. The levels of the curve are numbers of shares, from 1
//! to thousands: a thread for each share is what many programs do, and the other techniques are what they could do in its place.
//!
//! Everything is inside the clock: threads are created, run and joined, pools and runtimes are built and taken down. The times
//! of the three parts are told apart. What the limits of this host allow is told as facts.

mod workload;

mod course;
mod job;
mod share;
mod start;
mod turns;

mod facts;
mod techniques;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod batch;
    pub(super) mod rand;
}

#[cfg(windows)]
mod windows {
    pub(super) mod fiber;
    pub(super) mod pool;
    pub(super) mod rand;
}

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

#[cfg(test)]
mod tests;

use model::Metric;

use crate::contract::{AnyFamily, Family};
use job::ThreadsJob;
use techniques::TECHNIQUES;

/// Over how many threads should fixed work be spread?
pub static THREADS: &dyn AnyFamily = &Family::<ThreadsJob> {
    name: "threads",
    question: "Over how many threads should fixed work be spread?",
    baseline: "thread_each",
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    range: workload::range,
    set: workload::set,
    check: workload::check,
    curve: Some(workload::CURVE),
    spread_over: Some(workload::THREADS),
    metrics: &[
        Metric::WORK,
        Metric::less("create_ns", "the time to create the threads"),
        Metric::less("run_ns", "the time from the last creation to the end of the last share"),
        Metric::less("join_ns", "the time from the end of the last share to that of the last thread"),
    ],
    facts: Some(facts::facts),
    ..Family::usual(
        |trial, parameters| ThreadsJob::of(&trial.workload, parameters),
        |workload, _scratch| job::expected(workload),
    )
};
