//! What is shared out: the workloads, and what a user may choose about them.

use std::ops::RangeInclusive;

use model::{Axis, Preset, Workload};

use crate::contract::Curve;
use crate::parameters::{counts, words};
use crate::processors::{self, ALL, PROCESSORS};

pub(super) const THREADS: &str = "threads";
pub(super) const ITERATIONS: &str = "iterations";
pub(super) const ITERATIONS_PER_YIELD: &str = "iterations_per_yield";
pub(super) const GENERATOR: &str = "generator";

pub(super) const OWN: &str = "own";
pub(super) const CONGRUENCE: &str = "congruence";
pub(super) const C_LIBRARY: &str = "c_library";

/// Many threads for the shares of the default run, far from any limit.
const USUAL_THREADS: u64 = 64;
const THREADS_MOST: u64 = 1_000_000;
/// About 50 ms on one processor: the creation of 64 threads is small next to it. More would take the time of the default run.
const USUAL_ITERATIONS: u64 = 10_000_000;
/// At least 3 s on one processor. The published work took 10 s, next to which the creation of 8192 threads is small.
const PUBLISHED_ITERATIONS: u64 = 600_000_000;
/// More would not end within the time that a process may take.
const ITERATIONS_MOST: u64 = 10_000_000_000;
const PUBLISHED_YIELD: u64 = 100;

pub(super) const AXES: &[Axis] = &[
    counts(
        THREADS,
        "shares into which the work is split, each of them a thread in the baseline; --threads 1..8192 for short",
        &[USUAL_THREADS],
    ),
    counts(ITERATIONS, "iterations of all shares together", &[USUAL_ITERATIONS, PUBLISHED_ITERATIONS]),
    counts(
        ITERATIONS_PER_YIELD,
        "iterations after which a share gives up its processor; 0 for never",
        &[PUBLISHED_YIELD, 0],
    ),
    words(
        GENERATOR,
        "where the numbers come from: a generator for each share (xorshift, or the linear congruence of the published program's rand), \
         or this C library's rand, for which threads may queue up",
        &[OWN, CONGRUENCE, C_LIBRARY],
    ),
    processors::AXIS,
];

/// Two ways with the system's threads, and three that need few of them.
pub(super) const CURVE: Curve = Curve {
    along: THREADS,
    techniques: &["thread_each", "pool", "rayon", "tokio", "coroutines"],
    levels: &["1", "2", "8", "512", "8192"],
};

pub(super) fn of_preset(preset: Preset) -> Vec<Workload> {
    match preset {
        Preset::Quick => vec![workload(USUAL_THREADS, USUAL_ITERATIONS, OWN)],
        Preset::Published => {
            (0..14).map(|power| workload(1 << power, PUBLISHED_ITERATIONS, CONGRUENCE)).collect()
        }
        Preset::Large => vec![workload(USUAL_THREADS, PUBLISHED_ITERATIONS, OWN)],
    }
}

fn workload(threads: u64, iterations: u64, generator: &str) -> Workload {
    let name = match generator {
        OWN => "shared iterations".to_owned(),
        _ => format!("{iterations} published iterations, {threads} threads"),
    };
    let named = Workload { name, ..Workload::default() };
    let numbers = named.with(THREADS, threads).with(ITERATIONS, iterations);
    numbers.with(ITERATIONS_PER_YIELD, PUBLISHED_YIELD).with(GENERATOR, generator).with(PROCESSORS, ALL)
}

pub(super) fn range(axis: &str) -> Option<RangeInclusive<u64>> {
    match axis {
        THREADS => Some(1..=THREADS_MOST),
        ITERATIONS => Some(1..=ITERATIONS_MOST),
        ITERATIONS_PER_YIELD => Some(0..=ITERATIONS_MOST),
        _ => None,
    }
}

pub(super) fn check(workload: &Workload) -> Result<(), String> {
    let (threads, iterations) = (workload.number(THREADS), workload.number(ITERATIONS));
    if let (Some(threads), Some(iterations)) = (threads, iterations)
        && threads > iterations
    {
        return Err(format!(
            "--set {ITERATIONS}={iterations}: {threads} threads cannot share them, since each needs one; \
             set at least {ITERATIONS}={threads}, or fewer threads"
        ));
    }
    processors::check(workload)
}

pub(super) fn a_yielding_thread_each(workload: &Workload) -> Vec<String> {
    let threads = format!("clone3|clone *{}", shares(workload));
    [vec![threads], system_yields(workload)].concat()
}

pub(super) fn fewer_threads(workload: &Workload) -> Vec<String> {
    vec![format!("!clone3|clone *{}", shares(workload))]
}

/// A stack of its own for each share, which is no thread.
pub(super) fn a_stack_each(workload: &Workload) -> Vec<String> {
    vec![format!("mmap *{}", shares(workload))]
}

pub(super) fn system_yields(workload: &Workload) -> Vec<String> {
    forced_yields(workload).map(|yields| format!("sched_yield *{yields}")).into_iter().collect()
}

/// Forced yields that are no calls of the system. Crates may make a few for reasons of their own.
pub(super) fn own_yields(workload: &Workload) -> Vec<String> {
    forced_yields(workload).map(|yields| format!("!sched_yield *{yields}")).into_iter().collect()
}

fn shares(workload: &Workload) -> u64 {
    workload.number(THREADS).unwrap_or(1)
}

/// Returns how often all shares together give up their processor; `None` where they never do.
fn forced_yields(workload: &Workload) -> Option<u64> {
    let (shares, iterations) = (shares(workload).max(1), workload.number(ITERATIONS)?);
    let per_yield = workload.number(ITERATIONS_PER_YIELD).filter(|number| *number > 0)?;
    let (each, rest) = (iterations / shares, iterations % shares);
    let yields = rest * ((each + 1) / per_yield) + (shares - rest) * (each / per_yield);
    Some(yields).filter(|yields| *yields > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(threads: u64, iterations: u64, per_yield: u64) -> Workload {
        let workload = Workload::default().with(THREADS, threads).with(ITERATIONS, iterations);
        workload.with(ITERATIONS_PER_YIELD, per_yield)
    }

    #[test]
    fn each_share_yields_after_as_many_of_its_own_iterations() {
        // Shares of 11, 11 and 10 iterations.
        assert_eq!(system_yields(&of(3, 32, 11)), ["sched_yield *2"]);
        assert_eq!(own_yields(&of(3, 32, 5)), ["!sched_yield *6"]);
        assert_eq!(a_yielding_thread_each(&of(3, 32, 5)), ["clone3|clone *3", "sched_yield *6"]);
    }

    #[test]
    fn shares_that_never_yield_call_for_nothing() {
        for workload in [of(3, 32, 0), of(3, 32, 12)] {
            assert!(system_yields(&workload).is_empty() && own_yields(&workload).is_empty());
        }
    }
}
