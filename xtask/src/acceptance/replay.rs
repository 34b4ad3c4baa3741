//! T15: thousands of synthetic experiments whose truth is known, written as a file and judged by the program.
//!
//! Nothing is measured here, so the seed is fixed and the outcome is the same on every host.

use std::fmt::Write as _;

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED, SyntheticNoise};

use super::line::Line;
use super::seen::Ranking;
use super::session::{Amount, Session};

const ROUNDS: u32 = 60;
const AMOUNT: Amount = Amount::new(2_000, 2_000, 60);
/// Experiments in one file.
const BATCH: usize = 500;

pub(super) fn replayed(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for host in [QUIET, SHARED, HOSTILE] {
        let shares = shares(session, host, 0.0)?;
        let asked = format!("replayed, {} host, identical", host.name);
        lines.push(Line::share_at_most(format!("{asked}: a winner is named"), shares.winners, 6.0));
        lines.push(Line::share_at_least(format!("{asked}: the interval holds 1"), shares.covered, 94.0));
    }
    // What is slower by less than the tolerance of 2 % is tied.
    for (effect, power) in [(0.01, None), (0.02, Some(97.0)), (0.05, Some(99.0))] {
        let shares = shares(session, SHARED, effect)?;
        let asked = format!("replayed, shared host, {} % slower", effect * 100.0);
        lines.extend(power.map(|power| Line::share_at_least(format!("{asked}: found"), shares.found, power)));
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

fn shares(session: &mut Session, host: NoisyHost, effect: f64) -> Result<Shares> {
    let all = session.wanted(AMOUNT);
    let mut random = ChaCha8Rng::seed_from_u64((effect * 1_000.0) as u64 + 15);
    let (mut winners, mut found, mut covered, mut done) = (0, 0, 0, 0);
    while done < all {
        let batch = BATCH.min(all - done);
        let rankings: Vec<Ranking> =
            session.instrument.judge(&experiments(host, effect, batch, &mut random), "")?;
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

/// This many experiments of two techniques, each a workload of its own; `b` is slower by `effect`.
fn experiments(host: NoisyHost, effect: f64, count: usize, random: &mut ChaCha8Rng) -> String {
    let mut text = "round,position,technique,value,workload\n".to_owned();
    for experiment in 0..count {
        let mut noise = SyntheticNoise::new(host, 2 * ROUNDS, random);
        for round in 0..ROUNDS {
            let b_first: bool = random.random();
            for position in 0..2_u32 {
                let is_b = (position == 0) == b_first;
                let (name, slower) = if is_b { ("b", 1.0 + effect) } else { ("a", 1.0) };
                let time_ns = 1e7 * slower * noise.next_factor(position, random);
                // Writing to a text cannot fail.
                let _ = writeln!(text, "{round},{position},{name},{time_ns},{experiment:04}");
            }
        }
    }
    text
}
