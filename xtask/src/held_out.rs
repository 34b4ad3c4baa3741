//! Advice where nothing was measured: `cargo xtask held-out` measures curves with the release binary, advises from every other
//! level, and looks at the levels that were held out.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::Result;
use clap::Parser;
use judge::{Asked, Curve, Decided, KeptAnswers, Question, Ranking, State, advise, decide, read_run};
use model::{Conditions, Point, RunId, axis_value};

/// At least this many of a hundred held-out levels must be advised well.
const LEAST_PERCENT: usize = 90;

/// Families, with the option that names the levels of each.
const CURVES: &[[&str; 3]] = &[
    ["copy", "--sizes", "4K..256MiB"],
    ["convert", "--sizes", "4K..64MiB"],
    ["search", "--set", "file_bytes=1K..4MiB"],
    ["sort", "--sizes", "64K..64MiB"],
    ["blocks", "--set", "piece_bytes=1K..8M"],
];

/// Measure curves, advise from every other level, and look at the levels that were held out
#[derive(Debug, Parser)]
#[command(
    after_help = "Exit code: 0 at least 90 % of the held-out levels are advised well; 1 fewer; 2 could not be carried out."
)]
pub(crate) struct Options {
    /// Only these families, e.g. copy,blocks
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// With a cold cache, too, where a family works on files
    #[arg(long)]
    cold: bool,
    #[command(flatten)]
    driven: crate::Driven,
}

/// Measures, advises and counts; returns whether enough is advised well.
pub(crate) fn carry_out(options: &Options) -> Result<bool> {
    let chosen = crate::only(CURVES, |curve| curve[0], &options.only)?;
    let (binary, seed) = options.driven.named()?;
    let mut all: Vec<Case> = Vec::new();
    for curve in chosen {
        let is_cold = options.cold && curve[0] != "blocks";
        for cache in ["warm", "cold"].into_iter().take(1 + usize::from(is_cold)) {
            let found = measured(&binary, curve, cache, seed)?;
            found.iter().for_each(|case| println!("{} {cache} {case}", curve[0]));
            all.extend(found);
        }
    }
    let well = all.iter().filter(|case| case.is_good()).count();
    let percent = if all.is_empty() { 0.0 } else { 100.0 * well as f64 / all.len() as f64 };
    let levels = all.len();
    println!("{well} of {levels} held-out levels advised well: {percent:.1} % (limit {LEAST_PERCENT} %)");
    Ok(levels > 0 && well * 100 >= levels * LEAST_PERCENT)
}

fn measured(binary: &Path, curve: &[&str; 3], cache: &str, seed: u64) -> Result<Vec<Case>> {
    let folder = tempfile::Builder::new().prefix("bakeoff-held-out-").tempdir()?;
    let mut command = Command::new(binary);
    let [family, option, levels] = curve;
    command.args(["run", family, option, levels]);
    command.args(["--format", "json", "--quiet", "--no-report", "--seed", &seed.to_string()]);
    if *family != "blocks" {
        command.args(["--cache", cache]);
    }
    command.arg("--store").arg(folder.path().join("store.sqlite")).arg("--dir").arg(folder.path());
    let record = read_run(&crate::printed(&mut command)?, None)?;
    let decided = decide(&record);
    Ok(decided.curves.iter().flat_map(|curve| of_curve(curve, &decided, &record.id)).collect())
}

/// An advised technique that takes at most this many times as long as the fastest is a good choice.
const GOOD_WITHIN: f64 = 1.05;

#[derive(Debug, Clone, PartialEq)]
struct Case {
    level: String,
    /// The advised entry; `None` where nothing was advised.
    advised: Option<String>,
    leader: String,
    /// True if the advised entry may be fastest at that level, as measured.
    may_be_fastest: bool,
    /// Its value over that of the leader there.
    factor: Option<f64>,
}

impl Case {
    /// Returns whether it is one of those that may be fastest, or within 5 % of the fastest.
    fn is_good(&self) -> bool {
        // Where levels on both sides differ nothing is advised, and nothing can be wrong.
        self.advised.is_none()
            || self.may_be_fastest
            || self.factor.is_some_and(|factor| factor <= GOOD_WITHIN)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let advised = self.advised.as_deref().unwrap_or("nothing");
        let factor = self.factor.map_or(String::new(), |factor| format!(", {factor:.3} times the leader"));
        let good = if self.is_good() { "good" } else { "BAD" };
        write!(f, "{}: advised {advised}{factor}; {} leads: {good}", self.level, self.leader)
    }
}

