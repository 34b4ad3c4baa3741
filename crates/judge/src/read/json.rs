//! Samples in JSON: plain objects, the export of a run, hyperfine's export.

use model::{Metric, Record, Workload};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};

use super::{Read, ReadError, Samples, refuse_value};
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

pub(super) fn read(text: &str, by: Option<&str>, file: &str) -> Read<Samples> {
    // Whether it is JSON at all, without keeping any of it: a large file in this form takes many times its size.
    typed::<IgnoredAny>(text, file)?;
    if text.trim_start().starts_with('[') {
        return refuse_another(by, plain(typed(text, file)?, file)?, file).map(Samples::Plain);
    }
    match typed(text, file)? {
        Keys { trials: Some(_), schema, .. } => {
            run(text, schema, by, file).map(|run| Samples::Run(Box::new(run)))
        }
        Keys { results: Some(_), .. } => {
            refuse_another(by, blocks(typed(text, file)?, file)?, file).map(Samples::Plain)
        }
        _ => {
            let problem = "this JSON is neither an array of samples, nor the export of a run (with 'trials'), nor \
                           hyperfine's export (with 'results')";
            Err(ReadError { place: file.to_owned(), problem: problem.to_owned() })
        }
    }
}

/// Refuses a metric by another name than that of the one value that a sample of these forms has.
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

/// Returns an exported run, to be judged by the metric of that name or by what the run compares.
fn run(text: &str, schema: Option<u64>, by: Option<&str>, file: &str) -> Read<Record> {
    let mut record = record(text, schema, file)?;
    if let Some(name) = by {
        compare_by(&mut record, name)
            .map_err(|refused| ReadError { place: file.to_owned(), problem: refused.to_string() })?;
        let design = &record.design;
        record.trials.retain(|trial| design.compared(&trial.family).is_called(name));
    }
    Ok(record)
}

/// Returns an exported run. Keys that it does not know are skipped: some may join the schema.
pub(super) fn record(text: &str, schema: Option<u64>, file: &str) -> Read<Record> {
    let document: Document = match schema {
        // Schema 2 differs in what follows from the samples, which is not read.
        Some(SCHEMA | 2) => typed(text, file)?,
        Some(1) => upgraded(typed(text, file)?, file)?,
        Some(other) => {
            let problem = format!(
                "this is a run of schema {other}, and this bakeoff reads schema {SCHEMA}; read it with the bakeoff that wrote it"
            );
            return Err(ReadError { place: file.to_owned(), problem });
        }
        None => {
            let problem = "this JSON has no number 'schema': it is no run that bakeoff exported (bakeoff export RUN \
                           --format json)";
            return Err(ReadError { place: file.to_owned(), problem: problem.to_owned() });
        }
    };
    let record = document.into_record();
    if let Some(fault) = record.fault() {
        return Err(ReadError { place: format!("{file}, {}", fault.place), problem: fault.problem });
    }
    Ok(record)
}

/// Upgrades a run of schema 1, which had the metric by its name alone, and the number of contests.
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
