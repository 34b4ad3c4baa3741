//! Every strategy delivers every unit in order, whatever the shape, and says why where it cannot.

use std::io;
use std::path::Path;
use std::sync::Arc;

use model::{Availability, Host, Preset, Proof, Setting, Trial, Workload};

use super::PIPELINE;
use super::locked::{Conditions, Locked, Side};
use super::stages::{Crew, Depths, System, joined};
use super::strategy::Waits;
use super::system::SignalWait;
use super::workload::order_of;
use crate::listing::assert_every_technique_is_listed;
use crate::one_at_a_time::choosing_processors;
use crate::values::{HandedOver, Values};

fn workload(threads: u64, units: u64, depth: u64, batch: u64, payload_bytes: u64) -> Workload {
    let mut workload = PIPELINE.workloads(Preset::Quick).remove(0).with("work_steps", 5);
    for (axis, value) in [
        ("threads", threads),
        ("units", units),
        ("depth", depth),
        ("batch", batch),
        ("payload_bytes", payload_bytes),
    ] {
        workload.point.set(axis, value);
    }
    workload
}

fn performed(entry: &str, workload: &Workload) -> io::Result<(Proof, HandedOver)> {
    let trial = Trial {
        family: "pipeline".to_owned(),
        technique: entry.to_owned(),
        workload: workload.clone(),
        setting: Setting::default(),
        scratch: "unused".into(),
        seed: 1,
    };
    let mut found = None;
    PIPELINE.perform(&trial, &mut |technique| {
        technique.refresh()?;
        technique.repeat(2)?;
        let mut values = Values::default();
        technique.values(&mut values);
        found = Some((technique.proof()?, values.hand_over()));
        Ok(())
    })?;
    Ok(found.expect("the body ran"))
}

fn available() -> Vec<String> {
    let entries = PIPELINE.entries().into_iter().map(|entry| entry.name);
    entries
        .filter(|name| PIPELINE.probe(name, &Host::default(), &Setting::default()) == Availability::Ready)
        .collect()
}

#[test]
fn both_ends_and_the_stages_between_them_are_threads() {
    let workload = PIPELINE.workloads(model::Preset::Quick).remove(0);
    let started = |threads: u64, route: &str| {
        let mut workload = workload.clone().with("threads", threads);
        workload.point.set("route", route);
        PIPELINE.threads(&workload)
    };
    assert_eq!([2, 4].map(|threads| started(threads, "stages")), [Some(6), Some(10)]);
    assert_eq!(started(2, "round_trip"), Some(4));
}

#[test]
fn every_strategy_delivers_every_unit_in_order_whatever_the_shape() {
    // One of everything, queues that are always full, blocks larger than all queues, a last block that is not full, and many
    // threads. The published waits of 5 and 25 ms allow few units.
    for (threads, units, depth, batch, payload_bytes) in
        [(1, 1, 1, 1, 0), (1, 40, 1, 5, 0), (2, 33, 2, 100, 70), (3, 50, 10, 7, 1), (9, 20, 10, 5, 0)]
    {
        let workload = workload(threads, units, depth, batch, payload_bytes);
        let expected = PIPELINE.expected(&workload, Path::new("unused")).expect("computed");
        assert_eq!(expected.bytes, threads * units);
        for entry in available() {
            let (proof, _) = performed(&entry, &workload).unwrap_or_else(|error| panic!("{entry}: {error}"));
            assert_eq!(proof, expected, "{entry} {:?}", workload.point);
        }
    }
}

#[test]
fn every_strategy_hands_units_to_and_fro_between_pairs_of_threads() {
    for (pairs, units, depth) in [(1, 1, 1), (1, 30, 10), (3, 20, 1)] {
        let workload = workload(pairs, units, depth, 5, 8).with("route", "round_trip");
        let expected = PIPELINE.expected(&workload, Path::new("unused")).expect("computed");
        assert_eq!(expected.bytes, pairs * units);
        for entry in available() {
            let (proof, told) =
                performed(&entry, &workload).unwrap_or_else(|error| panic!("{entry}: {error}"));
            assert_eq!(proof, expected, "{entry} {:?}", workload.point);
            assert!(told.values["latency_max_ns"] > 20.0, "{entry}: {told:?}");
        }
    }
}

#[test]
fn every_strategy_tells_its_rate_and_the_latency_of_every_unit() {
    for entry in available() {
        let (_, told) = performed(&entry, &workload(2, 30, 10, 5, 0)).expect("delivered");
        assert!(told.values["units_per_second"] > 0.0, "{entry}");
        let [p50, p99, p999, max] =
            ["p50", "p99", "p999", "max"].map(|part| told.values[&format!("latency_{part}_ns")]);
        // Between two readings of the clock by different threads lie more than a few nanoseconds.
        assert!(p50 <= p99 && p99 <= p999 && p999 <= max && max > 20.0, "{entry}: {told:?}");
        assert!(told.histograms.contains_key("latency"), "{entry}");
        assert!(told.values["cpu_per_million_units_ns"] >= 0.0, "{entry}");
        let has_time_out = entry.contains('@');
        assert_eq!(told.values.contains_key("timed_out_waits"), has_time_out, "{entry}");
    }
}

