//! The family: a ring that moves more, and a pipe whose hand-overs take less time.

use families::{Family, Technique};
use model::{Axis, Fact, Metric, Point, Values, Workload};

use crate::moving::{Moving, proof};

const METRICS: &[Metric] = &[
    Metric::more("units_per_second", "units per second"),
    Metric::less("handover_p99_ns", "99th percentile of the hand-over"),
];

/// What it finds out.
pub(crate) fn facts() -> Vec<Fact> {
    vec![
        Fact::number("pipes", "most_threads", "", 8192.0, "threads"),
        Fact::number("pipes", "shortest_wait", "ring", 20.5, "ns"),
        Fact::words("pipes", "waits_on", "pipe", "a futex"),
    ]
}

const DEPTH: Axis = Axis { name: "depth", meaning: "units in the queue", values: Values::Counts(&[100]) };
const TIMEOUT: Axis =
    Axis { name: "timeout_ns", meaning: "longest wait", values: Values::DurationsNs(&[25_000_000]) };
const WAKE: Axis = Axis { name: "wake", meaning: "who is woken", values: Values::Words(&["one", "all"]) };

const RING: Technique<Point> = Technique {
    name: "ring",
    idea: "moves more",
    source: "this test",
    parameters: &[DEPTH, TIMEOUT, WAKE],
    ..Technique::usual(|point| {
        // To wake all takes as long again.
        let rate = if point.word("wake") == Some("one") { 3e6 } else { 1.5e6 };
        Ok(Box::new(Moving::new(rate, Some(5_000))))
    })
};

const PIPE: Technique<Point> = Technique {
    name: "pipe",
    idea: "hands over sooner",
    source: "this test",
    ..Technique::usual(|_point| Ok(Box::new(Moving::new(1e6, Some(2_000)))))
};

/// The family.
pub(crate) static PIPES: Family<Point> = Family {
    name: "pipes",
    question: "How do threads hand work to each other?",
    baseline: "pipe",
    techniques: &[RING, PIPE],
    metrics: METRICS,
    facts: Some(facts),
    workloads: |_preset| {
        vec![Workload { name: "usual".to_owned(), ..Workload::default() }.with("units", 1000)]
    },
    ..Family::usual(|_trial, parameters| Ok(parameters), |_workload, _scratch| Ok(proof()))
};
