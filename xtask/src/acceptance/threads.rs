//! Whether the curve of `threads` ends in time, and the pool is among the best at each level (T25). On request, for a host that
//! does nothing else.

use anyhow::Result;

use super::interruption;
use super::line::{Line, in_time};
use super::seen::Ranking;
use super::session::{Amount, Session};

const AMOUNT: Amount = Amount::new(3, 1, 120);
const LIMIT_S: f64 = 30.0;
/// The pool may take this many times as long as the best, by the lower end of its factor.
const FACTOR_MAX: f64 = 1.02;
const POOL: &str = "pool";
/// 1, 2, 4, ... 8192.
const LEVELS: usize = 14;

/// T25: `run threads --threads 1..8192`, and how soon Ctrl-C ends all of them. The baseline of a contest stays in it until it is
/// told from the best, and gets a factor with an interval.
pub(super) fn pool(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("threads", AMOUNT, |session| {
        session.instrument.measure(&["threads", "--threads", "1..8192", "--baseline", POOL])
    })?;
    let of_run = |(run, elapsed): &(super::seen::Run, std::time::Duration)| {
        let levels: Vec<&Ranking> =
            run.rankings.iter().filter(|ranking| ranking.family == "threads").collect();
        [
            in_time("threads, 1 to 8192", *elapsed, LIMIT_S),
            at_every_level("the pool", POOL, &levels, LEVELS, FACTOR_MAX),
        ]
    };
    let mut lines: Vec<Line> = runs.iter().flat_map(of_run).collect();
    lines.push(interruption::of_many_threads(session)?);
    Ok(lines)
}

/// At how many levels a technique is not surely more than this many times as slow as the best. A level that is missing, or at which
/// the technique was not compared, is none of them.
pub(super) fn at_every_level(
    what: &str,
    technique: &str,
    levels: &[&Ranking],
    wanted: usize,
    factor_max: f64,
) -> Line {
    let short = levels.iter().filter_map(|ranking| {
        let threads =
            ranking.workload.number("threads").map_or("?".to_owned(), |threads| threads.to_string());
        Some(format!("{threads}: {}", ranking.falls_short(technique, factor_max)?))
    });
    let short: Vec<String> = short.collect();
    let good = levels.len() - short.len();
    let told = if short.is_empty() { String::new() } else { format!(" ({})", short.join("; ")) };
    let asked = format!("{what}: not surely above {factor_max:.2} times the best");
    let limit = format!("at all {wanted} numbers of threads");
    Line::new(asked, format!("{good} of {}{told}", levels.len()), limit, good == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(threads: u64, standing: &str, low: Option<f64>) -> Ranking {
        of_entry(threads, &serde_json::json!({"technique": "pool", "standing": standing, "factor_low": low}))
    }

    fn of_entry(threads: u64, entry: &serde_json::Value) -> Ranking {
        serde_json::from_value(serde_json::json!({
            "family": "threads", "workload": {"name": "w", "threads": threads}, "state": "tied", "sentence": "",
            "rounds": 8, "delta": 0.02, "alpha": 0.05, "entries": [entry],
        }))
        .expect("a ranking")
    }

    #[test]
    fn a_technique_that_is_near_the_best_or_may_be_it_at_each_level_holds() {
        let levels = [level(1, "slower", Some(1.02)), level(2, "tied", None), level(4, "wins", Some(1.0))];
        let line = at_every_level("the pool", "pool", &levels.iter().collect::<Vec<_>>(), 3, 1.02);
        assert!(line.holds, "{line}");
    }

    #[test]
    fn levels_at_which_it_is_surely_slower_or_was_not_compared_are_told() {
        let levels = [
            level(1, "slower", Some(1.03)),
            level(2, "skipped", None),
            level(4, "slower", None),
            level(8, "wins", Some(1.0)),
        ];
        let line = at_every_level("the pool", "pool", &levels.iter().collect::<Vec<_>>(), 4, 1.02);
        let told = "1 of 4 (1: at least 1.030 times the best; 2: was skipped for time; \
                    4: is not the best, and no limit says by how much)";
        assert!(!line.holds && line.to_string().contains(told), "{line}");
    }

    #[test]
    fn a_technique_without_a_lower_end_counts_by_its_typical_factor_if_it_was_measured_to_the_end() {
        let behind = |factor: f64, left: Option<u32>| serde_json::json!({"technique": "pool", "standing": "slower", "factor": factor, "left_after_round": left});
        let far = serde_json::json!({"technique": "pool", "standing": "slower", "factor": 1.0, "left_after_round": 3});
        let levels = [
            of_entry(1, &behind(1.015, None)),
            of_entry(2, &behind(1.025, None)),
            of_entry(4, &behind(1.015, Some(5))),
            of_entry(8, &far),
        ];
        let line = at_every_level("the pool", "pool", &levels.iter().collect::<Vec<_>>(), 4, 1.02);
        let told = "1 of 4 (2: is not the best, typically 1.025 times it; \
                    4: is not the best, and no limit says by how much; \
                    8: is not the best, and no limit says by how much)";
        assert!(!line.holds && line.to_string().contains(told), "{line}");
        let near = at_every_level("the pool", "pool", &[&levels[0]], 1, 1.02);
        assert!(near.holds, "{near}");
        assert!(!at_every_level("own queue", "pool", &[&levels[0]], 1, 1.0).holds);
    }

    #[test]
    fn a_level_that_is_missing_does_not_hold() {
        let levels = [level(1, "wins", Some(1.0))];
        let levels: Vec<&Ranking> = levels.iter().collect();
        assert!(!at_every_level("the pool", "pool", &levels, 2, 1.02).holds);
        let other = at_every_level("rayon", "rayon", &levels, 1, 1.02);
        assert!(!other.holds && other.to_string().contains("1: took no part"), "{other}");
    }
}
