//! Samples in JSON: plain objects, the export of a run, hyperfine's export.

use model::{Metric, Record, TrialRecord, Workload};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::attempts::{Row, settle};
use super::{Read, ReadError, refuse_value};
use crate::document::{Document, SCHEMA};
use crate::read::observations::Observation;
use crate::runs::compare_by;

/// The keys that show which of the known forms an object is.
#[derive(Default, Deserialize)]
pub(super) struct Keys {
    pub(super) schema: Option<u64>,
    trials: Option<IgnoredAny>,
    results: Option<IgnoredAny>,
}

pub(super) fn read(text: &str, by: Option<&str>, file: &str) -> Read<Vec<Observation>> {
    // Whether it is JSON at all, without keeping any of it: a large file in this form takes many times its size.
    typed::<IgnoredAny>(text, file)?;
    if text.trim_start().starts_with('[') {
        return refuse_another(by, plain(typed(text, file)?, file)?, file);
    }
    match typed(text, file)? {
        Keys { trials: Some(_), schema, .. } => run(text, schema, by, file),
        Keys { results: Some(_), .. } => refuse_another(by, blocks(typed(text, file)?, file)?, file),
        _ => {
            let problem = "this JSON is neither an array of samples, nor the export of a run (with 'trials'), nor \
                           hyperfine's export (with 'results')";
            Err(ReadError { place: file.to_owned(), problem: problem.to_owned() })
        }
    }
}

/// These forms hold one value a sample.
fn refuse_another(by: Option<&str>, observations: Vec<Observation>, file: &str) -> Read<Vec<Observation>> {
    let Some(name) = by else { return Ok(observations) };
    if observations.iter().all(|one| one.metric.as_ref().is_some_and(|metric| metric.is_called(name))) {
        return Ok(observations);
    }
    let problem = format!("these samples have one value each, and it is not called {name}");
    Err(ReadError { place: file.to_owned(), problem })
}

pub(super) fn typed<T: DeserializeOwned>(text: &str, file: &str) -> Read<T> {
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
    position: Option<u32>,
    technique: String,
    value: f64,
    #[serde(default)]
    inner: u32,
    family: Option<String>,
    workload: Option<AnyWorkload>,
}

fn plain(rows: Vec<Plain>, file: &str) -> Read<Vec<Observation>> {
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

/// Returns the samples of an exported run, by the metric of that name or by what the run compares.
fn run(text: &str, schema: Option<u64>, by: Option<&str>, file: &str) -> Read<Vec<Observation>> {
    let mut record = record(text, schema, file)?;
    if let Some(name) = by {
        compare_by(&mut record, name)
            .map_err(|refused| ReadError { place: file.to_owned(), problem: refused.to_string() })?;
        let design = &record.design;
        record.trials.retain(|trial| design.compared(&trial.family).is_called(name));
    }
    let design = &record.design;
    let rows = record.trials.iter().flat_map(|trial| of_trial(trial, design.compared(&trial.family)));
    let mut observations = settle(rows.collect());
    for observation in &mut observations {
        if observation.looks.is_empty() {
            observation.looks.clone_from(&design.looks);
        }
        observation.shared_by = Some(design.shared_by);
        observation.baseline = design.baselines.get(&observation.family).cloned();
        observation.along = design.curves.get(&observation.family).cloned();
        observation.curves_are_reported = true;
    }
    Ok(observations)
}

/// Returns an exported run. Keys that it does not know are skipped: some may join the schema.
pub(super) fn record(text: &str, schema: Option<u64>, file: &str) -> Read<Record> {
    let refuse = |place: String, problem: String| Err(ReadError { place, problem });
    let document: Document = match schema {
        // Schema 2 differs in what follows from the samples, which is not read.
        Some(SCHEMA | 2) => typed(text, file)?,
        Some(1) => upgraded(typed(text, file)?, file)?,
        Some(other) => {
            let problem = format!(
                "this is a run of schema {other}, and this bakeoff reads schema {SCHEMA}; read it with the bakeoff that wrote it"
            );
            return refuse(file.to_owned(), problem);
        }
        None => {
            let problem = "this JSON has no number 'schema': it is no run that bakeoff exported (bakeoff export RUN \
                           --format json)";
            return refuse(file.to_owned(), problem.to_owned());
        }
    };
    let record = document.into_record();
    if let Some(fault) = record.fault() {
        return refuse(format!("{file}, {}", fault.place), fault.problem);
    }
    Ok(record)
}

/// Schema 1 reported what is compared by its name alone, and counted the contests.
fn upgraded(mut earlier: Value, file: &str) -> Read<Document> {
    if let Some(design) = earlier.pointer_mut("/run/design").and_then(Value::as_object_mut) {
        let name = design.remove("metric");
        let metric = name.as_ref().and_then(Value::as_str).and_then(Metric::built_in).unwrap_or_default();
        design.insert("metric".to_owned(), json!(metric));
        let for_each = design.get("per_cell").and_then(Value::as_bool).unwrap_or(false);
        let shared_by = if for_each { None } else { design.remove("cells") };
        design.insert("shared_by".to_owned(), shared_by.unwrap_or(json!(1)));
    }
    serde_json::from_value(earlier)
        .map_err(|error| ReadError { place: file.to_owned(), problem: error.to_string() })
}

fn of_trial(trial: &TrialRecord, metric: &Metric) -> Vec<Row> {
    let with = |round: Option<u32>, position: Option<u32>, value: f64| Observation {
        family: trial.family.clone(),
        workload: trial.workload.clone(),
        setting: trial.setting.clone(),
        kind: trial.kind,
        twin_of: trial.twin_of.clone(),
        variant_of: trial.variant_of.clone(),
        metric: Some(metric.clone()),
        class: trial.class,
        attempt: trial.attempt,
        looks: trial.looks.clone(),
        round,
        position,
        ..Observation::new(0, trial.technique.clone(), value)
    };
    let samples = trial.samples.iter().map(|sample| {
        let value = metric.of(sample);
        let observation = with(Some(sample.round), Some(sample.position), value.unwrap_or(f64::INFINITY));
        Row::new(Observation { inner: sample.inner, ..observation }, &sample.notes, value.is_some())
    });
    let failures = trial.failures.iter().map(|failure| {
        let (failed, reason) = (Some(failure.kind), Some(failure.reason.clone()));
        let observation = with(failure.round, failure.position, f64::INFINITY);
        let needed_budget_ns = failure.shortfall.and_then(|shortfall| shortfall.needed_ns);
        Row::new(Observation { failure: failed, reason, needed_budget_ns, ..observation }, &[], true)
    });
    samples.chain(failures).collect()
}

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

/// Reads runs that come command by command: they are paired by their number, and marked.
fn blocks(blocks: Blocks, file: &str) -> Read<Vec<Observation>> {
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
                metric: Some(Metric::PROCESS),
                ..Observation::new(round as u32, name.clone(), seconds * NS_PER_S)
            });
        }
    }
    Ok(observations)
}
