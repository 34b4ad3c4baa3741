//! A run in the shape of hyperfine's `--export-json`, so that its scripts and the services that read it take our runs.
//!
//! The format holds a mean, a standard deviation and other statistics next to the raw times. They are computed here, and
//! not in `judge`, because they are part of the format and of nothing else: no page of ours shows or uses them.
//!
//! Shape: hyperfine 1.19, `src/benchmark/benchmark_result.rs`; times in seconds, `stddev` null for a single run,
//! `memory_usage_byte` absent when unknown, one exit code a run, null where unknown.

use std::collections::BTreeMap;

use judge::Decided;
use model::{Kind, Record, Sample, Source, TrialRecord};
use serde_json::{Value, json};

use crate::export::{Export, curves_skipped, median, name_of};

/// Exports a run as hyperfine would have: one entry a trial that has samples. Failures have no place in the format. `times` are
/// those of the whole process when the run compares processes, else those of the work. `user` and `system` are null when the system
/// did not report them. The values of the scans of `typed` are parameters.
pub fn export(record: &Record, decided: &Decided, typed: &Typed) -> Export {
    let skipped = curves_skipped(decided).into_iter().collect();
    Export { text: Some(format!("{:#}", results(record, typed))), skipped }
}

/// The arguments of typed commands, as far as the format holds it; nothing for any other run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Typed {
    /// The values of the scans by the name of the command that has them.
    pub points: BTreeMap<String, BTreeMap<String, String>>,
    /// True if any exit code was a good one. Then it was not looked at.
    pub any_exit: bool,
}

fn results(record: &Record, typed: &Typed) -> Value {
    let results: Vec<Value> = record.trials.iter().filter_map(|trial| entry(record, trial, typed)).collect();
    json!({ "results": results })
}

fn entry(record: &Record, trial: &TrialRecord, typed: &Typed) -> Option<Value> {
    let time = match record.design.compared(&trial.family).source {
        Source::Process => |sample: &Sample| sample.process_ns,
        // A metric that is no wall time has no column of its own here; what stays is the time of the work.
        _ => |sample: &Sample| sample.work_ns,
    };
    let timed: Vec<&Sample> = trial.samples.iter().filter(|sample| time(sample).is_some()).collect();
    let times: Vec<f64> = timed.iter().filter_map(|sample| time(sample)).map(seconds).collect();
    let mean = mean(&times)?;
    let values: [fn(&Sample) -> Option<u64>; 3] =
        [|one| one.usage.user_ns, |one| one.usage.system_ns, |one| one.usage.peak_memory_bytes];
    let [user, system, memory] =
        values.map(|value| timed.iter().map(|sample| value(sample)).collect::<Option<Vec<u64>>>());
    let [user, system] =
        [user, system].map(|all| self::mean(&all?.into_iter().map(seconds).collect::<Vec<_>>()));
    let mut sorted = times.clone();
    sorted.sort_by(f64::total_cmp);
    let mut entry = json!({
        "command": name_of(trial),
        "mean": mean,
        "stddev": deviation(&times, mean),
        "median": median(&sorted),
        "user": user,
        "system": system,
        "min": sorted.first(),
        "max": sorted.last(),
        "times": times,
        // Every other sample is proven, so every one of those processes ended well.
        "exit_codes": vec![(!typed.any_exit).then_some(0); times.len()],
        "parameters": scanned(trial, typed).map_or_else(|| json!(parameters(trial)), |own| json!(own)),
    });
    if let Some(bytes) = memory {
        entry["memory_usage_byte"] = json!(bytes);
    }
    Some(entry)
}

/// Nothing else may stand next to these: hyperfine's scripts take a second parameter for a second scan.
fn scanned<'a>(trial: &TrialRecord, typed: &'a Typed) -> Option<&'a BTreeMap<String, String>> {
    let command = trial.twin_of.as_ref().unwrap_or(&trial.technique);
    typed.points.get(command).filter(|point| !point.is_empty())
}

fn parameters(trial: &TrialRecord) -> BTreeMap<&'static str, String> {
    let mut parameters = BTreeMap::from([
        ("family", trial.family.clone()),
        ("technique", trial.technique.clone()),
        ("workload", trial.workload.name.clone()),
        ("attempt", trial.attempt.to_string()),
    ]);
    let conditions = &trial.setting.conditions;
    parameters.extend(conditions.cache.map(|cache| ("cache", cache.to_string())));
    parameters.extend(conditions.durability.map(|durability| ("durability", durability.to_string())));
    parameters.extend(trial.setting.directory().map(|of| ("directory", of.display().to_string())));
    if let (true, Some(kind)) = (trial.kind != Kind::BuiltIn, json!(trial.kind).as_str()) {
        parameters.insert("kind", kind.to_owned());
    }
    parameters
}

fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the sample standard deviation, with n - 1 as hyperfine has it.
fn deviation(values: &[f64], mean: f64) -> Option<f64> {
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests;
