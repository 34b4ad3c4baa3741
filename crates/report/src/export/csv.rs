//! Every sample and every failure of a run as comma-separated values (RFC 4180), one row each.
//!
//! `bakeoff judge` reads them and says the same as the run itself: next to the value stand the conditions, the class, the
//! attempt and the looks that were announced. A cell whose value is not known is empty. Each row also shows where its entry
//! stands, and its factor.
//!
//! Spreadsheets take a cell that begins with one of `= + - @` for a formula. Where a text begins so, an apostrophe stands
//! in front, as spreadsheets write it themselves; `bakeoff judge` takes it away again.

use std::collections::BTreeMap;

use csv::{Terminator, WriterBuilder};
use judge::{Entry, Ranking};
use model::{Failure, Record, Sample, TrialRecord};
use serde::Serialize;
use serde_json::json;

use crate::export::is_of;
use crate::words::phrase;

/// All samples and failures of a run. `value` is what the run compares, in the unit that stands last in the column `metric`.
pub fn samples(record: &Record, rankings: &[Ranking]) -> String {
    let mut table = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let mut is_first = true;
    for trial in &record.trials {
        let samples = trial.samples.iter().map(|sample| (Some(sample), None));
        let failures = trial.failures.iter().map(|failure| (None, Some(failure)));
        // Trials of an earlier attempt stand nowhere.
        let mut own = rankings.iter().filter(|ranking| is_of(trial, ranking));
        let entry = own.find_map(|ranking| ranking.entry(&trial.technique));
        for (sample, failure) in samples.chain(failures) {
            let row = row(record, trial, entry, sample, failure);
            let names = std::mem::take(&mut is_first).then(|| row.iter().map(|(name, _)| *name));
            names.into_iter().for_each(|names| table.write_record(names).expect("memory takes it"));
            table.write_record(row.iter().map(|(_, cell)| cell)).expect("memory takes it");
        }
    }
    let bytes = table.into_inner().expect("memory takes it");
    String::from_utf8(bytes).expect("only text was written")
}

/// A cell behind its column.
type Named = (&'static str, String);

/// The characters that begin a formula in a spreadsheet.
const FORMULAS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// Returns a text that is never a formula.
fn text(text: impl Into<String>) -> String {
    let text = text.into();
    // One that has apostrophes of its own before it gets another, since one is taken away.
    if text.trim_start_matches('\'').starts_with(FORMULAS) { format!("'{text}") } else { text }
}

/// Returns a value as text; empty where it is not known. A number without a fraction is written without one.
fn known(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn word(value: impl Serialize) -> String {
    json!(value).as_str().unwrap_or_default().to_owned()
}

fn listed<T: ToString>(all: &[T], by: &str) -> String {
    all.iter().map(T::to_string).collect::<Vec<_>>().join(by)
}

fn pairs<'a, T: ToString>(pairs: impl IntoIterator<Item = (&'a str, T)>) -> String {
    let pairs = pairs.into_iter().map(|(name, value)| format!("{name}={}", value.to_string()));
    listed(&pairs.collect::<Vec<_>>(), "; ")
}

/// A text may hold any character: JSON, as nothing shorter keeps it.
fn texts(shape: &BTreeMap<&str, &str>) -> String {
    if shape.is_empty() { String::new() } else { json!(shape).to_string() }
}

/// Returns what was measured next to the value.
fn of_sample(sample: Option<&Sample>) -> [Named; 19] {
    let usage = sample.map(|sample| sample.usage).unwrap_or_default();
    let pages = sample.and_then(|sample| sample.resident_before);
    [
        ("work_ns", known(sample.and_then(|sample| sample.work_ns))),
        ("process_ns", known(sample.and_then(|sample| sample.process_ns))),
        ("repetitions", known(sample.map(|sample| sample.repetitions))),
        ("user_ns", known(usage.user_ns)),
        ("system_ns", known(usage.system_ns)),
        ("minor_faults", known(usage.minor_faults)),
        ("major_faults", known(usage.major_faults)),
        ("voluntary_switches", known(usage.voluntary_switches)),
        ("involuntary_switches", known(usage.involuntary_switches)),
        ("peak_memory_bytes", known(usage.peak_memory_bytes)),
        ("read_bytes", known(usage.read_bytes)),
        ("written_bytes", known(usage.written_bytes)),
        ("run_delay_ns", known(usage.run_delay_ns)),
        ("processor_before", known(sample.and_then(|sample| sample.processor_before))),
        ("processor_after", known(sample.and_then(|sample| sample.processor_after))),
        ("resident_pages_before", known(pages.map(|pages| pages.resident_pages))),
        ("total_pages_before", known(pages.map(|pages| pages.total_pages))),
        ("proof_bytes", known(sample.map(|sample| sample.proof.bytes))),
        ("proof_digest", text(sample.map_or("", |sample| &sample.proof.digest))),
    ]
}

