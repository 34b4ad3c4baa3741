//! The clocks that exist on every system, one row each.

use std::io;
use std::time::{Instant, SystemTime};

use crate::clock::counter;
use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource, clock, opens};
use crate::contract::Technique;

pub(super) const CLOCKS: &[Technique<ClockJob>] = &[
    // The clock of Rust's standard library.
    {
        struct Clock {
            begin: Instant,
        }

        impl TimeSource for Clock {
            type Reading = Option<Instant>;
            const EMPTY: Option<Instant> = None;
            const TELLS: Tells = Tells::ElapsedTime;

            fn open() -> io::Result<Self> {
                Ok(Self { begin: Instant::now() })
            }

            #[inline(always)]
            fn read(&self, place: &mut Option<Instant>) {
                *place = Some(Instant::now());
            }

            #[inline(always)]
            fn number(&self, reading: &Option<Instant>) -> u64 {
                reading.map_or(0, |reading| reading.duration_since(self.begin).as_nanos() as u64)
            }
        }

        Technique {
            calls: &["only clock_gettime"],
            ..reading::<Clock>(
                "std_instant",
                "std::time::Instant: CLOCK_MONOTONIC, or the performance counter of Windows",
                "Rust's standard library",
            )
        }
    },
    // The time of day of Rust's standard library.
    {
        clock! {
            tells: TimeOfDay,
            reading: Option<SystemTime> = None,
            read: |place| *place = Some(SystemTime::now()),
            number: |reading| {
                let since = reading.and_then(|reading| reading.duration_since(SystemTime::UNIX_EPOCH).ok());
                since.map_or(0, |since| since.as_nanos() as u64)
            },
        }
        Technique {
            calls: &["only clock_gettime"],
            ..reading::<Clock>(
                "std_system_time",
                "std::time::SystemTime: CLOCK_REALTIME, or GetSystemTimePreciseAsFileTime",
                "Rust's standard library",
            )
        }
    },
    // A clock that scales the processor's counter itself.
    {
        struct Clock {
            begin: quanta::Instant,
        }

        impl TimeSource for Clock {
            type Reading = Option<quanta::Instant>;
            const EMPTY: Option<quanta::Instant> = None;
            const TELLS: Tells = Tells::ElapsedTime;

            /// The first reading of a process calibrates, for up to a fifth of a second.
            fn open() -> io::Result<Self> {
                Ok(Self { begin: quanta::Instant::now() })
            }

            #[inline(always)]
            fn read(&self, place: &mut Option<quanta::Instant>) {
                *place = Some(quanta::Instant::now());
            }

            #[inline(always)]
            fn number(&self, reading: &Option<quanta::Instant>) -> u64 {
                reading.map_or(0, |reading| reading.duration_since(self.begin).as_nanos() as u64)
            }
        }

        Technique {
            calls: &["only clock_gettime"],
            ..reading::<Clock>(
                "quanta",
                "the processor's counter, scaled to nanoseconds by a calibration at the first use (not timed)",
                "the crate quanta",
            )
        }
    },
    // The time stamp counter of x86, in the order that the processor likes.
    {
        clock! {
            tells: Counter,
            reading: u64 = 0,
            open: counter::required(false),
            read: |place| *place = counter::rdtsc(),
            number: |reading| *reading,
            unit_ns: None,
        }
        Technique {
            calls: &["!clock_gettime"],
            needs: "an x86-64 processor",
            probe: opens::<Clock>,
            ..reading::<Clock>(
                "rdtsc",
                "the time stamp counter, which the processor may read before or after the instructions around it",
                "Intel, Software Developer's Manual, volume 2, RDTSC",
            )
        }
    },
    // The time stamp counter of x86 behind a fence.
    {
        clock! {
            tells: Counter,
            reading: u64 = 0,
            open: counter::required(false),
            read: |place| *place = counter::lfence_rdtsc(),
            number: |reading| *reading,
            unit_ns: None,
        }
        Technique {
            calls: &["!clock_gettime"],
            needs: "an x86-64 processor",
            probe: opens::<Clock>,
            ..reading::<Clock>(
                "lfence_rdtsc",
                "the time stamp counter behind a fence: read when all before it is done",
                "Intel, How to Benchmark Code Execution Times (Paoloni, 2010)",
            )
        }
    },
    // The time stamp counter of x86 by the instruction that waits.
    {
        clock! {
            tells: Counter,
            reading: u64 = 0,
            open: counter::required(true),
            read: |place| *place = counter::rdtscp(),
            number: |reading| *reading,
            unit_ns: None,
        }
        Technique {
            calls: &["!clock_gettime"],
            needs: "an x86-64 processor with rdtscp",
            probe: opens::<Clock>,
            ..reading::<Clock>(
                "rdtscp",
                "the time stamp counter with the processor's number, read when all before it is done",
                "Intel, Software Developer's Manual, volume 2, RDTSCP",
            )
        }
    },
    // The loop and the other work without a clock: what no clock can be cheaper than.
    {
        clock! {
            tells: Counter,
            reading: u64 = 0,
            // A volatile write is never left out, as no reading of a clock is.
            // SAFETY: the place is valid and ours alone.
            read: |place| unsafe { std::ptr::from_mut(place).write_volatile(1) },
            number: |reading| *reading,
        }
        Technique {
            calls: &["!clock_gettime"],
            ceiling: true,
            ..reading::<Clock>(
                "no_clock",
                "nothing is read: the loop and the other work alone",
                "a limit of this tool",
            )
        }
    },
];
