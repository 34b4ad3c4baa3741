//! Whether the level to choose holds in rounds that did not choose it: the even rounds choose, and the odd ones confirm.

use stats::Matrix;
use stats::contest::{Rules, interval};

use crate::curve::Confirmation;

/// The level that the even rounds choose, beside its neighbours and the highest level in the odd ones. `None` where a half has too few
/// rounds to choose, or nothing stands beside it.
pub(crate) fn confirmation(
    matrix: &Matrix,
    at: &[u64],
    (rules, limit): (&Rules, f64),
    choose: impl Fn(&Matrix, &Rules) -> Option<u64>,
) -> Option<Confirmation> {
    let rules = Rules { looks: halved(&rules.looks), ..rules.clone() };
    let level = choose(&half(matrix, at.len(), 0)?, &rules)?;
    let other = half(matrix, at.len(), 1)?;
    let place = at.iter().position(|&one| one == level)?;
    let against = beside(place, at.len());
    let ratios = |base: usize| -> Option<Vec<f64>> {
        let cost = |level: usize, round: u32| other.value(level, round as usize);
        (1..other.rounds()).map(|round| Some((cost(place, round)? / cost(base, round)?).ln())).collect()
    };
    // All of these hold together.
    let alpha = rules.alpha / against.len().max(1) as f64;
    let found = against
        .iter()
        .map(|&base| interval(&ratios(base)?, alpha, &rules.looks))
        .collect::<Option<Vec<_>>>()
        .filter(|found| !found.is_empty())?;
    let at_most = found.iter().map(|one| one.high).fold(0.0, f64::max);
    Some(Confirmation {
        at: level,
        against: against.iter().map(|&base| at[base]).collect(),
        rounds: other.rounds() - 1,
        is_confirmed: at_most <= limit,
        is_refuted: found.iter().any(|one| one.low > limit),
        at_most: Some(at_most.exp()).filter(|factor| factor.is_finite()),
    })
}

/// The neighbours of a level, and the highest one.
fn beside(place: usize, levels: usize) -> Vec<usize> {
    let mut all: Vec<usize> = [place.checked_sub(1), Some(place + 1), Some(levels - 1)]
        .into_iter()
        .flatten()
        .filter(|&one| one < levels && one != place)
        .collect();
    all.dedup();
    all
}

/// Round 0, which is never counted, and every second one of the others.
fn half(matrix: &Matrix, levels: usize, remainder: u32) -> Option<Matrix> {
    let rounds = (0..levels).map(|level| matrix.rounds_of(level)).min()?;
    let own = (1..rounds).filter(|round| round % 2 == remainder);
    let mut found = Matrix::new(levels);
    for (nth, round) in std::iter::once(0).chain(own).enumerate() {
        for level in 0..levels {
            found.set(level, nth, matrix.times(level, round as usize).to_vec());
        }
    }
    (found.rounds() > 1).then_some(found)
}

/// The looks at a run as looks at a half of its rounds.
fn halved(looks: &[u32]) -> Vec<u32> {
    let mut all: Vec<u32> = looks.iter().map(|look| look / 2).filter(|look| *look > 0).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_compared_with_its_neighbours_and_the_highest_each_once() {
        assert_eq!(beside(2, 6), [1, 3, 5]);
        assert_eq!(beside(4, 6), [3, 5]);
        assert_eq!(beside(5, 6), [4]);
        assert_eq!(beside(0, 2), [1]);
        assert!(beside(0, 1).is_empty());
    }

    #[test]
    fn each_half_has_its_own_rounds_and_the_looks_at_it_are_no_more_than_those_at_the_whole() {
        let mut matrix = Matrix::new(1);
        (0..6).for_each(|round| matrix.set(0, round, vec![round as f64]));
        let of = |remainder| {
            let half = half(&matrix, 1, remainder).expect("rounds");
            (0..half.rounds())
                .map(|round| half.value(0, round as usize).expect("a value"))
                .collect::<Vec<_>>()
        };
        assert_eq!((of(0), of(1)), (vec![0.0, 2.0, 4.0], vec![0.0, 1.0, 3.0, 5.0]));
        assert_eq!(halved(&[1, 8, 9, 13]), [4, 6]);
    }
}
