//! Comma-separated samples.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::str::FromStr;

use csv::{ReaderBuilder, StringRecord, Trim};
use model::{
    Along, Better, Cache, Class, Conditions, Durability, FailureKind, Kind, LOOKS_RULE, Metric, Place, Point,
    SampleNote, Setting, Source, Usage, Value, Workload, are_looks, axis_value,
};
use serde::de::DeserializeOwned;

use super::attempts::{Row, settle};
use super::{Read, ReadError, refuse_value};
use crate::read::observations::Observation;

const EXAMPLE: &str = "round,position,technique,value";

const NO_COUNT: &str = "is no count: write a whole number from 0 on";

/// Characters that a spreadsheet takes for the beginning of a formula.
const FORMULAS: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

pub(super) fn read(text: &str, by: Option<&str>, file: &str) -> Read<Vec<Observation>> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| torn(&error, file))?;
    let header: StringRecord = header.iter().map(name_of_today).collect();
    let columns = columns(&header, file)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| torn(&error, file))?;
        rows.push(row(&Line { record: &record, header: &header, file }, columns, by)?);
    }
    if let Some(name) = by {
        // A family of which nothing was measured by the metric has no contest by it, whatever failed.
        let measured = rows.iter().filter(|row| row.measured && row.observation.failure.is_none());
        let families: BTreeSet<String> = measured.map(|row| row.observation.family.clone()).collect();
        rows.retain(|row| families.contains(&row.observation.family));
        if rows.is_empty() {
            let problem =
                format!("no row has a value of {name}: no metric, column or name in 'values' is called so");
            return Err(ReadError { place: file.to_owned(), problem });
        }
    }
    Ok(settle(rows))
}

/// Returns the places of `round`, `technique` and `value`, in this order.
fn columns(header: &StringRecord, file: &str) -> Read<[usize; 3]> {
    let need = |name: &str| {
        find(header, name).ok_or_else(|| ReadError {
            place: format!("{file}, line 1"),
            problem: format!("the header has no column '{name}'; it must be a line like {EXAMPLE}"),
        })
    };
    Ok([need("round")?, need("technique")?, need("value")?])
}

/// Returns today's name of a column of earlier versions.
fn name_of_today(column: &str) -> &str {
    match column {
        "quantity" => "metric",
        "reference" => "baseline",
        other => other,
    }
}

fn find(header: &StringRecord, name: &str) -> Option<usize> {
    header.iter().position(|column| column.eq_ignore_ascii_case(name))
}

fn torn(error: &csv::Error, file: &str) -> ReadError {
    let place = match error.position() {
        Some(position) => format!("{file}, line {}", position.line()),
        None => file.to_owned(),
    };
    let problem = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("the line has {len} columns, the header has {expected_len}")
        }
        _ => error.to_string(),
    };
    ReadError { place, problem }
}

/// One line with what is needed to name a place in it.
struct Line<'a> {
    record: &'a StringRecord,
    header: &'a StringRecord,
    file: &'a str,
}

impl Line<'_> {
    /// Returns a cell. The apostrophe that keeps a spreadsheet from taking it for a formula is no part of it.
    fn text(&self, column: usize) -> &str {
        let cell = self.record.get(column).unwrap_or("");
        let is_formula = cell.trim_start_matches('\'').starts_with(FORMULAS);
        cell.strip_prefix('\'').filter(|_| is_formula).unwrap_or(cell)
    }

    fn refuse(&self, column: usize, problem: &str) -> ReadError {
        let line = self.record.position().map_or(0, csv::Position::line);
        let name = self.header.get(column).unwrap_or("");
        ReadError {
            place: format!("{}, line {line}, column {} ({name})", self.file, column + 1),
            problem: format!("'{}' {problem}", self.text(column)),
        }
    }

    fn count(&self, column: usize) -> Read<u32> {
        let text = self.text(column);
        text.parse().map_err(|_| self.refuse(column, NO_COUNT))
    }

    /// Returns the column of that name, unless it is absent or empty here.
    fn filled(&self, name: &str) -> Option<usize> {
        find(self.header, name).filter(|&column| !self.text(column).is_empty())
    }

    fn word(&self, name: &str) -> Option<&str> {
        self.filled(name).map(|column| self.text(column))
    }

    fn whole<T: FromStr>(&self, name: &str) -> Read<Option<T>> {
        self.parsed(name, |text| text.parse().ok(), NO_COUNT)
    }

    /// Two counters together; what is known when only one of them is.
    fn sum(&self, one: &str, other: &str) -> Read<Option<f64>> {
        let known = [self.whole(one)?, self.whole(other)?].into_iter().flatten();
        Ok(known.reduce(u64::saturating_add).map(|sum| sum as f64))
    }

    /// One of the words that `T` is written as in files; `words` lists them for the refusal.
    fn one_of<T: DeserializeOwned>(&self, name: &str, words: &str) -> Read<Option<T>> {
        self.parsed(name, |text| serde_json::from_value(text.into()).ok(), &format!("is none of {words}"))
    }

    /// Reads a cell, or refuses it with what would be right.
    fn parsed<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>, wanted: &str) -> Read<Option<T>> {
        let Some(column) = self.filled(name) else { return Ok(None) };
        read(self.text(column)).map(Some).ok_or_else(|| self.refuse(column, wanted))
    }
}

