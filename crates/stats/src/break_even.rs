//! From which size on one technique is faster than another.

/// Where the ratio of two times crosses 1 while the size grows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BreakEven {
    /// On one side of a size the ratio lies below 1, on the other above.
    At {
        /// The size at which the line between the two nearest sizes crosses 1, both axes logarithmic.
        bytes: f64,
        /// The last measured size that lies on the first side.
        last_before: u64,
        /// The first measured size that lies on the other side.
        first_behind: u64,
        /// Whether the ratio lies below 1 behind the crossing: then the numerator wins at larger sizes.
        falls: bool,
    },
    /// The ratio crosses 1 more than once: all that can be said is that it does so between these sizes.
    Between {
        /// The last measured size before the first crossing.
        last_before: u64,
        /// The first measured size behind the last crossing.
        first_behind: u64,
        /// How often it crosses.
        crossings: usize,
    },
    /// The ratio stays on one side of 1 within the measured sizes.
    NotReached {
        /// The smallest measured size.
        smallest: u64,
        /// The largest measured size.
        largest: u64,
        /// Whether that side lies below 1: then the numerator wins everywhere.
        is_below: bool,
    },
}

/// Where the ratio of two times crosses 1, from points of a size in bytes and the ratio there, in any order.
///
/// A ratio of exactly 1 lies on no side; between two that do, it is where the crossing lies. A ratio that is no positive
/// finite number (a failure) is no point. `None` when no point lies on a side, a size is 0, or one size has two ratios.
pub fn break_even(points: &[(u64, f64)]) -> Option<BreakEven> {
    let mut points: Vec<(u64, f64)> =
        points.iter().copied().filter(|(_, ratio)| ratio.is_finite() && *ratio > 0.0).collect();
    points.sort_by_key(|&(size, _)| size);
    if points.windows(2).any(|pair| pair[0].0 == pair[1].0)
        || points.first().is_some_and(|&(size, _)| size == 0)
    {
        return None;
    }
    let sided: Vec<usize> = (0..points.len()).filter(|&nth| points[nth].1 != 1.0).collect();
    let first = *sided.first()?;
    let is_below = |nth: usize| points[nth].1 < 1.0;
    let crossings: Vec<(usize, usize)> = sided
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .filter(|&(a, b)| is_below(a) != is_below(b))
        .collect();
    Some(match crossings[..] {
        [] => BreakEven::NotReached {
            smallest: points[0].0,
            largest: points[points.len() - 1].0,
            is_below: is_below(first),
        },
        [(before, behind)] => BreakEven::At {
            bytes: crossing(&points[before..=behind]),
            last_before: points[before].0,
            first_behind: points[behind].0,
            falls: is_below(behind),
        },
        [(before, _), .., (_, behind)] => BreakEven::Between {
            last_before: points[before].0,
            first_behind: points[behind].0,
            crossings: crossings.len(),
        },
    })
}

/// The size at which the ratio is 1, from two points on either side and those of exactly 1 between them.
fn crossing(points: &[(u64, f64)]) -> f64 {
    let ln = |size: u64| (size as f64).ln();
    let ones: Vec<f64> =
        points.iter().filter(|(_, ratio)| *ratio == 1.0).map(|&(size, _)| ln(size)).collect();
    if let (Some(first), Some(last)) = (ones.first(), ones.last()) {
        return f64::midpoint(*first, *last).exp();
    }
    let (low, high) = (points[0], points[points.len() - 1]);
    let share = low.1.ln() / (low.1.ln() - high.1.ln());
    (ln(low.0) + share * (ln(high.0) - ln(low.0))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(points: &[(u64, f64)]) -> f64 {
        match break_even(points) {
            Some(BreakEven::At { bytes, .. }) => bytes,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_power_law_crosses_one_where_its_formula_says() {
        // ratio = (size / 20000) ^ -0.7
        let points: Vec<(u64, f64)> =
            (10..23).map(|power| (1 << power, (f64::from(1 << power) / 20_000.0).powf(-0.7))).collect();
        assert!((bytes(&points) - 20_000.0).abs() < 1e-6);
        assert_eq!(
            break_even(&points).map(|found| match found {
                BreakEven::At { last_before, first_behind, falls, .. } => (last_before, first_behind, falls),
                other => panic!("{other:?}"),
            }),
            Some((16_384, 32_768, true))
        );
        let mut shuffled = points.clone();
        shuffled.reverse();
        shuffled.swap(2, 7);
        assert_eq!(break_even(&shuffled), break_even(&points), "the order of the points does not matter");
    }

    #[test]
    fn the_crossing_lies_between_its_brackets_and_is_the_same_for_the_inverse_ratio() {
        let points = [(1_000, 3.0), (10_000, 1.2), (100_000, 0.9), (1_000_000, 0.5)];
        let inverse = points.map(|(size, ratio)| (size, 1.0 / ratio));
        let found = bytes(&points);
        assert!(10_000.0 < found && found < 100_000.0, "{found}");
        assert!((bytes(&inverse) / found - 1.0).abs() < 1e-12);
        assert!(matches!(break_even(&inverse), Some(BreakEven::At { falls: false, .. })));
    }

    #[test]
    fn a_ratio_that_stays_on_one_side_is_not_reached_within_the_sizes() {
        let found = break_even(&[(4, 0.9), (1, 0.5), (2, 1.0)]);
        assert_eq!(found, Some(BreakEven::NotReached { smallest: 1, largest: 4, is_below: true }));
        let one = break_even(&[(1_024, 1.5)]);
        assert_eq!(one, Some(BreakEven::NotReached { smallest: 1_024, largest: 1_024, is_below: false }));
    }

    #[test]
    fn a_ratio_that_crosses_back_and_forth_gives_a_bracket_only() {
        let points = [(1, 2.0), (2, 0.9), (4, 1.1), (8, 0.8), (16, 0.5)];
        let between = BreakEven::Between { last_before: 1, first_behind: 8, crossings: 3 };
        assert_eq!(break_even(&points), Some(between));
    }

    #[test]
    fn a_ratio_of_exactly_one_is_where_it_crosses() {
        assert!((bytes(&[(10, 2.0), (100, 1.0), (1_000, 0.5)]) - 100.0).abs() < 1e-9);
        assert!((bytes(&[(10, 2.0), (100, 1.0), (10_000, 1.0), (100_000, 0.5)]) - 1_000.0).abs() < 1e-6);
    }

    #[test]
    fn failures_are_no_points_and_too_little_says_nothing() {
        let points = [(10, 2.0), (50, f64::INFINITY), (70, f64::NAN), (80, 0.0), (90, -1.0), (1_000, 0.5)];
        assert!((bytes(&points) - 100.0).abs() < 1e-9);
        assert_eq!(break_even(&[]), None);
        assert_eq!(break_even(&[(10, f64::NAN)]), None);
        assert_eq!(break_even(&[(10, 1.0), (20, 1.0)]), None);
        assert_eq!(break_even(&[(10, 2.0), (10, 0.5)]), None);
        assert_eq!(break_even(&[(0, 2.0), (10, 0.5)]), None);
    }
}
