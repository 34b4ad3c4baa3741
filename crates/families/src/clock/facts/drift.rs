//! How fast the clocks go, against the clock of this tool over a second.

use std::thread;
use std::time::Duration;

use sys::clock::now_ns;

use super::Named;
use crate::clock::time_source::{AnyClock, Measures};

const SECOND_NS: u64 = 1_000_000_000;
const LONGEST_WAIT_NS: u64 = 40_000_000;
/// Of this many moments the narrowest is kept.
const MOMENTS: usize = 15;
const STEPS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rate {
    pub(super) unit_ns: f64,
    pub(super) doubt_ppm: f64,
}

/// A reading, and the two readings of this tool's clock between which it fell.
#[derive(Debug, Clone, Copy)]
struct Moment {
    number: u64,
    from_ns: u64,
    to_ns: u64,
}

impl Moment {
    fn width_ns(&self) -> u64 {
        self.to_ns - self.from_ns
    }

    fn middle_ns(&self) -> f64 {
        (self.from_ns + self.to_ns) as f64 / 2.0
    }
}

pub(super) struct Second {
    begin_ns: u64,
    moments: Vec<Option<Moment>>,
}

impl Second {
    pub(super) fn begin(clocks: &[Named]) -> Self {
        Self { begin_ns: now_ns(), moments: moments(clocks) }
    }

    /// Waits until it is over; returns the rate of each clock that could be compared.
    pub(super) fn end(self, clocks: &[Named]) -> Vec<Option<Rate>> {
        let left_ns = SECOND_NS.saturating_sub(now_ns() - self.begin_ns);
        thread::sleep(Duration::from_nanos(left_ns));
        let both = self.moments.into_iter().zip(moments(clocks));
        both.map(|(begin, end)| rate(&begin?, &end?)).collect()
    }
}

/// Returns a moment of each clock that goes on at the pace of time, whichever process reads it.
fn moments(clocks: &[Named]) -> Vec<Option<Moment>> {
    let of_process =
        |one: &Named| matches!(one.clock.measures(), Measures::ProcessTime | Measures::ThreadTime);
    clocks.iter().map(|one| if of_process(one) { None } else { moment(&*one.clock) }).collect()
}

/// Returns a moment of a clock: any of one that moves at every reading, else that of a step, which says less.
fn moment(clock: &dyn AnyClock) -> Option<Moment> {
    if is_fine(clock) {
        (0..MOMENTS).map(|_| bracketed(clock)).min_by_key(Moment::width_ns)
    } else {
        (0..STEPS).map_while(|_| step(clock)).min_by_key(Moment::width_ns)
    }
}

fn bracketed(clock: &dyn AnyClock) -> Moment {
    let mut number = [0];
    let from_ns = now_ns();
    clock.read_into(&mut number);
    Moment { number: number[0], from_ns, to_ns: now_ns() }
}

fn is_fine(clock: &dyn AnyClock) -> bool {
    let mut numbers = [0; 16];
    clock.read_into(&mut numbers);
    numbers.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 8
}

fn step(clock: &dyn AnyClock) -> Option<Moment> {
    let mut before = bracketed(clock);
    let begin_ns = before.from_ns;
    while before.to_ns - begin_ns < LONGEST_WAIT_NS {
        let now = bracketed(clock);
        if now.number != before.number {
            return Some(Moment { from_ns: before.from_ns, ..now });
        }
        before = now;
    }
    None
}

fn rate(begin: &Moment, end: &Moment) -> Option<Rate> {
    let units = end.number.checked_sub(begin.number).filter(|&units| units > 0)?;
    let doubt_ns = (begin.width_ns() + end.width_ns()) as f64 / 2.0;
    let elapsed_ns = end.middle_ns() - begin.middle_ns();
    Some(Rate { unit_ns: elapsed_ns / units as f64, doubt_ppm: doubt_ns / elapsed_ns * 1e6 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_of_10_units_a_microsecond_has_units_of_100_ns() {
        let begin = Moment { number: 5, from_ns: 1_000, to_ns: 1_040 };
        for (number, unit_ns) in [(10_000_005, Some(100.0)), (5, None), (4, None)] {
            let end = Moment { number, from_ns: 1_000_001_000, to_ns: 1_000_001_040 };
            assert_eq!(rate(&begin, &end).map(|rate| rate.unit_ns), unit_ns, "{number}");
        }
    }

    #[test]
    fn a_rate_is_as_exact_as_its_moments() {
        let moment = |number, from_ns, to_ns| Moment { number, from_ns, to_ns };
        let found = rate(&moment(0, 0, 100), &moment(10, 1_000, 1_100)).expect("a rate");
        assert_eq!((found.unit_ns, found.doubt_ppm), (100.0, 100_000.0));
    }
}
