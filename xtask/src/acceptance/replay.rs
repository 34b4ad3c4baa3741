//! T15: thousands of synthetic experiments whose truth is known, written as a file and judged by the program.
//!
//! The noise is harsher than independent noise: `ln T = jitter + AR(1) + drift + step + burst + tail + place`. Nothing
//! is measured here, so the seed is fixed and the outcome is the same on every host.

use std::fmt::Write as _;

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::line::Line;
use super::seen::Ranking;
use super::session::{Amount, Session};

const ROUNDS: u32 = 60;
const AMOUNT: Amount = Amount::new(2_000, 2_000, 60);
/// Experiments in one file.
const BATCH: usize = 500;

/// How noisy a host is. Spreads and sizes are fractions of the time.
struct Host {
    name: &'static str,
    jitter: f64,
    /// Stationary standard deviation and memory of the slow part.
    slow: (f64, f64),
    /// The most that it drifts over the experiment, either way.
    drift: f64,
    /// Chance and size of one step somewhere.
    step: (f64, f64),
    /// Chance to start, mean length in samples, mean size.
    burst: (f64, f64, f64),
    /// Chance and index of a Pareto tail.
    tail: (f64, f64),
    /// What the first of a round pays.
    first: f64,
}

const QUIET: Host = Host {
    name: "quiet",
    jitter: 0.005,
    slow: (0.003, 0.90),
    drift: 0.005,
    step: (0.05, 0.005),
    burst: (0.005, 3.0, 0.10),
    tail: (0.01, 1.5),
    first: 0.002,
};
const SHARED: Host = Host {
    name: "shared",
    jitter: 0.01,
    slow: (0.015, 0.95),
    drift: 0.02,
    step: (0.2, 0.02),
    burst: (0.02, 4.0, 0.15),
    tail: (0.03, 1.5),
    first: 0.003,
};
const HOSTILE: Host = Host {
    name: "hostile",
    jitter: 0.02,
    slow: (0.03, 0.97),
    drift: 0.05,
    step: (0.5, 0.05),
    burst: (0.05, 6.0, 0.30),
    tail: (0.08, 1.2),
    first: 0.005,
};
/// What a Pareto tail of 1 adds to the logarithm of the time.
const TAIL_SCALE: f64 = 0.05;

pub(super) fn replayed(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for host in [&QUIET, &SHARED, &HOSTILE] {
        let shares = shares(session, host, 0.0)?;
        let asked = format!("replayed, {} host, identical", host.name);
        lines.push(Line::share_at_most(format!("{asked}: a winner is named"), shares.winners, 6.0));
        lines.push(Line::share_at_least(format!("{asked}: the interval holds 1"), shares.covered, 94.0));
    }
    for (effect, power) in [(0.01, 85.0), (0.02, 97.0), (0.05, 99.0)] {
        let shares = shares(session, &SHARED, effect)?;
        let asked = format!("replayed, shared host, {} % slower", effect * 100.0);
        lines.push(Line::share_at_least(format!("{asked}: found"), shares.found, power));
        lines.push(Line::share_at_least(format!("{asked}: the interval holds it"), shares.covered, 94.0));
    }
    Ok(lines)
}

/// Percentages of the experiments.
struct Shares {
    winners: f64,
    found: f64,
    covered: f64,
}

fn shares(session: &mut Session, host: &Host, effect: f64) -> Result<Shares> {
    let all = session.wanted(AMOUNT);
    let mut random = ChaCha8Rng::seed_from_u64((effect * 1_000.0) as u64 + 15);
    let (mut winners, mut found, mut covered, mut done) = (0, 0, 0, 0);
    while done < all {
        let batch = BATCH.min(all - done);
        let rankings: Vec<Ranking> =
            session.instrument.judge(&experiments(host, effect, batch, &mut random), &[])?;
        anyhow::ensure!(rankings.len() == batch, "{batch} experiments, {} rankings", rankings.len());
        for ranking in &rankings {
            winners += usize::from(ranking.has_winner());
            found += usize::from(ranking.calls_slower("b"));
            covered += usize::from(ranking.covers("a", 1.0 + effect));
        }
        done += batch;
    }
    let percent = |count: usize| count as f64 * 100.0 / all as f64;
    Ok(Shares { winners: percent(winners), found: percent(found), covered: percent(covered) })
}

/// So many experiments of two techniques, each a workload of its own; `b` is slower by `effect`.
fn experiments(host: &Host, effect: f64, count: usize, random: &mut ChaCha8Rng) -> String {
    let mut text = "round,position,technique,value,workload\n".to_owned();
    for experiment in 0..count {
        let mut noise = Noise::new(host, random);
        for round in 0..ROUNDS {
            let b_first: bool = random.random();
            for position in 0..2_u32 {
                let is_b = (position == 0) == b_first;
                let (name, slower) = if is_b { ("b", 1.0 + effect) } else { ("a", 1.0) };
                let time_ns = 1e7 * slower * noise.next(2 * round + position, position, random).exp();
                // Writing to a text cannot fail.
                let _ = writeln!(text, "{round},{position},{name},{time_ns},{experiment:04}");
            }
        }
    }
    text
}

/// The noise of one experiment, sample after sample.
struct Noise<'a> {
    host: &'a Host,
    slow: f64,
    drift: f64,
    /// The sample from which on the step counts, and its size.
    step: (u32, f64),
    burst: f64,
}

impl<'a> Noise<'a> {
    fn new(host: &'a Host, random: &mut ChaCha8Rng) -> Self {
        let has_step = random.random_bool(host.step.0);
        let size = if random.random() { host.step.1 } else { -host.step.1 };
        Self {
            host,
            slow: host.slow.0 * normal(random),
            drift: host.drift * random.random_range(-1.0..1.0),
            step: (random.random_range(0..2 * ROUNDS), if has_step { size } else { 0.0 }),
            burst: 0.0,
        }
    }

    /// What is added to the logarithm of the time of this sample.
    fn next(&mut self, sample: u32, position: u32, random: &mut ChaCha8Rng) -> f64 {
        let host = self.host;
        let (spread, memory) = host.slow;
        self.slow = memory * self.slow + spread * (1.0 - memory * memory).sqrt() * normal(random);
        let (start, length, size) = host.burst;
        if self.burst > 0.0 && random.random_bool(1.0 / length) {
            self.burst = 0.0;
        } else if self.burst == 0.0 && random.random_bool(start) {
            self.burst = -size * uniform(random).ln();
        }
        let tail = match random.random_bool(host.tail.0) {
            true => TAIL_SCALE * (uniform(random).powf(-1.0 / host.tail.1) - 1.0),
            false => 0.0,
        };
        let so_far = f64::from(sample) / f64::from(2 * ROUNDS);
        host.jitter * normal(random)
            + self.slow
            + self.drift * so_far
            + if sample >= self.step.0 { self.step.1 } else { 0.0 }
            + self.burst
            + tail
            + if position == 0 { host.first } else { 0.0 }
    }
}

/// Above 0, up to 1.
fn uniform(random: &mut ChaCha8Rng) -> f64 {
    1.0 - random.random::<f64>()
}

/// Box and Muller.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    (-2.0 * uniform(random).ln()).sqrt() * (std::f64::consts::TAU * uniform(random)).cos()
}
