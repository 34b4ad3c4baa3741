//! T16: the boundaries of the sequential test, read off the intervals that `judge` prints.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::line::Line;
use super::seen::Ranking;
use super::session::Session;

/// A level, the looks announced, and for each look the number of values that the interval leaves out at either end.
/// Minus one: nothing can be claimed yet, the interval has no end.
struct Vector {
    alpha: f64,
    looks: &'static [u32],
    cuts: &'static [i64],
}

const LOOKS: &[u32] = &[10, 15, 20, 30, 40, 60];
const DEEP: &[u32] = &[10, 15, 20, 30, 40, 60, 80, 100];

const VECTORS: &[Vector] = &[
    Vector { alpha: 0.05, looks: LOOKS, cuts: &[0, 2, 4, 7, 12, 21] },
    Vector { alpha: 0.05 / 4.0, looks: LOOKS, cuts: &[0, 1, 2, 6, 10, 19] },
    Vector { alpha: 0.05 / 9.0, looks: LOOKS, cuts: &[-1, 1, 2, 6, 9, 18] },
    Vector { alpha: 0.05 / 19.0, looks: LOOKS, cuts: &[-1, 0, 2, 5, 9, 17] },
    Vector { alpha: 0.05 / 45.0, looks: LOOKS, cuts: &[-1, 0, 1, 5, 8, 16] },
    Vector { alpha: 0.05 / 190.0, looks: LOOKS, cuts: &[-1, 0, 0, 4, 7, 14] },
    Vector { alpha: 0.05, looks: DEEP, cuts: &[0, 1, 3, 7, 11, 20, 29, 38] },
    Vector { alpha: 0.05, looks: &[10], cuts: &[1] },
    Vector { alpha: 0.05, looks: &[12], cuts: &[2] },
    Vector { alpha: 0.05, looks: &[15], cuts: &[3] },
    Vector { alpha: 0.05, looks: &[20], cuts: &[5] },
];

pub(super) fn boundaries(session: &mut Session) -> Result<Vec<Line>> {
    let (mut right, mut all) = (0, 0);
    let mut hold = |vector: &Vector, words: &[String]| -> Result<()> {
        let Vector { looks, cuts, .. } = vector;
        let rankings = session.instrument.judge(&samples(looks), words)?;
        anyhow::ensure!(rankings.len() == looks.len(), "{} looks, {} rankings", looks.len(), rankings.len());
        let seen = rankings.iter().map(cut).collect::<Result<Vec<i64>>>()?;
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
    Ok(vec![Line::at_least("boundaries of the sequential test, read off the intervals", right, all, all)])
}

/// For each look one workload that ends there. The differences alternate in sign and shrink, so the interval of a later
/// look always lies inside that of an earlier one, and its ends tell how many values it leaves out.
fn samples(looks: &[u32]) -> String {
    let mut text = "round,position,technique,value,workload\n".to_owned();
    for look in looks {
        for round in 0..*look {
            let (first, value) = (round % 2, 1e6 * difference(round).exp());
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{round},{first},a,1000000,{look:03}");
            let _ = writeln!(text, "{round},{},b,{value},{look:03}", 1 - first);
        }
    }
    text
}

fn difference(round: u32) -> f64 {
    let size = 0.5 / f64::from(round + 1);
    if round.is_multiple_of(2) { size } else { -size }
}

/// How many values the interval leaves out: both ends must say the same.
fn cut(ranking: &Ranking) -> Result<i64> {
    let place = ranking.places.get(1).context("a contest of two has two places")?;
    let left_out = |end: Option<f64>| -> Result<i64> {
        let Some(ratio) = end else { return Ok(-1) };
        let size = ratio.ln().abs();
        let round = (0..200).find(|&round| (difference(round).abs() - size).abs() < 1e-9);
        let round = round.with_context(|| format!("the end {ratio} is none of the differences"))?;
        // Two rounds, one of either sign, for each value that is left out at an end.
        Ok(i64::from(round / 2))
    };
    let (low, high) = (left_out(place.ratio_low)?, left_out(place.ratio_high)?);
    anyhow::ensure!(low == high, "the interval leaves out {low} values below and {high} above");
    Ok(low)
}
