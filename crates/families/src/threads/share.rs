//! A share of the iterations, as a state that can be left at any forced yield and gone on with later.

use std::hint::black_box;

use super::rand;
use crate::random::PublishedRand;

/// The source of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Generator {
    /// One for each share: xorshift64* (Vigna, *An experimental exploration of Marsaglia's xorshift generators*).
    Own,
    /// One for each share: the arithmetic of the published program's library, which has a state a thread and no lock.
    Congruence,
    CLibrary,
}

/// The iterations of one thread, or of its replacement.
pub(super) struct Share {
    generator: Generator,
    state: u64,
    /// Not known to the compiler, which would turn the division into a multiplication.
    modulus: u32,
    iterations_per_yield: u64,
    left: u64,
    sum: u64,
}

impl Share {
    /// Makes the `nth` share; with 0 `iterations_per_yield` it never gives up its processor.
    pub(super) fn new(generator: Generator, nth: usize, iterations: u64, iterations_per_yield: u64) -> Self {
        // No state may be 0, and neighbours must not resemble each other.
        let state = match generator {
            Generator::Congruence => nth as u64 + 1,
            _ => (nth as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        };
        Self { generator, state, modulus: black_box(1_000), iterations_per_yield, left: iterations, sum: 0 }
    }

    /// Goes on to the next forced yield; returns `false` at its end.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        let whole = self.iterations_per_yield > 0 && self.left >= self.iterations_per_yield;
        let count = if whole { self.iterations_per_yield } else { self.left };
        self.left -= count;
        match self.generator {
            Generator::Own => self.draw(count),
            Generator::Congruence => {
                let (mut drawn, mut sum) = (PublishedRand(self.state as u32), self.sum);
                for _ in 0..count {
                    sum += 1 + u64::from(drawn.next() % self.modulus);
                }
                (self.state, self.sum) = (drawn.0.into(), sum);
            }
            Generator::CLibrary => {
                let modulus = self.modulus;
                self.sum += (0..count).map(|_| 1 + rand::drawn(modulus)).sum::<u64>();
            }
        }
        whole
    }

    #[inline]
    fn draw(&mut self, count: u64) {
        let (mut state, mut sum) = (self.state, self.sum);
        for _ in 0..count {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            let drawn = (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as u32;
            sum += 1 + u64::from(drawn % self.modulus);
        }
        (self.state, self.sum) = (state, sum);
    }

    /// Runs to its end; `give_up` gives the processor to others.
    #[inline]
    pub(super) fn run(mut self, give_up: impl Fn()) -> u64 {
        while self.goes_on() {
            give_up();
        }
        self.sum
    }

    /// Returns the sum so far: 1 and a number below 1,000 for each iteration.
    pub(super) fn sum(&self) -> u64 {
        self.sum
    }
}
