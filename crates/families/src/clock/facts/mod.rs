//! What is found out about the clocks and is no contest.
//!
//! - The cost of a call is that of batches of 16 calls at once, less what this tool's own two readings around them cost: its
//!   median, and the 99th percentile. Amid other work it is what the calls add to the work alone.
//! - Steps are the differences of readings that follow each other at once.
//! - Whether a clock goes backwards is looked at within a thread, and by two threads that hand over to each other, each on a
//!   processor of its own.
//! - Drift is against the clock of this tool (`CLOCK_MONOTONIC_RAW`, the performance counter) over a second.
//! - A call enters the kernel when it ends a child process that may make no system call. Where children cannot be restricted so,
//!   its cost is compared with that of a call that enters it for certain.

mod cost;
mod drift;
mod steps;

use std::cell::RefCell;

use model::Fact;

use super::TECHNIQUES;
use super::job::ClockJob;
use super::time_source::AnyClock;
use cost::Cost;
use drift::Second;

const FAMILY: &str = "clock";

pub(super) struct Named {
    pub(super) name: &'static str,
    pub(super) clock: Box<dyn AnyClock>,
}

/// Returns the facts of all clocks that are available here. It takes about three seconds.
pub(super) fn facts() -> Vec<Fact> {
    let clocks = available();
    let second = Second::begin(&clocks);
    let costs: Vec<Cost> = clocks.iter().map(|one| cost::of(&*one.clock)).collect();
    let orders: Vec<_> = clocks.iter().map(|one| steps::across_processors(&*one.clock)).collect();
    let kernels = cost::kernel_of(&clocks, &costs);
    let rates = second.end(&clocks);
    let mut facts: Vec<Fact> =
        sys::clock::source().iter().map(|source| Fact::words(FAMILY, "clock source", "", source)).collect();
    for (((one, cost), order), (kernel, rate)) in
        clocks.iter().zip(&costs).zip(orders).zip(kernels.into_iter().zip(rates))
    {
        let (clock, steps) = (&*one.clock, steps::of(&*one.clock));
        let number = |name, number, unit| Fact::number(FAMILY, name, one.name, number, unit);
        let words = |name, words: &str| Fact::words(FAMILY, name, one.name, words);
        facts.push(number("cost of a call, median", cost.median_ns, "ns"));
        facts.push(number("cost of a call, 99th percentile", cost.p99_ns, "ns"));
        facts.push(number("cost of a call amid other work", cost.amid_ns, "ns"));
        let stated = clock.stated_resolution_ns();
        facts.extend(stated.map(|step_ns| number("resolution that the system states", step_ns, "ns")));
        // In the clock's own units where these are not known in nanoseconds.
        let unit_ns = clock.unit_ns().or(rate.map(|rate| rate.unit_ns));
        let (factor, unit) = unit_ns.map_or((1.0, "cycles"), |unit_ns| (unit_ns, "ns"));
        match steps.smallest.zip(steps.largest) {
            Some((smallest, largest)) => {
                facts.push(number("smallest step", smallest as f64 * factor, unit));
                facts.push(number("largest step", largest as f64 * factor, unit));
            }
            None => facts.push(words("smallest step", "it did not move while it was looked at")),
        }
        facts.push(words("within a thread", &steps.order()));
        facts.push(words("across processors", &order));
        facts.push(words("kernel", &kernel));
        let Some(rate) = rate else { continue };
        let drift_ppm = clock.unit_ns().map(|unit_ns| (unit_ns / rate.unit_ns - 1.0) * 1e6);
        facts.push(match drift_ppm {
            None => number("rate", 1e3 / rate.unit_ns, "MHz"),
            Some(ppm) if rate.doubt_ppm <= 1.0 => number("drift", ppm, "ppm"),
            // It is not known to a millionth.
            Some(ppm) => words("drift", &format!("{ppm:.0} ppm, give or take {:.0} ppm", rate.doubt_ppm)),
        });
    }
    facts
}

fn available() -> Vec<Named> {
    let competing = TECHNIQUES.iter().filter(|technique| !technique.ceiling);
    let clocks = competing.filter_map(|technique| {
        let job = ClockJob { shown: Some(RefCell::default()), ..ClockJob::default() };
        (technique.prepare)(&job).ok()?;
        Some(Named { name: technique.name, clock: job.shown?.into_inner()? })
    });
    clocks.collect()
}
