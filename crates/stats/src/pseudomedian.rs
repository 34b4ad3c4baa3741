//! The median of the averages of all pairs.

use crate::quantile::midpoint;

/// Hodges-Lehmann: the median of the averages of all pairs, each value with itself among them. A secondary estimate: it
/// estimates the pseudomedian, which is not the median where the differences are skewed. `None` for no values.
///
/// The averages are counted and never kept: there are as many as the square of the values.
pub fn hodges_lehmann(differences: &[f64]) -> Option<f64> {
    let mut sorted = differences.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let all = sorted.len() as u64 * (sorted.len() as u64 + 1) / 2;
    match all {
        0 => None,
        _ if all % 2 == 1 => Some(nth(&sorted, all / 2)),
        _ => Some(midpoint(nth(&sorted, all / 2 - 1), nth(&sorted, all / 2))),
    }
}

/// Half-way between two values; between the two infinities it is 0.
fn average(a: f64, b: f64) -> f64 {
    if a == -b { 0.0 } else { a / 2.0 + b / 2.0 }
}

/// The average in this place of the order, counted from 0: the smallest number that more averages than that do not
/// exceed.
fn nth(sorted: &[f64], place: u64) -> f64 {
    // An average may lie outside the values: half of the smallest number is 0.
    let (mut low, mut high) = (key(f64::NEG_INFINITY), key(f64::INFINITY));
    while low < high {
        let middle = low + (high - low) / 2;
        if averages_up_to(sorted, value(middle)) > place {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    value(low)
}

/// How many averages do not exceed a limit. For a larger value fewer partners do, so that one walk is enough.
fn averages_up_to(sorted: &[f64], limit: f64) -> u64 {
    let (mut count, mut end) = (0, sorted.len());
    for (place, &value) in sorted.iter().enumerate() {
        while end > place && average(value, sorted[end - 1]).total_cmp(&limit).is_gt() {
            end -= 1;
        }
        if end <= place {
            break;
        }
        count += (end - place) as u64;
    }
    count
}

/// Numbers in the order of [`f64::total_cmp`].
fn key(value: f64) -> u64 {
    let bits = value.to_bits();
    if value.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// The value of a [`key`].
fn value(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key & !(1 << 63) } else { !key })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantile::median;

    #[test]
    fn nothing_is_said_of_nothing() {
        assert_eq!(hodges_lehmann(&[]), None);
    }

    #[test]
    fn hodges_lehmann_is_the_median_of_walsh_averages() {
        // Averages of (1, 2, 6): 1, 1.5, 2, 3.5, 4, 6: median 2.75.
        assert_eq!(hodges_lehmann(&[6.0, 1.0, 2.0]), Some(2.75));
        // Hollander & Wolfe, depression scores, in thousandths: R's wilcox.test(x, y, paired = TRUE, conf.int = TRUE)
        // gives the pseudomedian 0.46.
        let before = [1830.0, 500.0, 1620.0, 2480.0, 1680.0, 1880.0, 1550.0, 3060.0, 1300.0];
        let after = [878.0, 647.0, 598.0, 2050.0, 1060.0, 1290.0, 1060.0, 3140.0, 1290.0];
        let d: Vec<f64> = before.iter().zip(after).map(|(before, after)| before - after).collect();
        assert_eq!(hodges_lehmann(&d), Some(460.0));
        assert_eq!(hodges_lehmann(&[f64::INFINITY, f64::NEG_INFINITY, 0.0]), Some(0.0));
    }

    /// The definition, with all averages kept.
    fn defined(values: &[f64]) -> Option<f64> {
        let pairs =
            values.iter().enumerate().flat_map(|(i, &a)| values[i..].iter().map(move |&b| average(a, b)));
        median(&pairs.collect::<Vec<_>>())
    }

    proptest::proptest! {
        #[test]
        fn counting_the_averages_finds_the_bits_of_their_median(
            values in proptest::collection::vec(
                proptest::prop_oneof![
                    -1.0f64..1.0,
                    proptest::sample::select(vec![0.0, -0.0, 0.5, -0.5, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY]),
                ],
                0..40,
            ),
        ) {
            let bits = |value: Option<f64>| value.map(f64::to_bits);
            proptest::prop_assert_eq!(bits(hodges_lehmann(&values)), bits(defined(&values)));
        }
    }
}
