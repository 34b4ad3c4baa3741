//! The time since boot in units of 100 ns.

use std::ffi::CStr;

use model::Availability;

use crate::clock::job::{ClockJob, reading};
use crate::clock::time_source::TimeSource;
use crate::clock::windows::functions::{InterruptFunction, InterruptTime};
use crate::contract::Technique;

pub(in crate::clock) const QUERY_INTERRUPT_TIME_PRECISE: Technique<ClockJob> = Technique {
    needs: "Windows 10 or later",
    probe: |_, _| match InterruptTime::<Function>::open() {
        Ok(_) => Availability::Ready,
        Err(missing) => Availability::Missing(missing.to_string()),
    },
    ..reading::<InterruptTime<Function>>(
        "query_interrupt_time_precise",
        "QueryInterruptTimePrecise: the time since boot in units of 100 ns",
        "QueryInterruptTimePrecise, Windows 10",
    )
};

struct Function;

impl InterruptFunction for Function {
    const NAME: &'static CStr = c"QueryInterruptTimePrecise";
    const IS_COARSE: bool = false;
}
