//! A measure that was varied: from which value on one technique is faster than another.

use model::{Workload, format_bytes};
use stats::{BreakEven, break_even};

use crate::ranking::{Entry, Ranking};

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
        let mut point = workload.point.clone();
        point.0.remove(measure);
        point.0.remove("bytes");
        (point, workload.files.clone())
    };
    one.setting == other.setting
        && one.quantity == other.quantity
        && one.class == other.class
        && rest(&one.workload) == rest(&other.workload)
}

/// The time of the base over that of its rival; exactly 1 where the two cannot be told apart, and then the point lies on
/// no side. Both are measured by the fastest, so the leader has a factor like any other entry.
fn ratio(ranking: &Ranking, sweep: &Sweep) -> Option<f64> {
    let (base, rival) = (ranking.entry(&sweep.base)?, ranking.entry(&sweep.rival)?);
    let ratio = base.factor? / rival.factor?;
    let apart = high(base) < low(rival) || high(rival) < low(base);
    Some(if apart { ratio } else { 1.0 })
}

fn low(entry: &Entry) -> f64 {
    entry.factor_low.unwrap_or(1.0)
}

fn high(entry: &Entry) -> f64 {
    entry.factor_high.unwrap_or(f64::INFINITY)
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
    use crate::observations::{Observation, Options, rank_observations};

    fn sweep() -> Sweep {
        Sweep {
            family: "search".into(),
            measure: "file_bytes".into(),
            what: "file size".into(),
            base: "sequential".into(),
            rival: "thread_pool".into(),
        }
    }

    /// A contest at a size as it is judged: the faster one leads, and both are measured by it.
    fn contest(file_bytes: u64, sequential: f64, thread_pool: f64) -> Ranking {
        let mut observations = Vec::new();
        for round in 0..21 {
            // The two take turns at being disturbed, so that equal ones cannot be told apart.
            let wave = 1.0 + 0.001 * f64::from(round % 2);
            observations.push(Observation::new(round, "sequential", sequential * wave));
            observations.push(Observation::new(round, "thread_pool", thread_pool * (2.001 - wave)));
            observations.push(Observation::new(round, "slow", 20.0));
        }
        for observation in &mut observations {
            observation.family = "search".into();
            observation.workload =
                Workload::of_bytes(file_bytes.to_string(), 64 * file_bytes).with("file_bytes", file_bytes);
        }
        rank_observations(&observations, &Options::default()).remove(0)
    }

    #[test]
    fn the_size_at_which_two_change_places_is_told_whichever_of_them_leads() {
        let rankings = [contest(1 << 10, 1.0, 2.0), contest(1 << 14, 1.0, 1.5), contest(1 << 18, 2.0, 1.0)];
        let leaders: Vec<_> = rankings.iter().map(|ranking| ranking.leader.as_deref()).collect();
        assert_eq!(leaders, [Some("sequential"), Some("sequential"), Some("thread_pool")]);
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
    fn two_that_both_follow_another_one_are_compared_by_their_factors() {
        let mut rankings = [contest(1 << 10, 21.0, 30.0), contest(1 << 18, 40.0, 25.0)];
        assert!(rankings.iter().all(|ranking| ranking.leader.as_deref() == Some("slow")));
        let told = break_evens(&rankings, &sweep());
        assert!(told[0].contains("they change places between 1 KiB and 256 KiB"), "{}", told[0]);
        rankings[1] = contest(1 << 18, 22.0, 30.0);
        assert!(break_evens(&rankings, &sweep())[0].starts_with("sequential is ahead of thread_pool"));
    }

    #[test]
    fn a_size_at_which_neither_is_ahead_lies_on_no_side() {
        let rankings = [contest(1 << 10, 1.0, 2.0), contest(1 << 14, 1.0, 1.0), contest(1 << 18, 1.0, 1.8)];
        let told = break_evens(&rankings, &sweep());
        assert_eq!(
            told,
            [
                "sequential is ahead of thread_pool at every file size that tells them apart, from 1 KiB to 256 KiB"
            ]
        );
        let alike = [contest(1 << 10, 1.0, 1.0), contest(1 << 14, 1.0, 1.0)];
        assert!(break_evens(&alike, &sweep())[0].contains("cannot be told apart"));
    }

    #[test]
    fn one_size_or_another_condition_is_no_sweep() {
        assert!(break_evens(&[contest(1 << 10, 1.0, 2.0)], &sweep()).is_empty());
        let mut cold = contest(1 << 14, 2.0, 1.0);
        cold.setting.cache = model::Cache::Cold;
        assert!(break_evens(&[contest(1 << 10, 1.0, 2.0), cold], &sweep()).is_empty());
    }
}
