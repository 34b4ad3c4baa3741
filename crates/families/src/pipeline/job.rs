//! The job: move all units through three stages, and what is counted meanwhile.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use model::{Axis, Metric, Point, Proof, Usage, Workload};
use sys::trace::{self, Edge};
use sys::usage::{self, Meter};
use sys::{affinity, clock};

use super::stages::System;
use super::strategy::{Strategy, Waits};
use super::unit::{Order, Received, proof_of};
use super::workload::{is_spread, order_of};
use crate::contract::{OwnTime, Repeat};
use crate::processors::{self, Restriction};
use crate::values::Values;

pub(super) const fn timeout(values_ns: &'static [u64]) -> Axis {
    Axis {
        name: TIMEOUT,
        meaning: "a wait ends after this time, whether or not it was woken",
        values: model::Values::DurationsNs(values_ns),
    }
}

const TIMEOUT: &str = "timeout_ns";

pub(super) const METRICS: &[Metric] = &[
    Metric::WORK,
    Metric::more("units_per_second", "units per second"),
    Metric::less("cpu_per_million_units_ns", "the processor time of a million units"),
    Metric::less("switches_per_unit", "context switches per unit"),
    Metric::less("latency_p50_ns", "the median time of a unit on its way"),
    Metric::less("latency_p99_ns", "the 99th percentile of a unit's time on its way"),
    Metric::less("latency_p999_ns", "the 99.9th percentile of a unit's time on its way"),
    Metric::less("latency_max_ns", "the longest time of a unit on its way"),
    Metric::less("timed_out_waits", "waits that reached their time-out"),
];

pub(super) struct PipelineJob {
    order: Order,
    depth: usize,
    timeout: Option<Duration>,
    wanted: Option<usize>,
    is_spread: bool,
}

impl PipelineJob {
    pub(super) fn of(workload: &Workload, parameters: &Point) -> io::Result<Self> {
        let (order, depth) = order_of(workload)?;
        let timeout = parameters.number(TIMEOUT).map(Duration::from_nanos);
        let (wanted, is_spread) = (processors::wanted(workload), is_spread(workload));
        Ok(Self { order, depth, timeout, wanted, is_spread })
    }

    /// Prepares the strategy.
    pub(super) fn by<S: Strategy>(&self) -> io::Result<Box<dyn Repeat + '_>> {
        let restriction = Restriction::to(self.wanted)?;
        let kept_on = if self.is_spread { affinity::allowed() } else { Vec::new() };
        Ok(Box::new(Moving {
            system: Arc::new(System::of(self.order.clone(), self.depth, kept_on)),
            run: System::run::<S>,
            timeout: self.timeout,
            meter: Meter::open(),
            received: Vec::new(),
            waits: Waits::default(),
            usage: Usage::default(),
            elapsed_ns: 0,
            own_ns: 0,
            _restriction: restriction,
        }))
    }
}

struct Moving {
    system: Arc<System>,
    run: fn(&Arc<System>, &Waits) -> io::Result<Vec<Received>>,
    timeout: Option<Duration>,
    meter: Meter,
    received: Vec<Received>,
    waits: Waits,
    usage: Usage,
    /// The time of the last repetition.
    elapsed_ns: u64,
    /// The time of all repetitions of the last call.
    own_ns: u64,
    _restriction: Option<Restriction>,
}

impl Repeat for Moving {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        // To read the counters takes calls of the system, which no technique makes.
        trace::mark(Edge::Pause);
        self.own_ns = 0;
        for _ in 0..times {
            self.waits = Waits { timeout: self.timeout, ..Waits::default() };
            let before = self.meter.read();
            (self.received, self.elapsed_ns) = trace::resumed(|| {
                let start_ns = clock::now_ns();
                let received = (self.run)(&self.system, &self.waits)?;
                Ok::<_, io::Error>((received, clock::now_ns() - start_ns))
            })?;
            self.own_ns += self.elapsed_ns;
            self.usage = usage::difference(&before, &self.meter.read());
        }
        Ok(())
    }

    /// Reading the counters is no part of the work.
    fn own_time(&self) -> Option<OwnTime> {
        Some(OwnTime { ns: self.own_ns, is_extrapolated: false })
    }

    fn proof(&mut self) -> io::Result<Proof> {
        Ok(proof_of(&self.received))
    }

    fn values(&self, out: &mut Values) {
        let units = self.system.order.total() as f64;
        out.number("units_per_second", units * 1e9 / self.elapsed_ns as f64);
        if let Some((user_ns, system_ns)) = self.usage.user_ns.zip(self.usage.system_ns) {
            out.number("cpu_per_million_units_ns", (user_ns + system_ns) as f64 * 1e6 / units);
        }
        if let Some((own, forced)) = self.usage.voluntary_switches.zip(self.usage.involuntary_switches) {
            out.number("switches_per_unit", (own + forced) as f64 / units);
        }
        if self.timeout.is_some() {
            out.number("timed_out_waits", self.waits.timed_out.load(Ordering::Relaxed) as f64);
        }
        let latencies_ns = self.received.iter().flat_map(|received| &received.latencies_ns);
        out.latencies_ns("latency", latencies_ns.copied());
    }
}
