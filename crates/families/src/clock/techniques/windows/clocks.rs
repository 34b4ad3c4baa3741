//! The clocks of Windows, one row each.

use std::ffi::CStr;
use std::io;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Performance::QueryPerformanceCounter;
use windows_sys::Win32::System::SystemInformation::{
    GetSystemTimeAsFileTime, GetSystemTimePreciseAsFileTime, GetTickCount, GetTickCount64,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes,
};
use windows_sys::Win32::System::WindowsProgramming::{
    QueryProcessCycleTime, QueryThreadCycleTime, QueryUnbiasedInterruptTime,
};

use crate::clock::job::{ClockJob, coarse, reading};
use crate::clock::time_source::{Tells, TimeSource, clock, opens};
use crate::clock::windows::functions::{
    HUNDRED_NS, InterruptFunction, InterruptTime, NO_TIME, found, number_of, performance_unit_ns, tick_ns,
};
use crate::contract::Technique;

pub(in crate::clock) const CLOCKS: &[Technique<ClockJob>] = &[
    // The clock that Windows recommends for intervals.
    {
        clock! {
            tells: ElapsedTime,
            reading: i64 = 0,
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { QueryPerformanceCounter(place) },
            number: |reading| *reading as u64,
            unit_ns: performance_unit_ns(),
            resolution_ns: performance_unit_ns(),
        }
        Technique {
            alias: &["QueryPerformanceCounter"],
            ..reading::<Clock>(
                "query_performance_counter",
                "QueryPerformanceCounter: ticks since boot, usually of 100 ns",
                "Bradford, High-performance programming techniques on Linux and Windows 2000, part 1 (developerWorks, 2001)",
            )
        }
    },
    // The time of day in steps of 100 ns.
    {
        clock! {
            tells: TimeOfDay,
            reading: FILETIME = NO_TIME,
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { GetSystemTimePreciseAsFileTime(place) },
            number: |reading| number_of(reading),
            unit_ns: Some(HUNDRED_NS),
        }
        reading::<Clock>(
            "get_system_time_precise_as_file_time",
            "GetSystemTimePreciseAsFileTime: the time of day in units of 100 ns",
            "GetSystemTimePreciseAsFileTime",
        )
    },
    // The time since boot in units of 100 ns.
    {
        struct Function;

        impl InterruptFunction for Function {
            const NAME: &'static CStr = c"QueryInterruptTimePrecise";
            const IS_COARSE: bool = false;
        }

        Technique {
            needs: "Windows 10 or later",
            probe: opens::<InterruptTime<Function>>,
            ..reading::<InterruptTime<Function>>(
                "query_interrupt_time_precise",
                "QueryInterruptTimePrecise: the time since boot in units of 100 ns",
                "QueryInterruptTimePrecise, Windows 10",
            )
        }
    },
    // The time since boot without sleep, in units of 100 ns.
    {
        struct Function;

        impl InterruptFunction for Function {
            const NAME: &'static CStr = c"QueryUnbiasedInterruptTimePrecise";
            const IS_COARSE: bool = false;
        }

        Technique {
            needs: "Windows 10 or later",
            probe: opens::<InterruptTime<Function>>,
            ..reading::<InterruptTime<Function>>(
                "query_unbiased_interrupt_time_precise",
                "QueryUnbiasedInterruptTimePrecise: the time since boot without sleep, in units of 100 ns",
                "QueryUnbiasedInterruptTimePrecise, Windows 10",
            )
        }
    },
    // Milliseconds since boot, in 32 bits.
    {
        clock! {
            tells: Counter,
            reading: u32 = 0,
            // SAFETY: the call takes nothing and gives a number.
            read: |place| *place = unsafe { GetTickCount() },
            number: |reading| u64::from(*reading),
            unit_ns: Some(1e6),
            resolution_ns: tick_ns(),
        }
        Technique {
            alias: &["GetTickCount"],
            ..coarse::<Clock>(
                "get_tick_count",
                "GetTickCount: milliseconds since boot at the last tick; back at 0 after 49.7 days",
                "Microsoft, GetTickCount function (sysinfoapi.h)",
            )
        }
    },
    // Milliseconds since boot.
    {
        clock! {
            tells: ElapsedTime,
            reading: u64 = 0,
            // SAFETY: the call takes nothing and gives a number.
            read: |place| *place = unsafe { GetTickCount64() },
            number: |reading| *reading,
            unit_ns: Some(1e6),
            resolution_ns: tick_ns(),
        }
        coarse::<Clock>(
            "get_tick_count_64",
            "GetTickCount64: milliseconds since boot at the last tick",
            "GetTickCount64",
        )
    },
    // Milliseconds since boot, as multimedia programs ask for them.
    {
        /// Looked up when it is needed: `winmm.dll` loads a dozen others, and every process would wait for them.
        struct Clock {
            function: unsafe extern "system" fn() -> u32,
        }

        impl TimeSource for Clock {
            type Reading = u32;
            const EMPTY: u32 = 0;
            const TELLS: Tells = Tells::Counter;

            fn open() -> io::Result<Self> {
                let function = found(c"winmm.dll", c"timeGetTime")?;
                // SAFETY: the function of this name takes nothing and gives a number of 32 bits.
                let function = unsafe {
                    std::mem::transmute::<
                        unsafe extern "system" fn() -> isize,
                        unsafe extern "system" fn() -> u32,
                    >(function)
                };
                Ok(Self { function })
            }

            #[inline(always)]
            fn read(&self, place: &mut u32) {
                // SAFETY: the call takes nothing and gives a number.
                *place = unsafe { (self.function)() };
            }

            #[inline(always)]
            fn number(&self, reading: &u32) -> u64 {
                u64::from(*reading)
            }

            fn unit_ns(&self) -> Option<f64> {
                Some(1e6)
            }
        }

        Technique {
            needs: "Windows with winmm.dll",
            probe: opens::<Clock>,
            ..coarse::<Clock>(
                "time_get_time",
                "timeGetTime: milliseconds since boot; back at 0 after 49.7 days",
                "timeGetTime",
            )
        }
    },
    // The time of day at the last tick.
    {
        clock! {
            tells: TimeOfDay,
            reading: FILETIME = NO_TIME,
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { GetSystemTimeAsFileTime(place) },
            number: |reading| number_of(reading),
            unit_ns: Some(HUNDRED_NS),
            resolution_ns: tick_ns(),
        }
        coarse::<Clock>(
            "get_system_time_as_file_time",
            "GetSystemTimeAsFileTime: the time of day at the last tick",
            "GetSystemTimeAsFileTime",
        )
    },
    // The time since boot at the last tick.
    {
        struct Function;

        impl InterruptFunction for Function {
            const NAME: &'static CStr = c"QueryInterruptTime";
            const IS_COARSE: bool = true;
        }

        Technique {
            needs: "Windows 10 or later",
            probe: opens::<InterruptTime<Function>>,
            ..coarse::<InterruptTime<Function>>(
                "query_interrupt_time",
                "QueryInterruptTime: the time since boot at the last tick",
                "QueryInterruptTime, Windows 10",
            )
        }
    },
    // The time since boot without sleep, at the last tick.
    {
        clock! {
            tells: ElapsedTime,
            reading: u64 = 0,
            // SAFETY: `place` is a valid place for the answer.
            read: |place| unsafe { QueryUnbiasedInterruptTime(place) },
            number: |reading| *reading,
            unit_ns: Some(HUNDRED_NS),
            resolution_ns: tick_ns(),
        }
        coarse::<Clock>(
            "query_unbiased_interrupt_time",
            "QueryUnbiasedInterruptTime: the time since boot without sleep, at the last tick",
            "QueryUnbiasedInterruptTime",
        )
    },
    // Cycles of the calling thread.
    {
        clock! {
            tells: ThreadTime,
            reading: u64 = 0,
            // SAFETY: `place` is a valid place for the answer; the handle stands for the calling thread.
            read: |place| unsafe { QueryThreadCycleTime(GetCurrentThread(), place) },
            number: |reading| *reading,
            unit_ns: None,
        }
        reading::<Clock>(
            "query_thread_cycle_time",
            "QueryThreadCycleTime: cycles that the thread has used",
            "QueryThreadCycleTime",
        )
    },
    // Cycles of the process.
    {
        clock! {
            tells: ProcessTime,
            reading: u64 = 0,
            // SAFETY: `place` is a valid place for the answer; the handle stands for the calling process.
            read: |place| unsafe { QueryProcessCycleTime(GetCurrentProcess(), place) },
            number: |reading| *reading,
            unit_ns: None,
        }
        reading::<Clock>(
            "query_process_cycle_time",
            "QueryProcessCycleTime: cycles that the process has used",
            "QueryProcessCycleTime",
        )
    },
    // Processor time of the calling thread.
    {
        clock! {
            tells: ThreadTime,
            reading: [FILETIME; 4] = [NO_TIME; 4],
            read: |place| {
                let [created, ended, kernel, user] = place;
                // SAFETY: the four places are valid for the answers; the handle stands for the calling thread.
                unsafe { GetThreadTimes(GetCurrentThread(), created, ended, kernel, user) }
            },
            number: |reading| number_of(&reading[2]) + number_of(&reading[3]),
            unit_ns: Some(HUNDRED_NS),
            resolution_ns: tick_ns(),
        }
        coarse::<Clock>(
            "get_thread_times",
            "GetThreadTimes: user and kernel time of the thread, counted in ticks",
            "GetThreadTimes",
        )
    },
    // Processor time of the process.
    {
        clock! {
            tells: ProcessTime,
            reading: [FILETIME; 4] = [NO_TIME; 4],
            read: |place| {
                let [created, ended, kernel, user] = place;
                // SAFETY: the four places are valid for the answers; the handle stands for the calling process.
                unsafe { GetProcessTimes(GetCurrentProcess(), created, ended, kernel, user) }
            },
            number: |reading| number_of(&reading[2]) + number_of(&reading[3]),
            unit_ns: Some(HUNDRED_NS),
            resolution_ns: tick_ns(),
        }
        coarse::<Clock>(
            "get_process_times",
            "GetProcessTimes: user and kernel time of the process, counted in ticks",
            "GetProcessTimes",
        )
    },
];
