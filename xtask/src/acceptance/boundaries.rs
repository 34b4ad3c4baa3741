//! T16: the boundaries of the sequential test, read off the limits that `judge` prints.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::line::Line;
use super::seen::Ranking;
use super::session::Session;

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
        anyhow::ensure!(rankings.len() == looks.len(), "{} looks, {} rankings", looks.len(), rankings.len());
        for (ranking, wanted) in rankings.iter().zip(cuts) {
            right.push(cut(ranking)? == *wanted);
        }
    }
    let asked = "boundaries of the sequential test, read off the limits";
    Ok(vec![session.strictness().at_least(asked, 1.0, &right, |is_right| *is_right)])
}

/// For each look one workload that ends there. The differences alternate in sign and shrink, so both limits of a later
/// look lie inside those of an earlier one, and show how many values they leave out. Round 0 is not counted.
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
