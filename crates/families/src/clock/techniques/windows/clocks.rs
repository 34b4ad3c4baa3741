use model::Class;
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

use crate::clock::job::{ClockJob, clock};
use crate::clock::time_source::opens;
use crate::clock::windows::functions::{
    HUNDRED_NS, InterruptTime, MultimediaTime, NO_TIME, interrupt_time, multimedia_time, number_of,
    performance_unit_ns, tick_ns,
};
use crate::contract::Technique;

pub(in crate::clock) const CLOCKS: &[Technique<ClockJob>] = &[
    // Windows recommends it for intervals.
    clock! {
        name: "query_performance_counter",
        alias: &["QueryPerformanceCounter"],
        idea: "QueryPerformanceCounter: ticks since boot, usually of 100 ns",
        source: "Bradford, High-performance programming techniques on Linux and Windows 2000, part 1 (developerWorks, 2001)";
        measures: ElapsedTime,
        reading: i64 = 0,
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { QueryPerformanceCounter(place) },
        number: |reading| *reading as u64,
        unit_ns: performance_unit_ns(),
        resolution_ns: performance_unit_ns(),
    },
    clock! {
        name: "get_system_time_precise_as_file_time",
        idea: "GetSystemTimePreciseAsFileTime: the time of day in units of 100 ns",
        source: "GetSystemTimePreciseAsFileTime";
        measures: TimeOfDay,
        reading: FILETIME = NO_TIME,
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { GetSystemTimePreciseAsFileTime(place) },
        number: |reading| number_of(reading),
        unit_ns: Some(HUNDRED_NS),
    },
    clock! {
        name: "query_interrupt_time_precise",
        idea: "QueryInterruptTimePrecise: the time since boot in units of 100 ns",
        source: "QueryInterruptTimePrecise, Windows 10",
        needs: "Windows 10 or later",
        probe: opens::<Clock>;
        measures: ElapsedTime,
        keeps: function: InterruptTime = interrupt_time(c"QueryInterruptTimePrecise")?,
        reading: u64 = 0,
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { function(place) },
        number: |reading| *reading,
        unit_ns: Some(HUNDRED_NS),
        resolution_ns: Some(HUNDRED_NS),
    },
    clock! {
        name: "query_unbiased_interrupt_time_precise",
        idea: "QueryUnbiasedInterruptTimePrecise: the time since boot without sleep, in units of 100 ns",
        source: "QueryUnbiasedInterruptTimePrecise, Windows 10",
        needs: "Windows 10 or later",
        probe: opens::<Clock>;
        measures: ElapsedTime,
        keeps: function: InterruptTime = interrupt_time(c"QueryUnbiasedInterruptTimePrecise")?,
        reading: u64 = 0,
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { function(place) },
        number: |reading| *reading,
        unit_ns: Some(HUNDRED_NS),
        resolution_ns: Some(HUNDRED_NS),
    },
    // 32 bits.
    clock! {
        name: "get_tick_count",
        alias: &["GetTickCount"],
        idea: "GetTickCount: milliseconds since boot at the last tick; back at 0 after 49.7 days",
        source: "Microsoft, GetTickCount function (sysinfoapi.h)",
        class: Class::Coarse;
        measures: Counter,
        reading: u32 = 0,
        // SAFETY: the call takes nothing and gives a number.
        read: |place| *place = unsafe { GetTickCount() },
        number: |reading| u64::from(*reading),
        unit_ns: Some(1e6),
        resolution_ns: tick_ns(),
    },
    clock! {
        name: "get_tick_count_64",
        idea: "GetTickCount64: milliseconds since boot at the last tick",
        source: "GetTickCount64",
        class: Class::Coarse;
        measures: ElapsedTime,
        reading: u64 = 0,
        // SAFETY: the call takes nothing and gives a number.
        read: |place| *place = unsafe { GetTickCount64() },
        number: |reading| *reading,
        unit_ns: Some(1e6),
        resolution_ns: tick_ns(),
    },
    // Looked up when it is needed: `winmm.dll` loads a dozen others, and every process would wait for them.
    clock! {
        name: "time_get_time",
        idea: "timeGetTime: milliseconds since boot; back at 0 after 49.7 days",
        source: "timeGetTime",
        class: Class::Coarse,
        needs: "Windows with winmm.dll",
        probe: opens::<Clock>;
        measures: Counter,
        keeps: function: MultimediaTime = multimedia_time()?,
        reading: u32 = 0,
        // SAFETY: the call takes nothing and gives a number.
        read: |place| *place = unsafe { function() },
        number: |reading| u64::from(*reading),
        unit_ns: Some(1e6),
    },
    clock! {
        name: "get_system_time_as_file_time",
        idea: "GetSystemTimeAsFileTime: the time of day at the last tick",
        source: "GetSystemTimeAsFileTime",
        class: Class::Coarse;
        measures: TimeOfDay,
        reading: FILETIME = NO_TIME,
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { GetSystemTimeAsFileTime(place) },
        number: |reading| number_of(reading),
        unit_ns: Some(HUNDRED_NS),
        resolution_ns: tick_ns(),
    },
    clock! {
        name: "query_interrupt_time",
        idea: "QueryInterruptTime: the time since boot at the last tick",
        source: "QueryInterruptTime, Windows 10",
        class: Class::Coarse,
        needs: "Windows 10 or later",
        probe: opens::<Clock>;
        measures: ElapsedTime,
        keeps: function: InterruptTime = interrupt_time(c"QueryInterruptTime")?,
        reading: u64 = 0,
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { function(place) },
        number: |reading| *reading,
        unit_ns: Some(HUNDRED_NS),
        resolution_ns: tick_ns(),
    },
    clock! {
        name: "query_unbiased_interrupt_time",
        idea: "QueryUnbiasedInterruptTime: the time since boot without sleep, at the last tick",
        source: "QueryUnbiasedInterruptTime",
        class: Class::Coarse;
        measures: ElapsedTime,
        reading: u64 = 0,
        // SAFETY: `place` is a valid place for the answer.
        read: |place| unsafe { QueryUnbiasedInterruptTime(place) },
        number: |reading| *reading,
        unit_ns: Some(HUNDRED_NS),
        resolution_ns: tick_ns(),
    },
    clock! {
        name: "query_thread_cycle_time",
        idea: "QueryThreadCycleTime: cycles that the thread has used",
        source: "QueryThreadCycleTime";
        measures: ThreadTime,
        reading: u64 = 0,
        // SAFETY: `place` is a valid place for the answer; the handle stands for the calling thread.
        read: |place| unsafe { QueryThreadCycleTime(GetCurrentThread(), place) },
        number: |reading| *reading,
        unit_ns: None,
    },
    clock! {
        name: "query_process_cycle_time",
        idea: "QueryProcessCycleTime: cycles that the process has used",
        source: "QueryProcessCycleTime";
        measures: ProcessTime,
        reading: u64 = 0,
        // SAFETY: `place` is a valid place for the answer; the handle stands for the calling process.
        read: |place| unsafe { QueryProcessCycleTime(GetCurrentProcess(), place) },
        number: |reading| *reading,
        unit_ns: None,
    },
    clock! {
        name: "get_thread_times",
        idea: "GetThreadTimes: user and kernel time of the thread, counted in ticks",
        source: "GetThreadTimes",
        class: Class::Coarse;
        measures: ThreadTime,
        reading: [FILETIME; 4] = [NO_TIME; 4],
        read: |place| {
            let [created, ended, kernel, user] = place;
            // SAFETY: the four places are valid for the answers; the handle stands for the calling thread.
            unsafe { GetThreadTimes(GetCurrentThread(), created, ended, kernel, user) }
        },
        number: |reading| number_of(&reading[2]) + number_of(&reading[3]),
        unit_ns: Some(HUNDRED_NS),
        resolution_ns: tick_ns(),
    },
    clock! {
        name: "get_process_times",
        idea: "GetProcessTimes: user and kernel time of the process, counted in ticks",
        source: "GetProcessTimes",
        class: Class::Coarse;
        measures: ProcessTime,
        reading: [FILETIME; 4] = [NO_TIME; 4],
        read: |place| {
            let [created, ended, kernel, user] = place;
            // SAFETY: the four places are valid for the answers; the handle stands for the calling process.
            unsafe { GetProcessTimes(GetCurrentProcess(), created, ended, kernel, user) }
        },
        number: |reading| number_of(&reading[2]) + number_of(&reading[3]),
        unit_ns: Some(HUNDRED_NS),
        resolution_ns: tick_ns(),
    },
];