fn row(line: &Line<'_>, [round, technique_at, value_at]: [usize; 3], by: Option<&str>) -> Read<Row> {
    let kinds = FailureKind::ALL.map(FailureKind::word).join(", ");
    let failure: Option<FailureKind> = line.one_of("failure", &kinds)?;
    let (metric, measured) = amount(line, value_at, by)?;
    let value = failure.map_or(measured, |_| Some(f64::INFINITY));
    let technique = line.text(technique_at);
    if technique.is_empty() {
        return Err(line.refuse(technique_at, "is no name of a technique"));
    }
    // Who failed before the first round has none.
    let before = failure.is_some() && line.text(round).is_empty();
    let round = if before { None } else { Some(line.count(round)?) };
    let plain = Observation::new(0, technique, value.unwrap_or(f64::INFINITY));
    let setting = setting(line)?;
    let wanted = format!("is no list of looks: they {LOOKS_RULE}, like 10 15 20");
    let observation = Observation {
        round,
        position: line.whole("position")?,
        inner: line.whole("inner")?.unwrap_or(0),
        family: line.word("family").map_or(plain.family, str::to_owned),
        workload: workload(line, &plain.workload.name, setting != Setting::default())?,
        setting,
        class: line.one_of("class", &Class::ALL.map(Class::word).join(", "))?.unwrap_or_default(),
        kind: line.one_of("kind", "built-in, command, twin, ceiling")?.unwrap_or(Kind::BuiltIn),
        twin_of: line.word("twin_of").map(str::to_owned),
        variant_of: line.word("variant_of").map(str::to_owned),
        failure,
        reason: line.word("reason").map(str::to_owned),
        needed_budget_ns: line.whole("needed_budget_ns")?,
        attempt: line.whole("attempt")?.unwrap_or(0),
        metric,
        looks: line.parsed("looks", looks, &wanted)?.unwrap_or_default(),
        // Exports of earlier versions name the same count `cells`.
        shared_by: line.whole("shared_by")?.or(line.whole("cells")?),
        baseline: line.word("baseline").map(str::to_owned),
        along: line.word("curve").map(|axis| Along { axis: axis.to_owned(), ..Along::default() }),
        curves_are_reported: find(line.header, "curve").is_some(),
        ..Observation::new(0, technique, plain.value)
    };
    let notes: Vec<SampleNote> =
        line.word("notes").into_iter().flat_map(|notes| notes.split("; ")).map(SampleNote::from).collect();
    Ok(Row::new(observation, &notes, value.is_some()))
}

/// Returns the metric, where the file or the user names it, and its value; `None` where the sample has none.
fn amount(line: &Line<'_>, column: usize, by: Option<&str>) -> Read<(Option<Metric>, Option<f64>)> {
    let own = metric(line)?;
    let Some(name) = by.filter(|name| own.as_ref().is_none_or(|own| !own.is_called(name))) else {
        // A failure has no value.
        let failed = line.filled("failure").is_some();
        return Ok((own, if failed { None } else { value(line, column)? }));
    };
    let metric = Metric::built_in(name).unwrap_or_else(|| Metric::undeclared(name));
    let wanted = "is no list of values, like read_ns=17; open_ns=3";
    let measured = match &*metric.key {
        "cpu_ns" => {
            Usage { user_ns: line.whole("user_ns")?, system_ns: line.whole("system_ns")?, ..Usage::default() }
                .cpu_ns()
                .map(|ns| ns as f64)
        }
        "faults" => line.sum("minor_faults", "major_faults")?,
        "switches" => line.sum("voluntary_switches", "involuntary_switches")?,
        key => match find(line.header, key) {
            Some(column) => value(line, column)?,
            None => line.parsed("values", |text| named(text, key), wanted)?.flatten(),
        },
    };
    Ok((Some(metric), measured))
}

