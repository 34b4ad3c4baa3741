//! The workloads: how many threads move how many units through queues of which depth.

use std::io;
use std::ops::RangeInclusive;

use model::{Axis, Preset, Workload};

use super::unit::{Order, Route};
use crate::contract::Curve;
use crate::files::invalid;
use crate::parameters::{bytes, counts, number_of, words};
use crate::processors::{self, ALL, PROCESSORS};

const ROUTE: &str = "route";
const STAGES: &str = "stages";
const ROUND_TRIP: &str = "round_trip";
pub(super) const THREADS: &str = "threads";
const UNITS: &str = "units";
pub(super) const DEPTH: &str = "depth";
const BATCH: &str = "batch";
const WORK_STEPS: &str = "work_steps";
const PAYLOAD: &str = "payload_bytes";
const PLACEMENT: &str = "placement";

/// The system chooses where a thread runs.
const FREE: &str = "free";
const SPREAD: &str = "spread";

const USUAL_THREADS: u64 = 4;
const USUAL_UNITS: u64 = 1_000;
const USUAL_DEPTH: u64 = 10;
const USUAL_BATCH: u64 = 5;
/// About 100 ns at 4 GHz.
const USUAL_WORK_STEPS: u64 = 100;
const SIDES: [u64; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The units and their latencies must fit into memory.
const UNITS_MAX: u64 = 16_000_000;
/// More work would not end within the time that a process may take.
const STEPS_MAX: u64 = 10_000_000_000;

pub(super) const AXES: &[Axis] = &[
    words(
        ROUTE,
        "the way of the units: over two stages to consumers, or to another thread and back before the next one leaves",
        &[STAGES, ROUND_TRIP],
    ),
    counts(THREADS, "producers, and as many consumers; pairs of threads of round trips", &SIDES),
    counts(UNITS, "units that each producer makes", &[USUAL_UNITS]),
    counts(
        DEPTH,
        "units in the queue to the transmitter; the queues behind it hold two fifths of that",
        &[USUAL_DEPTH, 100, 1_000],
    ),
    counts(BATCH, "units in a block", &[1, USUAL_BATCH, 100]),
    counts(
        WORK_STEPS,
        "steps of arithmetic to make a unit on average, and again to use it; 100 take about 100 ns at 4 GHz",
        &[0, USUAL_WORK_STEPS],
    ),
    bytes(
        PAYLOAD,
        "bytes that a unit carries, in memory of its own: drawn by its producer with a checksum, which its consumer checks",
        &[0, 64, 1024],
    ),
    processors::AXIS,
    words(
        PLACEMENT,
        "where the threads run: as the system thinks best, or each of them kept on a processor, in turn",
        &[FREE, SPREAD],
    ),
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
        // Published producers fill and sum up 1 KiB a unit, which is their work, and consumers check it.
        Preset::Published => {
            SIDES.map(|threads| a_side(threads).with(WORK_STEPS, 0).with(PAYLOAD, 1_024)).to_vec()
        }
        Preset::Large => SIDES.map(a_side).to_vec(),
    }
}

fn a_side(threads: u64) -> Workload {
    of_threads(format!("{threads} a side"), threads)
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

pub(super) fn check(workload: &Workload) -> Result<(), String> {
    let number = |axis: &str| workload.number(axis).unwrap_or_default();
    let units = number(THREADS).saturating_mul(number(UNITS));
    if units > UNITS_MAX {
        return Err(format!("{units} units are more than {UNITS_MAX}; choose fewer threads or units"));
    }
    let steps = units.saturating_mul(number(WORK_STEPS));
    if steps > STEPS_MAX {
        let each = number(WORK_STEPS);
        return Err(format!("{units} units of {each} steps would not end; choose fewer of either"));
    }
    let bytes = number(PAYLOAD).saturating_mul(number(DEPTH)).saturating_mul(1 + number(THREADS));
    if bytes > 1 << 30 {
        let sentence =
            "the units in all queues would take more than 1 GiB; choose a smaller depth or payload";
        return Err(sentence.to_owned());
    }
    processors::check(workload)
}

pub(super) fn threads(workload: &Workload) -> Option<u64> {
    order_of(workload).ok().map(|(order, _)| order.crew() as u64)
}

pub(super) fn is_spread(workload: &Workload) -> bool {
    workload.point.word(PLACEMENT) == Some(SPREAD)
}

pub(super) fn order_of(workload: &Workload) -> io::Result<(Order, usize)> {
    let within = |axis: &str| {
        let number = number_of(workload, axis)?;
        if range(axis).is_none_or(|range| range.contains(&number)) {
            return Ok(number as u32);
        }
        Err(invalid(format!("the workload '{}': {number} is no value of {axis}", workload.name)))
    };
    let is_round_trip = workload.point.word(ROUTE) == Some(ROUND_TRIP);
    let order = Order {
        route: if is_round_trip { Route::RoundTrip } else { Route::Stages },
        threads: within(THREADS)?,
        units: within(UNITS)?,
        batch: within(BATCH)? as usize,
        work_steps: within(WORK_STEPS)?.into(),
        payload_bytes: within(PAYLOAD)? as usize,
    };
    Ok((order, within(DEPTH)? as usize))
}
