#![cfg(not(loom))]
//! Many threads with random pauses: nothing is lost, doubled or out of order, and the depth holds. An hour of it:
//!
//! ```sh
//! BAKEOFF_STRESS_SECONDS=3600 cargo test --release -p queue --test stress
//! ```
//!
//! `BAKEOFF_STRESS_SEED` begins with the round of that seed, which a failure names. The long run shows where it is, in case it hangs.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use queue::{Manner, Patience, Queue};

/// Rounds where no time is asked for.
const ROUNDS: u64 = 60;
const UNITS_EACH: u64 = 300;

#[test]
fn nothing_is_lost_doubled_or_out_of_order_and_the_depth_holds() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let end = number("BAKEOFF_STRESS_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let first = number("BAKEOFF_STRESS_SEED").unwrap_or(1);
    for seed in (first..).take_while(|seed| end.map_or(*seed < first + ROUNDS, |end| Instant::now() < end)) {
        if end.is_some() && seed % 100 == 0 {
            writeln!(io::stderr(), "from seed {seed}").expect("standard error can be written");
        }
        Round::of(seed).run();
    }
}

/// The data that all threads of a round share.
struct Round {
    seed: u64,
    putters: u64,
    takers: u64,
    depth: usize,
    queue: Queue<(u64, u64)>,
    /// Units that were put by calls that have returned.
    put: AtomicU64,
    /// Units that were asked for by calls that have begun.
    asked: AtomicU64,
    putting: AtomicU64,
}

impl Round {
    fn of(seed: u64) -> Self {
        let mut random = Random(seed);
        let depths = [1, 2, 3, 4, 10, 100];
        let (putters, takers) = (1 + random.below(8), 1 + random.below(4));
        let depth = depths[random.below(depths.len() as u64) as usize];
        let queue = Queue::new(depth, thread::available_parallelism().map_or(1, usize::from));
        let (put, asked, putting) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(putters));
        Self { seed, putters, takers, depth, queue, put, asked, putting }
    }

    fn run(&self) {
        let taken: Vec<Vec<(u64, u64)>> = thread::scope(|scope| {
            for putter in 0..self.putters {
                scope.spawn(move || self.put_all(putter));
            }
            let takers: Vec<_> =
                (0..self.takers).map(|taker| scope.spawn(move || self.take_all(taker))).collect();
            takers.into_iter().map(|taker| taker.join().expect("a taker failed")).collect()
        });
        for units in &taken {
            for putter in 0..self.putters {
                let numbers = units.iter().filter(|unit| unit.0 == putter).map(|unit| unit.1);
                assert!(numbers.is_sorted(), "seed {}: putter {putter} is out of order", self.seed);
            }
        }
        let mut all: Vec<_> = taken.into_iter().flatten().collect();
        all.sort_unstable();
        let sent = (0..self.putters).flat_map(|putter| (0..UNITS_EACH).map(move |number| (putter, number)));
        assert!(all.into_iter().eq(sent), "seed {}: units were lost or doubled", self.seed);
    }

    fn put_all(&self, putter: u64) {
        let mut random = Random(self.seed << 8 | putter);
        let mut number = 0;
        while number < UNITS_EACH {
            let some = (1 + random.below(7)).min(UNITS_EACH - number);
            let mut units: Vec<_> = (number..number + some).map(|number| (putter, number)).collect();
            let manner = Manner { patience: random.patience(), quiet: random.below(3) == 0 };
            if random.below(2) == 0 {
                self.queue.put_all(&mut units, manner).expect("it is open");
                self.returned(some);
            } else {
                for unit in units {
                    self.queue.put(unit, manner).expect("it is open");
                    self.returned(1);
                }
            }
            if manner.quiet {
                self.queue.wake();
            }
            number += some;
            random.pause();
        }
        if self.putting.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.queue.close();
        }
    }

    /// The depth holds: what was put is in the queue, or was asked for.
    fn returned(&self, units: u64) {
        let put = self.put.fetch_add(units, Ordering::SeqCst) + units;
        let most = self.asked.load(Ordering::SeqCst) + self.depth as u64;
        assert!(put <= most, "seed {}: {put} units were put, {most} had a place", self.seed);
    }

    fn take_all(&self, taker: u64) -> Vec<(u64, u64)> {
        let mut random = Random(self.seed << 8 | 0x80 | taker);
        let mut units = Vec::new();
        loop {
            let most = if random.below(2) == 0 { 1 } else { 1 + random.below(6) };
            self.asked.fetch_add(most, Ordering::SeqCst);
            let taken = self.queue.take(most as usize, &mut units, random.patience(), thread::yield_now);
            if taken == 0 {
                return units;
            }
            // What was asked for in vain is asked for no more.
            self.asked.fetch_sub(most - taken as u64, Ordering::SeqCst);
            random.pause();
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let value = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (value ^ value >> 31) % end
    }

    fn patience(&mut self) -> Patience {
        if self.below(2) == 0 { Patience::Usual } else { Patience::Between }
    }

    /// Mostly none; else another thread's turn, some work, or a sleep.
    fn pause(&mut self) {
        match self.below(40) {
            0 => thread::sleep(Duration::from_micros(self.below(300))),
            1..4 => thread::yield_now(),
            4..8 => (0..self.below(3_000)).for_each(|_| std::hint::spin_loop()),
            _ => (),
        }
    }
}
