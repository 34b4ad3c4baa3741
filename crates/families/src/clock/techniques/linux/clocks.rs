//! The clocks of Linux and its C library, one row each.

use std::io;
use std::mem::zeroed;
use std::ptr::null_mut;

use libc::{c_int, clock_t, rusage, time_t, timespec, timeval, tms};

use crate::clock::job::{ClockJob, coarse, reading};
use crate::clock::linux::clock_gettime::{ClockGettime, NO_TIME, number_of};
use crate::clock::time_source::{Tells, TimeSource, clock};
use crate::contract::Technique;

pub(in crate::clock) const CLOCKS: &[Technique<ClockJob>] = &[
    // The time of day in microseconds, as programs asked for it before `clock_gettime`.
    {
        clock! {
            tells: TimeOfDay,
            reading: timeval = timeval { tv_sec: 0, tv_usec: 0 },
            // SAFETY: `place` is a valid place for the answer; the time zone is not asked for.
            read: |place| unsafe { libc::gettimeofday(place, null_mut()) },
            number: |reading| reading.tv_sec as u64 * 1_000_000 + reading.tv_usec as u64,
            unit_ns: Some(1e3),
        }
        Technique {
            calls: &["only gettimeofday|clock_gettime"],
            ..reading::<Clock>(
                "gettimeofday",
                "gettimeofday: the time of day in microseconds",
                "Bradford, High-performance programming techniques on Linux and Windows 2000, part 1 (developerWorks, 2001)",
            )
        }
    },
    // The time of day, in nanoseconds.
    Technique {
        calls: &["only clock_gettime"],
        ..reading::<ClockGettime<{ libc::CLOCK_REALTIME }>>(
            "realtime",
            "clock_gettime(CLOCK_REALTIME): the time of day",
            "clock_gettime(2)",
        )
    },
    // The time of day as standard C asks for it.
    {
        const TIME_UTC: c_int = 1;

        // SAFETY: the declaration is that of ISO C11 and of the C library's time.h.
        unsafe extern "C" {
            fn timespec_get(place: *mut timespec, base: c_int) -> c_int;
        }

        clock! {
            tells: TimeOfDay,
            reading: timespec = NO_TIME,
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { timespec_get(place, TIME_UTC) },
            number: |reading| number_of(reading),
        }
        Technique {
            calls: &["only clock_gettime"],
            ..reading::<Clock>(
                "timespec_get",
                "timespec_get(TIME_UTC): the time of day in nanoseconds, as standard C asks for it",
                "ISO C11, 7.27.2.5",
            )
        }
    },
    // The clock for most purposes.
    Technique {
        calls: &["only clock_gettime"],
        ..reading::<ClockGettime<{ libc::CLOCK_MONOTONIC }>>(
            "monotonic",
            "clock_gettime(CLOCK_MONOTONIC): since boot, slewed as the time of day is, without sleep",
            "clock_gettime(2)",
        )
    },
    // The clock that no time daemon corrects. This tool measures with it.
    Technique {
        calls: &["only clock_gettime"],
        ..reading::<ClockGettime<{ libc::CLOCK_MONOTONIC_RAW }>>(
            "monotonic_raw",
            "clock_gettime(CLOCK_MONOTONIC_RAW): since boot, never slewed",
            "clock_gettime(2)",
        )
    },
    // The clock that goes on while the machine sleeps.
    Technique {
        calls: &["only clock_gettime"],
        ..reading::<ClockGettime<{ libc::CLOCK_BOOTTIME }>>(
            "boottime",
            "clock_gettime(CLOCK_BOOTTIME): since boot, with the time asleep",
            "clock_gettime(2)",
        )
    },
    // Atomic time.
    Technique {
        calls: &["only clock_gettime"],
        ..reading::<ClockGettime<{ libc::CLOCK_TAI }>>(
            "tai",
            "clock_gettime(CLOCK_TAI): the time of day without leap seconds",
            "clock_gettime(2)",
        )
    },
    // The system call itself: what a clock costs where the kernel's page of shared code is not used.
    {
        clock! {
            tells: ElapsedTime,
            reading: timespec = NO_TIME,
            read: |place| {
                let place = std::ptr::from_mut(place);
                // SAFETY: the call takes the number of a clock that exists and a valid place for the answer.
                unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, place) }
            },
            number: |reading| number_of(reading),
        }
        Technique {
            calls: &["clock_gettime"],
            ..reading::<Clock>(
                "syscall",
                "the system call clock_gettime(CLOCK_MONOTONIC), past the vDSO",
                "syscall(2), vdso(7)",
            )
        }
    },
    // The time of day in seconds.
    {
        clock! {
            tells: TimeOfDay,
            reading: time_t = 0,
            // SAFETY: no place is given; the answer is the value.
            read: |place| *place = unsafe { libc::time(null_mut()) },
            number: |reading| *reading as u64,
            unit_ns: Some(1e9),
        }
        Technique {
            calls: &["only time|gettimeofday|clock_gettime"],
            ..coarse::<Clock>("time", "time: the second of the last tick", "time(2)")
        }
    },
    // The time of day at the kernel's last tick: no counter is read.
    Technique {
        calls: &["only clock_gettime"],
        ..coarse::<ClockGettime<{ libc::CLOCK_REALTIME_COARSE }>>(
            "realtime_coarse",
            "clock_gettime(CLOCK_REALTIME_COARSE): the time of day at the last tick",
            "clock_gettime(2)",
        )
    },
    // The time since boot at the kernel's last tick: no counter is read.
    Technique {
        calls: &["only clock_gettime"],
        ..coarse::<ClockGettime<{ libc::CLOCK_MONOTONIC_COARSE }>>(
            "monotonic_coarse",
            "clock_gettime(CLOCK_MONOTONIC_COARSE): the time since boot at the last tick",
            "clock_gettime(2)",
        )
    },
    // Processor time of the process and its children, and the time since boot, in ticks.
    {
        struct Clock {
            ticks_per_second: u64,
        }

        impl TimeSource for Clock {
            type Reading = tms;
            const EMPTY: tms = tms { tms_utime: 0, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 };
            const TELLS: Tells = Tells::ProcessTime;

            fn open() -> io::Result<Self> {
                // SAFETY: the call takes a number and gives one.
                let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
                let known = u64::try_from(ticks).ok().filter(|&ticks| ticks > 0);
                let unknown = || io::Error::other("the system does not tell how many ticks a second has");
                Ok(Self { ticks_per_second: known.ok_or_else(unknown)? })
            }

            #[inline(always)]
            fn read(&self, place: &mut tms) {
                // SAFETY: `place` is a valid place for the answer.
                unsafe { libc::times(place) };
            }

            #[inline(always)]
            fn number(&self, reading: &tms) -> u64 {
                (reading.tms_utime + reading.tms_stime) as u64
            }

            fn unit_ns(&self) -> Option<f64> {
                Some(1e9 / self.ticks_per_second as f64)
            }

            fn stated_resolution_ns(&self) -> Option<f64> {
                self.unit_ns()
            }
        }

        Technique {
            calls: &["times"],
            ..coarse::<Clock>(
                "times",
                "times: user and system time of the process in ticks of 10 ms",
                "times(2)",
            )
        }
    },
    // The processor time of all threads.
    Technique {
        calls: &["clock_gettime"],
        ..reading::<ClockGettime<{ libc::CLOCK_PROCESS_CPUTIME_ID }>>(
            "process_cputime",
            "clock_gettime(CLOCK_PROCESS_CPUTIME_ID): processor time of the process",
            "clock_gettime(2)",
        )
    },
    // The processor time of the calling thread.
    Technique {
        calls: &["clock_gettime"],
        ..reading::<ClockGettime<{ libc::CLOCK_THREAD_CPUTIME_ID }>>(
            "thread_cputime",
            "clock_gettime(CLOCK_THREAD_CPUTIME_ID): processor time of the thread",
            "clock_gettime(2)",
        )
    },
    // Processor time as the C standard knows it; `CLOCKS_PER_SEC` is a million on every POSIX system.
    {
        unsafe extern "C" {
            /// `clock` of the C library.
            safe fn clock() -> clock_t;
        }

        clock! {
            tells: ProcessTime,
            reading: clock_t = 0,
            read: |place| *place = clock(),
            number: |reading| *reading as u64,
            unit_ns: Some(1e3),
        }
        Technique {
            calls: &["clock_gettime"],
            ..reading::<Clock>(
                "c_clock",
                "clock(): processor time of the process in microseconds",
                "the C standard, clock",
            )
        }
    },
    // Processor time next to the other counters of a process.
    {
        clock! {
            tells: ProcessTime,
            // SAFETY: the structure holds nothing but numbers, for which 0 is a value.
            reading: rusage = unsafe { zeroed() },
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { libc::getrusage(libc::RUSAGE_SELF, place) },
            number: |reading| {
                let us = |time: timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
                us(reading.ru_utime) + us(reading.ru_stime)
            },
            unit_ns: Some(1e3),
        }
        Technique {
            calls: &["getrusage"],
            ..reading::<Clock>(
                "getrusage",
                "getrusage(RUSAGE_SELF): user and system time of the process with all its other counters",
                "getrusage(2)",
            )
        }
    },
];
