//! The registry, and calls that each tell a few facts.

use std::path::Path;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::GetSystemTimes;

use super::Pressure;
use crate::windows::units;

mod limits;
mod processor;
mod registry;
mod software;
mod volume;

pub(crate) use volume::mount_point;

pub(super) use limits::describe as limits;
pub(super) use processor::describe as processor;
pub(super) use software::{describe as operating_system, memory, name, uptime_s};
pub(super) use volume::describe as volume;

/// Windows does not say.
pub(super) fn load() -> Option<[f64; 3]> {
    None
}

/// Windows does not say.
pub(super) fn read_ahead_bytes(_path: &Path) -> Option<u64> {
    None
}

/// Made when the system was installed.
pub(super) fn machine_id() -> Option<String> {
    registry::text(r"SOFTWARE\Microsoft\Cryptography", "MachineGuid")
}

/// The time of all processors is the only one of these counters that Windows tells.
pub(super) fn pressure() -> Pressure {
    let mut times = [FILETIME::default(); 3];
    let [idle, kernel, user] = &mut times;
    // SAFETY: the three places are valid for the answers.
    let answer = unsafe { GetSystemTimes(&raw mut *idle, &raw mut *kernel, &raw mut *user) };
    // The time in the kernel has the idle time in it.
    Pressure { total_ticks: (answer != 0).then(|| units(times[1]) + units(times[2])), ..Pressure::default() }
}
