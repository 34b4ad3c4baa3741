//! Processor time of the process and its children, and the time since boot, in ticks.

use std::io;

use libc::tms;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const TIMES: Technique<ClockJob> = Technique {
    calls: &["times"],
    ..coarse::<Times>("times", "times: user and system time of the process in ticks of 10 ms", "times(2)")
};

struct Times {
    ticks_per_second: u64,
}

impl TimeSource for Times {
    type Reading = tms;
    const EMPTY: tms = tms { tms_utime: 0, tms_stime: 0, tms_cutime: 0, tms_cstime: 0 };
    const TELLS: Tells = Tells::ProcessTime;

    fn open() -> io::Result<Self> {
        // SAFETY: the call takes a number and gives one.
        let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
        let known = u64::try_from(ticks).ok().filter(|&ticks| ticks > 0);
        let unknown = || io::Error::other("the system does not tell how many ticks a second has");
        Ok(Self { ticks_per_second: known.ok_or_else(unknown)? })
    }

    #[inline(always)]
    fn read(&self, place: &mut tms) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { libc::times(place) };
    }

    #[inline(always)]
    fn number(&self, reading: &tms) -> u64 {
        (reading.tms_utime + reading.tms_stime) as u64
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1e9 / self.ticks_per_second as f64)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        self.unit_ns()
    }
}
