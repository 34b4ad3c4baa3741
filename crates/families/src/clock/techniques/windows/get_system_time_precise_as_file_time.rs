//! The time of day in steps of 100 ns.

use std::io;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::SystemInformation::GetSystemTimePreciseAsFileTime;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::{HUNDRED_NS, NO_TIME, number_of};
use crate::contract::Technique;

pub(in crate::clock) const GET_SYSTEM_TIME_PRECISE_AS_FILE_TIME: Technique<ClockJob> =
    reading::<SystemTimePreciseAsFileTime>(
        "get_system_time_precise_as_file_time",
        "GetSystemTimePreciseAsFileTime: the time of day in units of 100 ns",
        "GetSystemTimePreciseAsFileTime",
    );

struct SystemTimePreciseAsFileTime;

impl TimeSource for SystemTimePreciseAsFileTime {
    type Reading = FILETIME;
    const EMPTY: FILETIME = NO_TIME;
    const TELLS: Tells = Tells::TimeOfDay;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut FILETIME) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { GetSystemTimePreciseAsFileTime(place) };
    }

    #[inline(always)]
    fn number(&self, reading: &FILETIME) -> u64 {
        number_of(reading)
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(HUNDRED_NS)
    }
}
