//! Comma-separated samples.

use csv::{ReaderBuilder, StringRecord, Trim};
use model::{Class, Kind, Metric};

use super::{ReadError, refuse_value};
use crate::observations::Observation;

const EXAMPLE: &str = "round,position,technique,value";

/// Where the known columns stand.
struct Columns {
    round: usize,
    technique: usize,
    value: usize,
    position: Option<usize>,
    inner: Option<usize>,
    family: Option<usize>,
    workload: Option<usize>,
    kind: Option<usize>,
    twin_of: Option<usize>,
    class: Option<usize>,
    metric: Option<usize>,
}

/// The words of a run's own export.
const KINDS: [(&str, Kind); 4] = [
    ("built-in", Kind::BuiltIn),
    ("contender", Kind::Contender),
    ("twin", Kind::Twin),
    ("ceiling", Kind::Ceiling),
];
const CLASSES: [(&str, Class); 2] =
    [("moves-bytes", Class::MovesBytes), ("shares-extents", Class::SharesExtents)];
const METRICS: [Metric; 6] =
    [Metric::Work, Metric::Process, Metric::Cpu, Metric::User, Metric::System, Metric::Memory];

pub(super) fn read(text: &str, file: &str) -> Result<Vec<Observation>, ReadError> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| torn(&error, file))?.clone();
    let columns = columns(&header, file)?;
    let mut observations = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| torn(&error, file))?;
        observations.push(observation(&Line { record: &record, header: &header, file }, &columns)?);
    }
    Ok(observations)
}

fn columns(header: &StringRecord, file: &str) -> Result<Columns, ReadError> {
    let find = |name: &str| header.iter().position(|column| column.eq_ignore_ascii_case(name));
    let need = |name: &str| {
        find(name).ok_or_else(|| ReadError {
            place: format!("{file}, line 1"),
            problem: format!("the header has no column '{name}'; it must be a line like {EXAMPLE}"),
        })
    };
    Ok(Columns {
        round: need("round")?,
        technique: need("technique")?,
        value: need("value")?,
        position: find("position"),
        inner: find("inner"),
        family: find("family"),
        workload: find("workload"),
        kind: find("kind"),
        twin_of: find("twin_of"),
        class: find("class"),
        metric: find("metric"),
    })
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
    fn text(&self, column: usize) -> &str {
        self.record.get(column).unwrap_or("")
    }

    fn refuse(&self, column: usize, problem: &str) -> ReadError {
        let line = self.record.position().map_or(0, csv::Position::line);
        let name = self.header.get(column).unwrap_or("");
        ReadError {
            place: format!("{}, line {line}, column {} ({name})", self.file, column + 1),
            problem: format!("'{}' {problem}", self.text(column)),
        }
    }

    fn count(&self, column: usize) -> Result<u32, ReadError> {
        let text = self.text(column);
        text.parse().map_err(|_| self.refuse(column, "is no count: write a whole number from 0 on"))
    }

    /// A count that may be left empty.
    fn optional_count(&self, column: Option<usize>) -> Result<Option<u32>, ReadError> {
        match column {
            Some(column) if !self.text(column).is_empty() => self.count(column).map(Some),
            _ => Ok(None),
        }
    }

    /// One of some words; `None` when there is no such column or nothing in it.
    fn one_of<T: Copy>(&self, column: Option<usize>, words: &[(&str, T)]) -> Result<Option<T>, ReadError> {
        let Some((column, text)) = column.map(|column| (column, self.text(column))) else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, meaning)) => Ok(Some(*meaning)),
            None if text.is_empty() => Ok(None),
            None => {
                let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                Err(self.refuse(column, &format!("is not known here: write one of {}", known.join(", "))))
            }
        }
    }

    fn word(&self, column: Option<usize>) -> Option<String> {
        column.map(|column| self.text(column)).filter(|text| !text.is_empty()).map(str::to_owned)
    }
}

fn observation(line: &Line<'_>, columns: &Columns) -> Result<Observation, ReadError> {
    let value: f64 = line
        .text(columns.value)
        .parse()
        .map_err(|_| line.refuse(columns.value, "is no number, like 12.5"))?;
    if let Some(problem) = refuse_value(value) {
        return Err(line.refuse(columns.value, problem));
    }
    let technique = line.text(columns.technique);
    if technique.is_empty() {
        return Err(line.refuse(columns.technique, "is no name of a technique"));
    }
    let mut observation = Observation::new(line.count(columns.round)?, technique, value);
    observation.position = line.optional_count(columns.position)?;
    observation.inner = line.optional_count(columns.inner)?.unwrap_or(0);
    if let Some(family) = line.word(columns.family) {
        observation.family = family;
    }
    if let Some(workload) = line.word(columns.workload) {
        observation.workload.name = workload;
    }
    observation.kind = line.one_of(columns.kind, &KINDS)?.unwrap_or(observation.kind);
    observation.class = line.one_of(columns.class, &CLASSES)?.unwrap_or(observation.class);
    observation.metric = line.one_of(columns.metric, &METRICS.map(|metric| (metric.key(), metric)))?;
    observation.twin_of = line.word(columns.twin_of);
    Ok(observation)
}
