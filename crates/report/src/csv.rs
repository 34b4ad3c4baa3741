//! Every sample and every failure of a run as comma-separated values (RFC 4180), one row each.
//!
//! `bakeoff judge` reads them and says the same as the run itself: beside the value stand the conditions, the class, the
//! attempt and the looks that were announced. A cell whose value is not known is empty. Each row also tells where its entry
//! stands, and its factor.
//!
//! Spreadsheets take a cell that begins with one of `= + - @` for a formula. Where a text begins so, an apostrophe stands
//! in front, as spreadsheets write it themselves; `bakeoff judge` takes it away again.

use std::collections::BTreeMap;
use std::path::Path;

use judge::{Entry, Ranking};
use model::{Better, Class, Failure, Kind, Quantity, Record, Sample, TrialRecord};

use crate::phrase;

const COLUMNS: [&str; 58] = [
    "family",
    "workload",
    "setting",
    "round",
    "inner",
    "position",
    "technique",
    "value",
    "failure",
    "reason",
    "quantity",
    "better",
    "what",
    "kind",
    "twin_of",
    "variant_of",
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
    "run_delay_ns",
    "processor_before",
    "processor_after",
    "resident_pages_before",
    "total_pages_before",
    "proof_bytes",
    "proof_digest",
    "workload_numbers",
    "workload_shape",
    "cache",
    "durability",
    "directory",
    "file_system",
    "processors",
    "memory_limit_bytes",
    "looks",
    "shared_by",
    "reference",
    "values",
    "histograms",
    "notes",
    "run",
    "standing",
    "factor",
    "factor_low",
    "factor_high",
    "left_after_round",
    "needed_budget_ns",
];

/// All samples and failures of a run. `value` is what the run compares, in the unit that stands last in
/// the column `quantity`.
pub fn samples(record: &Record, rankings: &[Ranking]) -> String {
    let mut out = COLUMNS.join(",") + "\r\n";
    for trial in &record.trials {
        let quantity = record.design.compared(&trial.family);
        let shared = [shared(record, trial), judged(trial, rankings)].concat();
        let samples = trial.samples.iter().map(|sample| sampled(quantity, &shared, sample));
        for cells in samples.chain(trial.failures.iter().map(|failure| failed(&shared, failure))) {
            out.push_str(&cells.map(|cell| quoted(&cell)).join(","));
            out.push_str("\r\n");
        }
    }
    out
}

