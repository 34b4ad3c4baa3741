//! The kernels of `blocks` against those of `perf bench mem memset` (T24), on request. The techniques of `blocks` share a process,
//! so no other program can enter their run: each round starts the two programs in turn, in an order that is drawn, and all that
//! they report of a size is one contest. The whole memory is the piece, as in perf.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Result, ensure};
use rand::RngExt;

use super::entered::{ByRound, missing};
use super::{Amount, Line, Ranking, Run, Session};
use crate::printed;

/// Counted rounds.
const ROUNDS: Amount = Amount::new(10, 10, 600);
/// The best kernel may be this much slower than the best of perf's routines. It may be faster by any amount: perf has fewer.
const WITHIN: f64 = 0.05;
/// From 1 KiB to 8 MiB, each twice the one before.
const SIZES: std::ops::RangeInclusive<u32> = 10..=23;
/// The bytes that perf stores in one measurement: a tenth of a second at least at the usual rates of large pieces.
const PERF_BYTES: u64 = 1 << 30;
const PERF: &str = "perf-";
const BANDWIDTH: &str = "bandwidth_bytes_per_second";

/// T24: at each size, the best kernel against the best of perf's routines.
pub(super) fn best_kernels(session: &mut Session) -> Result<Vec<Line>> {
    if let Some(line) = missing("the best kernel against perf's memset", "perf", "linux-perf") {
        return Ok(vec![line]);
    }
    let rounds = session.wanted(ROUNDS);
    let mut text = "round,technique,value,workload\n".to_owned();
    for bytes in SIZES.map(|power| 1_u64 << power) {
        let mut rates = BTreeMap::<String, ByRound>::new();
        // The first round is not counted.
        for round in 0..=rounds as u32 {
            let perf_first: bool = session.random.random();
            for is_perf in [perf_first, !perf_first] {
                let found = if is_perf { perf(bytes)? } else { blocks(session, bytes)? };
                for (name, rate) in found {
                    rates.entry(name).or_default().insert(round, rate);
                }
            }
        }
        eprintln!("     memset: {}", model::format_bytes(bytes));
        // Only entries that have a rate in every round.
        for (name, by_round) in rates.iter().filter(|(_, by_round)| by_round.len() == rounds + 1) {
            for (round, rate) in by_round {
                // Writing to a text cannot fail.
                let _ = writeln!(text, "{round},{name},{rate},{bytes}");
            }
        }
    }
    let mut rankings = session.instrument.judge(&text, &format!("--more-is-better --looks {rounds}"))?;
    rankings.sort_by_key(|ranking| ranking.workload.name.parse::<u64>().unwrap_or_default());
    Ok(rankings.iter().map(line).collect())
}

fn blocks(session: &Session, bytes: u64) -> Result<Vec<(String, f64)>> {
    // This many passes that what begins and ends them is a small part.
    let passes = ((64 << 20) / bytes).clamp(8, 1_000);
    let line = format!("--set total_bytes={bytes} --set piece_bytes={bytes} --set passes={passes}");
    Ok(bandwidths(&session.instrument.measure(&format!("blocks --rounds 3 {line}"))?.0))
}

fn bandwidths(run: &Run) -> Vec<(String, f64)> {
    let medians = run.trials.iter().filter(|trial| trial.twin_of.is_none()).filter_map(|trial| {
        let counted = trial.samples.iter().filter(|sample| sample.round > 0);
        let mut values: Vec<_> = counted.filter_map(|sample| sample.values.get(BANDWIDTH)).copied().collect();
        values.sort_unstable_by(f64::total_cmp);
        Some((trial.technique.clone(), *values.get(values.len() / 2)?))
    });
    medians.collect()
}

