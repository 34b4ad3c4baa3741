//! A run as text in Go's benchmark format, which benchstat reads: one line a sample.
//!
//! Shape: the proposal "Go Benchmark Data Format" with the units that `golang.org/x/perf` adds. A name has the keys `workload` and
//! `technique`, so that `benchstat -col /technique` puts the techniques side by side. Lines of configuration hold what must be equal
//! for two figures to be compared: benchstat splits its tables by them, so neither the run nor its date stands there.

use std::collections::{BTreeMap, BTreeSet};

use judge::Decided;
use model::{Better, Metric, Record, Source, Unit, title};

use crate::export::{Export, Exported, exported, numbered};
use crate::text::layout::plain;

/// The counted samples of a run, a line each.
pub fn export(record: &Record, decided: &Decided) -> Export {
    let (entries, skipped) = exported(record, decided, |_| None);
    let mut lines = units(&entries);
    let mut known = BTreeMap::new();
    let mut names = BTreeMap::new();
    for entry in &entries {
        for (key, value) in configuration(record, entry) {
            if known.get(key).map_or("", String::as_str) != value {
                lines.push(format!("{key}: {value}").trim_end().to_owned());
                known.insert(key, value);
            }
        }
        let name = name(record, entry, &entries, names.entry(known.clone()).or_default());
        let unit = unit(entry.metric());
        for (sample, value) in &entry.counted {
            lines.push(format!("{name} {} {value} {unit}", sample.repetitions.max(1)));
        }
    }
    Export { text: (!entries.is_empty()).then(|| lines.join("\n")), skipped }
}

/// Returns, for each unit once, whether more or less of it is better.
fn units(entries: &[Exported<'_>]) -> Vec<String> {
    let all = entries.iter().map(|entry| match entry.metric().better {
        Better::Less => (unit(entry.metric()), "lower"),
        Better::More => (unit(entry.metric()), "higher"),
    });
    let all: BTreeMap<String, &str> = all.collect();
    all.into_iter().map(|(unit, better)| format!("Unit {unit} better={better}")).collect()
}

/// Go's units: `ns/op`, `B/s`. benchstat finds `ns` and `B` in them and shows seconds and bytes.
fn unit(metric: &Metric) -> String {
    let key = &*metric.key;
    let head = match title(key) {
        "ns" | "bytes" | "bytes_per_second" => String::new(),
        head => format!("{}-", head.replace('_', "-")),
    };
    match metric.unit() {
        Unit::Nanoseconds if matches!(metric.source, Source::Work | Source::Process) => "ns/op".to_owned(),
        Unit::Nanoseconds => format!("{head}ns/op"),
        Unit::Bytes => format!("{head}B"),
        Unit::BytesPerSecond => format!("{head}B/s"),
        Unit::PerSecond => format!("{}/s", key.trim_end_matches("_per_second").replace('_', "-")),
        Unit::Count => format!("{}/op", key.replace('_', "-")),
    }
}

/// Returns what must be equal, by its key; empty where it is not known.
fn configuration(record: &Record, entry: &Exported<'_>) -> [(&'static str, String); 8] {
    let (host, conditions) = (&record.host, &entry.trial.setting.conditions);
    let known = [
        ("goos", Some(host.os.family.clone())),
        ("goarch", Some(architecture(&host.processor.architecture).to_owned())),
        ("pkg", Some(entry.trial.family.clone())),
        ("cpu", host.processor.model.clone()),
        ("cache", conditions.cache.map(|cache| cache.to_string())),
        ("durability", conditions.durability.map(|durability| durability.to_string())),
        ("file-system", conditions.file_system.clone()),
        ("memory-limit-bytes", conditions.memory_limit_bytes.map(|bytes| bytes.to_string())),
    ];
    known.map(|(key, text)| (key, plain(text.unwrap_or_default().trim())))
}

fn architecture(ours: &str) -> &str {
    match ours {
        "x86_64" => "amd64",
        "x86" => "386",
        "aarch64" => "arm64",
        other => other,
    }
}

/// `BenchmarkCopy/workload=25.6MB/technique=read_write@256K-2`, with the number of processors last. It begins with a capital and
/// holds no space. The directory is a part of it only where a run has several.
fn name(
    record: &Record, entry: &Exported<'_>, entries: &[Exported<'_>], known: &mut BTreeSet<String>,
) -> String {
    let trial = entry.trial;
    let mut name = format!("Benchmark{}", capital(&part(&trial.family)));
    name.push_str(&format!("/workload={}", part(&trial.workload.name)));
    let directory = trial.setting.directory();
    let mut family = entries.iter().map(|other| &other.trial).filter(|other| other.family == trial.family);
    if family.any(|other| other.setting.directory() != directory) {
        name.extend(directory.map(|path| format!("/directory={}", part(&path.display().to_string()))));
    }
    name.push_str(&format!("/technique={}", part(&trial.technique)));
    let name = numbered(&name, known);
    let processors = match trial.setting.conditions.processors.len() {
        0 => record.host.processor.allowed.len(),
        limited => limited,
    };
    if processors == 0 { name } else { format!("{name}-{processors}") }
}

/// A name without what ends a name or a part of it.
fn part(text: &str) -> String {
    plain(text).replace(|c: char| c.is_whitespace() || c.is_control() || c == '/', "_")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests;
