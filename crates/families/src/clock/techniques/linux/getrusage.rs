//! Processor time beside the other counters of a process.

use std::io;
use std::mem::zeroed;

use libc::{rusage, timeval};

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::{Tells, TimeSource};
use crate::contract::Technique;

pub(in crate::clock) const GETRUSAGE: Technique<ClockJob> = Technique {
    calls: &["getrusage"],
    ..reading::<Getrusage>(
        "getrusage",
        "getrusage(RUSAGE_SELF): user and system time of the process with all its other counters",
        "getrusage(2)",
    )
};

struct Getrusage;

impl TimeSource for Getrusage {
    type Reading = rusage;
    // SAFETY: the structure holds nothing but numbers, for which 0 is a value.
    const EMPTY: rusage = unsafe { zeroed() };
    const TELLS: Tells = Tells::ProcessTime;

    fn open() -> io::Result<Self> {
        Ok(Self)
    }

    #[inline(always)]
    fn read(&self, place: &mut rusage) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { libc::getrusage(libc::RUSAGE_SELF, place) };
    }

    #[inline(always)]
    fn number(&self, reading: &rusage) -> u64 {
        let us = |time: timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
        us(reading.ru_utime) + us(reading.ru_stime)
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(1e3)
    }
}
