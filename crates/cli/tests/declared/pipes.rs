//! The family: a ring that moves more, and a pipe whose hand-overs take less time.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use families::{Body, Entry, Family, FindFacts, Histogram, Placeholder, Repeat, Values};
use model::{Availability, Class, Fact, Host, Preset, Proof, Quantity, Setting, Trial, Workload};

pub(crate) struct Pipes;

const QUANTITIES: &[Quantity] = &[
    Quantity::more("units_per_second", "units per second"),
    Quantity::less("handover_p99_ns", "99th percentile of the hand-over"),
];

/// What it finds out.
pub(crate) fn facts() -> Vec<Fact> {
    vec![
        Fact::number("pipes", "most_threads", "", 8192.0, "threads"),
        Fact::number("pipes", "shortest_wait", "ring", 20.5, "ns"),
        Fact::words("pipes", "waits_on", "pipe", "a futex"),
    ]
}

/// Every sample differs a little from the one before.
static TURN: AtomicU64 = AtomicU64::new(0);

struct Moving {
    rate: f64,
    handover_ns: u64,
    turn: u64,
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
        Ok(Proof { bytes: 1000, digest: "units".to_owned() })
    }

    fn values(&self, out: &mut Values) {
        out.number("units_per_second", self.rate * (1.0 + self.turn as f64 / 1000.0));
        let mut latencies = Histogram::new(3).expect("three digits");
        for unit in 0..1000 {
            latencies.record(self.handover_ns + 10 * self.turn + unit).expect("it grows by itself");
        }
        out.latencies_ns("handover", latencies);
    }
}

impl Family for Pipes {
    fn name(&self) -> &'static str {
        "pipes"
    }

    fn question(&self) -> &'static str {
        "How do threads hand work to each other?"
    }

    fn entries(&self) -> Vec<Entry> {
        let entry = |name: &str| Entry {
            name: name.to_owned(),
            aliases: Vec::new(),
            idea: "made up".to_owned(),
            source: "this test".to_owned(),
            class: Class::MovesBytes,
            ceiling: false,
            parameter: None,
            variant_of: None,
        };
        ["ring", "pipe"].map(entry).to_vec()
    }

    fn quantities(&self) -> &'static [Quantity] {
        QUANTITIES
    }

    fn facts(&self) -> Option<FindFacts> {
        Some(facts)
    }

    fn reference(&self) -> &'static str {
        "pipe"
    }

    fn workloads(&self, _preset: Preset) -> Vec<Workload> {
        vec![Workload { name: "usual".to_owned(), ..Workload::default() }.with_number("units", 1000)]
    }

    fn workload_of_bytes(&self, _bytes: u64) -> Option<Workload> {
        None
    }

    fn scratch_bytes(&self, _workload: &Workload) -> u64 {
        0
    }

    fn generate(&self, _workload: &Workload, _scratch: &Path, _seed: u64) -> io::Result<()> {
        Ok(())
    }

    fn inputs(&self, _workload: &Workload, _scratch: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn expected(&self, _workload: &Workload, _scratch: &Path) -> io::Result<Proof> {
        Ok(Proof { bytes: 1000, digest: "units".to_owned() })
    }

    fn clear(&self, _workload: &Workload, _scratch: &Path) -> io::Result<()> {
        Ok(())
    }

    fn inspect(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        self.expected(workload, scratch)
    }

    fn placeholders(&self, _workload: &Workload, _scratch: &Path) -> Vec<Placeholder> {
        Vec::new()
    }

    fn probe(&self, _entry: &str, _host: &Host, _setting: &Setting) -> Availability {
        Availability::Ready
    }

    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let (rate, handover_ns) = if trial.technique == "ring" { (3e6, 5_000) } else { (1e6, 2_000) };
        body(&mut Moving { rate, handover_ns, turn: 0 })
    }
}
