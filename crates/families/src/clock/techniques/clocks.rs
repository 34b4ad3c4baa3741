use std::time::{Instant, SystemTime};

use crate::clock::counter;
use crate::clock::job::{ClockJob, clock};
use crate::clock::time_source::opens;
use crate::contract::Technique;

pub(super) const CLOCKS: &[Technique<ClockJob>] = &[
    clock! {
        name: "std_instant",
        idea: "std::time::Instant: CLOCK_MONOTONIC, or the performance counter of Windows",
        source: "Rust's standard library",
        calls: &["only clock_gettime"];
        measures: ElapsedTime,
        keeps: begin: Instant = Instant::now(),
        reading: Option<Instant> = None,
        read: |place| *place = Some(Instant::now()),
        number: |reading| reading.map_or(0, |reading| reading.duration_since(begin).as_nanos() as u64),
    },
    clock! {
        name: "std_system_time",
        idea: "std::time::SystemTime: CLOCK_REALTIME, or GetSystemTimePreciseAsFileTime",
        source: "Rust's standard library",
        calls: &["only clock_gettime"];
        measures: TimeOfDay,
        reading: Option<SystemTime> = None,
        read: |place| *place = Some(SystemTime::now()),
        number: |reading| {
            let since = reading.and_then(|reading| reading.duration_since(SystemTime::UNIX_EPOCH).ok());
            since.map_or(0, |since| since.as_nanos() as u64)
        },
    },
    clock! {
        name: "quanta",
        idea: "the processor's counter, scaled to nanoseconds by a calibration at the first use (not timed)",
        source: "the crate quanta",
        calls: &["only clock_gettime"];
        measures: ElapsedTime,
        // The first reading of a process calibrates, for up to a fifth of a second.
        keeps: begin: quanta::Instant = quanta::Instant::now(),
        reading: Option<quanta::Instant> = None,
        read: |place| *place = Some(quanta::Instant::now()),
        number: |reading| reading.map_or(0, |reading| reading.duration_since(begin).as_nanos() as u64),
    },
    clock! {
        name: "rdtsc",
        idea: "the time stamp counter, which the processor may read before or after the instructions around it",
        source: "Intel, Software Developer's Manual, volume 2, RDTSC",
        calls: &["!clock_gettime"],
        needs: "an x86-64 processor",
        probe: opens::<Clock>;
        measures: Counter,
        open: counter::required(false),
        reading: u64 = 0,
        read: |place| *place = counter::rdtsc(),
        number: |reading| *reading,
        unit_ns: None,
    },
    clock! {
        name: "lfence_rdtsc",
        idea: "the time stamp counter behind a fence: read when all before it is done",
        source: "Intel, How to Benchmark Code Execution Times (Paoloni, 2010)",
        calls: &["!clock_gettime"],
        needs: "an x86-64 processor",
        probe: opens::<Clock>;
        measures: Counter,
        open: counter::required(false),
        reading: u64 = 0,
        read: |place| *place = counter::lfence_rdtsc(),
        number: |reading| *reading,
        unit_ns: None,
    },
    clock! {
        name: "rdtscp",
        idea: "the time stamp counter with the processor's number, read when all before it is done",
        source: "Intel, Software Developer's Manual, volume 2, RDTSCP",
        calls: &["!clock_gettime"],
        needs: "an x86-64 processor with rdtscp",
        probe: opens::<Clock>;
        measures: Counter,
        open: counter::required(true),
        reading: u64 = 0,
        read: |place| *place = counter::rdtscp(),
        number: |reading| *reading,
        unit_ns: None,
    },
    // What no clock can be cheaper than.
    clock! {
        name: "no_clock",
        idea: "nothing is read: the loop and the other work alone",
        source: "a limit of this tool",
        calls: &["!clock_gettime"],
        ceiling: true;
        measures: Counter,
        reading: u64 = 0,
        // A volatile write is never left out, as no reading of a clock is.
        // SAFETY: the place is valid and ours alone.
        read: |place| unsafe { std::ptr::from_mut(place).write_volatile(1) },
        number: |reading| *reading,
    },
];
