//! The exact group-sequential sign test and its order-statistic intervals.
//!
//! Inside a round the order of the techniques is a fair coin, so under "a and b are alike" the sign of
//! `ln t_b - ln t_a` is a fair coin too, whatever the noise is. The boundaries spend a chance of error
//! `alpha` over looks that were announced before the first round (Jennison & Turnbull 1984, repeated
//! confidence intervals; Lan & DeMets 1983, spending in proportion to the rounds).

use crate::quantile::median_of_sorted;

/// For each look, the number `c` of values that the interval leaves out at either end; `None` when nothing can be
/// claimed at that look yet. The looks are numbers of rounds, ascending.
pub fn boundaries(alpha: f64, looks: &[u32]) -> Vec<Option<u32>> {
    spend(alpha, looks).0
}

/// The boundaries, and the chance of error that they really spend.
fn spend(alpha: f64, looks: &[u32]) -> (Vec<Option<u32>>, f64) {
    let last = looks.last().copied().unwrap_or(0);
    // chance[w]: a was the faster one in w rounds and nothing has been claimed yet.
    let mut chance = vec![1.0];
    let (mut spent, mut cuts) = (0.0, Vec::with_capacity(looks.len()));
    for &look in looks {
        while chance.len() <= look as usize {
            chance = toss(&chance);
        }
        let rounds = look as usize;
        let available = alpha * f64::from(look) / f64::from(last) - spent;
        let (mut below, mut here) = (0, 0.0);
        while 2 * below < rounds && here + chance[below] + chance[rounds - below] <= available {
            here += chance[below] + chance[rounds - below];
            below += 1;
        }
        spent += here;
        for wins in 0..below {
            chance[wins] = 0.0;
            chance[rounds - wins] = 0.0;
        }
        cuts.push((below as u32).checked_sub(1));
    }
    (cuts, spent)
}

/// One more round: half of every chance stays, half moves up by one.
fn toss(chance: &[f64]) -> Vec<f64> {
    let at = |w: Option<usize>| w.and_then(|w| chance.get(w)).copied().unwrap_or(0.0);
    (0..=chance.len()).map(|w| (at(Some(w)) + at(w.checked_sub(1))) / 2.0).collect()
}

/// A median with the interval that holds at all looks so far, as logarithms of a ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The median, held inside the interval.
    pub estimate: f64,
    /// Lower end; minus infinity when there is none yet.
    pub low: f64,
    /// Upper end; infinity when there is none yet.
    pub high: f64,
    /// The intervals of different looks exclude each other: the ratio itself moved. The ends are then those of the
    /// last look alone.
    pub moved: bool,
}

