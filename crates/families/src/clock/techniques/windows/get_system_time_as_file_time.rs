//! The time of day at the last tick.

use std::io;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::SystemInformation::GetSystemTimeAsFileTime;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::{HUNDRED_NS, NO_TIME, number_of, tick_ns};
use crate::contract::Technique;

pub(in crate::clock) const GET_SYSTEM_TIME_AS_FILE_TIME: Technique<ClockJob> = coarse::<SystemTimeAsFileTime>(
    "get_system_time_as_file_time",
    "GetSystemTimeAsFileTime: the time of day at the last tick",
    "GetSystemTimeAsFileTime",
);

struct SystemTimeAsFileTime;

impl TimeSource for SystemTimeAsFileTime {
    type Reading = FILETIME;
    const EMPTY: FILETIME = NO_TIME;
    const TELLS: Tells = Tells::TimeOfDay;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut FILETIME) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { GetSystemTimeAsFileTime(place) };
    }

    #[inline(always)]
    fn number(&self, reading: &FILETIME) -> u64 {
        number_of(reading)
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(HUNDRED_NS)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        tick_ns()
    }
}
