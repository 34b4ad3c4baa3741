//! The steps of a clock (differences of readings that follow each other at once), and whether it goes backwards.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use sys::affinity;
use sys::clock::now_ns;

use crate::clock::time_source::{AnyClock, Measures};

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

    pub(super) fn order(&self) -> String {
        format!("{} in {} readings", went_backwards(self.backwards), self.readings)
    }
}

fn went_backwards(times: u64) -> String {
    match times {
        0 => "never went backwards".to_owned(),
        times => format!("went backwards {times} times"),
    }
}

const HAND_OVERS: u64 = 20_000;
const LONGEST_HAND_OVERS_NS: u64 = 10_000_000;

pub(super) fn across_processors(clock: &dyn AnyClock) -> String {
    if clock.measures() == Measures::ThreadTime {
        return "not compared: every thread has a time of its own".to_owned();
    }
    let allowed = affinity::allowed();
    let (Some(&first), Some(&second)) = (allowed.first(), allowed.get(1)) else {
        return "not looked at: only one processor may be used".to_owned();
    };
    let turns = Turns::default();
    let limit_ns = now_ns() + LONGEST_HAND_OVERS_NS;
    let pinned = thread::scope(|scope| {
        let start = |place: u64, processor: u32| {
            let turns = &turns;
            scope.spawn(move || {
                let pinned = affinity::pin(processor).is_ok();
                turns.take(clock, place, limit_ns);
                pinned
            })
        };
        let threads = [start(0, first), start(1, second)];
        threads.into_iter().all(|thread| thread.join().unwrap_or(false))
    });
    let hand_overs = turns.turn.load(Ordering::Relaxed);
    if !pinned {
        return "not looked at: a thread could not be kept on one processor".to_owned();
    }
    let went = went_backwards(turns.backwards.load(Ordering::Relaxed));
    format!("{went} in {hand_overs} hand-overs between processors {first} and {second}")
}

#[derive(Default)]
struct Turns {
    turn: AtomicU64,
    last: AtomicU64,
    backwards: AtomicU64,
    is_over: AtomicBool,
}

impl Turns {
    /// Reads whenever it is this thread's turn: acquiring it puts the other thread's reading before this one.
    fn take(&self, clock: &dyn AnyClock, place: u64, limit_ns: u64) {
        let mut spins = 0_u32;
        loop {
            let turn = self.turn.load(Ordering::Acquire);
            if turn >= HAND_OVERS || self.is_over.load(Ordering::Relaxed) {
                return;
            }
            if turn % 2 == place {
                let mut now = [0];
                clock.read_into(&mut now);
                if now[0] < self.last.load(Ordering::Relaxed) {
                    self.backwards.fetch_add(1, Ordering::Relaxed);
                }
                self.last.store(now[0], Ordering::Relaxed);
                self.turn.store(turn + 1, Ordering::Release);
            }
            spins = spins.wrapping_add(1);
            if spins.is_multiple_of(64) && now_ns() > limit_ns {
                self.is_over.store(true, Ordering::Relaxed);
            }
            spin_loop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_differences_and_steps_back_are_counted_apart() {
        for (numbers, smallest, largest, order) in [
            (&[5, 5, 7, 20, 19, 20][..], Some(1), Some(13), "went backwards 1 times in 5 readings"),
            (&[3, 3, 3], None, None, "never went backwards in 2 readings"),
        ] {
            let mut steps = Steps::default();
            steps.look_at(numbers);
            assert_eq!((steps.smallest, steps.largest, &*steps.order()), (smallest, largest, order));
        }
    }
}
