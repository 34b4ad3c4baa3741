//! Samples in JSON: plain objects, the export of a run, hyperfine's export.

use std::collections::BTreeMap;

use model::{Along, Class, FailureKind, Kind, Quantity, SampleNote, Setting, Shortfall, Source, Workload};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use super::attempts::{Row, settle};
use super::{ReadError, refuse_value};
use crate::looks::{LOOKS_RULE, are_looks};
use crate::observations::Observation;

pub(super) fn read(text: &str, file: &str) -> Result<Vec<Observation>, ReadError> {
    // Whether it is JSON at all, without keeping any of it: a large file in this form takes many times its size.
    typed::<IgnoredAny>(text, file)?;
    if text.trim_start().starts_with('[') {
        return plain(typed(text, file)?, file);
    }
    let keys: BTreeMap<String, IgnoredAny> = serde_json::from_str(text).unwrap_or_default();
    match keys {
        keys if keys.contains_key("trials") => run(typed(text, file)?, file),
        keys if keys.contains_key("results") => blocks(typed(text, file)?, file),
        _ => Err(ReadError {
            place: file.to_owned(),
            problem:
                "this JSON is neither an array of samples, nor the export of a run (with 'trials'), nor \
                      hyperfine's export (with 'results')"
                    .to_owned(),
        }),
    }
}

fn typed<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, ReadError> {
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        // serde_json ends its message in the place, which stands in front here. What it quotes may hold the same words.
        let problem = message.rsplit_once(" at line ").map_or(&*message, |(problem, _)| problem).to_owned();
        ReadError { place: format!("{file}, line {line}, column {column}"), problem }
    })
}

/// A workload by its name alone, or in full.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnyWorkload {
    Name(String),
    Full(Workload),
}

#[derive(Deserialize)]
struct Plain {
    round: u32,
    #[serde(default)]
    position: Option<u32>,
    technique: String,
    value: f64,
    #[serde(default)]
    inner: u32,
    #[serde(default)]
    family: Option<String>,
    #[serde(default)]
    workload: Option<AnyWorkload>,
}

fn plain(rows: Vec<Plain>, file: &str) -> Result<Vec<Observation>, ReadError> {
    let mut observations = Vec::with_capacity(rows.len());
    for (index, row) in rows.into_iter().enumerate() {
        if let Some(problem) = refuse_value(row.value) {
            let place = format!("{file}, sample {}, key value", index + 1);
            return Err(ReadError { place, problem: format!("'{}' {problem}", row.value) });
        }
        let mut observation = Observation::new(row.round, row.technique, row.value);
        observation.position = row.position;
        observation.inner = row.inner;
        observation.family = row.family.unwrap_or(observation.family);
        match row.workload {
            Some(AnyWorkload::Name(name)) => observation.workload.name = name,
            Some(AnyWorkload::Full(workload)) => observation.workload = workload,
            None => {}
        }
        observations.push(observation);
    }
    Ok(observations)
}

/// The export of a run, as far as a verdict needs it.
#[derive(Deserialize)]
struct Run {
    #[serde(default)]
    run: RunHead,
    trials: Vec<RunTrial>,
    /// Schema 1.
    #[serde(default)]
    rankings: Vec<RunRanking>,
}

#[derive(Default, Deserialize)]
struct RunHead {
    #[serde(default)]
    design: RunDesign,
}

/// What was fixed before the first round.
#[derive(Default, Deserialize)]
struct RunDesign {
    #[serde(default)]
    looks: Vec<u32>,
    #[serde(default)]
    shared_by: Option<u32>,
    #[serde(default)]
    references: BTreeMap<String, String>,
    #[serde(default)]
    quantity: Option<Quantity>,
    #[serde(default)]
    quantities: BTreeMap<String, Vec<Quantity>>,
    #[serde(default)]
    curves: BTreeMap<String, Along>,
    /// Schema 1.
    #[serde(default)]
    cells: Option<u32>,
    /// Schema 1.
    #[serde(default)]
    per_cell: bool,
}

#[derive(Deserialize)]
struct RunRanking {
    metric: String,
}

#[derive(Deserialize)]
struct RunTrial {
    family: String,
    technique: String,
    kind: Kind,
    #[serde(default)]
    twin_of: Option<String>,
    #[serde(default)]
    variant_of: Option<String>,
    #[serde(default)]
    class: Class,
    workload: Workload,
    #[serde(default)]
    setting: Setting,
    #[serde(default)]
    attempt: u32,
    #[serde(default)]
    looks: Vec<u32>,
    #[serde(default)]
    samples: Vec<RunSample>,
    #[serde(default)]
    failures: Vec<RunFailure>,
}