/// Returns the cells of a sample or a failure behind their columns, in the columns' order. A failure has no value, and one from before
/// the first round has no round either.
fn row(
    record: &Record, trial: &TrialRecord, entry: Option<&Entry>, sample: Option<&Sample>,
    failure: Option<&Failure>,
) -> Vec<Named> {
    let (setting, workload, design) = (&trial.setting, &trial.workload, &record.design);
    let conditions = &setting.conditions;
    let metric = design.compared(&trial.family);
    let along = design.curves.get(&trial.family);
    let level = along.and_then(|along| workload.number(&along.axis));
    let of_entry = |number: fn(&Entry) -> Option<f64>| known(entry.and_then(number));
    let of = |told: fn(&Sample) -> String| sample.map_or(String::new(), told);
    let mut cells = vec![
        ("family", text(&trial.family)),
        ("workload", text(&workload.name)),
        ("setting", text(phrase::setting(setting, true))),
        ("round", known(sample.map(|one| one.round).or(failure.and_then(|one| one.round)))),
        ("inner", known(sample.map(|one| one.inner))),
        ("position", known(sample.map(|one| one.position).or(failure.and_then(|one| one.position)))),
        ("technique", text(&trial.technique)),
        ("value", known(sample.and_then(|sample| metric.of(sample)))),
        ("failure", known(failure.map(|failure| failure.kind))),
        ("reason", text(failure.map_or("", |failure| &failure.reason))),
        ("metric", text(&*metric.key)),
        ("better", word(metric.better)),
        ("what", text(&*metric.what)),
        ("kind", word(trial.kind)),
        ("twin_of", text(trial.twin_of.as_deref().unwrap_or_default())),
        ("variant_of", text(trial.variant_of.as_deref().unwrap_or_default())),
        ("class", trial.class.to_string()),
        ("attempt", trial.attempt.to_string()),
    ];
    cells.extend(of_sample(sample));
    cells.extend([
        ("workload_numbers", text(pairs(workload.point.numbers()))),
        ("workload_shape", text(texts(&workload.point.words().collect()))),
        ("cache", known(conditions.cache)),
        ("durability", known(conditions.durability)),
        ("directory", text(setting.directory().map_or("".into(), |path| path.to_string_lossy()))),
        ("file_system", text(conditions.file_system.as_deref().unwrap_or_default())),
        ("processors", listed(&conditions.processors, " ")),
        ("memory_limit_bytes", known(conditions.memory_limit_bytes)),
        ("looks", listed(if trial.looks.is_empty() { &design.looks } else { &trial.looks }, " ")),
        ("shared_by", design.shared_by.to_string()),
        ("baseline", text(design.baseline(&trial.family, trial.class).map_or("", String::as_str))),
        ("values", of(|sample| text(pairs(sample.values.iter().map(|(key, value)| (key.as_str(), value)))))),
        ("histograms", of(|sample| text(pairs(sample.histograms.iter().map(|(key, told)| (&**key, told)))))),
        ("notes", of(|sample| text(listed(&sample.notes, "; ")))),
        ("run", text(&record.id.0)),
        ("standing", entry.map_or(String::new(), |entry| word(entry.standing))),
        ("factor", of_entry(|entry| entry.factor)),
        ("factor_low", of_entry(|entry| entry.factor_low)),
        ("factor_high", of_entry(|entry| entry.factor_high)),
        ("left_after_round", known(entry.and_then(|entry| entry.left_after_round))),
        ("needed_budget_ns", known(failure.and_then(|failure| failure.shortfall?.needed_ns))),
        ("curve", text(along.filter(|_| level.is_some()).map_or("", |along| &along.axis))),
        ("level", known(level)),
        ("counters", of(|sample| text(pairs(sample.usage.without_column())))),
    ]);
    cells
}

#[cfg(test)]
mod tests;
