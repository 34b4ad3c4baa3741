//! Whether a clock goes backwards when another processor reads it.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use sys::affinity;
use sys::clock::now_ns;

use crate::clock::time_source::{AnyClock, Tells};

const HAND_OVERS: u64 = 20_000;
const LONGEST_NS: u64 = 10_000_000;

/// What two threads that read in turn have seen, in words.
pub(super) fn across_processors(clock: &dyn AnyClock) -> String {
    if clock.tells() == Tells::ThreadTime {
        return "not compared: every thread has a time of its own".to_owned();
    }
    let allowed = affinity::allowed();
    let (Some(&first), Some(&second)) = (allowed.first(), allowed.get(1)) else {
        return "not looked at: only one processor may be used".to_owned();
    };
    let turns = Turns::default();
    let limit_ns = now_ns() + LONGEST_NS;
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
    match (pinned, turns.backwards.load(Ordering::Relaxed)) {
        (false, _) => "not looked at: a thread could not be kept on one processor".to_owned(),
        (true, 0) => {
            format!("never went backwards in {hand_overs} hand-overs between processors {first} and {second}")
        }
        (true, times) => format!(
            "went backwards {times} times in {hand_overs} hand-overs between processors {first} and {second}"
        ),
    }
}

#[derive(Default)]
struct Turns {
    /// Whose turn it is: even for the first thread, odd for the second.
    turn: AtomicU64,
    last: AtomicU64,
    backwards: AtomicU64,
    is_over: AtomicBool,
}

impl Turns {
    /// Reads whenever it is this thread's turn. The reading before happened before this one: the other thread released the turn
    /// after it, and this one acquired it.
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
