//! The workloads: how many threads move how many units through queues of which depth.

use std::io;
use std::ops::RangeInclusive;

use model::{Axis, Preset, Value, Values, Workload};
use sys::affinity;

use super::unit::{Order, Route};
use crate::contract::Curve;
use crate::parameters::{number_of, within_range};

const ROUTE: &str = "route";
const STAGES: &str = "stages";
const ROUND_TRIP: &str = "round_trip";
pub(super) const THREADS: &str = "threads";
const UNITS: &str = "units";
pub(super) const DEPTH: &str = "depth";
const BATCH: &str = "batch";
const WORK_STEPS: &str = "work_steps";
const PAYLOAD: &str = "payload_bytes";
const PROCESSORS: &str = "processors";
const PLACEMENT: &str = "placement";

const ALL: &str = "all";
/// The system chooses where a thread runs.
const FREE: &str = "free";
const SPREAD: &str = "spread";

const USUAL_THREADS: u64 = 4;
const USUAL_UNITS: u64 = 1_000;
const USUAL_DEPTH: u64 = 10;
const USUAL_BATCH: u64 = 5;
/// About 100 ns at 4 GHz.
const USUAL_WORK_STEPS: u64 = 100;
/// The units and their latencies must fit into memory.
const UNITS_MAX: u64 = 16_000_000;
/// More work would not end within the time that a process may take.
const STEPS_MAX: u64 = 10_000_000_000;

pub(super) const AXES: &[Axis] = &[
    Axis {
        name: ROUTE,
        meaning: "the way of the units: over two stages to consumers, or to another thread and back before the next one leaves",
        values: Values::Words(&[STAGES, ROUND_TRIP]),
    },
    Axis {
        name: THREADS,
        meaning: "producers, and as many consumers; pairs of threads of round trips",
        values: Values::Counts(&[1, 2, 4, 8, 16, 32, 64]),
    },
    Axis { name: UNITS, meaning: "units that each producer makes", values: Values::Counts(&[USUAL_UNITS]) },
    Axis {
        name: DEPTH,
        meaning: "units in the queue to the transmitter; the queues behind it hold two fifths of that",
        values: Values::Counts(&[USUAL_DEPTH, 100, 1_000]),
    },
    Axis { name: BATCH, meaning: "units in a block", values: Values::Counts(&[1, USUAL_BATCH, 100]) },
    Axis {
        name: WORK_STEPS,
        meaning: "steps of arithmetic to make a unit on average, and again to use it; 100 take about 100 ns at 4 GHz",
        values: Values::Counts(&[0, USUAL_WORK_STEPS]),
    },
    Axis {
        name: PAYLOAD,
        meaning: "bytes that a unit carries, in memory of its own",
        values: Values::Bytes(&[0, 64, 1024]),
    },
    Axis {
        name: PROCESSORS,
        meaning: "how many of the processors that may be used",
        values: Values::Words(&[ALL, "1", "2"]),
    },
    Axis {
        name: PLACEMENT,
        meaning: "where the threads run: as the system thinks best, or each of them kept on a processor, in turn",
        values: Values::Words(&[FREE, SPREAD]),
    },
];

pub(super) const CURVE: Curve = Curve {
    along: THREADS,
    techniques: &[
        "broadcast_kernel_lock",
        "signal_user_lock",
        "std_mutex_notify_one",
        "crossbeam",
        "own_queue",
        "kanal",
        "flume",
    ],
    levels: &["1", "16"],
};

pub(super) fn of_preset(preset: Preset) -> Vec<Workload> {
    match preset {
        Preset::Quick => vec![of_threads("three stages".to_owned(), USUAL_THREADS)],
        Preset::Published | Preset::Large => (0..=6)
            .map(|power| 1 << power)
            .map(|threads| of_threads(format!("{threads} a side"), threads))
            .collect(),
    }
}

fn of_threads(name: String, threads: u64) -> Workload {
    let named = Workload { name, ..Workload::default() };
    named
        .with(ROUTE, STAGES)
        .with(THREADS, threads)
        .with(UNITS, USUAL_UNITS)
        .with(DEPTH, USUAL_DEPTH)
        .with(BATCH, USUAL_BATCH)
        .with(WORK_STEPS, USUAL_WORK_STEPS)
        .with(PAYLOAD, 0)
        .with(PROCESSORS, ALL)
        .with(PLACEMENT, FREE)
}

pub(super) fn range(axis: &str) -> Option<RangeInclusive<u64>> {
    match axis {
        THREADS => Some(1..=1_024),
        UNITS => Some(1..=1_000_000),
        DEPTH => Some(1..=65_536),
        BATCH => Some(1..=10_000),
        WORK_STEPS => Some(0..=1_000_000),
        PAYLOAD => Some(0..=65_536),
        _ => None,
    }
}

pub(super) fn set(workload: &mut Workload, axis: &Axis, value: Value) -> Result<(), String> {
    within_range(axis, &value, range(axis.name))?;
    workload.point.set(axis.name, value);
    Ok(())
}

pub(super) fn check(workload: &Workload) -> Result<(), String> {
    let number = |axis: &str| workload.number(axis).unwrap_or_default();
    let units = number(THREADS).saturating_mul(number(UNITS));
    if units > UNITS_MAX {
        return Err(format!("{units} units are more than {UNITS_MAX}; choose fewer threads or units"));
    }
    let steps = units.saturating_mul(number(WORK_STEPS));
    if steps > STEPS_MAX {
        return Err(format!(
            "{units} units of {} steps would not end; choose fewer of either",
            number(WORK_STEPS)
        ));
    }
    let bytes = number(PAYLOAD).saturating_mul(number(DEPTH)).saturating_mul(1 + number(THREADS));
    if bytes > 1 << 30 {
        return Err("the units in all queues would take more than 1 GiB; choose a smaller depth or payload"
            .to_owned());
    }
    let allowed = affinity::allowed().len();
    match processors(workload) {
        Some(wanted) if allowed > 0 && wanted > allowed => Err(format!(
            "--set {PROCESSORS}={wanted}: only {allowed} may be used here; leave it out, or set {PROCESSORS}=1"
        )),
        _ => Ok(()),
    }
}

pub(super) fn processors(workload: &Workload) -> Option<usize> {
    workload.point.word(PROCESSORS)?.parse().ok()
}

pub(super) fn threads(workload: &Workload) -> Option<u64> {
    let (order, _) = order_of(workload).ok()?;
    let ends = 2 * u64::from(order.threads);
    Some(if order.route == Route::Stages { ends + 2 } else { ends })
}

pub(super) fn is_spread(workload: &Workload) -> bool {
    workload.point.word(PLACEMENT) == Some(SPREAD)
}

pub(super) fn order_of(workload: &Workload) -> io::Result<(Order, usize)> {
    let within = |axis: &str| {
        let number = number_of(workload, axis)?;
        let refused = || format!("the workload '{}': {number} is no value of {axis}", workload.name);
        if range(axis).is_none_or(|range| range.contains(&number)) {
            Ok(number as u32)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, refused()))
        }
    };
    let route = match workload.point.word(ROUTE) {
        Some(ROUND_TRIP) => Route::RoundTrip,
        _ => Route::Stages,
    };
    let order = Order {
        route,
        threads: within(THREADS)?,
        units: within(UNITS)?,
        batch: within(BATCH)? as usize,
        work_steps: within(WORK_STEPS)?.into(),
        payload_bytes: within(PAYLOAD)? as usize,
    };
    Ok((order, within(DEPTH)? as usize))
}
