//! The techniques, one file each. What exists on every system is listed first.
//!
//! Left out, each for a reason:
//!
//! - `minstant`: it reads the same counter as `quanta` and falls back to the system's clock outside Linux on x86.
//! - `CLOCK_REALTIME_ALARM` and `CLOCK_BOOTTIME_ALARM`: they are `realtime` and `boottime` with another number, for timers.
//! - `ftime`, `GetSystemTime`, `GetLocalTime`: they divide what another clock says into days and hours.
//! - `timeGetSystemTime` and `NtQuerySystemTime`: `timeGetTime` and `GetSystemTimeAsFileTime` under other names.

mod lfence_rdtsc;
mod no_clock;
mod quanta_instant;
mod rdtsc;
mod rdtscp;
mod std_instant;
mod std_system_time;

#[cfg(target_os = "linux")]
mod linux {
    pub(super) mod boottime;
    pub(super) mod c_clock;
    pub(super) mod getrusage;
    pub(super) mod gettimeofday;
    pub(super) mod monotonic;
    pub(super) mod monotonic_coarse;
    pub(super) mod monotonic_raw;
    pub(super) mod process_cputime;
    pub(super) mod realtime;
    pub(super) mod realtime_coarse;
    pub(super) mod syscall;
    pub(super) mod tai;
    pub(super) mod thread_cputime;
    pub(super) mod time;
    pub(super) mod times;
    pub(super) mod timespec_get;
}

#[cfg(windows)]
mod windows {
    pub(super) mod get_process_times;
    pub(super) mod get_system_time_as_file_time;
    pub(super) mod get_system_time_precise_as_file_time;
    pub(super) mod get_thread_times;
    pub(super) mod get_tick_count;
    pub(super) mod get_tick_count_64;
    pub(super) mod query_interrupt_time;
    pub(super) mod query_interrupt_time_precise;
    pub(super) mod query_performance_counter;
    pub(super) mod query_process_cycle_time;
    pub(super) mod query_thread_cycle_time;
    pub(super) mod query_unbiased_interrupt_time;
    pub(super) mod query_unbiased_interrupt_time_precise;
    pub(super) mod time_get_time;
}

use super::job::ClockJob;
use crate::contract::{Technique, joined};

/// In the order in which they are listed.
pub(super) const TECHNIQUES: &[Technique<ClockJob>] =
    &joined::<_, { ON_EVERY_SYSTEM.len() + ON_THIS_SYSTEM.len() }>(ON_EVERY_SYSTEM, ON_THIS_SYSTEM);

const ON_EVERY_SYSTEM: &[Technique<ClockJob>] = &[
    std_instant::STD_INSTANT,
    std_system_time::STD_SYSTEM_TIME,
    quanta_instant::QUANTA_INSTANT,
    rdtsc::RDTSC,
    lfence_rdtsc::LFENCE_RDTSC,
    rdtscp::RDTSCP,
    no_clock::NO_CLOCK,
];

#[cfg(target_os = "linux")]
const ON_THIS_SYSTEM: &[Technique<ClockJob>] = &[
    linux::gettimeofday::GETTIMEOFDAY,
    linux::realtime::REALTIME,
    linux::timespec_get::TIMESPEC_GET,
    linux::monotonic::MONOTONIC,
    linux::monotonic_raw::MONOTONIC_RAW,
    linux::boottime::BOOTTIME,
    linux::tai::TAI,
    linux::syscall::SYSCALL,
    linux::time::TIME,
    linux::realtime_coarse::REALTIME_COARSE,
    linux::monotonic_coarse::MONOTONIC_COARSE,
    linux::times::TIMES,
    linux::process_cputime::PROCESS_CPUTIME,
    linux::thread_cputime::THREAD_CPUTIME,
    linux::c_clock::C_CLOCK,
    linux::getrusage::GETRUSAGE,
];

#[cfg(windows)]
const ON_THIS_SYSTEM: &[Technique<ClockJob>] = &[
    windows::query_performance_counter::QUERY_PERFORMANCE_COUNTER,
    windows::get_system_time_precise_as_file_time::GET_SYSTEM_TIME_PRECISE_AS_FILE_TIME,
    windows::query_interrupt_time_precise::QUERY_INTERRUPT_TIME_PRECISE,
    windows::query_unbiased_interrupt_time_precise::QUERY_UNBIASED_INTERRUPT_TIME_PRECISE,
    windows::get_tick_count::GET_TICK_COUNT,
    windows::get_tick_count_64::GET_TICK_COUNT_64,
    windows::time_get_time::TIME_GET_TIME,
    windows::get_system_time_as_file_time::GET_SYSTEM_TIME_AS_FILE_TIME,
    windows::query_interrupt_time::QUERY_INTERRUPT_TIME,
    windows::query_unbiased_interrupt_time::QUERY_UNBIASED_INTERRUPT_TIME,
    windows::query_thread_cycle_time::QUERY_THREAD_CYCLE_TIME,
    windows::query_process_cycle_time::QUERY_PROCESS_CYCLE_TIME,
    windows::get_thread_times::GET_THREAD_TIMES,
    windows::get_process_times::GET_PROCESS_TIMES,
];