/// Returns the held-out levels of a curve: those at odd places, but never an end, beyond which nothing is advised.
fn of_curve(curve: &Curve, decided: &Decided, id: &RunId) -> Vec<Case> {
    let own = decided.rankings.iter().filter(|ranking| curve.holds(ranking));
    let mut levels: Vec<(u64, &Ranking)> =
        own.filter_map(|ranking| Some((ranking.workload.number(&curve.axis)?, ranking))).collect();
    levels.sort_by_key(|(at, _)| *at);
    let (mut known, mut held_out) = (Decided { rankings: Vec::new(), curves: Vec::new() }, Vec::new());
    for (place, &(at, ranking)) in levels.iter().enumerate() {
        if place % 2 == 1 && place + 1 < levels.len() {
            held_out.push((at, ranking));
        } else {
            known.rankings.push(ranking.clone());
        }
    }
    // Where nothing may be said of a level, nothing says whether its advice is good; and one entry alone leaves no choice.
    held_out.retain(|(_, one)| !matches!(one.state, State::Refused | State::TooFewRounds | State::Alone));
    held_out.into_iter().map(|(at, ranking)| case(curve, at, ranking, &known, id)).collect()
}

fn case(curve: &Curve, at: u64, ranking: &Ranking, known: &Decided, id: &RunId) -> Case {
    // A limit of memory may follow from the level.
    let conditions = Conditions { memory_limit_bytes: None, ..curve.setting.conditions.clone() };
    let question = Question {
        family: &curve.family,
        conditions: &conditions,
        metric: &curve.metric.key,
        among: &[],
        values: &|_| Point::default(),
    };
    let asked = Asked { workload: ranking.workload.clone(), axis: Some(curve.axis.clone()), is_level: true };
    let kept = [KeptAnswers { id, started: "", decided: known }];
    let advised = advise(&question, &[asked], &kept).and_then(|advice| Some(advice.choice?.entry));
    let entry = advised.as_deref().and_then(|name| ranking.entry(name));
    let leader = ranking.leader.clone().unwrap_or_default();
    Case {
        level: axis_value(&curve.axis, at),
        may_be_fastest: entry.is_some_and(|entry| entry.standing.is_candidate()),
        factor: entry.and_then(|entry| entry.factor),
        advised,
        leader,
    }
}

#[cfg(test)]
mod tests {
    use judge::{Observation, Options, decide_observations};
    use model::{Along, Workload};

    use super::*;

    type Time<'a> = &'a dyn Fn(u64) -> f64;

    fn found(techniques: &[(&str, Time<'_>)]) -> Vec<Case> {
        let mut all = Vec::new();
        for bytes in (0..7).map(|power| 4096 << power) {
            for round in 0..=20_u32 {
                for (place, (technique, time)) in techniques.iter().enumerate() {
                    let jitter = 1.0 + 1e-3 * f64::from((round * 7 + place as u32 * 3) % 5);
                    let mut one = Observation::new(round, *technique, time(bytes) * jitter);
                    one.family = "copy".into();
                    one.workload = Workload::of_bytes(bytes.to_string(), bytes);
                    one.position = Some((place as u32 + round) % techniques.len() as u32);
                    one.along = Some(Along { axis: "bytes".into(), ..Along::default() });
                    all.push(one);
                }
            }
        }
        let decided = decide_observations(&all, &Options::default());
        decided.curves.iter().flat_map(|curve| of_curve(curve, &decided, &RunId("r".into()))).collect()
    }

    #[test]
    fn every_other_inner_level_is_advised_well_where_costs_are_even() {
        assert_eq!(found(&[("alone", &|bytes| bytes as f64)]), [], "one alone asks for no choice");
        let found = found(&[
            // They are equal at 30,000 bytes.
            ("small", &|bytes| (bytes as f64 / 30_000.0).powf(1.1)),
            ("large", &|bytes| (bytes as f64 / 30_000.0).powf(0.8)),
        ]);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(Case::is_good), "{found:?}");
    }

    #[test]
    fn advice_that_a_held_out_level_refutes_is_bad() {
        // At 8 KiB alone, which is held out, the other one is twice as fast.
        let found = found(&[
            ("usual", &|bytes| bytes as f64),
            ("odd", &|bytes| if bytes == 8192 { 0.5 } else { 2.0 } * bytes as f64),
        ]);
        let bad: Vec<&Case> = found.iter().filter(|case| !case.is_good()).collect();
        assert_eq!(bad.len(), 1, "{found:?}");
        assert!(bad[0].to_string().starts_with("8 KiB: advised usual, "), "{}", bad[0]);
    }
}
