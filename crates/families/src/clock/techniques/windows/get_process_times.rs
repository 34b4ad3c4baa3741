//! Processor time of the process.

use std::io;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, GetProcessTimes};

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::{HUNDRED_NS, NO_TIME, number_of, tick_ns};
use crate::contract::Technique;

pub(in crate::clock) const GET_PROCESS_TIMES: Technique<ClockJob> = coarse::<ProcessTimes>(
    "get_process_times",
    "GetProcessTimes: user and kernel time of the process, counted in ticks",
    "GetProcessTimes",
);

struct ProcessTimes;

impl TimeSource for ProcessTimes {
    type Reading = [FILETIME; 4];
    const EMPTY: [FILETIME; 4] = [NO_TIME; 4];
    const TELLS: Tells = Tells::ProcessTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut [FILETIME; 4]) {
        let [created, ended, kernel, user] = place;
        // SAFETY: the four places are valid for the answers; the handle stands for the calling process.
        unsafe { GetProcessTimes(GetCurrentProcess(), created, ended, kernel, user) };
    }

    #[inline(always)]
    fn number(&self, reading: &[FILETIME; 4]) -> u64 {
        number_of(&reading[2]) + number_of(&reading[3])
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(HUNDRED_NS)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        tick_ns()
    }
}
