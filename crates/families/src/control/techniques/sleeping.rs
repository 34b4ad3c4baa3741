//! Techniques that wait instead of working: their time is real, but no processor's.

use std::io;
use std::thread::sleep;
use std::time::Duration;

use crate::contract::Technique;
use crate::control::job::{ControlJob, control};

pub(super) const SLEEP_5MS: Technique<ControlJob> =
    control("sleep_5ms", "sleeps for 5 ms", |job| job.done_by(|_| sleep_ms(5)));

pub(super) const SLEEP_7MS: Technique<ControlJob> =
    control("sleep_7ms", "sleeps for 7 ms", |job| job.done_by(|_| sleep_ms(7)));

pub(super) const SLEEP_20MS: Technique<ControlJob> =
    control("sleep_20ms", "sleeps for 20 ms", |job| job.done_by(|_| sleep_ms(20)));

fn sleep_ms(ms: u64) -> io::Result<()> {
    sleep(Duration::from_millis(ms));
    Ok(())
}
