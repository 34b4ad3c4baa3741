//! Whether the kernels of `blocks` are as fast as those of `perf bench mem memset` (T24). On request, for a host that does nothing
//! else.
//!
//! The techniques of `blocks` share a process, so that no other program can enter their run. In each round the two programs are
//! therefore started in turn, in an order that is drawn, and all they told of a size is judged as one contest. The whole memory is the
//! piece: so does perf, which stores into the same memory again and again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use rand::RngExt;

use super::entered::{ByRound, missing};
use super::line::Line;
use super::seen::{Ranking, Run};
use super::session::{Amount, Session};

/// Counted rounds.
const ROUNDS: Amount = Amount::new(10, 10, 600);
/// The best kernel may be this much slower than the best of perf's routines. It may be faster by any amount: perf has no routine
/// with wide stores next to that of the C library, and none in huge pages.
const WITHIN: f64 = 0.05;
/// From 1 KiB to 8 MiB, each twice the one before.
const SIZES: std::ops::RangeInclusive<u32> = 10..=23;
/// What perf stores in one measurement: a tenth of a second at least at the usual rates of large pieces.
const PERF_BYTES: u64 = 1 << 30;
const PERF: &str = "perf-";
const HEADER: &str = "round,technique,value,workload\n";
const BANDWIDTH: &str = "bandwidth_bytes_per_second";

/// The rates of all entries, by round.
type Rates = BTreeMap<String, ByRound>;

/// T24: at each size, the best kernel against the best of perf's routines.
pub(super) fn best_kernels(session: &mut Session) -> Result<Vec<Line>> {
    if let Some(line) = missing("the best kernel against perf's memset", "perf", "linux-perf") {
        return Ok(vec![line]);
    }
    let rounds = session.wanted(ROUNDS);
    let mut text = HEADER.to_owned();
    for bytes in SIZES.map(|power| 1_u64 << power) {
        let mut rates = Rates::new();
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
        write_rates(&mut text, bytes, &rates, rounds + 1);
    }
    let words = ["--more-is-better", "--looks", &rounds.to_string()].map(str::to_owned);
    let mut rankings = session.instrument.judge(&text, &words)?;
    rankings.sort_by_key(|ranking| ranking.workload.name().parse::<u64>().unwrap_or_default());
    Ok(rankings.iter().map(line).collect())
}

/// What the techniques tell of one short run.
fn blocks(session: &Session, bytes: u64) -> Result<Vec<(String, f64)>> {
    // This many passes that what begins and ends them is a small part.
    let passes = ((64 << 20) / bytes).clamp(8, 1_000);
    let set = [format!("total_bytes={bytes}"), format!("piece_bytes={bytes}"), format!("passes={passes}")];
    let mut words = vec!["blocks", "--rounds", "3"];
    words.extend(set.iter().flat_map(|set| ["--set", set.as_str()]));
    Ok(bandwidths(&session.instrument.measure(&words)?.0))
}

/// The median of the counted samples of each technique.
fn bandwidths(run: &Run) -> Vec<(String, f64)> {
    let of_trial = |trial: &super::seen::Trial| {
        let counted = trial.samples.iter().filter(|sample| sample.round > 0);
        let mut values: Vec<f64> =
            counted.filter_map(|sample| sample.values.get(BANDWIDTH).copied()).collect();
        values.sort_unstable_by(f64::total_cmp);
        Some((trial.technique.clone(), *values.get(values.len() / 2)?))
    };
    run.trials.iter().filter(|trial| trial.twin_of.is_none()).filter_map(of_trial).collect()
}

/// What perf tells of its routines.
fn perf(bytes: u64) -> Result<Vec<(String, f64)>> {
    let (size, loops) = (format!("{bytes}B"), (PERF_BYTES / bytes).max(1).to_string());
    let mut command = Command::new("perf");
    command.args(["bench", "-f", "simple", "mem", "memset", "-s", &size, "-l", &loops]).env("LC_ALL", "C");
    let done = command.output().context("perf cannot be started")?;
    ensure!(done.status.success(), "perf bench: {}", String::from_utf8_lossy(&done.stderr).trim());
    routines(&String::from_utf8_lossy(&done.stdout))
}

/// The routines and their bytes per second: a line with a name in quotation marks, then a number.
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
    ensure!(!found.is_empty(), "perf bench mem memset told no rates: {}", printed.trim());
    Ok(found)
}

/// The entries that have a rate in every round, round by round.
fn write_rates(text: &mut String, bytes: u64, rates: &Rates, rounds: usize) {
    let whole = || rates.iter().filter(|(_, by_round)| by_round.len() == rounds);
    for round in 0..rounds as u32 {
        for (name, rate) in whole().filter_map(|(name, by_round)| Some((name, by_round.get(&round)?))) {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{round},{name},{rate},{bytes}");
        }
    }
}

