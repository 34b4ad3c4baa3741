//! A measure that was varied: from which value on one technique is faster than another.

use model::{Workload, format_bytes};
use stats::{BreakEven, break_even};

use crate::ranking::{Place, Ranking};

/// Two techniques whose contest may turn when a measure of the workload grows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The family.
    pub family: String,
    /// The measure of the workload that is varied, in bytes: `file_bytes`.
    pub measure: String,
    /// The measure in words: `file size`.
    pub what: String,
    /// One technique.
    pub base: String,
    /// The other.
    pub rival: String,
}

/// What the rankings of a run tell of a sweep: one sentence for each set of contests that differ in the measure alone.
/// Empty where it was not varied, or where one of the two took no part.
pub fn break_evens(rankings: &[Ranking], sweep: &Sweep) -> Vec<String> {
    let mut groups: Vec<(&Ranking, Vec<(u64, f64)>)> = Vec::new();
    for ranking in rankings.iter().filter(|ranking| ranking.family == sweep.family) {
        let Some(value) = ranking.workload.number(&sweep.measure) else { continue };
        let Some(ratio) = ratio(ranking, sweep) else { continue };
        match groups.iter_mut().find(|(first, _)| is_sibling(first, ranking, &sweep.measure)) {
            Some((_, points)) => points.push((value, ratio)),
            None => groups.push((ranking, vec![(value, ratio)])),
        }
    }
    groups.iter().filter(|(_, points)| points.len() > 1).map(|(_, points)| sentence(points, sweep)).collect()
}

/// Whether two contests differ in nothing but the measure, and in the sizes that follow from it.
fn is_sibling(one: &Ranking, other: &Ranking, measure: &str) -> bool {
    let rest = |workload: &Workload| {
        let mut numbers = workload.numbers.clone();
        numbers.remove(measure);
        numbers.remove("bytes");
        (numbers, workload.shape.clone(), workload.files.clone())
    };
    one.setting == other.setting
        && one.metric == other.metric
        && one.class == other.class
        && rest(&one.workload) == rest(&other.workload)
}

/// The time of the base over that of its rival; exactly 1 where the two cannot be told apart, and then the point lies on
/// no side.
fn ratio(ranking: &Ranking, sweep: &Sweep) -> Option<f64> {
    let place = |name: &str| ranking.places.iter().find(|place| place.technique == name);
    let (base, rival) = (place(&sweep.base)?, place(&sweep.rival)?);
    let ratio = base.ratio? / rival.ratio?;
    let apart = high(base) < low(rival) || high(rival) < low(base);
    Some(if apart { ratio } else { 1.0 })
}

fn low(place: &Place) -> f64 {
    place.ratio_low.unwrap_or(0.0)
}

fn high(place: &Place) -> f64 {
    place.ratio_high.unwrap_or(f64::INFINITY)
}

fn sentence(points: &[(u64, f64)], sweep: &Sweep) -> String {
    let Sweep { what, base, rival, .. } = sweep;
    let size = |bytes: u64| format_bytes(bytes);
    let range = || {
        let sizes = || points.iter().map(|(size, _)| *size);
        let (smallest, largest) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
        format!("{} to {}", size(smallest), size(largest))
    };
    match break_even(points) {
        None => format!("{base} and {rival} cannot be told apart at any {what} from {}", range()),
        Some(BreakEven::NotReached { is_below, .. }) => {
            let (faster, slower) = if is_below { (base, rival) } else { (rival, base) };
            format!("{faster} is ahead of {slower} at every {what} that tells them apart, from {}", range())
        }
        Some(BreakEven::At { bytes, last_before, first_behind, falls }) => {
            let (small, large) = if falls { (rival, base) } else { (base, rival) };
            format!(
                "{small} is faster below a {what} of about {}, {large} above (they change places between {} and {})",
                size(bytes.round() as u64),
                size(last_before),
                size(first_behind)
            )
        }
        Some(BreakEven::Between { last_before, first_behind, crossings }) => format!(
            "{base} and {rival} change places {crossings} times between a {what} of {} and {}",
            size(last_before),
            size(first_behind)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep() -> Sweep {
        Sweep {
            family: "search".into(),
            measure: "file_bytes".into(),
            what: "file size".into(),
            base: "sequential".into(),
            rival: "thread_pool".into(),
        }
    }

    /// A contest at a size: the rival's ratio to the base, and by how much the intervals reach to either side.
    fn contest(file_bytes: u64, rival: f64, reach: f64) -> Ranking {
        let place = |technique: &str, ratio: f64| {
            serde_json::json!({"technique": technique, "kind": "built-in", "place": "slower", "rounds": 20,
                "ratio": ratio, "ratio_low": ratio - reach, "ratio_high": ratio + reach})
        };
        let ranking = serde_json::json!({
            "family": "search",
            "workload": {"name": format!("{file_bytes}"), "bytes": 64 * file_bytes, "file_bytes": file_bytes, "files": []},
            "setting": {"cache": "warm", "durability": "returned", "directory": "."},
            "metric": "work", "class": "moves-bytes", "verdict": "winner", "sentence": "s", "rounds": 20, "delta": 0.02, "alpha": 0.05,
            "places": [place("sequential", 1.0), place("thread_pool", rival)],
        });
        serde_json::from_value(ranking).expect("a ranking")
    }

    #[test]
    fn the_size_at_which_two_change_places_is_told_with_its_neighbours() {
        let rankings = [contest(1 << 10, 2.0, 0.1), contest(1 << 14, 1.5, 0.1), contest(1 << 18, 0.5, 0.1)];
        let told = break_evens(&rankings, &sweep());
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("sequential is faster below a file size of about"), "{}", told[0]);
        assert!(
            told[0].ends_with("thread_pool above (they change places between 16 KiB and 256 KiB)"),
            "{}",
            told[0]
        );
    }

    #[test]
    fn a_size_at_which_nobody_is_ahead_lies_on_no_side() {
        let rankings = [contest(1 << 10, 2.0, 0.1), contest(1 << 14, 0.9, 0.2), contest(1 << 18, 1.8, 0.1)];
        let told = break_evens(&rankings, &sweep());
        assert_eq!(
            told,
            [
                "sequential is ahead of thread_pool at every file size that tells them apart, from 1 KiB to 256 KiB"
            ]
        );
        let alike = [contest(1 << 10, 1.0, 0.1), contest(1 << 14, 1.01, 0.2)];
        assert!(break_evens(&alike, &sweep())[0].contains("cannot be told apart"));
    }

    #[test]
    fn one_size_or_another_condition_is_no_sweep() {
        assert!(break_evens(&[contest(1 << 10, 2.0, 0.1)], &sweep()).is_empty());
        let mut cold = contest(1 << 14, 0.5, 0.1);
        cold.setting.cache = model::Cache::Cold;
        assert!(break_evens(&[contest(1 << 10, 2.0, 0.1), cold], &sweep()).is_empty());
    }
}
