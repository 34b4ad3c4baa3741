use std::io;
use std::mem::zeroed;
use std::ptr::null_mut;

use libc::{c_int, clock_t, rusage, time_t, timespec, timeval, tms};
use model::Class;

use crate::clock::job::{ClockJob, clock};
use crate::clock::linux::clock_gettime::{NO_TIME, by_number, number_of};
use crate::contract::Technique;

pub(in crate::clock) const CLOCKS: &[Technique<ClockJob>] = &[
    // As programs asked for it before `clock_gettime`.
    clock! {
        name: "gettimeofday",
        idea: "gettimeofday: the time of day in microseconds",
        source: "Bradford, High-performance programming techniques on Linux and Windows 2000, part 1 (developerWorks, 2001)",
        calls: &["only gettimeofday|clock_gettime"];
        measures: TimeOfDay,
        reading: timeval = timeval { tv_sec: 0, tv_usec: 0 },
        // SAFETY: `place` is a valid place for the answer; the time zone is not asked for.
        read: |place| unsafe { libc::gettimeofday(place, null_mut()) },
        number: |reading| reading.tv_sec as u64 * 1_000_000 + reading.tv_usec as u64,
        unit_ns: Some(1e3),
    },
    Technique {
        name: "realtime",
        idea: "clock_gettime(CLOCK_REALTIME): the time of day",
        ..by_number::<{ libc::CLOCK_REALTIME }>()
    },
    {
        const TIME_UTC: c_int = 1;

        // SAFETY: the declaration is that of ISO C11 and of the C library's time.h.
        unsafe extern "C" {
            fn timespec_get(place: *mut timespec, base: c_int) -> c_int;
        }

        clock! {
            name: "timespec_get",
            idea: "timespec_get(TIME_UTC): the time of day in nanoseconds, as standard C asks for it",
            source: "ISO C11, 7.27.2.5",
            calls: &["only clock_gettime"];
            measures: TimeOfDay,
            reading: timespec = NO_TIME,
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { timespec_get(place, TIME_UTC) },
            number: |reading| number_of(reading),
        }
    },
    // The clock for most purposes.
    Technique {
        name: "monotonic",
        idea: "clock_gettime(CLOCK_MONOTONIC): since boot, slewed as the time of day is, without sleep",
        ..by_number::<{ libc::CLOCK_MONOTONIC }>()
    },
    // No time daemon corrects it: this tool measures with it.
    Technique {
        name: "monotonic_raw",
        idea: "clock_gettime(CLOCK_MONOTONIC_RAW): since boot, never slewed",
        ..by_number::<{ libc::CLOCK_MONOTONIC_RAW }>()
    },
    Technique {
        name: "boottime",
        idea: "clock_gettime(CLOCK_BOOTTIME): since boot, with the time asleep",
        ..by_number::<{ libc::CLOCK_BOOTTIME }>()
    },
    Technique {
        name: "tai",
        idea: "clock_gettime(CLOCK_TAI): the time of day without leap seconds",
        ..by_number::<{ libc::CLOCK_TAI }>()
    },
    // What a clock costs where the kernel's page of shared code is not used.
    clock! {
        name: "syscall",
        idea: "the system call clock_gettime(CLOCK_MONOTONIC), past the vDSO",
        source: "syscall(2), vdso(7)",
        calls: &["clock_gettime"];
        measures: ElapsedTime,
        reading: timespec = NO_TIME,
        read: |place| {
            let place = std::ptr::from_mut(place);
            // SAFETY: the call takes the number of a clock that exists and a valid place for the answer.
            unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, place) }
        },
        number: |reading| number_of(reading),
    },
    clock! {
        name: "time_in_seconds",
        idea: "time: the second of the last tick",
        source: "time(2)",
        class: Class::Coarse,
        calls: &["only time|gettimeofday|clock_gettime"];
        measures: TimeOfDay,
        reading: time_t = 0,
        // SAFETY: no place is given; the answer is the value.
        read: |place| *place = unsafe { libc::time(null_mut()) },
        number: |reading| *reading as u64,
        unit_ns: Some(1e9),
    },
    // No counter is read.
    Technique {
        name: "realtime_coarse",
        idea: "clock_gettime(CLOCK_REALTIME_COARSE): the time of day at the last tick",
        class: Class::Coarse,
        ..by_number::<{ libc::CLOCK_REALTIME_COARSE }>()
    },
    // No counter is read.
    Technique {
        name: "monotonic_coarse",
        idea: "clock_gettime(CLOCK_MONOTONIC_COARSE): the time since boot at the last tick",
        class: Class::Coarse,
        ..by_number::<{ libc::CLOCK_MONOTONIC_COARSE }>()
    },
    // It also gives the time of the children, and the time since boot.
    {
        fn tick_ns() -> io::Result<f64> {
            // SAFETY: the call takes a number and gives one.
            match unsafe { libc::sysconf(libc::_SC_CLK_TCK) } {
                ticks if ticks > 0 => Ok(1e9 / ticks as f64),
                _ => Err(io::Error::other("the system does not say how many ticks a second has")),
            }
        }

        clock! {
            name: "times",
            idea: "times: user and system time of the process in ticks of 10 ms",
            source: "times(2)",
            class: Class::Coarse,
            calls: &["times"];
            measures: ProcessTime,
            open: tick_ns(),
            reading: tms = tms { tms_utime: 0, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 },
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { libc::times(place) },
            number: |reading| (reading.tms_utime + reading.tms_stime) as u64,
            unit_ns: tick_ns().ok(),
            resolution_ns: tick_ns().ok(),
        }
    },
    // The processor time of all threads.
    Technique {
        name: "process_cputime",
        idea: "clock_gettime(CLOCK_PROCESS_CPUTIME_ID): processor time of the process",
        calls: &["clock_gettime"],
        ..by_number::<{ libc::CLOCK_PROCESS_CPUTIME_ID }>()
    },
    Technique {
        name: "thread_cputime",
        idea: "clock_gettime(CLOCK_THREAD_CPUTIME_ID): processor time of the thread",
        calls: &["clock_gettime"],
        ..by_number::<{ libc::CLOCK_THREAD_CPUTIME_ID }>()
    },
    // `CLOCKS_PER_SEC` is a million on every POSIX system.
    {
        unsafe extern "C" {
            safe fn clock() -> clock_t;
        }

        clock! {
            name: "c_clock",
            idea: "clock(): processor time of the process in microseconds",
            source: "the C standard, clock",
            calls: &["clock_gettime"];
            measures: ProcessTime,
            reading: clock_t = 0,
            read: |place| *place = clock(),
            number: |reading| *reading as u64,
            unit_ns: Some(1e3),
        }
    },
    clock! {
        name: "getrusage",
        idea: "getrusage(RUSAGE_SELF): user and system time of the process with all its other counters",
        source: "getrusage(2)",
        calls: &["getrusage"];
        measures: ProcessTime,
        // SAFETY: the structure holds nothing but numbers, for which 0 is a value.
        reading: rusage = unsafe { zeroed() },
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { libc::getrusage(libc::RUSAGE_SELF, place) },
        number: |reading| {
            let us = |time: timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
            us(reading.ru_utime) + us(reading.ru_stime)
        },
        unit_ns: Some(1e3),
    },
];
