//! What a clock is: how it is read, and what its readings promise.

use std::hint::black_box;
use std::io;

use model::{Availability, Host, Setting};

/// The kind of time that a clock measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measures {
    /// The time of day, which may be set and is slewed: it may go backwards.
    TimeOfDay,
    /// The time since some moment. It never goes backwards, whichever thread reads it.
    ElapsedTime,
    /// A counter of the processor. Nothing is promised of two readings that no fence keeps in order.
    Counter,
    /// Processor time that the process has used, all threads together. It never goes backwards.
    ProcessTime,
    /// Processor time, or cycles, that the calling thread has used. They never go backwards.
    ThreadTime,
}

pub(super) trait TimeSource: Sized + Send + Sync + 'static {
    type Reading: Copy + 'static;
    const EMPTY: Self::Reading;
    const MEASURES: Measures;

    /// Finds the clock: functions that are looked up at run time, a calibration.
    fn open() -> io::Result<Self>;

    /// Reads the clock once, as a program does.
    fn read(&self, place: &mut Self::Reading);

    /// Returns a reading as a number that grows with time, in units of [`TimeSource::unit_ns`].
    fn number(&self, reading: &Self::Reading) -> u64;

    /// Returns the nanoseconds in a unit; `None` where they are not known beforehand (cycles).
    fn unit_ns(&self) -> Option<f64> {
        Some(1.0)
    }

    /// Returns the resolution in nanoseconds that the system states; `None` where it states none.
    fn stated_resolution_ns(&self) -> Option<f64> {
        None
    }
}

/// Probes a technique by opening its clock.
pub(super) fn opens<C: TimeSource>(_: &Host, _: &Setting) -> Availability {
    match C::open() {
        Ok(_) => Availability::Ready,
        Err(missing) => Availability::Missing(missing.to_string()),
    }
}

/// A clock whose type is hidden, as the facts look at it.
pub(super) trait AnyClock: Send + Sync {
    fn measures(&self) -> Measures;

    fn unit_ns(&self) -> Option<f64>;

    fn stated_resolution_ns(&self) -> Option<f64>;

    fn read_into(&self, numbers: &mut [u64]);

    /// Reads it this many times, each time after `chain_steps` of other work.
    fn read_times(&self, times: u64, chain_steps: u64);

    /// The same without the clock.
    fn work_alone(&self, times: u64, chain_steps: u64) {
        let mut state = black_box(1);
        for _ in 0..times {
            state = advance(state, chain_steps);
        }
        black_box(state);
    }
}

impl<C: TimeSource> AnyClock for C {
    fn measures(&self) -> Measures {
        C::MEASURES
    }

    fn unit_ns(&self) -> Option<f64> {
        TimeSource::unit_ns(self)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        TimeSource::stated_resolution_ns(self)
    }

    fn read_into(&self, numbers: &mut [u64]) {
        for place in numbers {
            let mut reading = C::EMPTY;
            self.read(&mut reading);
            *place = self.number(&reading);
        }
    }

    fn read_times(&self, times: u64, chain_steps: u64) {
        let (mut state, mut reading) = (black_box(1), C::EMPTY);
        for _ in 0..times {
            state = advance(state, chain_steps);
            self.read(&mut reading);
            black_box(&mut reading);
        }
        black_box(state);
    }
}

/// Goes on with the other work for this many steps, each of which needs the one before and no memory.
///
/// Unrolled: whether a processor foresees the end of a short loop depends on where the code lies, and costs more than a clock.
#[inline(always)]
pub(super) fn advance(mut state: u64, steps: u64) -> u64 {
    for _ in 0..steps / 16 {
        state = four(four(four(four(state))));
    }
    for _ in 0..steps % 16 {
        state = step(state);
    }
    state
}

#[inline(always)]
fn four(state: u64) -> u64 {
    step(step(step(step(state))))
}

#[inline(always)]
fn step(mut state: u64) -> u64 {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    black_box(state.wrapping_mul(0x2545_f491_4f6c_dd1d))
}