fn perf(bytes: u64) -> Result<Vec<(String, f64)>> {
    let (size, loops) = (format!("{bytes}B"), (PERF_BYTES / bytes).max(1).to_string());
    let mut command = Command::new("perf");
    command.args(["bench", "-f", "simple", "mem", "memset", "-s", &size, "-l", &loops]).env("LC_ALL", "C");
    routines(&printed(&mut command)?)
}

/// Reads the routines and their bytes per second: a line with a name in quotation marks, then a number.
fn routines(printed: &str) -> Result<Vec<(String, f64)>> {
    let (mut found, mut name) = (Vec::new(), None);
    for line in printed.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("# function '") {
            name = rest.split('\'').next();
        } else if let (Some(routine), Ok(rate)) = (name, line.parse::<f64>()) {
            found.push((format!("{PERF}{routine}"), rate));
            name = None;
        }
    }
    ensure!(!found.is_empty(), "perf bench mem memset printed no rates: {}", printed.trim());
    Ok(found)
}

fn line(ranking: &Ranking) -> Line {
    let bytes = ranking.workload.name.parse().unwrap_or_default();
    let asked = format!("blocks, {}: the best kernel against perf's memset", model::format_bytes(bytes));
    let limit = format!("at most {} times as slow", 1.0 + WITHIN);
    let (ours, theirs) = (best(ranking, false), best(ranking, true));
    let Some(((kernel, ours), (routine, theirs))) = ours.zip(theirs) else {
        return Line::new(asked, format!("not judged: {}", ranking.sentence), limit, false);
    };
    let factor = ours / theirs;
    let seen = format!("{kernel} is {factor:.3} times as slow as {routine}");
    Line::new(asked, seen, limit, factor <= 1.0 + WITHIN)
}

fn best(ranking: &Ranking, is_perf: bool) -> Option<(&str, f64)> {
    let names = ranking.entries.iter().map(|entry| entry.technique.as_str());
    let of_side = names.filter(|name| name.starts_with(PERF) == is_perf);
    of_side.filter_map(|name| Some((name, ranking.factor(name)?))).min_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::acceptance::output;

    #[test]
    fn every_routine_of_perf_is_read_with_its_rate() {
        // What perf 6.1 printed for 64 KiB.
        const PRINTED: &str = "\
# function 'default' (Default memset() provided by glibc)
59578181818.181816
# function 'x86-64-unrolled' (unrolled memset() in arch/x86/lib/memset_64.S)
47148201438.848923
";
        let found = routines(PRINTED).expect("rates");
        let wanted =
            [("perf-default", 59_578_181_818.181_816), ("perf-x86-64-unrolled", 47_148_201_438.848_92)];
        assert_eq!(found, wanted.map(|(name, rate)| (name.to_owned(), rate)));
        assert!(routines("# Running 'mem/memset' benchmark:\n").is_err());
    }

    #[test]
    fn the_best_of_each_side_are_compared() {
        let line = |leader: &str, factors: &[(&str, f64)]| {
            let entries = factors
                .iter()
                .map(|(name, factor)| json!({"technique": name, "standing": "tied", "factor": factor}));
            let entries: Vec<_> = entries.collect();
            let own = json!({"workload": {"name": "65536"}, "leader": leader, "entries": entries});
            line(&output::ranking(&own))
        };
        let near = line("perf-default", &[("perf-default", 1.0), ("avx2", 1.04), ("plain", 7.0)]);
        assert!(near.holds && near.to_string().contains("64 KiB: the best kernel"), "{near}");
        let far = line("perf-default", &[("perf-default", 1.0), ("avx2", 1.06), ("perf-stosb", 1.2)]);
        let shown = "avx2 is 1.060 times as slow as perf-default";
        assert!(!far.holds && far.to_string().contains(shown), "{far}");
        let ahead = line("avx512", &[("avx512", 1.0), ("perf-default", 1.5)]);
        assert!(ahead.holds, "a faster one is no fault");
        assert!(!line("avx2", &[("avx2", 1.0)]).holds, "there is nothing to compare with");
    }
}
