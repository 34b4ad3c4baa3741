//! Every sample and every failure of a run as comma-separated values (RFC 4180), one row each.
//!
//! `bakeoff judge` reads them and says the same as the run itself: next to the value stand the conditions, the class, the
//! attempt and the looks that were announced. A cell whose value is not known is empty. Each row also tells where its entry
//! stands, and its factor.
//!
//! Spreadsheets take a cell that begins with one of `= + - @` for a formula. Where a text begins so, an apostrophe stands
//! in front, as spreadsheets write it themselves; `bakeoff judge` takes it away again.

use std::borrow::Cow;
use std::collections::BTreeMap;

use csv::{Terminator, WriterBuilder};
use judge::{Entry, Ranking, Standing};
use model::{
    Better, Cache, Class, Durability, Failure, FailureKind, Kind, Metric, Record, Sample, TrialRecord,
};
use serde::{Serialize, Serializer};

use crate::words::phrase;

/// One row; its fields are the columns, in their order.
#[derive(Clone, Default, Serialize)]
struct Row<'a> {
    family: Text<'a>,
    workload: Text<'a>,
    setting: Text<'a>,
    round: Option<u32>,
    inner: Option<u32>,
    position: Option<u32>,
    technique: Text<'a>,
    value: Option<Number>,
    failure: Option<FailureKind>,
    reason: Text<'a>,
    metric: Text<'a>,
    better: Option<Better>,
    what: Text<'a>,
    kind: Option<Kind>,
    twin_of: Text<'a>,
    variant_of: Text<'a>,
    class: Option<Class>,
    attempt: u32,
    work_ns: Option<u64>,
    process_ns: Option<u64>,
    repetitions: Option<u64>,
    user_ns: Option<u64>,
    system_ns: Option<u64>,
    minor_faults: Option<u64>,
    major_faults: Option<u64>,
    voluntary_switches: Option<u64>,
    involuntary_switches: Option<u64>,
    peak_memory_bytes: Option<u64>,
    read_bytes: Option<u64>,
    written_bytes: Option<u64>,
    run_delay_ns: Option<u64>,
    processor_before: Option<u32>,
    processor_after: Option<u32>,
    resident_pages_before: Option<u64>,
    total_pages_before: Option<u64>,
    proof_bytes: Option<u64>,
    proof_digest: Text<'a>,
    workload_numbers: Text<'a>,
    workload_shape: Text<'a>,
    cache: Option<Cache>,
    durability: Option<Durability>,
    directory: Text<'a>,
    file_system: Text<'a>,
    processors: Text<'a>,
    memory_limit_bytes: Option<u64>,
    looks: Text<'a>,
    shared_by: u32,
    baseline: Text<'a>,
    values: Text<'a>,
    histograms: Text<'a>,
    notes: Text<'a>,
    run: Text<'a>,
    standing: Option<Standing>,
    factor: Option<Number>,
    factor_low: Option<Number>,
    factor_high: Option<Number>,
    left_after_round: Option<u32>,
    needed_budget_ns: Option<u64>,
    curve: Text<'a>,
    level: Option<u64>,
    counters: Text<'a>,
}

/// All samples and failures of a run. `value` is what the run compares, in the unit that stands last in
/// the column `metric`.
pub fn samples(record: &Record, rankings: &[Ranking]) -> String {
    let mut table = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for trial in &record.trials {
        let metric = record.design.compared(&trial.family);
        let shared = judged(shared(record, trial), trial, rankings);
        let samples = trial.samples.iter().map(|sample| sampled(metric, shared.clone(), sample));
        for row in samples.chain(trial.failures.iter().map(|failure| failed(shared.clone(), failure))) {
            table.serialize(row).expect("a row is flat, and memory takes it");
        }
    }
    let bytes = table.into_inner().expect("memory takes it");
    String::from_utf8(bytes).expect("only text was written")
}

/// What an entry's name must not begin with in a spreadsheet.
const FORMULAS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// A text that is never a formula; empty where it is not known.
#[derive(Clone, Default)]
struct Text<'a>(Cow<'a, str>);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // One that has apostrophes of its own before it gets another, since one is taken away.
        match self.0.trim_start_matches('\'').starts_with(FORMULAS) {
            true => serializer.collect_str(&format_args!("'{}", self.0)),
            false => serializer.serialize_str(&self.0),
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a String> for Text<'a> {
    fn from(text: &'a String) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text))
    }
}

impl<'a> From<&'a Option<String>> for Text<'a> {
    fn from(text: &'a Option<String>) -> Self {
        Self(Cow::Borrowed(text.as_deref().unwrap_or_default()))
    }
}

/// A number without a fraction is written without one.
#[derive(Clone, Copy)]
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

fn listed(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn pairs<'a, T: ToString>(pairs: impl IntoIterator<Item = (&'a str, T)>) -> String {
    let pair = |(name, value): (&str, T)| format!("{name}={}", value.to_string());
    pairs.into_iter().map(pair).collect::<Vec<_>>().join("; ")
}

