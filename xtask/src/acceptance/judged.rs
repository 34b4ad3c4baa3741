//! Samples whose verdict is known, judged by the program: thousands of synthetic experiments (T15), and the boundaries of the
//! sequential test, read off the limits that `judge` prints (T16). The seed is fixed, so the outcome is the same on every host.

use std::fmt::Write as _;

use anyhow::{Context, Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED, SyntheticNoise};

use super::line::count;
use super::{Amount, Line, Ranking, Session};

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
    let mut judged: Vec<Ranking> = Vec::with_capacity(all);
    while judged.len() < all {
        let batch = BATCH.min(all - judged.len());
        let rankings = session.instrument.judge(&experiments(host, effect, batch, &mut random), "")?;
        ensure!(rankings.len() == batch, "{batch} experiments, {} rankings", rankings.len());
        judged.extend(rankings);
    }
    let [winners, found, covered] = [
        count(&judged, Ranking::has_winner),
        count(&judged, |ranking| ranking.calls_slower("b")),
        count(&judged, |ranking| ranking.covers("a", 1.0 + effect)),
    ]
    .map(|(held, all)| held as f64 * 100.0 / all as f64);
    Ok(Shares { winners, found, covered })
}

/// Writes this many experiments of two techniques, each a workload of its own; `b` is slower by `effect`.
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

/// The looks announced, and for each look the number of values that a limit leaves out.
type Vector = (&'static [u32], &'static [usize]);

const USUAL: Vector = (&[8, 10, 13, 16, 20, 25, 30, 40, 50, 60], &[0, 0, 1, 2, 3, 5, 7, 12, 16, 21]);
const DEEP: Vector =
    (&[8, 10, 13, 16, 20, 25, 30, 40, 50, 60, 80, 100], &[0, 0, 1, 1, 3, 5, 7, 11, 15, 20, 29, 38]);
const FEW: Vector = (&[8, 10, 13, 16, 20], &[0, 0, 1, 3, 4]);
const SHORT: Vector = (&[6, 8, 10, 13, 16, 20, 25, 30], &[0, 0, 0, 1, 2, 4, 5, 7]);

pub(super) fn boundaries(session: &mut Session) -> Result<Vec<Line>> {
    let mut right = Vec::new();
    // Who names no looks gets the usual ones.
    for ((looks, cuts), named) in [(USUAL, true), (DEEP, true), (FEW, true), (SHORT, true), (USUAL, false)] {
        let list = looks.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let further = if named { format!("--alpha 0.05 --looks {list}") } else { String::new() };
        let rankings = session.instrument.judge(&samples(looks), &further)?;
        ensure!(rankings.len() == looks.len(), "{} looks, {} rankings", looks.len(), rankings.len());
        for (ranking, wanted) in rankings.iter().zip(cuts) {
            right.push(cut(ranking)? == *wanted);
        }
    }
    let asked = "boundaries of the sequential test, read off the limits";
    Ok(vec![session.strictness().at_least(asked, 1.0, count(&right, |is_right| *is_right))])
}

/// Writes for each look one workload that ends there. The differences alternate in sign and shrink, so that the limits of a look
/// show how many values they leave out. Round 0 is not counted.
fn samples(looks: &[u32]) -> String {
    let mut text = "round,position,technique,value,workload\n".to_owned();
    for look in looks {
        for round in 0..=*look {
            let (first, value) = (round % 2, 1e6 * difference(round).exp());
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{round},{first},a,1000000,{look:03}");
            let _ = writeln!(text, "{round},{},b,{value},{look:03}", 1 - first);
        }
    }
    text
}

fn difference(round: u32) -> f64 {
    let size = 2.0 / f64::from(round + 1);
    if round.is_multiple_of(2) { size } else { -size }
}

/// Returns the number of values that the limits leave out: that of the leader and that of the other entry must say the same.
fn cut(ranking: &Ranking) -> Result<usize> {
    let leader = ranking.at_most_slower.context("the leader has no limit")?;
    let other = ranking.entries.iter().find(|entry| Some(&entry.technique) != ranking.leader.as_ref());
    let other = other.and_then(|entry| entry.factor_high).context("the other entry has no limit")?;
    let (one, two) = (left_out(1.0 + leader)?, left_out(other)?);
    ensure!(one == two, "the limit of the leader leaves out {one} values and that of the other {two}");
    Ok(one)
}

fn left_out(limit: f64) -> Result<usize> {
    let round = (1..200).find(|&round| (difference(round).abs() - limit.ln()).abs() < 1e-9);
    let round = round.with_context(|| format!("the limit {limit} is none of the differences"))?;
    // Two counted rounds, one of either sign, for each value that is left out at an end.
    Ok((round as usize - 1) / 2)
}
