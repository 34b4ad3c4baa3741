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
mod kernel;
mod order;
mod steps;

use std::cell::RefCell;

use model::{Fact, FactValue};

use super::TECHNIQUES;
use super::job::ClockJob;
use super::time_source::{AnyClock, Tells};
use crate::contract::Technique;
use cost::Cost;
use drift::Second;
use steps::Steps;

/// A clock with its name.
pub(super) struct Named {
    pub(super) name: &'static str,
    pub(super) clock: Box<dyn AnyClock>,
}

/// The facts of all clocks that are available here. It takes about three seconds, and restricts no thread but its own.
pub(super) fn facts() -> Vec<Fact> {
    let clocks = available();
    let second = Second::begin(&clocks);
    let costs: Vec<Cost> = clocks.iter().map(|one| cost::of(&*one.clock)).collect();
    let orders: Vec<_> = clocks.iter().map(|one| order::across_processors(&*one.clock)).collect();
    let kernels = kernel::of(&clocks, &costs);
    let rates = second.end(&clocks);
    let mut facts: Vec<Fact> = source().into_iter().collect();
    for (((one, cost), order), (kernel, rate)) in
        clocks.iter().zip(&costs).zip(orders).zip(kernels.into_iter().zip(rates))
    {
        let unit_ns = one.clock.unit_ns().or(rate.as_ref().map(|rate| rate.unit_ns));
        let steps = steps::of(&*one.clock);
        let fact = |name, value| fact(name, one.name, value);
        let ns = |name, ns: f64| fact(name, number(ns, "ns"));
        let words = |name, words: String| fact(name, in_words(words));
        facts.push(ns("cost of a call, median", cost.median_ns));
        facts.push(ns("cost of a call, 99th percentile", cost.p99_ns));
        facts.push(ns("cost of a call amid other work", cost.amid_ns));
        facts.extend(
            one.clock.stated_resolution_ns().map(|step| ns("resolution that the system states", step)),
        );
        facts.extend(step_facts(&steps, unit_ns).map(|(name, value)| fact(name, value)));
        facts.push(words("within a thread", steps.order()));
        facts.push(words("across processors", order));
        facts.push(words("kernel", kernel));
        facts.extend(rate.map(|rate| rate_fact(one, &rate)).map(|(name, value)| fact(name, value)));
    }
    facts
}

/// The clocks that can be opened here, limits left out.
fn available() -> Vec<Named> {
    let clock = |technique: &Technique<ClockJob>| {
        let job = ClockJob { shown: Some(RefCell::default()), ..ClockJob::default() };
        (technique.prepare)(&job).ok()?;
        let clock = job.shown?.into_inner()?;
        Some(Named { name: technique.name, clock })
    };
    TECHNIQUES.iter().filter(|technique| !technique.ceiling).filter_map(clock).collect()
}

/// About a technique, or about the host where `about` is empty.
fn fact(name: &str, about: &str, value: FactValue) -> Fact {
    Fact { family: "clock".to_owned(), name: name.to_owned(), about: about.to_owned(), value }
}

fn number(number: f64, unit: &str) -> FactValue {
    FactValue::Number { number, unit: unit.to_owned() }
}

fn in_words(words: String) -> FactValue {
    FactValue::Words { words }
}

fn source() -> Option<Fact> {
    let words = in_words(sys::clock::source()?);
    Some(fact("clock source", "", words))
}

/// Steps in nanoseconds, or in the clock's own units where these are not known in nanoseconds.
fn step_facts(steps: &Steps, unit_ns: Option<f64>) -> impl Iterator<Item = (&'static str, FactValue)> {
    let value = move |step: u64| match unit_ns {
        Some(unit_ns) => number(step as f64 * unit_ns, "ns"),
        None => number(step as f64, "cycles"),
    };
    let found = steps.smallest.zip(steps.largest).map(|(smallest, largest)| {
        vec![("smallest step", value(smallest)), ("largest step", value(largest))]
    });
    let none = || vec![("smallest step", in_words("it did not move while it was looked at".to_owned()))];
    found.unwrap_or_else(none).into_iter()
}

/// A drift is told with its doubt where it is known to no millionth.
fn rate_fact(one: &Named, rate: &drift::Rate) -> (&'static str, FactValue) {
    let Some(unit_ns) = one.clock.unit_ns() else {
        return ("rate", number(1e3 / rate.unit_ns, "MHz"));
    };
    let ppm = (unit_ns / rate.unit_ns - 1.0) * 1e6;
    let value = match rate.doubt_ppm <= 1.0 {
        true => number(ppm, "ppm"),
        false => in_words(format!("{ppm:.0} ppm, give or take {:.0} ppm", rate.doubt_ppm)),
    };
    ("drift", value)
}

impl Tells {
    /// Whether it goes on at the pace of time, whichever process reads it.
    fn is_of_the_host(self) -> bool {
        matches!(self, Self::TimeOfDay | Self::ElapsedTime | Self::Counter)
    }
}