/// What all rows of a trial share.
fn shared<'a>(record: &'a Record, trial: &'a TrialRecord) -> Row<'a> {
    let (setting, workload, design) = (&trial.setting, &trial.workload, &record.design);
    let conditions = &setting.conditions;
    let metric = design.compared(&trial.family);
    let along = design.curves.get(&trial.family);
    let level = along.and_then(|along| workload.number(&along.axis));
    Row {
        family: (&trial.family).into(),
        workload: (&workload.name).into(),
        setting: phrase::setting(setting).into(),
        technique: (&trial.technique).into(),
        metric: (&*metric.key).into(),
        better: Some(metric.better),
        what: (&*metric.what).into(),
        kind: Some(trial.kind),
        twin_of: (&trial.twin_of).into(),
        variant_of: (&trial.variant_of).into(),
        class: Some(trial.class),
        attempt: trial.attempt,
        workload_numbers: pairs(workload.point.numbers()).into(),
        workload_shape: texts(&workload.point.words().collect()).into(),
        cache: conditions.cache,
        durability: conditions.durability,
        directory: setting
            .directory()
            .map_or(Text::default(), |path| path.to_string_lossy().into_owned().into()),
        file_system: (&conditions.file_system).into(),
        processors: listed(&conditions.processors).into(),
        memory_limit_bytes: conditions.memory_limit_bytes,
        looks: listed(if trial.looks.is_empty() { &design.looks } else { &trial.looks }).into(),
        shared_by: design.shared_by,
        baseline: design.baselines.get(&trial.family).map_or(Text::default(), Text::from),
        run: (&record.id.0).into(),
        curve: along.filter(|_| level.is_some()).map_or(Text::default(), |along| (&along.axis).into()),
        level,
        ..Row::default()
    }
}

/// Where the trial's entry stands in its contest. Trials of an earlier attempt stand nowhere.
fn judged<'a>(shared: Row<'a>, trial: &TrialRecord, rankings: &[Ranking]) -> Row<'a> {
    let here = |ranking: &&Ranking| {
        ranking.family == trial.family
            && ranking.workload == trial.workload
            && ranking.setting == trial.setting
    };
    let mut entries = rankings.iter().filter(here).filter_map(|ranking| ranking.entry(&trial.technique));
    let Some(entry): Option<&Entry> = entries.next() else { return shared };
    Row {
        standing: Some(entry.standing),
        factor: entry.factor.map(Number),
        factor_low: entry.factor_low.map(Number),
        factor_high: entry.factor_high.map(Number),
        left_after_round: entry.left_after_round,
        ..shared
    }
}

fn sampled<'a>(metric: &Metric, shared: Row<'a>, sample: &'a Sample) -> Row<'a> {
    let usage = &sample.usage;
    Row {
        round: Some(sample.round),
        inner: Some(sample.inner),
        position: Some(sample.position),
        value: metric.of(sample).map(Number),
        work_ns: sample.work_ns,
        process_ns: sample.process_ns,
        repetitions: Some(sample.repetitions),
        user_ns: usage.user_ns,
        system_ns: usage.system_ns,
        minor_faults: usage.minor_faults,
        major_faults: usage.major_faults,
        voluntary_switches: usage.voluntary_switches,
        involuntary_switches: usage.involuntary_switches,
        peak_memory_bytes: usage.peak_memory_bytes,
        read_bytes: usage.read_bytes,
        written_bytes: usage.written_bytes,
        run_delay_ns: usage.run_delay_ns,
        processor_before: sample.processor_before,
        processor_after: sample.processor_after,
        resident_pages_before: sample.resident_before.map(|pages| pages.resident_pages),
        total_pages_before: sample.resident_before.map(|pages| pages.total_pages),
        proof_bytes: Some(sample.proof.bytes),
        proof_digest: (&sample.proof.digest).into(),
        values: pairs(sample.values.iter().map(|(key, value)| (key.as_str(), value))).into(),
        histograms: pairs(sample.histograms.iter().map(|(key, text)| (key.as_str(), text))).into(),
        notes: sample.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ").into(),
        counters: pairs(usage.without_column().iter().map(|(key, count)| (*key, count))).into(),
        ..shared
    }
}

/// A text may hold any character: JSON, as nothing shorter keeps it.
fn texts(shape: &BTreeMap<&str, &str>) -> String {
    if shape.is_empty() { String::new() } else { serde_json::to_string(shape).unwrap_or_default() }
}

/// A failure has no value. One from before the first round has no round either.
fn failed<'a>(shared: Row<'a>, failure: &'a Failure) -> Row<'a> {
    Row {
        round: failure.round,
        position: failure.position,
        failure: Some(failure.kind),
        reason: (&failure.reason).into(),
        needed_budget_ns: failure.shortfall.and_then(|shortfall| shortfall.needed_ns),
        ..shared
    }
}

#[cfg(test)]
mod tests;
