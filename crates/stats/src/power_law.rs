//! How time grows with size: one slope a round, so that a slow round bends nothing.

/// Returns the least-squares slope of `ln time` on `ln size` for each round of `times[round][size]`; `None` for a round with a
/// missing, zero or infinite time.
pub fn slopes(sizes: &[f64], times: &[Vec<f64>]) -> Vec<Option<f64>> {
    times.iter().map(|round| slope(sizes, round)).collect()
}

fn slope(sizes: &[f64], times: &[f64]) -> Option<f64> {
    let mut all = sizes.iter().chain(times);
    if sizes.len() < 2 || sizes.len() != times.len() || !all.all(|value| value.is_finite() && *value > 0.0) {
        return None;
    }
    let n = sizes.len() as f64;
    let x_mean = sizes.iter().map(|x| x.ln()).sum::<f64>() / n;
    let y_mean = times.iter().map(|y| y.ln()).sum::<f64>() / n;
    let xx: f64 = sizes.iter().map(|x| (x.ln() - x_mean).powi(2)).sum();
    let xy: f64 = sizes.iter().zip(times).map(|(x, y)| (x.ln() - x_mean) * (y.ln() - y_mean)).sum();
    (xx > 0.0).then_some(xy / xx)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_round_or_a_single_size_has_no_slope() {
        let found = slopes(&[1e3, 2e3], &[vec![1.0, f64::INFINITY], vec![1.0, 4.0]]);
        assert_eq!(found[0], None);
        assert!((found[1].expect("two times") - 2.0).abs() < 1e-12);
        assert_eq!(slopes(&[1e3], &[vec![1.0]]), [None]);
    }
}
