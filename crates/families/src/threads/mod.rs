//! Over how many threads should fixed work be spread?
//!
//! A fixed number of iterations is split into equal shares, one for each thread that a program would start. A share draws a
//! number in each iteration, and gives up its processor after every 100. The levels of the curve are numbers of shares, from 1
//! to thousands: a thread for each share is what many programs do, and the other techniques are what they could do in its place.
//!
//! Everything is inside the clock: threads are created, run and joined, pools and runtimes are built and taken down. The times
//! of the three parts are distinguished. What the limits of this host allow is reported as facts.

mod workload;

mod course;
mod job;
mod share;
mod start;
mod turns;

mod facts;
mod techniques;

#[cfg_attr(target_os = "linux", path = "linux/give_up.rs")]
#[cfg_attr(windows, path = "windows/give_up.rs")]
mod give_up;

/// The C library's generator: one sequence for all threads, behind a lock.
#[cfg(target_os = "linux")]
mod rand {
    pub(super) fn begin() {
        // SAFETY: the call takes a number, and the C library guards its state by a lock.
        unsafe { libc::srand(1) };
    }

    /// Draws a number below `modulus`. All threads draw from one sequence: their sum is always the same.
    #[inline]
    pub(super) fn drawn(modulus: u32) -> u64 {
        // SAFETY: the call takes nothing, and the C library guards its state by a lock.
        let drawn = unsafe { libc::rand() };
        u64::from(drawn.unsigned_abs() % modulus)
    }
}

/// The C library's generator: a sequence for each thread.
#[cfg(windows)]
mod rand {
    /// Does nothing: there is no common sequence.
    pub(super) fn begin() {}

    /// Draws a number below `modulus`, and returns 0: each thread has its own sequence, so the sum depends on who does what.
    #[inline]
    pub(super) fn drawn(modulus: u32) -> u64 {
        // SAFETY: the call takes nothing, and its state belongs to the calling thread.
        let drawn = unsafe { libc::rand() };
        std::hint::black_box(drawn.unsigned_abs() % modulus);
        0
    }
}

#[cfg(test)]
mod tests;

/// The imports of most techniques of the family.
mod prelude {
    pub(super) use std::io;

    pub(super) use sys::failure::in_context;

    pub(super) use super::job::{STACK_BYTES, ThreadsJob};
    pub(super) use super::workload::{
        a_stack_each, a_yielding_thread_each, fewer_threads, own_yields, system_yields,
    };
    pub(super) use crate::contract::Technique;
}

use model::Metric;

use crate::contract::{AnyFamily, Family};
use job::ThreadsJob;
use techniques::TECHNIQUES;

/// The family of ways to spread fixed work over threads.
pub static THREADS: &dyn AnyFamily = &Family::<ThreadsJob> {
    name: "threads",
    question: "Over how many threads should fixed work be spread?",
    baseline: "thread_each",
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    range: workload::range,
    check: workload::check,
    curve: Some(workload::CURVE),
    spread_over: Some(workload::THREADS),
    metrics: &[
        Metric::WORK,
        Metric::less("create_ns", "the time to create the threads"),
        Metric::less("run_ns", "the time from the last creation to the end of the last share"),
        Metric::less("join_ns", "the time from the end of the last share to that of the last thread's work"),
    ],
    facts: Some(facts::facts),
    ..Family::usual(
        |trial, parameters| ThreadsJob::of(&trial.workload, parameters),
        |workload, _scratch| job::expected(workload),
    )
};
