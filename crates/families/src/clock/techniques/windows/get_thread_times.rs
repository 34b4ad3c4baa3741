//! Processor time of the calling thread.

use std::io;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadTimes};

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::clock::windows::functions::{HUNDRED_NS, NO_TIME, number_of, tick_ns};
use crate::contract::Technique;

pub(in crate::clock) const GET_THREAD_TIMES: Technique<ClockJob> = coarse::<ThreadTimes>(
    "get_thread_times",
    "GetThreadTimes: user and kernel time of the thread, counted in ticks",
    "GetThreadTimes",
);

struct ThreadTimes;

impl TimeSource for ThreadTimes {
    type Reading = [FILETIME; 4];
    const EMPTY: [FILETIME; 4] = [NO_TIME; 4];
    const TELLS: Tells = Tells::ThreadTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut [FILETIME; 4]) {
        let [created, ended, kernel, user] = place;
        // SAFETY: the four places are valid for the answers; the handle stands for the calling thread.
        unsafe { GetThreadTimes(GetCurrentThread(), created, ended, kernel, user) };
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