impl Interval {
    /// Half of its width: the smallest difference that these rounds could have shown.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The interval for the median of ascending values that leaves out `cut` values at either end.
/// Without a cut there is no bound.
pub fn order_interval(sorted: &[f64], cut: Option<u32>) -> (f64, f64) {
    let ends = cut.and_then(|cut| {
        let high = sorted.len().checked_sub(1 + cut as usize)?;
        Some((*sorted.get(cut as usize)?, sorted[high]))
    });
    ends.unwrap_or((f64::NEG_INFINITY, f64::INFINITY))
}

/// The interval that holds at all looks that `differences` (in the order of the rounds) has reached.
/// `cuts` are the [`boundaries`] of `looks`. `None` before the first look.
pub fn repeated_interval(differences: &[f64], looks: &[u32], cuts: &[Option<u32>]) -> Option<Interval> {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let mut last = None;
    for (&look, &cut) in looks.iter().zip(cuts) {
        let Some(seen) = differences.get(..look as usize) else { break };
        let mut sorted = seen.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let own = order_interval(&sorted, cut);
        (low, high) = (low.max(own.0), high.min(own.1));
        last = Some((own, median_of_sorted(&sorted)?));
    }
    let (own, median) = last?;
    Some(if low > high {
        Interval { estimate: median, low: own.0, high: own.1, moved: true }
    } else {
        // An earlier look may have bounded the ratio more closely than the median of today respects.
        Interval { estimate: median.clamp(low, high), low, high, moved: false }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LOOKS: [u32; 6] = [10, 15, 20, 30, 40, 60];
    const DEEP: [u32; 8] = [10, 15, 20, 30, 40, 60, 80, 100];

    /// Minus one stands for "nothing can be claimed".
    fn cuts(alpha: f64, looks: &[u32]) -> Vec<i64> {
        boundaries(alpha, looks).into_iter().map(|cut| cut.map_or(-1, i64::from)).collect()
    }

    #[test]
    fn the_boundaries_are_those_of_the_specification() {
        for (share, expected) in [
            (1.0, [0, 2, 4, 7, 12, 21]),
            (4.0, [0, 1, 2, 6, 10, 19]),
            (9.0, [-1, 1, 2, 6, 9, 18]),
            (19.0, [-1, 0, 2, 5, 9, 17]),
            (45.0, [-1, 0, 1, 5, 8, 16]),
            (190.0, [-1, 0, 0, 4, 7, 14]),
        ] {
            assert_eq!(cuts(0.05 / share, &LOOKS), expected, "0.05 / {share}");
        }
        assert_eq!(cuts(0.05, &DEEP), [0, 1, 3, 7, 11, 20, 29, 38]);
    }

    #[test]
    fn the_chance_of_error_that_is_spent_is_that_of_the_specification() {
        assert!((spend(0.05, &LOOKS).1 - 0.04725).abs() < 5e-6);
        assert!((spend(0.05, &DEEP).1 - 0.04175).abs() < 5e-6);
        for (look, cut, spent) in [(10, 1, 0.0215), (12, 2, 0.0386), (15, 3, 0.0352), (20, 5, 0.0414)] {
            let (cuts, really) = spend(0.05, &[look]);
            assert_eq!(cuts, [Some(cut)], "{look}");
            assert!((really - spent).abs() < 5e-5, "{look}: {really}");
        }
    }

    #[test]
    fn the_ranks_agree_with_le_boudecs_table() {
        // Le Boudec, Performance Evaluation, table A.1: n = 10 x(2), x(9); 20 x(6), x(15); 40 x(14), x(27).
        for (n, low, high) in [(10u32, 2.0, 9.0), (20, 6.0, 15.0), (40, 14.0, 27.0)] {
            let sorted: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(order_interval(&sorted, boundaries(0.05, &[n])[0]), (low, high), "{n}");
        }
    }

    #[test]
    fn five_rounds_can_claim_nothing_and_six_can() {
        assert_eq!(cuts(0.05, &[5]), [-1]);
        assert_eq!(cuts(0.05, &[6]), [0]);
    }

    #[test]
    fn an_interval_holds_at_all_looks_together() {
        let mut d: Vec<f64> = (1..=10).map(f64::from).collect();
        let looks = [10, 15];
        let cuts = boundaries(0.05, &looks);
        let first = repeated_interval(&d, &looks, &cuts).expect("a look");
        d.extend([30.0; 5]);
        let both = repeated_interval(&d, &looks, &cuts).expect("two looks");
        assert!(both.high <= first.high && both.low >= first.low, "{first:?} {both:?}");
        assert!(both.low <= both.estimate && both.estimate <= both.high, "{both:?}");
    }

    #[test]
    fn looks_that_exclude_each_other_say_that_the_ratio_moved() {
        let looks = [10, 60];
        let cuts = boundaries(0.05, &looks);
        let mut d = vec![1.0; 10];
        d.extend([-1.0; 50]);
        let moved = repeated_interval(&d, &looks, &cuts).expect("two looks");
        assert!(moved.moved);
        assert_eq!((moved.low, moved.estimate, moved.high), (-1.0, -1.0, -1.0));
    }

    #[test]
    fn before_the_first_look_there_is_no_interval() {
        assert_eq!(repeated_interval(&[0.0; 9], &[10], &[Some(1)]), None);
    }

    proptest! {
        #[test]
        fn no_schedule_spends_more_than_it_has(alpha in 0.0001f64..0.3, steps in prop::collection::vec(1u32..30, 1..8)) {
            let looks: Vec<u32> = steps.iter().scan(5, |sum, step| { *sum += step; Some(*sum) }).collect();
            let (cuts, spent) = spend(alpha, &looks);
            prop_assert!(spent <= alpha);
            // Later looks never leave out fewer values.
            prop_assert!(cuts.is_sorted(), "{:?}", cuts);
        }

        #[test]
        fn an_interval_contains_its_estimate_and_mirrors(
            d in prop::collection::vec(prop_oneof![8 => -1.0f64..1.0, 1 => Just(f64::INFINITY), 1 => Just(0.0)], 10..60),
        ) {
            let looks = [10, 15, 20, 30, 40, 60];
            let cuts = boundaries(0.05, &looks);
            let interval = repeated_interval(&d, &looks, &cuts).expect("a look");
            prop_assert!(interval.low <= interval.estimate && interval.estimate <= interval.high, "{:?}", interval);
            let mirrored: Vec<f64> = d.iter().map(|d| -d).collect();
            let other = repeated_interval(&mirrored, &looks, &cuts).expect("a look");
            prop_assert_eq!((interval.low, interval.high), (-other.high, -other.low));
        }
    }
}
