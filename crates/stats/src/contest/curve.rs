//! Sentences over the levels of an axis, such as 1 to 8192 threads: one contest a level, all levels in every round.

use super::interval::tend_above_zero;
use crate::matrix::Matrix;
use crate::quantile::median;

/// A group that is fastest from one end of the axis on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// The group.
    pub group: usize,
    /// The last level that it reaches, counted from 0 at the lowest.
    pub level: usize,
}

/// What holds over the levels of an axis, all of it together with the confidence of one contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Curve {
    /// Fastest from the lowest level up to this one.
    pub up: Option<Reach>,
    /// Fastest from this level up to the highest.
    pub down: Option<Reach>,
}

/// Walks from either end for as long as only the group that is fastest there may be fastest. `levels` ascend along the
/// axis; each holds the groups (techniques with all their points) of its [`Assessment::curve_candidates`], and none
/// where nothing may be said.
///
/// However many levels there are, each walk can go wrong at two of them only: the end, and the first level at which the
/// fastest entry is of another group. So a quarter of the chance of error for each is enough.
///
/// [`Assessment::curve_candidates`]: super::Assessment::curve_candidates
pub fn curve(levels: &[Vec<usize>]) -> Curve {
    let only = |groups: &Vec<usize>| {
        let (first, others) = groups.split_first()?;
        others.iter().all(|other| other == first).then_some(*first)
    };
    let only: Vec<Option<usize>> = levels.iter().map(only).collect();
    let walk = |groups: &mut dyn Iterator<Item = (usize, Option<usize>)>| {
        let (start, group) = groups.next().and_then(|(level, group)| Some((level, group?)))?;
        let level =
            groups.take_while(|(_, other)| *other == Some(group)).last().map_or(start, |(level, _)| level);
        Some(Reach { group, level })
    };
    Curve {
        up: walk(&mut only.iter().copied().enumerate()),
        down: walk(&mut only.iter().copied().enumerate().rev()),
    }
}

/// Two entries at one level of an axis.
#[derive(Debug, Clone, Copy)]
pub struct PairLevel<'a> {
    /// The place on the axis, above 0.
    pub at: f64,
    /// The values; the first row is round 0.
    pub matrix: &'a Matrix,
    /// The looks of this level.
    pub looks: &'a [u32],
}

/// How two named entries compare along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Crossover {
    /// They change places once or more between two levels.
    Between {
        /// The entry that is ahead below.
        ahead_below: usize,
        /// The last level, from below, at which it is.
        from: f64,
        /// The first level from which on the other one is ahead up to the highest.
        to: f64,
        /// Where their typical times are equal, by interpolation; `None` when no two levels have opposite medians.
        about: Option<f64>,
    },
    /// One is ahead at the lowest and at the highest level.
    AheadAtBothEnds {
        /// The entry.
        entry: usize,
        /// It is ahead at all levels.
        throughout: bool,
    },
    /// At one end, or at both, they cannot be told apart.
    Open,
}

/// Which of two entries is ahead at a level; `None` while that is open. `alpha` is the chance of error of all that is said
/// of the two over the levels.
pub fn ahead(level: &PairLevel<'_>, a: usize, b: usize, alpha: f64) -> Option<usize> {
    let differences = level.matrix.differences_between(a, b, 1, level.matrix.rounds());
    let mirrored: Vec<f64> = differences.iter().map(|d| -d).collect();
    let tend = |differences: &[f64]| tend_above_zero(differences, alpha / 4.0, level.looks);
    match (tend(&differences), tend(&mirrored)) {
        (true, false) => Some(a),
        (false, true) => Some(b),
        // Both, at different looks: the ratio itself moved.
        _ => None,
    }
}