/// On Linux a thread is restricted, on Windows the whole process, which other tests share.
#[test]
fn every_strategy_delivers_on_one_processor_and_leaves_all_of_them_free_afterwards() {
    let _alone = choosing_processors();
    let before = sys::affinity::allowed();
    for placement in ["free", "spread"] {
        let workload = workload(2, 20, 10, 5, 0).with("processors", "1").with("placement", placement);
        let expected = PIPELINE.expected(&workload, Path::new("unused")).expect("computed");
        for entry in available() {
            let (proof, _) = performed(&entry, &workload).unwrap_or_else(|error| panic!("{entry}: {error}"));
            assert_eq!(proof, expected, "{entry} {placement}");
        }
    }
    assert_eq!(sys::affinity::allowed(), before);
}

#[test]
fn threads_that_are_spread_are_kept_on_the_processors_in_turn() {
    let _alone = choosing_processors();
    let (order, depth) = order_of(&workload(1, 1, 1, 1, 0)).expect("a workload");
    let addressed = order.addressed();
    let kept_on: Vec<u32> = sys::affinity::allowed().into_iter().take(2).collect();
    let system = System { order, addressed, depths: Depths::of_first(depth), kept_on: kept_on.clone() };
    let mut crew = Crew::of(&system);
    let placed: Vec<Vec<u32>> = (0..3)
        .map(|_| joined(crew.start(|| Ok(sys::affinity::current().into_iter().collect())).expect("started")))
        .map(|found| found.expect("it has told"))
        .collect();
    let told = placed.iter().zip(kept_on.iter().cycle()).filter(|(found, _)| !found.is_empty());
    for (found, &expected) in told {
        assert_eq!(found, &[expected], "{placed:?} on {kept_on:?}");
    }
}

/// A condition that never wakes a thread.
struct Silent(SignalWait);

impl Conditions for Silent {
    fn open(waits: &Waits) -> io::Result<Self> {
        SignalWait::open(waits).map(Self)
    }

    fn lock(&self) -> io::Result<()> {
        self.0.lock()
    }

    fn unlock(&self) -> io::Result<()> {
        self.0.unlock()
    }

    fn wait(&self, side: Side) -> io::Result<()> {
        self.0.wait(side)
    }

    fn wake(&self, _side: Side) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_strategy_that_loses_its_wake_ups_is_a_failure_that_says_so() {
    let (order, depth) = order_of(&workload(2, 50, 1, 5, 0)).expect("a workload");
    let addressed = order.addressed();
    let system = Arc::new(System { order, addressed, depths: Depths::of_first(depth), kept_on: Vec::new() });
    let error = system.run::<Locked<Silent>>(&Waits::default()).expect_err("no thread is woken");
    assert!(error.to_string().starts_with("stalled: no unit has arrived for 5 s"), "{error}");
}

#[test]
fn absurd_numbers_are_refused_with_what_would_be_right() {
    for (axis, text, said) in [
        ("threads", "0", "a whole number from 1 to 1024 is expected, for example 1"),
        ("threads", "1000000", "a whole number from 1 to 1024 is expected"),
        ("depth", "0", "a whole number from 1 to 65536 is expected"),
        ("units", "0", "a whole number from 1 to 1000000 is expected"),
        ("batch", "0", "a whole number from 1 to 10000 is expected"),
        ("payload_bytes", "1GiB", "a size from 0 B to 64 KiB is expected"),
    ] {
        let mut workload = PIPELINE.workloads(Preset::Quick).remove(0);
        let refused = PIPELINE.set(&mut workload, axis, text).expect_err(text);
        assert!(refused.contains(said), "{axis}={text}: {refused}");
    }
    for (workload, said) in [
        (workload(1_024, 1_000_000, 10, 5, 0), "choose fewer threads or units"),
        (workload(16, 1_000_000, 10, 5, 0).with("work_steps", 1_000_000), "would not end"),
        (workload(1_024, 1, 65_536, 5, 65_536), "more than 1 GiB"),
    ] {
        let refused = PIPELINE.check(&workload).expect_err(said);
        assert!(refused.contains(said), "{refused}");
    }
    let mut workload = PIPELINE.workloads(Preset::Quick).remove(0);
    let refused = PIPELINE.set(&mut workload, "processors", "3").expect_err("no such choice");
    assert!(refused.contains("all, 1, 2"), "{refused}");
    let refused = PIPELINE.entry("broadcast_kernel_lock@0ms").expect_err("no wait at all");
    assert_eq!(refused, "0 is no value of timeout_ns; for example 5ms");
}

#[test]
fn every_technique_is_listed() {
    assert_every_technique_is_listed("pipeline");
}
