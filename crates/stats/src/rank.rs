//! Tests on ranks and counts. They raise flags; no verdict is drawn from them.

use statrs::function::beta::beta_reg;
use statrs::function::erf::erfc;
use statrs::function::factorial::ln_binomial;

use crate::quantile::sorted;

/// Below this size the Mann-Whitney distribution is counted out instead of approximated (as in scipy).
const EXACT_SIZE: usize = 8;

/// The pairs of values, one of each group, for which that is not worth its time, which grows with their square.
const EXACT_PAIRS: usize = 1 << 14;

/// Ranks from 1, ties sharing the mean of their ranks.
pub(crate) fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let first = order.partition_point(|&i| values[i].total_cmp(&values[tied[0]]).is_lt()) as f64;
        for &i in tied {
            ranks[i] = first + (tied.len() as f64 + 1.0) / 2.0;
        }
    }
    ranks
}

/// Returns the two-sided p-value of Mann-Whitney's U: exact for a group of at most 8 without ties next to one that is not very large,
/// else the normal approximation, corrected for ties and continuity. `None` when a group is empty or all values are alike.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let both: Vec<f64> = a.iter().chain(b).copied().collect();
    let (m, n) = (a.len() as f64, b.len() as f64);
    let u = ranks(&both)[..a.len()].iter().sum::<f64>() - m * (m + 1.0) / 2.0;
    let larger = u.max(m * n - u);
    // The sum over groups of ties of t^3 - t.
    let sorted = sorted(both.iter().copied());
    let ties = sorted
        .chunk_by(|a, b| a == b)
        .map(|tied| (tied.len() as f64).powi(3) - tied.len() as f64)
        .sum::<f64>();
    if ties == 0.0 && a.len().min(b.len()) <= EXACT_SIZE && a.len() * b.len() <= EXACT_PAIRS {
        return Some((2.0 * chance_of_u_from(larger as usize, a.len(), b.len())).min(1.0));
    }
    let all = m + n;
    let variance = m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return None;
    }
    let z = ((larger - m * n / 2.0 - 0.5) / variance.sqrt()).max(0.0);
    Some(erfc(z / std::f64::consts::SQRT_2).min(1.0))
}

/// Returns the chance that U is at least `u` when the groups are alike: the share of the ways to choose the smaller group.
fn chance_of_u_from(u: usize, m: usize, n: usize) -> f64 {
    let (few, many) = (m.min(n), m.max(n));
    // ways[i][s]: ways to choose i members whose ranks exceed the least possible ones by s in all.
    let mut ways = vec![vec![0.0f64; few * many + 1]; few + 1];
    ways[0][0] = 1.0;
    for rank in 0..few + many {
        for chosen in (0..few.min(rank + 1)).rev() {
            let Some(step) = rank.checked_sub(chosen).filter(|&step| step <= many) else { continue };
            for s in step..=few * many {
                let from = ways[chosen][s - step];
                ways[chosen + 1][s] += from;
            }
        }
    }
    let all: f64 = ways[few].iter().sum();
    ways[few][u..].iter().sum::<f64>() / all
}

/// Returns Spearman's rank correlation and its two-sided p-value (Student's t). `None` below three pairs or for a constant.
pub fn spearman(x: &[f64], y: &[f64]) -> Option<(f64, f64)> {
    let n = x.len().min(y.len());
    if n < 3 {
        return None;
    }
    let mean = (n as f64 + 1.0) / 2.0;
    let [x, y] =
        [x, y].map(|side| ranks(&side[..n]).into_iter().map(|rank| rank - mean).collect::<Vec<f64>>());
    let [xx, yy] = [&x, &y].map(|side| side.iter().map(|off| off.powi(2)).sum::<f64>());
    let xy = x.iter().zip(&y).map(|(x, y)| x * y).sum::<f64>();
    if xx == 0.0 || yy == 0.0 {
        return None;
    }
    let rho = (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0);
    let freedom = n as f64 - 2.0;
    // Two-sided tail of Student's t, with t^2 = rho^2 freedom / (1 - rho^2).
    let p = if rho.abs() >= 1.0 { 0.0 } else { beta_reg(freedom / 2.0, 0.5, 1.0 - rho * rho) };
    Some((rho, p))
}

/// Returns the two-sided p-value of Fisher's exact test: `hits` of `of` here against `other_hits` of `other_of` there.
pub(crate) fn fisher_exact(hits: u64, of: u64, other_hits: u64, other_of: u64) -> f64 {
    let all_hits = hits + other_hits;
    let ln_chance = |x: u64| {
        ln_binomial(of, x) + ln_binomial(other_of, all_hits - x) - ln_binomial(of + other_of, all_hits)
    };
    let seen = ln_chance(hits);
    let least = all_hits.saturating_sub(other_of);
    let p: f64 =
        (least..=all_hits.min(of)).map(ln_chance).filter(|&ln| ln <= seen + 1e-7).map(f64::exp).sum();
    p.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("a p-value");
        assert!((found - expected).abs() < 1e-9 * expected.max(1e-3), "{found} is not {expected}");
    }

    #[test]
    fn ties_share_their_rank() {
        assert_eq!(ranks(&[10.0, 30.0, 20.0, 20.0]), [1.0, 4.0, 2.5, 2.5]);
        assert_eq!(ranks(&[0.0, -0.0]), [1.5, 1.5]);
    }

    #[test]
    fn mann_whitney_is_exact_for_small_groups_and_normal_for_larger() {
        // scipy.stats.mannwhitneyu([19, 22, 16, 29, 24], [20, 11, 17, 12]): U 17, exact p 0.1111111111111111
        close(
            mann_whitney(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0]),
            0.111_111_111_111_111_1,
        );
        // Two groups of 10, all of one below all of the other: U = 0, mean 50, sd sqrt(175), z = 49.5 / 13.2288.
        let low: Vec<f64> = (0..10).map(f64::from).collect();
        let high: Vec<f64> = (10..20).map(f64::from).collect();
        let z: f64 = 49.5 / 175f64.sqrt();
        close(mann_whitney(&low, &high), erfc(z / 2f64.sqrt()));
        assert_eq!(mann_whitney(&[1.0; 9], &[1.0; 9]), None);
        assert_eq!(mann_whitney(&[], &[1.0]), None);
    }

    #[test]
    fn spearman_agrees_with_scipys_documented_example() {
        let (rho, p) =
            spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[5.0, 6.0, 7.0, 8.0, 7.0]).expect("no constants");
        close(Some(rho), 0.820_782_681_668_123_3);
        close(Some(p), 0.088_587_005_313_543_81);
        assert_eq!(spearman(&[1.0, 2.0, 3.0], &[1.0, 1.0, 1.0]), None);
    }

    #[test]
    fn fisher_knows_the_lady_tasting_tea() {
        // Fisher 1935: 3 of 4 cups right, two-sided p = 34/70; scipy.stats.fisher_exact([[8, 2], [1, 5]]): 0.0349650...
        close(Some(fisher_exact(3, 4, 1, 4)), 34.0 / 70.0);
        close(Some(fisher_exact(8, 10, 1, 6)), 0.034_965_034_965_034_96);
        assert_eq!(fisher_exact(0, 10, 0, 10), 1.0);
    }
}
