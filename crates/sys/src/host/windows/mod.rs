//! The registry, and calls that each tell a few facts.

use std::io;
use std::path::Path;

use model::{Host, Volume};
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::GetSystemTimes;

use super::Pressure;
use crate::windows::units;

mod limits;
mod processor;
mod registry;
mod system;
mod volume;

pub(crate) use volume::mount_point;

pub(super) fn describe() -> Host {
    Host {
        limits: limits::describe(),
        load: None,
        uptime_s: Some(system::uptime_s()),
        clock_source: crate::clock::source(),
        clock_step_ns: Some(crate::clock::step_ns()),
        clock_reading_ns: Some(crate::clock::reading_ns()),
        ..lasting()
    }
}

/// What stays the same until the machine or its system is another one; the fingerprint is made of it.
pub(super) fn lasting() -> Host {
    Host {
        name: system::name(),
        os: system::describe(),
        processor: processor::describe(),
        memory: system::memory(),
        ..Host::default()
    }
}

pub(super) fn volume(path: &Path) -> io::Result<Volume> {
    volume::describe(path)
}

/// Windows does not tell.
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