#[derive(Deserialize)]
struct RunSample {
    round: u32,
    #[serde(default)]
    inner: u32,
    #[serde(default)]
    position: Option<u32>,
    #[serde(default)]
    notes: Vec<SampleNote>,
    /// Everything else: times and counters by their key, and what the technique told under `values`.
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct RunFailure {
    #[serde(default)]
    round: Option<u32>,
    #[serde(default)]
    position: Option<u32>,
    kind: FailureKind,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    shortfall: Shortfall,
}

impl RunSample {
    fn value(&self, quantity: &Quantity) -> Option<f64> {
        let of = |key: &str| self.rest.get(key).and_then(Value::as_f64);
        let together = |one: &str, other: &str| match (of(one), of(other)) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        match (quantity.source, &*quantity.key) {
            (Source::Value, key) => self.rest.get("values")?.get(key)?.as_f64(),
            (_, "cpu_ns") => Some(of("user_ns")? + of("system_ns")?),
            (_, "faults") => together("minor_faults", "major_faults"),
            (_, "switches") => together("voluntary_switches", "involuntary_switches"),
            (_, key) => of(key),
        }
    }
}

fn run(run: Run, file: &str) -> Result<Vec<Observation>, ReadError> {
    refuse_looks(&run, file)?;
    let design = &run.run.design;
    let named = |ranking: &RunRanking| Quantity::built_in(&ranking.metric);
    let measured = |quantity: &Quantity| {
        run.trials.iter().flat_map(|trial| &trial.samples).any(|sample| sample.value(quantity).is_some())
    };
    let of_all = design.quantity.clone().or_else(|| run.rankings.iter().find_map(named));
    let of_all = of_all.or_else(|| Quantity::BUILT_IN.into_iter().find(measured)).unwrap_or_default();
    let of_family = |family: &str| {
        let declared = design.quantities.get(family).and_then(|declared| declared.first());
        declared.unwrap_or(&of_all)
    };
    let shared_by = if design.per_cell { Some(1) } else { design.shared_by.or(design.cells) };
    let mut observations =
        settle(run.trials.iter().flat_map(|trial| of_trial(trial, of_family(&trial.family))).collect());
    for observation in &mut observations {
        if observation.looks.is_empty() {
            observation.looks.clone_from(&design.looks);
        }
        observation.shared_by = shared_by;
        observation.reference = design.references.get(&observation.family).cloned();
        observation.along = design.curves.get(&observation.family).cloned();
    }
    Ok(observations)
}

/// Looks are what they must be on a command line, too.
fn refuse_looks(run: &Run, file: &str) -> Result<(), ReadError> {
    let refusal = |place: String| ReadError { place, problem: format!("the looks {LOOKS_RULE}") };
    if !are_looks(&run.run.design.looks) {
        return Err(refusal(format!("{file}, run, design, key looks")));
    }
    match run.trials.iter().position(|trial| !are_looks(&trial.looks)) {
        Some(place) => Err(refusal(format!("{file}, trial {}, key looks", place + 1))),
        None => Ok(()),
    }
}

fn of_trial(trial: &RunTrial, quantity: &Quantity) -> Vec<Row> {
    let with = |round: Option<u32>, position: Option<u32>, value: f64| Observation {
        family: trial.family.clone(),
        workload: trial.workload.clone(),
        setting: trial.setting.clone(),
        kind: trial.kind,
        twin_of: trial.twin_of.clone(),
        variant_of: trial.variant_of.clone(),
        quantity: Some(quantity.clone()),
        class: trial.class,
        attempt: trial.attempt,
        looks: trial.looks.clone(),
        round,
        position,
        ..Observation::new(0, trial.technique.clone(), value)
    };
    let samples = trial.samples.iter().map(|sample| {
        let value = sample.value(quantity);
        let observation = with(Some(sample.round), sample.position, value.unwrap_or(f64::INFINITY));
        Row::new(Observation { inner: sample.inner, ..observation }, &sample.notes, value.is_some())
    });
    let failures = trial.failures.iter().map(|failure| {
        let (failed, reason) = (Some(failure.kind), failure.reason.clone());
        let observation = with(failure.round, failure.position, f64::INFINITY);
        let needed_budget_ns = failure.shortfall.needed_ns;
        Row::new(Observation { failure: failed, reason, needed_budget_ns, ..observation }, &[], true)
    });
    samples.chain(failures).collect()
}

/// hyperfine's export.
#[derive(Deserialize)]
struct Blocks {
    results: Vec<Block>,
}

#[derive(Deserialize)]
struct Block {
    command: String,
    /// Seconds.
    #[serde(default)]
    times: Vec<f64>,
}

/// All runs of a command come before the runs of the next: they are paired by their number, and marked.
fn blocks(blocks: Blocks, file: &str) -> Result<Vec<Observation>, ReadError> {
    const NS_PER_S: f64 = 1e9;
    let mut observations = Vec::new();
    for (index, block) in blocks.results.iter().enumerate() {
        let before = blocks.results[..index].iter().filter(|other| other.command == block.command).count();
        let name =
            if before == 0 { block.command.clone() } else { format!("{} ({})", block.command, before + 1) };
        for (round, &seconds) in block.times.iter().enumerate() {
            if let Some(problem) = refuse_value(seconds) {
                let place = format!("{file}, result {}, time {}", index + 1, round + 1);
                return Err(ReadError { place, problem: format!("'{seconds}' {problem}") });
            }
            observations.push(Observation {
                interleaved: false,
                quantity: Some(Quantity::PROCESS),
                ..Observation::new(round as u32, name.clone(), seconds * NS_PER_S)
            });
        }
    }
    Ok(observations)
}
