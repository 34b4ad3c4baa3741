//! T16: the boundaries of the sequential test, read off the limits that `judge` prints.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::line::Line;
use super::seen::Ranking;
use super::session::Session;

/// A chance of error, the looks announced, and for each look the number of values that a limit leaves out.
struct Vector {
    alpha: f64,
    looks: &'static [u32],
    cuts: &'static [usize],
}

const USUAL: &[u32] = &[8, 10, 13, 16, 20, 25, 30, 40, 50, 60];
const DEEP: &[u32] = &[8, 10, 13, 16, 20, 25, 30, 40, 50, 60, 80, 100];
const SHORT: &[u32] = &[6, 8, 10, 13, 16, 20, 25, 30];

const VECTORS: &[Vector] = &[
    Vector { alpha: 0.05, looks: USUAL, cuts: &[0, 0, 1, 2, 3, 5, 7, 12, 16, 21] },
    Vector { alpha: 0.05, looks: DEEP, cuts: &[0, 0, 1, 1, 3, 5, 7, 11, 15, 20, 29, 38] },
    Vector { alpha: 0.05, looks: &[8, 10, 13, 16, 20], cuts: &[0, 0, 1, 3, 4] },
    Vector { alpha: 0.05, looks: SHORT, cuts: &[0, 0, 0, 1, 2, 4, 5, 7] },
];

pub(super) fn boundaries(session: &mut Session) -> Result<Vec<Line>> {
    let (mut right, mut all) = (0, 0);
    let mut hold = |vector: &Vector, words: &[String]| -> Result<()> {
        let Vector { looks, cuts, .. } = vector;
        let rankings = session.instrument.judge(&samples(looks), words)?;
        anyhow::ensure!(rankings.len() == looks.len(), "{} looks, {} rankings", looks.len(), rankings.len());
        let seen = rankings.iter().map(cut).collect::<Result<Vec<usize>>>()?;
        right += seen.iter().zip(*cuts).filter(|(seen, cut)| seen == cut).count();
        all += cuts.len();
        Ok(())
    };
    for vector in VECTORS {
        let looks: Vec<String> = vector.looks.iter().map(u32::to_string).collect();
        hold(vector, &["--alpha".into(), vector.alpha.to_string(), "--looks".into(), looks.join(",")])?;
    }
    // Who names no looks gets the usual ones.
    hold(&VECTORS[0], &[])?;
    Ok(vec![Line::at_least("boundaries of the sequential test, read off the limits", right, all, all)])
}

/// For each look one workload that ends there. The differences alternate in sign and shrink, so both limits of a later
/// look lie inside those of an earlier one, and tell how many values they leave out. Round 0 is not counted.
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

/// How many values the limits leave out: that of the leader and that of the other entry must say the same.
fn cut(ranking: &Ranking) -> Result<usize> {
    let skipped = |limit: f64| -> Result<usize> {
        let size = limit.ln();
        let round = (1..200).find(|&round| (difference(round).abs() - size).abs() < 1e-9);
        let round = round.with_context(|| format!("the limit {limit} is none of the differences"))?;
        // Two counted rounds, one of either sign, for each value that is left out at an end.
        Ok((round as usize - 1) / 2)
    };
    let leader = ranking.at_most_slower.context("the leader has no limit")?;
    let other = ranking.entries.iter().find(|entry| Some(&entry.technique) != ranking.leader.as_ref());
    let other = other.and_then(|entry| entry.factor_high).context("the other entry has no limit")?;
    let (one, two) = (skipped(1.0 + leader)?, skipped(other)?);
    anyhow::ensure!(
        one == two,
        "the limit of the leader leaves out {one} values and that of the other {two}"
    );
    Ok(one)
}
