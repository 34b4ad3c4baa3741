//! The steps of a clock: the differences of readings that follow each other at once.

use sys::clock::now_ns;

use crate::clock::time_source::AnyClock;

const READINGS: u64 = 20_000;
/// A coarse clock has moved a few times by then.
const LONGEST_NS: u64 = 30_000_000;
const STEPS: u64 = 3;
const PORTION: usize = 256;

/// In the clock's own units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Steps {
    pub(super) smallest: Option<u64>,
    pub(super) largest: Option<u64>,
    steps: u64,
    backwards: u64,
    readings: u64,
}

pub(super) fn of(clock: &dyn AnyClock) -> Steps {
    let mut steps = Steps::default();
    let mut numbers = [0; PORTION + 1];
    clock.read_into(&mut numbers[PORTION..]);
    let begin = now_ns();
    while (steps.readings < READINGS || steps.steps < STEPS) && now_ns() - begin < LONGEST_NS {
        // The first of a portion follows the last of the one before: a step that falls between them is not lost.
        numbers[0] = numbers[PORTION];
        clock.read_into(&mut numbers[1..]);
        steps.look_at(&numbers);
    }
    steps
}

impl Steps {
    fn look_at(&mut self, numbers: &[u64]) {
        for pair in numbers.windows(2) {
            self.readings += 1;
            match pair[1].checked_sub(pair[0]) {
                None => self.backwards += 1,
                Some(0) => {}
                Some(step) => {
                    self.steps += 1;
                    self.smallest = Some(self.smallest.map_or(step, |least| least.min(step)));
                    self.largest = Some(self.largest.map_or(step, |most| most.max(step)));
                }
            }
        }
    }

    /// Whether it went backwards, in words.
    pub(super) fn order(&self) -> String {
        match self.backwards {
            0 => format!("never went backwards in {} readings", self.readings),
            times => format!("went backwards {times} times in {} readings", self.readings),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_differences_and_what_goes_backwards_is_counted_apart() {
        let mut steps = Steps::default();
        steps.look_at(&[5, 5, 7, 20, 19, 20]);
        assert_eq!((steps.smallest, steps.largest, steps.backwards), (Some(1), Some(13), 1));
        assert_eq!(steps.order(), "went backwards 1 times in 5 readings");
        assert_eq!(Steps { readings: 9, ..Steps::default() }.order(), "never went backwards in 9 readings");
    }

    #[test]
    fn a_clock_that_stands_still_has_no_step() {
        let mut steps = Steps::default();
        steps.look_at(&[3, 3, 3]);
        assert_eq!((steps.smallest, steps.largest), (None, None));
    }
}
