//! The techniques: a table a system, and a row a technique. What exists on every system is listed first.
//!
//! Left out, each for a reason:
//!
//! - `minstant`: it reads the same counter as `quanta` and falls back to the system's clock outside Linux on x86.
//! - `CLOCK_REALTIME_ALARM` and `CLOCK_BOOTTIME_ALARM`: they are `realtime` and `boottime` with another number, for timers.
//! - `ftime`, `GetSystemTime`, `GetLocalTime`: they divide what another clock says into days and hours.
//! - `timeGetSystemTime` and `NtQuerySystemTime`: `timeGetTime` and `GetSystemTimeAsFileTime` under other names.

mod clocks;
#[cfg_attr(target_os = "linux", path = "linux/clocks.rs")]
#[cfg_attr(windows, path = "windows/clocks.rs")]
mod clocks_of_system;

use super::job::ClockJob;
use crate::contract::{Technique, joined};

pub(super) const TECHNIQUES: &[Technique<ClockJob>] = &joined::<
    _,
    { clocks::CLOCKS.len() + clocks_of_system::CLOCKS.len() },
>(clocks::CLOCKS, clocks_of_system::CLOCKS);
