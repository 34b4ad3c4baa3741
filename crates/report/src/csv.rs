//! Every sample of a run as comma-separated values (RFC 4180), one row a sample.
//!
//! The first columns are those that `bakeoff judge` reads, so that anybody can judge the samples again. A cell whose value
//! is not known is empty.

use model::{Class, Kind, Record, Sample, TrialRecord};

use crate::phrase;

const COLUMNS: [&str; 33] = [
    "family",
    "workload",
    "setting",
    "round",
    "inner",
    "position",
    "technique",
    "value",
    "metric",
    "kind",
    "twin_of",
    "class",
    "attempt",
    "work_ns",
    "process_ns",
    "repetitions",
    "user_ns",
    "system_ns",
    "minor_faults",
    "major_faults",
    "voluntary_switches",
    "involuntary_switches",
    "peak_memory_bytes",
    "read_bytes",
    "written_bytes",
    "resident_pages_before",
    "total_pages_before",
    "proof_bytes",
    "proof_digest",
    "workload_bytes",
    "phases_ns",
    "notes",
    "run",
];

/// All samples of a run. `value` is the metric of the run's design, in the unit that the column `metric` names.
pub fn samples(record: &Record) -> String {
    let mut out = COLUMNS.join(",") + "\r\n";
    for trial in &record.trials {
        let contest = contest(record, trial);
        for sample in &trial.samples {
            out.push_str(&row(record, trial, &contest, sample).map(|cell| quoted(&cell)).join(","));
            out.push_str("\r\n");
        }
    }
    out
}

/// A cell with a comma, a quote or a line break stands in quotes, and its own quotes are doubled.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

fn row(record: &Record, trial: &TrialRecord, contest: &str, sample: &Sample) -> [String; 33] {
    let known = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    let usage = &sample.usage;
    let metric = record.design.metric;
    let phases: Vec<String> = sample.phases_ns.iter().map(|(name, ns)| format!("{name}={ns}")).collect();
    [
        trial.family.clone(),
        contest.to_owned(),
        phrase::setting(&trial.setting),
        sample.round.to_string(),
        sample.inner.to_string(),
        sample.position.to_string(),
        trial.technique.clone(),
        known(metric.of(sample)),
        metric.key().to_owned(),
        kind(trial.kind).to_owned(),
        trial.twin_of.clone().unwrap_or_default(),
        class(trial.class).to_owned(),
        trial.attempt.to_string(),
        known(sample.work_ns),
        known(sample.process_ns),
        sample.repetitions.to_string(),
        known(usage.user_ns),
        known(usage.system_ns),
        known(usage.minor_faults),
        known(usage.major_faults),
        known(usage.voluntary_switches),
        known(usage.involuntary_switches),
        known(usage.peak_memory_bytes),
        known(usage.read_bytes),
        known(usage.written_bytes),
        known(sample.resident_before.map(|pages| pages.resident_pages)),
        known(sample.resident_before.map(|pages| pages.total_pages)),
        sample.proof.bytes.to_string(),
        sample.proof.digest.clone(),
        known(trial.workload.bytes()),
        phases.join("; "),
        sample.notes.join("; "),
        record.id.0.clone(),
    ]
}

/// The workload's name, which alone tells `judge` the contests of a family apart: where a run asked one workload in several
/// settings, classes or attempts, these stand behind the name, so that their samples are never mixed.
fn contest(record: &Record, trial: &TrialRecord) -> String {
    let key = |one: &TrialRecord| (one.workload.clone(), one.setting.clone(), one.class, one.attempt);
    let same_name = |one: &&TrialRecord| {
        !one.samples.is_empty() && one.family == trial.family && one.workload.name == trial.workload.name
    };
    let mine = key(trial);
    if record.trials.iter().filter(same_name).all(|one| key(one) == mine) {
        return trial.workload.name.clone();
    }
    let mut parts = vec![
        phrase::workload(&trial.workload),
        phrase::setting(&trial.setting),
        class(trial.class).to_owned(),
    ];
    if trial.attempt > 0 {
        parts.push(format!("attempt {}", trial.attempt));
    }
    parts.join(", ")
}

fn class(class: Class) -> &'static str {
    match class {
        Class::MovesBytes => "moves-bytes",
        Class::SharesExtents => "shares-extents",
    }
}

/// The word of a kind in files.
pub(crate) fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::BuiltIn => "built-in",
        Kind::Contender => "contender",
        Kind::Twin => "twin",
        Kind::Ceiling => "ceiling",
    }
}

#[cfg(test)]
mod tests;
