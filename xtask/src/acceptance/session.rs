//! What all checks share: the instrument, what is drawn, and how many runs there are.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::instrument::Instrument;
use super::line::Strictness;
use super::output::{Ranking, Run};
use super::pairs::Pair;
use crate::Progress;

/// Ten names of one and the same work.
pub(super) const IDENTICAL: [&str; 10] =
    ["spin_a", "spin_b", "spin_c", "spin_d", "spin_e", "spin_f", "spin_g", "spin_h", "spin_i", "spin_j"];

#[derive(Debug, Clone, Copy)]
pub(super) struct Amount {
    full: usize,
    short: usize,
    /// The short form stops here, whatever it has seen: limits are computed for what was really done.
    short_time: Duration,
}

impl Amount {
    pub(super) const fn new(full: usize, short: usize, short_s: u64) -> Self {
        Self { full, short, short_time: Duration::from_secs(short_s) }
    }
}

pub(super) struct Session {
    pub(super) instrument: Instrument,
    pub(super) random: ChaCha8Rng,
    pub(super) short: bool,
    runs: Option<usize>,
    /// Pairs that were measured already, by the percentage that one is slower: several checks ask the same runs.
    pub(super) pairs: BTreeMap<u32, Rc<[Pair]>>,
}

impl Session {
    pub(super) fn new(instrument: Instrument, short: bool, runs: Option<usize>, seed: u64) -> Self {
        Self { instrument, random: ChaCha8Rng::seed_from_u64(seed), short, runs, pairs: BTreeMap::new() }
    }

    pub(super) fn strictness(&self) -> Strictness {
        if self.short { Strictness::SHORT } else { Strictness::FULL }
    }

    pub(super) fn wanted(&self, amount: Amount) -> usize {
        self.runs.unwrap_or(if self.short { amount.short } else { amount.full })
    }

    /// Does one thing as often as wanted. When the short form's time is over it ends, but never before a quarter is done.
    pub(super) fn repeat<T>(
        &mut self, what: &str, amount: Amount, mut one: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let wanted = self.wanted(amount);
        let (start, mut progress) = (Instant::now(), Progress::new());
        let mut done = Vec::with_capacity(wanted);
        while done.len() < wanted {
            if self.short && start.elapsed() >= amount.short_time && 4 * done.len() >= wanted {
                break;
            }
            done.push(one(self)?);
            progress.say(format_args!("{what}: {} of {wanted}", done.len()));
        }
        Ok(done)
    }

    /// Measures controls, named in an order that is drawn.
    pub(super) fn measure(&mut self, controls: &[&str], further: &str) -> Result<Run> {
        let mut named = controls.to_vec();
        named.shuffle(&mut self.random);
        let line = self.instrument.controls(&named, self.random.random(), further);
        Ok(self.instrument.measure(&line)?.0)
    }

    pub(super) fn contest(&mut self, controls: &[&str], further: &str) -> Result<Ranking> {
        let mut run = self.measure(controls, further)?;
        run.ranking()?;
        Ok(run.rankings.remove(0))
    }

    pub(super) fn draw_identical(&mut self) -> [&'static str; 2] {
        let two: Vec<&'static str> = IDENTICAL.sample(&mut self.random, 2).copied().collect();
        [two[0], two[1]]
    }
}
