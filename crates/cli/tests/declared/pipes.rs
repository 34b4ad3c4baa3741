//! The family: a ring that moves more, and a pipe whose hand-overs take less time.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use families::{Family, Repeat, Technique};
use model::{Axis, Fact, Metric, Point, Proof, Values, Workload};

/// Every sample differs a little from the one before.
static TURN: AtomicU64 = AtomicU64::new(0);

struct Moving {
    rate: f64,
    /// About how long a hand-over takes.
    handover_ns: u64,
    turn: u64,
}

impl Moving {
    fn new(rate: f64, handover_ns: u64) -> Self {
        Self { rate, handover_ns, turn: 0 }
    }
}

/// The proof of all techniques.
fn proof() -> Proof {
    Proof { bytes: 1_000, digest: "units".to_owned() }
}

impl Repeat for Moving {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(100 * times) {
            std::hint::spin_loop();
        }
        self.turn = TURN.fetch_add(1, Ordering::Relaxed) % 7;
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        Ok(proof())
    }

    fn values(&self, out: &mut families::Values) {
        out.number("units_per_second", self.rate * (1.0 + self.turn as f64 / 1_000.0));
        let least_ns = self.handover_ns + 10 * self.turn;
        out.latencies_ns("handover", least_ns..least_ns + 1_000);
    }
}

const METRICS: &[Metric] = &[
    Metric::more("units_per_second", "units per second"),
    Metric::less("handover_p99_ns", "99th percentile of the hand-over"),
];

/// Returns what it finds out.
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
        Ok(Box::new(Moving::new(rate, 5_000)))
    })
};

const PIPE: Technique<Point> = Technique {
    name: "pipe",
    idea: "hands over sooner",
    source: "this test",
    ..Technique::usual(|_point| Ok(Box::new(Moving::new(1e6, 2_000))))
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
