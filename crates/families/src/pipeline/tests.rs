//! Every strategy delivers every unit in order, whatever the shape, and says why where it cannot.

use std::io;
use std::path::Path;
use std::sync::Arc;

use model::{Durability, Preset, Proof, Setting, Workload};

use super::PIPELINE;
use super::locked::{Condition, Lock, Locked};
use super::stages::{Crew, System, joined};
use super::strategy::{Waits, retried};
use super::system::UserLock;
use super::workload::order_of;
use crate::testing::{assert_refused, choosing_processors, done, ready, trial};
use crate::values::{HandedOver, Values};

fn workload(route: &str, numbers: [u64; 5]) -> Workload {
    let mut workload = PIPELINE.workloads(Preset::Quick).remove(0).with("work_steps", 5).with("route", route);
    for (axis, number) in ["threads", "units", "depth", "batch", "payload_bytes"].into_iter().zip(numbers) {
        workload.point.set(axis, number);
    }
    workload
}

fn performed(entry: &str, workload: &Workload) -> io::Result<(Proof, HandedOver)> {
    let trial = trial(PIPELINE, entry, workload, Path::new("unused"), Durability::Returned);
    done(PIPELINE, &trial, &[2]).map(|(proof, _, values)| (proof, values))
}

fn every_strategy_delivers(workload: &Workload) {
    let expected = PIPELINE.expected(workload, Path::new("unused")).expect("computed");
    let threads_and_units = workload.number("threads").zip(workload.number("units"));
    assert_eq!(Some(expected.bytes), threads_and_units.map(|(threads, units)| threads * units));
    for entry in ready(PIPELINE, &Setting::default(), |_| true) {
        let (proof, handed_over) =
            performed(&entry, workload).unwrap_or_else(|error| panic!("{entry}: {error}"));
        assert_eq!(proof, expected, "{entry} {:?}", workload.point);
        assert!(handed_over.values["units_per_second"] > 0.0, "{entry}");
        let [p50, p99, p999, max] =
            ["p50", "p99", "p999", "max"].map(|part| handed_over.values[&format!("latency_{part}_ns")]);
        // Between two readings of the clock by different threads lie more than a few nanoseconds.
        assert!(p50 <= p99 && p99 <= p999 && p999 <= max && max > 20.0, "{entry}: {handed_over:?}");
        assert!(handed_over.histograms.contains_key("latency"), "{entry}");
        assert!(handed_over.values["cpu_per_million_units_ns"] >= 0.0, "{entry}");
        assert_eq!(handed_over.values.contains_key("timed_out_waits"), entry.contains('@'), "{entry}");
    }
}

#[test]
fn own_time_is_that_of_the_repetitions_alone() {
    let workload = workload("stages", [2, 50, 10, 5, 0]);
    let trial = trial(PIPELINE, "std_mutex_notify_one", &workload, Path::new("unused"), Durability::Returned);
    let moved = PIPELINE.perform(&trial, &mut |technique| {
        for (times, is_one) in [(3, false), (1, true)] {
            technique.repeat(times)?;
            let mut values = Values::default();
            technique.values(&mut values);
            let own_ns = technique.own_time().expect("the counters are read outside of it").ns as f64;
            // The rate is that of the last repetition, of 100 units.
            let units = values.hand_over().values["units_per_second"] * own_ns / 1e9;
            assert_eq!((units - 100.0).abs() < 1e-6, is_one, "{units} in {times}");
        }
        Ok(())
    });
    moved.expect("moved");
}

#[test]
fn interrupted_calls_are_repeated() {
    let mut answers = [Err(io::ErrorKind::Interrupted), Err(io::ErrorKind::Interrupted), Ok(7)].into_iter();
    let taken = retried(|| answers.next().expect("no fourth call").map_err(io::Error::from));
    assert_eq!(taken.expect("the third"), 7);
    retried(|| Err::<(), _>(io::ErrorKind::BrokenPipe.into())).expect_err("another error");
}

#[test]
fn both_ends_and_the_stages_between_them_are_threads() {
    for (route, threads, all) in [("stages", 2, 6), ("stages", 4, 10), ("round_trip", 2, 4)] {
        assert_eq!(PIPELINE.threads(&workload(route, [threads, 1, 1, 1, 0])), Some(all), "{route}");
    }
}