/// What an entry's name must not begin with in a spreadsheet.
const FORMULAS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// A cell with a comma, a quote or a line break stands in quotes, and its own quotes are doubled. No cell is a formula.
fn quoted(cell: &str) -> String {
    // One that has apostrophes of its own before it gets another, since one is taken away.
    let formula = cell.trim_start_matches('\'').starts_with(FORMULAS) && cell.parse::<f64>().is_err();
    let guarded = if formula { format!("'{cell}") } else { cell.to_owned() };
    let cell = guarded.as_str();
    match cell.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// The cells of a row by the names of their columns; all others stay empty.
fn row(named: impl IntoIterator<Item = (&'static str, String)>) -> [String; COLUMNS.len()] {
    let mut cells = COLUMNS.map(|_| String::new());
    for (name, text) in named {
        if let Some(column) = COLUMNS.iter().position(|column| *column == name) {
            cells[column] = text;
        }
    }
    cells
}

fn known(value: Option<u64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn told(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn listed(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn pairs<'a, T: ToString>(pairs: impl IntoIterator<Item = (&'a str, T)>) -> String {
    let pair = |(name, value): (&str, T)| format!("{name}={}", value.to_string());
    pairs.into_iter().map(pair).collect::<Vec<_>>().join("; ")
}

/// What all rows of a trial share.
fn shared(record: &Record, trial: &TrialRecord) -> Vec<(&'static str, String)> {
    let (setting, design) = (&trial.setting, &record.design);
    let conditions = &setting.conditions;
    let quantity = design.compared(&trial.family);
    vec![
        ("family", trial.family.clone()),
        ("workload", trial.workload.name.clone()),
        ("setting", phrase::setting(setting)),
        ("technique", trial.technique.clone()),
        ("quantity", quantity.key.to_string()),
        ("better", better(quantity.better).to_owned()),
        ("what", quantity.what.to_string()),
        ("kind", kind(trial.kind).to_owned()),
        ("twin_of", trial.twin_of.clone().unwrap_or_default()),
        ("variant_of", trial.variant_of.clone().unwrap_or_default()),
        ("class", class(trial.class).to_owned()),
        ("attempt", trial.attempt.to_string()),
        ("workload_numbers", pairs(trial.workload.point.numbers())),
        ("workload_shape", texts(&trial.workload.point.words().collect())),
        ("cache", told(conditions.cache)),
        ("durability", told(conditions.durability)),
        ("directory", told(setting.directory().map(Path::display))),
        ("file_system", told(conditions.file_system.as_ref())),
        ("processors", listed(&conditions.processors)),
        ("memory_limit_bytes", known(conditions.memory_limit_bytes)),
        ("looks", listed(if trial.looks.is_empty() { &design.looks } else { &trial.looks })),
        ("shared_by", design.shared_by.to_string()),
        ("reference", design.references.get(&trial.family).cloned().unwrap_or_default()),
        ("run", record.id.0.clone()),
    ]
}

/// Where the trial's entry stands in its contest. Trials of an earlier attempt stand nowhere.
fn judged(trial: &TrialRecord, rankings: &[Ranking]) -> Vec<(&'static str, String)> {
    let here = |ranking: &&Ranking| {
        ranking.family == trial.family
            && ranking.workload == trial.workload
            && ranking.setting == trial.setting
    };
    let number = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    let mut entries = rankings.iter().filter(here).filter_map(|ranking| ranking.entry(&trial.technique));
    let cells = |entry: &Entry| {
        vec![
            ("standing", word(entry)),
            ("factor", number(entry.factor)),
            ("factor_low", number(entry.factor_low)),
            ("factor_high", number(entry.factor_high)),
            ("left_after_round", known(entry.left_after_round.map(u64::from))),
        ]
    };
    entries.next().map_or(Vec::new(), cells)
}

/// The word of a standing in files.
fn word(entry: &Entry) -> String {
    match serde_json::to_value(entry.standing) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

fn sampled(
    quantity: &Quantity,
    shared: &[(&'static str, String)],
    sample: &Sample,
) -> [String; COLUMNS.len()] {
    let usage = &sample.usage;
    let own = [
        ("round", sample.round.to_string()),
        ("inner", sample.inner.to_string()),
        ("position", sample.position.to_string()),
        ("value", quantity.of(sample).map_or(String::new(), |value| value.to_string())),
        ("work_ns", known(sample.work_ns)),
        ("process_ns", known(sample.process_ns)),
        ("repetitions", sample.repetitions.to_string()),
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
        ("processor_before", known(sample.processor_before.map(u64::from))),
        ("processor_after", known(sample.processor_after.map(u64::from))),
        ("resident_pages_before", known(sample.resident_before.map(|pages| pages.resident_pages))),
        ("total_pages_before", known(sample.resident_before.map(|pages| pages.total_pages))),
        ("proof_bytes", sample.proof.bytes.to_string()),
        ("proof_digest", sample.proof.digest.clone()),
        ("values", pairs(sample.values.iter().map(|(key, value)| (key.as_str(), value)))),
        ("histograms", pairs(sample.histograms.iter().map(|(key, text)| (key.as_str(), text)))),
        ("notes", sample.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    ];
    row(shared.iter().cloned().chain(own))
}

/// A text may hold any character: JSON, as nothing shorter keeps it.
fn texts(shape: &BTreeMap<&str, &str>) -> String {
    if shape.is_empty() { String::new() } else { serde_json::to_string(shape).unwrap_or_default() }
}

/// A failure has no value. One from before the first round has no round either.
fn failed(shared: &[(&'static str, String)], failure: &Failure) -> [String; COLUMNS.len()] {
    let own = [
        ("round", known(failure.round.map(u64::from))),
        ("position", known(failure.position.map(u64::from))),
        ("failure", failure.kind.word().to_owned()),
        ("reason", failure.reason.clone()),
        ("needed_budget_ns", known(failure.shortfall.and_then(|shortfall| shortfall.needed_ns))),
    ];
    row(shared.iter().cloned().chain(own))
}

fn better(better: Better) -> &'static str {
    match better {
        Better::Less => "less",
        Better::More => "more",
    }
}

fn class(class: Class) -> &'static str {
    match class {
        Class::MovesBytes => "moves-bytes",
        Class::SharesExtents => "shares-extents",
        Class::ReusesEarlierWork => "reuses-earlier-work",
        Class::Coarse => "coarse",
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