/// Returns the value of that name among `read_ns=17; open_ns=3`; `None` where a part of the text is none.
fn named(text: &str, key: &str) -> Option<Option<f64>> {
    let mut found = None;
    for part in text.split(';') {
        let (name, value) = part.split_once('=')?;
        let value: f64 = value.trim().parse().ok()?;
        if name.trim() == key {
            found = Some(value).filter(|value| refuse_value(*value).is_none());
        }
    }
    Some(found)
}

/// The metric, where the file reports it.
fn metric(line: &Line<'_>) -> Read<Option<Metric>> {
    let of_key = |key: &str| {
        let built_in = Metric::BUILT_IN.into_iter().find(|metric| metric.key == key);
        built_in.or_else(|| model::is_key(key).then(|| Metric::undeclared(key)))
    };
    let wanted =
        "is not the name of a metric: write small letters, digits and _ with the unit last, like work_ns";
    let better: Option<Better> = line.one_of("better", "less, more")?;
    let metric = line.parsed("metric", of_key, wanted)?;
    let what = line.word("what").map(str::to_owned);
    Ok(metric.map(|metric| match metric.source {
        Source::Value => Metric {
            better: better.unwrap_or(metric.better),
            what: what.map_or(metric.what, Into::into),
            ..metric
        },
        _ => metric,
    }))
}

/// Returns the value; `None` where the cell is empty, because the metric is not known for this sample.
fn value(line: &Line<'_>, column: usize) -> Read<Option<f64>> {
    if line.text(column).is_empty() {
        return Ok(None);
    }
    let value: f64 = line.text(column).parse().map_err(|_| line.refuse(column, "is no number, like 12.5"))?;
    refuse_value(value).map_or(Ok(Some(value)), |problem| Err(line.refuse(column, problem)))
}

/// Returns the workload. Conditions that are reported in free words only stand behind its name, and make it another contest.
fn workload(line: &Line<'_>, unnamed: &str, setting_is_known: bool) -> Read<Workload> {
    let level = match line.word("curve") {
        Some(axis) => line.whole("level")?.map(|level| (axis, level)),
        None => None,
    };
    let mut name = match (line.word("workload"), level) {
        (Some(name), _) => name.to_owned(),
        (None, Some((axis, level))) => axis_value(axis, level),
        (None, None) => unnamed.to_owned(),
    };
    if let Some(words) = line.word("setting").filter(|_| !setting_is_known) {
        name = format!("{name}, {words}");
    }
    let wanted = "is no list of measures: write names and whole numbers, like bytes=25600000; threads=8";
    let numbers: BTreeMap<String, u64> =
        line.parsed("workload_numbers", measures, wanted)?.unwrap_or_default();
    let wanted = "is no JSON object of texts, like {\"order\":\"sorted\"}";
    let words: BTreeMap<String, String> = line.parsed("workload_shape", texts, wanted)?.unwrap_or_default();
    let words = words.into_iter().map(|(axis, word)| (axis, Value::Word(word)));
    let numbers = numbers.into_iter().map(|(axis, number)| (axis, Value::Number(number)));
    let mut point = Point(numbers.chain(words).collect());
    if let Some((axis, level)) = level {
        point.set(axis, level);
    }
    Ok(Workload { name, point, ..Workload::default() })
}

fn texts(text: &str) -> Option<BTreeMap<String, String>> {
    serde_json::from_str(text).ok()
}

fn measures(text: &str) -> Option<BTreeMap<String, u64>> {
    let measures = text.split(';').map(|part| {
        let (name, number) = part.split_once('=')?;
        Some((name.trim().to_owned(), number.trim().parse().ok()?))
    });
    measures.collect()
}

fn looks(text: &str) -> Option<Vec<u32>> {
    let looks: Vec<u32> = text.split_whitespace().map(|look| look.parse().ok()).collect::<Option<_>>()?;
    (!looks.is_empty() && are_looks(&looks)).then_some(looks)
}

/// Conditions and place, as far as the file reports them in columns of their own.
fn setting(line: &Line<'_>) -> Read<Setting> {
    let processors = line.parsed(
        "processors",
        |text| text.split_whitespace().map(|one| one.parse().ok()).collect(),
        "is no list of processors: write numbers like 0 1 2",
    )?;
    let conditions = Conditions {
        cache: line.one_of::<Cache>("cache", "warm, cold")?,
        durability: line.one_of::<Durability>("durability", "returned, durable")?,
        file_system: line.word("file_system").map(str::to_owned),
        processors: processors.unwrap_or_default(),
        memory_limit_bytes: line.whole("memory_limit_bytes")?,
    };
    Ok(Setting { conditions, place: Place { directory: line.word("directory").map(PathBuf::from) } })
}