#[test]
fn every_strategy_delivers_units_in_order_in_any_shape() {
    // Also queues that are always full, and blocks larger than all queues. The published waits of 5 and 25 ms allow few units.
    for numbers in
        [[1, 1, 1, 1, 0], [1, 40, 1, 5, 0], [2, 33, 2, 100, 70], [3, 50, 10, 7, 1], [9, 20, 10, 5, 0]]
    {
        every_strategy_delivers(&workload("stages", numbers));
    }
    for numbers in [[1, 1, 1, 5, 8], [1, 30, 10, 5, 8], [3, 20, 1, 5, 8]] {
        every_strategy_delivers(&workload("round_trip", numbers));
    }
}

/// On Linux a thread is restricted, on Windows the whole process, which other tests share.
#[test]
fn every_strategy_delivers_on_one_processor_and_frees_all() {
    let _alone = choosing_processors();
    let before = sys::affinity::allowed();
    for placement in ["free", "spread"] {
        let workload = workload("stages", [2, 20, 10, 5, 0]).with("processors", "1");
        every_strategy_delivers(&workload.with("placement", placement));
    }
    assert_eq!(sys::affinity::allowed(), before);
}

#[test]
fn threads_that_are_spread_are_kept_on_the_processors_in_turn() {
    let _alone = choosing_processors();
    let (order, depth) = order_of(&workload("stages", [1, 1, 1, 1, 0])).expect("a workload");
    let kept_on: Vec<u32> = sys::affinity::allowed().into_iter().take(2).collect();
    let system = System::of(order, depth, kept_on.clone());
    let mut crew = Crew::of(&system);
    for &expected in kept_on.iter().cycle().take(3) {
        let thread = crew.start(|| Ok(sys::affinity::current())).expect("started");
        let found = joined(thread).expect("it has said so");
        assert!(found.is_none_or(|found| found == expected), "{found:?} on {kept_on:?}");
    }
}

/// A condition that never wakes a thread.
struct Silent;

impl Condition<UserLock> for Silent {
    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    fn wait(&self, lock: &UserLock, _waits: &Waits) -> io::Result<()> {
        lock.apart(|| {
            loop {
                std::thread::park();
            }
        })
    }

    fn wake(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_strategy_that_loses_its_wake_ups_is_a_failure_that_says_so() {
    let (order, depth) = order_of(&workload("stages", [2, 50, 1, 5, 0])).expect("a workload");
    let system = Arc::new(System::of(order, depth, Vec::new()));
    let error = system.run::<Locked<UserLock, Silent>>(&Waits::default()).expect_err("no thread is woken");
    assert!(error.to_string().starts_with("stalled: no unit has arrived for 5 s"), "{error}");
}

#[test]
fn absurd_numbers_are_refused_with_what_would_be_right() {
    let cases = [
        ("threads=0", "a whole number from 1 to 1024 is expected, for example 1"),
        ("threads=1000000", "a whole number from 1 to 1024 is expected"),
        ("depth=0", "a whole number from 1 to 65536 is expected"),
        ("units=0", "a whole number from 1 to 1000000 is expected"),
        ("batch=0", "a whole number from 1 to 10000 is expected"),
        ("payload_bytes=1GiB", "a size from 0 B to 64 KiB is expected"),
        ("processors=3", "all, 1, 2"),
    ];
    assert_refused(PIPELINE, &PIPELINE.workloads(Preset::Quick)[0], &cases);
    for (workload, said) in [
        (workload("stages", [1_024, 1_000_000, 10, 5, 0]), "choose fewer threads or units"),
        (workload("stages", [16, 1_000_000, 10, 5, 0]).with("work_steps", 1_000_000), "would not end"),
        (workload("stages", [1_024, 1, 65_536, 5, 65_536]), "more than 1 GiB"),
    ] {
        let refused = PIPELINE.check(&workload).expect_err(said);
        assert!(refused.contains(said), "{refused}");
    }
    let refused = PIPELINE.entry("broadcast_kernel_lock@0ms").expect_err("no wait at all");
    assert_eq!(refused, "0 is no value of timeout_ns; for example 5ms");
}
