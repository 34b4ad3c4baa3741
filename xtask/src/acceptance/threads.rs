//! Whether the curve of `threads` ends in time, and the pool is among the best at each level (T25). On request, for a host that
//! does nothing else.

use anyhow::Result;

use super::line::{Line, in_time};
use super::seen::Ranking;
use super::session::{Amount, Session};

const AMOUNT: Amount = Amount::new(3, 1, 120);
const LIMIT_S: f64 = 30.0;
/// The pool may take so many times as long as the best, by the lower end of its factor.
const FACTOR_MAX: f64 = 1.02;
/// 1, 2, 4, ... 8192.
const LEVELS: usize = 14;

/// T25: `run threads --threads 1..8192`.
pub(super) fn pool(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("threads", AMOUNT, |session| {
        session.instrument.measure(&["threads", "--threads", "1..8192"])
    })?;
    let of_run = |(run, elapsed): &(super::seen::Run, std::time::Duration)| {
        let levels: Vec<&Ranking> =
            run.rankings.iter().filter(|ranking| ranking.family == "threads").collect();
        [
            in_time("threads, 1 to 8192", *elapsed, LIMIT_S),
            at_every_level("the pool", "pool", &levels, LEVELS, FACTOR_MAX),
        ]
    };
    Ok(runs.iter().flat_map(of_run).collect())
}

/// At how many levels a technique is not surely more than so many times as slow as the best. A level that is missing, or at which
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
        serde_json::from_value(serde_json::json!({
            "family": "threads", "workload": {"name": "w", "threads": threads}, "state": "few", "sentence": "",
            "rounds": 8, "delta": 0.02, "alpha": 0.05,
            "entries": [{"technique": "pool", "standing": standing, "factor_low": low}],
        }))
        .expect("a ranking")
    }

    #[test]
    fn a_technique_that_is_near_the_best_or_may_be_it_at_each_level_holds() {
        let levels = [
            level(1, "slower", Some(1.02)),
            level(2, "may_be_fastest", None),
            level(4, "fastest", Some(1.0)),
        ];
        let line = at_every_level("the pool", "pool", &levels.iter().collect::<Vec<_>>(), 3, 1.02);
        assert!(line.holds, "{line}");
    }

    #[test]
    fn levels_at_which_it_is_surely_slower_or_was_not_compared_are_told() {
        let levels = [
            level(1, "slower", Some(1.03)),
            level(2, "left_out", None),
            level(4, "behind", None),
            level(8, "fastest", Some(1.0)),
        ];
        let line = at_every_level("the pool", "pool", &levels.iter().collect::<Vec<_>>(), 4, 1.02);
        let told = "1 of 4 (1: at least 1.030 times the best; 2: was left out, since the time was short; \
                    4: is not the best, and no limit says by how much)";
        assert!(!line.holds && line.to_string().contains(told), "{line}");
    }

    #[test]
    fn a_level_that_is_missing_does_not_hold() {
        let levels = [level(1, "fastest", Some(1.0))];
        let levels: Vec<&Ranking> = levels.iter().collect();
        assert!(!at_every_level("the pool", "pool", &levels, 2, 1.02).holds);
        let other = at_every_level("rayon", "rayon", &levels, 1, 1.02);
        assert!(!other.holds && other.to_string().contains("1: took no part"), "{other}");
    }
}