/// Walks from either end while the same of two entries is ahead. Levels ascend; `alpha` is the chance of error for all.
pub fn crossover(levels: &[PairLevel<'_>], a: usize, b: usize, alpha: f64) -> Crossover {
    let differences: Vec<Vec<f64>> =
        levels.iter().map(|level| level.matrix.differences_between(a, b, 1, level.matrix.rounds())).collect();
    let ahead: Vec<Option<usize>> = levels.iter().map(|level| ahead(level, a, b, alpha)).collect();
    let (Some(&Some(below)), Some(&Some(above))) = (ahead.first(), ahead.last()) else {
        return Crossover::Open;
    };
    if below == above {
        return Crossover::AheadAtBothEnds {
            entry: below,
            throughout: ahead.iter().all(|&at| at == Some(below)),
        };
    }
    let up = ahead.iter().take_while(|&&at| at == Some(below)).count() - 1;
    let down = ahead.len() - ahead.iter().rev().take_while(|&&at| at == Some(above)).count();
    let medians: Vec<(f64, f64)> = levels
        .iter()
        .zip(&differences)
        .take(down + 1)
        .skip(up)
        .filter_map(|(level, differences)| Some((level.at.ln(), median(differences)?)))
        .collect();
    let about = medians.windows(2).find_map(|pair| {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let crosses = y0 != y1 && y0 * y1 <= 0.0 && (y0 - y1).is_finite();
        crosses.then(|| (x0 + (x1 - x0) * y0 / (y0 - y1)).exp())
    });
    Crossover::Between { ahead_below: below, from: levels[up].at, to: levels[down].at, about }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::{Assessment, Rules, assess};

    const LOOKS: [u32; 5] = [8, 10, 13, 16, 20];

    /// Two or more entries with these times, and a jitter that differs from round to round.
    fn level(times: &[f64]) -> Matrix {
        let mut matrix = Matrix::new(times.len());
        for round in 0..=20 {
            let jitter = |entry: usize| 1.0 + 0.002 * ((round * 7 + entry * 4 + round * entry) % 11) as f64;
            matrix.push_round(times.iter().enumerate().map(|(entry, t)| vec![t * jitter(entry)]).collect());
        }
        matrix
    }

    fn answer(levels: &[&[f64]], groups: &[usize]) -> Curve {
        let rules = Rules { alpha: 0.05, delta: 0.02, looks: LOOKS.to_vec(), baseline: None };
        let entries: Vec<usize> = (0..groups.len()).collect();
        let found: Vec<Assessment> =
            levels.iter().map(|times| assess(&level(times), &entries, &rules)).collect();
        let groups_of =
            |found: &Assessment| found.curve_candidates.iter().map(|&entry| groups[entry]).collect();
        curve(&found.iter().map(groups_of).collect::<Vec<_>>())
    }

    #[test]
    fn each_end_tells_how_far_its_fastest_group_reaches() {
        let levels: [&[f64]; 4] = [&[1.0, 1.2, 1.3], &[1.0, 1.1, 1.3], &[1.0, 1.0, 1.3], &[1.2, 1.0, 1.3]];
        let found = answer(&levels, &[0, 1, 2]);
        assert_eq!(found.up, Some(Reach { group: 0, level: 1 }));
        assert_eq!(found.down, Some(Reach { group: 1, level: 3 }));
    }

    #[test]
    fn points_of_one_technique_are_one_group() {
        let levels: [&[f64]; 2] = [&[1.0, 1.0, 1.3], &[1.2, 1.0, 1.3]];
        assert_eq!(answer(&levels, &[5, 5, 2]).up, Some(Reach { group: 5, level: 1 }));
        assert_eq!(answer(&levels, &[0, 1, 2]).up, None);
    }

    #[test]
    fn a_level_of_which_nothing_is_known_ends_the_walk() {
        assert_eq!(curve(&[vec![0, 0], vec![], vec![0]]).up, Some(Reach { group: 0, level: 0 }));
        assert_eq!(curve(&[vec![]]), Curve::default());
        assert_eq!(curve(&[]), Curve::default());
    }

    fn crossing(ratios: &[f64]) -> Crossover {
        let matrices: Vec<Matrix> = ratios.iter().map(|&ratio| level(&[1.0, ratio])).collect();
        let pair = |(place, matrix)| PairLevel { at: 2f64.powi(place as i32), matrix, looks: &LOOKS };
        crossover(&matrices.iter().enumerate().map(pair).collect::<Vec<_>>(), 0, 1, 0.05)
    }

    #[test]
    fn two_entries_that_change_places_do_so_between_two_levels() {
        let Crossover::Between { ahead_below, from, to, about } = crossing(&[1.2, 1.1, 1.002, 0.9, 0.8])
        else {
            panic!("they cross");
        };
        assert_eq!((ahead_below, from, to), (0, 2.0, 8.0));
        assert!((2.0..8.0).contains(&about.expect("opposite medians")), "{about:?}");
    }

    #[test]
    fn without_opposite_winners_there_is_no_crossover() {
        let ahead = |throughout| Crossover::AheadAtBothEnds { entry: 0, throughout };
        assert_eq!(crossing(&[1.2, 1.1, 1.3]), ahead(true));
        assert_eq!(crossing(&[1.2, 0.9, 1.3]), ahead(false));
        assert_eq!(crossing(&[1.2, 1.0]), Crossover::Open);
        assert_eq!(crossing(&[]), Crossover::Open);
    }
}