fn line(ranking: &Ranking) -> Line {
    let bytes = ranking.workload.name().parse().unwrap_or_default();
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

/// The best entry of one side, with its factor.
fn best(ranking: &Ranking, is_perf: bool) -> Option<(&str, f64)> {
    let names = ranking.entries.iter().map(|entry| entry.technique.as_str());
    let of_side = names.filter(|name| name.starts_with(PERF) == is_perf);
    of_side.filter_map(|name| Some((name, ranking.factor(name)?))).min_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::super::entered::judged;
    use super::*;

    /// What perf 6.1 printed for 64 KiB.
    const PRINTED: &str = "\
# function 'default' (Default memset() provided by glibc)
59578181818.181816
# function 'x86-64-unrolled' (unrolled memset() in arch/x86/lib/memset_64.S)
47148201438.848923
# function 'x86-64-stosq' (movsq-based memset() in arch/x86/lib/memset_64.S)
59578181818.181816
# function 'x86-64-stosb' (movsb-based memset() in arch/x86/lib/memset_64.S)
59041441441.441444
";

    #[test]
    fn every_routine_of_perf_is_read_with_its_rate() {
        let found = routines(PRINTED).expect("rates");
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["perf-default", "perf-x86-64-unrolled", "perf-x86-64-stosq", "perf-x86-64-stosb"]);
        assert_eq!(found[1].1, 47_148_201_438.848_92);
        assert!(routines("# Running 'mem/memset' benchmark:\n").is_err());
    }

    #[test]
    fn a_kernel_that_is_missing_in_a_round_is_not_judged() {
        let every = ByRound::from([(0, 1.0), (1, 2.0)]);
        let rates = Rates::from([("a".into(), every), ("b".into(), ByRound::from([(1, 3.0)]))]);
        let mut text = String::new();
        write_rates(&mut text, 1024, &rates, 2);
        assert_eq!(text, "0,a,1,1024\n1,a,2,1024\n");
    }

    fn ranking(leader: &str, factors: &[(&str, f64)]) -> Ranking {
        let entry = |(name, factor): &(&str, f64)| serde_json::json!({"technique": name, "standing": "tied", "factor": factor});
        let entries: Vec<serde_json::Value> = factors.iter().map(entry).collect();
        serde_json::from_value(serde_json::json!({
            "family": "samples", "workload": {"name": "65536"}, "state": "tied", "sentence": "", "leader": leader,
            "rounds": 10, "delta": 0.02, "alpha": 0.05, "entries": entries,
        }))
        .expect("a ranking")
    }

    #[test]
    fn the_best_of_each_side_are_compared() {
        let near = ranking("perf-default", &[("perf-default", 1.0), ("avx2", 1.04), ("plain", 7.0)]);
        assert!(line(&near).holds);
        assert!(line(&near).to_string().contains("64 KiB: the best kernel"), "{}", line(&near));
        let far = ranking("perf-default", &[("perf-default", 1.0), ("avx2", 1.06), ("perf-stosb", 1.2)]);
        assert!(line(&far).to_string().contains("avx2 is 1.060 times as slow as perf-default"));
        assert!(!line(&far).holds);
        let ahead = ranking("avx512", &[("avx512", 1.0), ("perf-default", 1.5)]);
        assert!(line(&ahead).holds, "a faster one is no fault");
        assert!(!line(&ranking("avx2", &[("avx2", 1.0)])).holds, "there is nothing to compare with");
    }

    #[test]
    fn the_judge_finds_the_best_of_each_side_at_each_size() {
        let rate = |typical: f64, round: u32, phase: u32| {
            typical * (1.0 + 1e-3 * f64::from((round * 7 + phase) % 5))
        };
        let by_round = |typical: f64, phase: u32| {
            (0..=10).map(|round| (round, rate(typical, round, phase))).collect::<ByRound>()
        };
        let mut text = HEADER.to_owned();
        for (bytes, routine) in [(1_u64 << 10, 5.1e10), (1 << 20, 6e10)] {
            let all =
                [("plain", 1e10), ("avx2", 5e10), ("perf-default", routine), ("perf-x86-64-stosb", 2e10)];
            let rates = all
                .iter()
                .zip(0..)
                .map(|((name, typical), phase)| ((*name).to_owned(), by_round(*typical, phase)));
            write_rates(&mut text, bytes, &rates.collect(), 11);
        }
        let rankings = judged(&text, 10, model::Better::More);
        let lines: Vec<Line> = rankings.iter().map(line).collect();
        let told: Vec<String> = lines.iter().map(Line::to_string).collect();
        assert_eq!(lines.iter().map(|line| line.holds).collect::<Vec<_>>(), [true, false], "{told:?}");
        assert!(told[0].contains("blocks, 1 KiB") && told[0].contains("avx2 is 1.0"), "{told:?}");
        assert!(told[1].contains("blocks, 1 MiB") && told[1].contains("avx2 is 1.2"), "{told:?}");
    }

    #[test]
    fn the_median_of_the_counted_rounds_stands_for_a_short_run() {
        let sample = |round: u32, rate: f64| serde_json::json!({"round": round, "repetitions": 1, "values": {BANDWIDTH: rate}});
        let run: Run = serde_json::from_value(serde_json::json!({
            "run": {"complete": true, "design": {"looks": [3]}}, "contests": [], "trials": [
                {"technique": "avx2", "samples": [sample(0, 1.0), sample(1, 5.0), sample(2, 9.0), sample(3, 7.0)]},
                {"technique": "avx2-twin", "twin_of": "avx2", "samples": [sample(1, 5.0)]},
                {"technique": "failed", "samples": []}],
        }))
        .expect("a run");
        assert_eq!(bandwidths(&run), [("avx2".to_owned(), 7.0)]);
    }
}
