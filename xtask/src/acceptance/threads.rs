//! The time of the curve of `threads`, and the pool against the best at each level (T25). On request.

use anyhow::Result;

use super::{Amount, Line, Ranking, Session};

const AMOUNT: Amount = Amount::new(3, 1, 120);
const LIMIT_S: f64 = 30.0;
/// The pool may take this many times as long as the best, by the lower end of its factor.
const FACTOR_MAX: f64 = 1.02;
const POOL: &str = "pool";
/// 1, 2, 4, ... 8192.
const LEVELS: usize = 14;

/// T25: `run threads --threads 1..8192`. A baseline stays in its contest until its factor has an interval.
pub(super) fn pool(session: &mut Session) -> Result<Vec<Line>> {
    let line = format!("threads --threads 1..8192 --set iterations=1M --baseline {POOL}");
    let runs = session.repeat("threads", AMOUNT, |session| session.instrument.measure(&line))?;
    let mut lines = Vec::new();
    for (run, elapsed) in &runs {
        lines.push(Line::in_time("threads, 1 to 8192", *elapsed, LIMIT_S));
        lines.push(at_every_level("the pool", POOL, &run.rankings_of("threads"), LEVELS, FACTOR_MAX));
    }
    Ok(lines)
}

/// Counts the levels at which a technique took part and is not surely more than this many times as slow as the best.
pub(super) fn at_every_level(what: &str, name: &str, levels: &[&Ranking], wanted: usize, most: f64) -> Line {
    let mut short = Vec::new();
    for ranking in levels {
        if let Some(why) = ranking.falls_short(name, most) {
            let threads = ranking.workload.number("threads");
            short.push(format!("{}: {why}", threads.map_or("?".to_owned(), |threads| threads.to_string())));
        }
    }
    let good = levels.len() - short.len();
    let said = if short.is_empty() { String::new() } else { format!(" ({})", short.join("; ")) };
    let asked = format!("{what}: not surely above {most:.2} times the best");
    let limit = format!("at all {wanted} numbers of threads");
    Line::new(asked, format!("{good} of {}{said}", levels.len()), limit, good == wanted)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::acceptance::output::ranking;

    fn line(entries: &[Value], wanted: usize) -> Line {
        let levels = entries.iter().enumerate().map(|(nth, entry)| {
            let mut entry = entry.clone();
            entry["technique"] = POOL.into();
            ranking(&json!({"workload": {"name": "", "threads": 1 << nth}, "entries": [entry]}))
        });
        let levels: Vec<Ranking> = levels.collect();
        at_every_level("the pool", POOL, &levels.iter().collect::<Vec<_>>(), wanted, 1.02)
    }

    #[test]
    fn near_the_best_at_each_level_holds() {
        let near = [
            json!({"standing": "slower", "factor_low": 1.02}),
            json!({"standing": "tied"}),
            json!({"standing": "wins", "factor_low": 1.0}),
            json!({"standing": "slower", "factor": 1.015}),
        ];
        assert!(line(&near, 4).holds, "{}", line(&near, 4));
        assert!(!line(&near, 5).holds, "a level is missing");
    }

    #[test]
    fn levels_that_are_slower_or_not_compared_are_named() {
        let behind = line(
            &[
                json!({"standing": "slower", "factor_low": 1.03}),
                json!({"standing": "skipped"}),
                json!({"standing": "slower"}),
                json!({"standing": "wins", "factor_low": 1.0}),
                json!({"standing": "slower", "factor": 1.025}),
                json!({"standing": "slower", "factor": 1.015, "left_after_round": 5}),
            ],
            6,
        );
        let named = "1 of 6 (1: at least 1.030 times the best; 2: was skipped for time; \
                     4: is not the best, and no limit says by how much; 16: is not the best, typically 1.025 times it; \
                     32: is not the best, and no limit says by how much)";
        assert!(!behind.holds && behind.to_string().contains(named), "{behind}");
        let absent = at_every_level("rayon", "rayon", &[&ranking(&json!({}))], 1, 1.02);
        assert!(!absent.holds && absent.to_string().contains("?: took no part"), "{absent}");
    }
}
