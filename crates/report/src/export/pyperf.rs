//! A run as pyperf keeps it, so that `pyperf compare_to`, `stats`, `hist` and `check` read our samples.
//!
//! Shape: pyperf's JSON, version 1.0. One benchmark an entry, one run a round; round 0 stands among the warm-up values of the first
//! one. Times are in seconds, amounts in bytes, counts are integers. pyperf takes smaller values for better ones and refuses
//! zero: rates and values of zero have no place in it.

use judge::Decided;
use model::{Better, Host, Metric, Processor, Record, Sample, Unit};
use serde_json::{Map, Value, json};

use crate::export::{Export, Exported, exported};
use crate::text::layout::plain;
use crate::words::phrase::joined;

/// The samples of a run, entry by entry.
pub fn export(record: &Record, decided: &Decided) -> Export {
    let (entries, skipped) = exported(record, decided, why_not);
    let benchmarks: Vec<Value> = entries.iter().map(benchmark).collect();
    let document = json!({ "benchmarks": benchmarks, "metadata": of_host(record), "version": "1.0" });
    Export { text: (!benchmarks.is_empty()).then(|| format!("{document:#}")), skipped }
}

/// Returns pyperf's name of a unit, and what one of ours is in it.
fn unit(metric: &Metric) -> Option<(&'static str, f64)> {
    match metric.unit() {
        _ if metric.better == Better::More => None,
        Unit::Nanoseconds => Some(("second", 1e9)),
        Unit::Bytes => Some(("byte", 1.0)),
        Unit::Count => Some(("integer", 1.0)),
        Unit::BytesPerSecond | Unit::PerSecond => None,
    }
}

fn why_not(entry: &Exported<'_>) -> Option<String> {
    let metric = entry.metric();
    if unit(metric).is_none() {
        let (key, family) = (&metric.key, &entry.trial.family);
        return Some(format!("{key} of {family} is skipped: pyperf has no rates, and takes less for better"));
    }
    let is_zero = entry.values().any(|value| value <= 0.0);
    is_zero.then(|| format!("{} is skipped: pyperf refuses a value of 0", entry.name))
}

fn benchmark(entry: &Exported<'_>) -> Value {
    let (unit, divisor) = unit(entry.metric()).unwrap_or(("second", 1e9));
    let mut runs: Vec<Value> = Vec::new();
    let mut warmups: Vec<Value> =
        entry.uncounted.iter().map(|(sample, value)| json!([loops(sample), value / divisor])).collect();
    let runs_of = entry.counted.chunk_by(|a, b| a.0.round == b.0.round && loops(a.0) == loops(b.0));
    for of_run in runs_of {
        let values: Vec<f64> = of_run.iter().map(|(_, value)| value / divisor).collect();
        let mut run = json!({ "metadata": of_run_metadata(of_run), "values": values });
        if !warmups.is_empty() {
            run["warmups"] = Value::Array(std::mem::take(&mut warmups));
        }
        runs.push(run);
    }
    json!({ "metadata": of_entry(entry, unit), "runs": runs })
}

/// Returns how often the work was done in the timed stretch.
fn loops(sample: &Sample) -> u64 {
    sample.repetitions.max(1)
}

/// Returns what is true of one run: samples of one round.
fn of_run_metadata(samples: &[(&Sample, f64)]) -> Value {
    let mut metadata = Map::new();
    metadata.insert("loops".into(), json!(samples.first().map_or(1, |(sample, _)| loops(sample))));
    if let [(sample, _)] = samples {
        let memory = sample.usage.peak_memory_bytes.filter(|&bytes| bytes > 0);
        metadata.extend(memory.map(|bytes| ("mem_max_rss".to_owned(), json!(bytes))));
        let duration = sample.process_ns.map(|ns| ns as f64 / 1e9);
        metadata.extend(duration.map(|seconds| ("duration".to_owned(), json!(seconds))));
    }
    Value::Object(metadata)
}

fn of_entry(entry: &Exported<'_>, unit: &str) -> Value {
    let (trial, metric) = (entry.trial, entry.metric());
    let conditions = &trial.setting.conditions;
    metadata([
        ("name", Some(entry.name.clone())),
        ("unit", Some(unit.to_owned())),
        ("description", Some(metric.what.to_string())),
        ("family", Some(trial.family.clone())),
        ("technique", Some(trial.technique.clone())),
        ("workload", Some(trial.workload.name.clone())),
        ("cache", conditions.cache.map(|cache| cache.to_string())),
        ("durability", conditions.durability.map(|durability| durability.to_string())),
        ("file_system", conditions.file_system.clone()),
        ("directory", trial.setting.directory().map(|path| path.display().to_string())),
    ])
}

/// Returns what is true of all: pyperf's own keys, where it is known.
fn of_host(record: &Record) -> Value {
    let Host { name, os, processor, load, uptime_s, clock_source, .. } = &record.host;
    let Processor { model, architecture, logical, .. } = processor;
    let platform = [Some(os.family.clone()), os.kernel.clone(), Some(architecture.clone())];
    let platform = joined(platform.into_iter().flatten().filter(|part| !part.is_empty()), "-");
    let mut all = metadata([
        ("date", Some(record.started.clone())),
        ("hostname", name.clone()),
        ("platform", platform),
        ("cpu_model_name", model.clone()),
        ("cpu_machine", Some(architecture.clone())),
        ("clocksource", clock_source.clone()),
        ("bakeoff_version", Some(record.tool.version.clone())),
        ("bakeoff_run", Some(record.id.0.clone())),
    ]);
    let numbers = [
        ("cpu_count", logical.map(|count| json!(count))),
        ("load_avg_1min", load.map(|load| json!(load[0]))),
        ("uptime", uptime_s.map(|seconds| json!(seconds))),
    ];
    for (key, number) in numbers {
        number.into_iter().for_each(|number| all[key] = number);
    }
    all
}

/// pyperf refuses empty texts, and texts of several lines.
fn metadata<const N: usize>(pairs: [(&str, Option<String>); N]) -> Value {
    let known = pairs.into_iter().filter_map(|(key, text)| {
        let text = plain(&text?).trim().to_owned();
        (!text.is_empty()).then(|| (key.to_owned(), text.into()))
    });
    Value::Object(known.collect())
}

#[cfg(test)]
mod tests;
