//! The time since boot at the last tick.

use std::ffi::CStr;

use model::Availability;

use crate::clock::job::{ClockJob, coarse};
use crate::clock::time_source::TimeSource;
use crate::clock::windows::functions::{InterruptFunction, InterruptTime};
use crate::contract::Technique;

pub(in crate::clock) const QUERY_INTERRUPT_TIME: Technique<ClockJob> = Technique {
    needs: "Windows 10 or later",
    probe: |_, _| match InterruptTime::<Function>::open() {
        Ok(_) => Availability::Ready,
        Err(missing) => Availability::Missing(missing.to_string()),
    },
    ..coarse::<InterruptTime<Function>>(
        "query_interrupt_time",
        "QueryInterruptTime: the time since boot at the last tick",
        "QueryInterruptTime, Windows 10",
    )
};

struct Function;

impl InterruptFunction for Function {
    const NAME: &'static CStr = c"QueryInterruptTime";
    const IS_COARSE: bool = true;
}
