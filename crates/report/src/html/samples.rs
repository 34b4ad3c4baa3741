//! How many samples a page shows, and which.

use std::fmt::Write;

use judge::Dot;
use maud::{Markup, PreEscaped};

use super::axis::{Axis, percent_of};
use crate::words::units::grouped;

/// This many dots of a row are shown at most,
const MOST: usize = 100;
/// this many of a page,
const MOST_OF_PAGE: usize = 4_000;
/// but this many of a row whatever the page holds.
const LEAST: usize = 20;
/// Of a row that has more, this many of the smallest and of the largest are kept.
const EXTREMES: usize = 5;
/// The place of the dots of a row, from top to bottom.
const TOP: f64 = 3.0;
const HEIGHT: f64 = 20.0;

pub(super) fn most(rows: usize) -> usize {
    let halves = std::iter::successors(Some(MOST), |most| Some(most / 2));
    halves.take_while(|most| *most > LEAST).find(|most| rows * most <= MOST_OF_PAGE).unwrap_or(LEAST)
}

/// The dots of a row. From top to bottom they stand in the order in which they were taken, all rounds alike in all rows
/// unless some were left out.
pub(super) fn dots(all: &[Dot], rounds: (u32, u32), most: usize, axis: &Axis) -> Markup {
    let kept = kept(all, most);
    let (first, last) = rounds;
    let is_whole = kept.len() == all.len();
    let mut out = String::new();
    for (place, &at) in kept.iter().enumerate() {
        let dot = all[at];
        let share = if is_whole {
            f64::from(dot.round.saturating_sub(first)) / f64::from((last - first).max(1))
        } else {
            place as f64 / (kept.len() - 1).max(1) as f64
        };
        let (x, y) = (percent_of(axis.at(dot.ratio)), TOP + HEIGHT * share);
        write!(out, "<circle cx=\"{x}\" cy=\"{y:.1}\"/>").expect("a string takes all");
    }
    // Numbers alone: there is nothing to escape.
    PreEscaped(out)
}

pub(super) fn skipped(all: usize, most: usize) -> Option<String> {
    (all > most).then(|| format!("{most} of {} samples shown, extremes kept", grouped(all as u64)))
}

/// The places of the dots that are kept, in their order: the extremes, and of the others every n-th by its rank, so that
/// the shape stays.
fn kept(all: &[Dot], most: usize) -> Vec<usize> {
    if all.len() <= most {
        return (0..all.len()).collect();
    }
    let mut ranked: Vec<usize> = (0..all.len()).collect();
    ranked.sort_by(|a, b| all[*a].ratio.total_cmp(&all[*b].ratio));
    let highest = ranked.split_off(ranked.len() - EXTREMES);
    let inner = ranked.split_off(EXTREMES);
    let wanted = most - 2 * EXTREMES;
    let mut kept: Vec<usize> = (0..wanted).map(|nth| inner[nth * (inner.len() - 1) / (wanted - 1)]).collect();
    kept.extend(ranked.into_iter().chain(highest));
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::super::axis::ends;
    use super::*;

    fn row(count: u32) -> Vec<Dot> {
        (0..count).map(|round| Dot { round, ratio: 1.0 + f64::from((round * 7919) % count) / 1e3 }).collect()
    }

    #[test]
    fn samples_beyond_the_limit_keep_their_extremes() {
        assert_eq!(kept(&row(100), 100).len(), 100);
        let many = row(3_125);
        let kept = kept(&many, 100);
        assert_eq!(kept.len(), 100);
        let ends_of_kept = ends(kept.iter().map(|&at| many[at].ratio));
        assert_eq!(ends_of_kept, ends(many.iter().map(|dot| dot.ratio)));
        assert_eq!(skipped(3_125, 100).as_deref(), Some("100 of 3,125 samples shown, extremes kept"));
        assert_eq!(skipped(100, 100), None);
    }

    #[test]
    fn a_page_of_many_rows_shows_fewer_dots_of_each() {
        assert_eq!([most(10), most(40), most(41), most(100), most(1_000)], [100, 100, 50, 25, 20]);
    }

    #[test]
    fn the_first_round_stands_on_top() {
        let axis = Axis::new(0.5, 2.0, 0.0);
        let text = dots(&[Dot { round: 1, ratio: 1.0 }, Dot { round: 3, ratio: 1.0 }], (1, 3), 100, &axis);
        assert_eq!(text.0, "<circle cx=\"50%\" cy=\"3.0\"/><circle cx=\"50%\" cy=\"23.0\"/>");
    }
}
