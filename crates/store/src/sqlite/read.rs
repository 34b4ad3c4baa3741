//! From rows to the model.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use model::{
    Began, Conditions, Design, Fact, FactValue, Failure, Fingerprint, Note, Place, Point, Proof, Record,
    Residency, RunId, Sample, Setting, Source, Summary, Tool, TrialRecord, Usage, Value, Volume, Workload,
};
use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, OptionalExtension, Row, RowIndex, named_params};
use serde::{Serialize, de::DeserializeOwned};

use super::host;
use crate::Meant;

/// This many of the latest runs show how long something takes.
const LATEST_RUNS: usize = 3;

type Outcome<T> = rusqlite::Result<T>;

/// Reads the identities of all runs, the one that began last first.
pub(super) fn ids(db: &Connection) -> Outcome<Vec<RunId>> {
    let runs = db
        .prepare("SELECT id, started FROM run ORDER BY run")?
        .query_map([], |row| Ok((RunId(row.get("id")?), row.get("started")?)))?
        .collect::<Outcome<Vec<(RunId, String)>>>()?;
    let latest_first = latest_first(runs, |(id, started)| Began::of(started, id));
    Ok(latest_first.into_iter().map(|(id, _)| id).collect())
}

/// Sorts runs from the order in which they were stored, which decides where nothing else does, to the one that began last first.
fn latest_first<T, K: Ord>(mut runs: Vec<T>, began: impl Fn(&T) -> K) -> Vec<T> {
    runs.sort_by_cached_key(began);
    runs.reverse();
    runs
}

pub(super) fn hosts(db: &Connection) -> Outcome<BTreeMap<RunId, Option<Fingerprint>>> {
    let sql = "SELECT id, (SELECT fingerprint FROM host WHERE host.host = run.host) FROM run";
    db.prepare(sql)?
        .query_map([], |row| Ok((RunId(row.get(0)?), row.get::<_, Option<String>>(1)?.map(Fingerprint))))?
        .collect()
}

/// Reads all runs in a line each, the one that began last first.
pub(super) fn summaries(db: &Connection) -> Outcome<Vec<Summary>> {
    let mut statement = db.prepare(
        "SELECT id, started, preset, complete, host_name, command,
                (SELECT json_group_array(family) FROM
                    (SELECT DISTINCT family FROM trial WHERE trial.run = run.run ORDER BY family)) AS families,
                (SELECT count(*) FROM trial WHERE trial.run = run.run) AS trials,
                samples, failures
         FROM run ORDER BY run",
    )?;
    let summaries = statement.query_map([], |row| {
        Ok(Summary {
            id: RunId(row.get("id")?),
            started: row.get("started")?,
            preset: word(row, "preset")?,
            complete: row.get("complete")?,
            host: row.get("host_name")?,
            command: json(row, "command")?,
            families: json(row, "families")?,
            trials: count(row, "trials")?,
            samples: count(row, "samples")?,
            failures: count(row, "failures")?,
        })
    })?;
    Ok(latest_first(summaries.collect::<Outcome<Vec<_>>>()?, |summary| {
        Began::of(&summary.started, &summary.id)
    }))
}

/// Returns the median time by technique of the samples of a workload in the latest runs on a host.
pub(super) fn median_times(
    db: &Connection, host: &Fingerprint, family: &str, workload: &Workload, setting: &Setting,
) -> Outcome<BTreeMap<String, u64>> {
    let mut statement = db.prepare(
        "SELECT run.run AS run, id, started, trial, technique
         FROM trial JOIN run USING (run) JOIN host USING (host)
         WHERE fingerprint = :host AND family = :family AND workload_numbers = :numbers
               AND workload_shape = :shape AND workload_files = :files AND cache IS :cache
               AND durability IS :durability AND directory IS :directory AND processors = :processors
               AND memory_limit_bytes IS :memory
         ORDER BY run",
    )?;
    let fitting = statement.query_map(
        named_params! {
            ":host": host.0, ":family": family,
            ":numbers": text(&workload.point.numbers().collect::<BTreeMap<_, _>>())?,
            ":shape": text(&workload.point.words().collect::<BTreeMap<_, _>>())?,
            ":files": text(&workload.files)?,
            ":cache": setting.conditions.cache.map(|cache| cache.to_string()),
            ":durability": setting.conditions.durability.map(|durability| durability.to_string()),
            ":directory": setting.directory().map(Path::to_string_lossy),
            ":processors": text(&setting.conditions.processors)?,
            ":memory": setting.conditions.memory_limit_bytes.map(u64::cast_signed),
        },
        |row| {
            let began = Began::of(&row.get::<_, String>("started")?, &RunId(row.get("id")?));
            Ok((began, row.get("run")?, row.get("trial")?, row.get("technique")?))
        },
    )?;
    let fitting = fitting.collect::<Outcome<Vec<(Began, i64, i64, String)>>>()?;
    let fitting = latest_first(fitting, |(began, run, ..)| (*began, *run));
    let mut times = db.prepare(
        "SELECT coalesce(process_ns, work_ns) FROM sample
         WHERE trial = ?1 AND coalesce(process_ns, work_ns) IS NOT NULL",
    )?;
    let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for of_one_run in fitting.chunk_by(|one, next| one.1 == next.1).take(LATEST_RUNS) {
        for (_, _, trial, technique) in of_one_run {
            let ns = times.query_map([trial], |row| row.get::<_, i64>(0))?.collect::<Outcome<Vec<i64>>>()?;
            found.entry(technique.clone()).or_default().extend(ns.into_iter().map(i64::cast_unsigned));
        }
    }
    let medians = found.into_iter().filter(|(_, times)| !times.is_empty()).map(|(technique, mut times)| {
        times.sort_unstable();
        (technique, times[times.len() / 2])
    });
    Ok(medians.collect())
}

/// Writes JSON. The text of an object is what the writer made of the same map.
fn text<T: Serialize>(value: &T) -> Outcome<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// Reads the run in row `run`, with some of its trials.
pub(super) fn record(db: &Connection, run: i64, is_meant: Meant<'_>, extent: Extent) -> Outcome<Record> {
    let (mut record, samples_of_run): (Record, i64) =
        db.query_row("SELECT * FROM run JOIN host USING (host) WHERE run = ?1", [run], |row| {
            Ok((head(row)?, row.get("samples")?))
        })?;
    record.volumes = all(db, "SELECT * FROM volume WHERE run = ?1 ORDER BY volume", run, volume)?;
    record.facts = all(db, "SELECT * FROM fact WHERE run = ?1 ORDER BY fact", run, fact)?;
    record.canaries = all(db, "SELECT * FROM canary WHERE run = ?1 ORDER BY canary", run, |row| {
        Ok((row.get("round")?, count(row, "processor_ns")?, count(row, "memory_ns")?))
    })?;
    record.notes = all(db, "SELECT * FROM note WHERE run = ?1 ORDER BY note", run, |row| {
        Ok(Note { topic: word(row, "topic")?, text: row.get("text")? })
    })?;
    let trials = db
        .prepare(&format!("SELECT {TRIAL_COLUMNS}, trial FROM trial WHERE run = ?1 ORDER BY ordinal"))?
        .query_map([run], |row| Ok((row.get("trial")?, trial(row)?)))?
        .collect::<Outcome<Vec<(i64, TrialRecord)>>>()?;
    let all_trials = trials.len();
    let mut trials: Vec<_> = trials.into_iter().filter(|(_, trial)| is_meant(&record, trial)).collect();
    let are_compared_by_time = trials.iter().all(|(_, trial)| {
        matches!(record.design.compared(&trial.family).source, Source::Work | Source::Process)
    });
    let extent = if are_compared_by_time { extent } else { Extent::Whole };
    let is_most = trials.len() * 2 >= all_trials;
    read_samples(db, &mut trials, extent, is_most.then_some(samples_of_run))?;
    let mut failures = db.prepare("SELECT * FROM failure WHERE trial = ?1 ORDER BY failure")?;
    for (row, mut trial) in trials {
        trial.failures = failures.query_map([row], failure)?.collect::<Outcome<_>>()?;
        record.trials.push(trial);
    }
    Ok(record)
}

fn all<T>(db: &Connection, sql: &str, run: i64, from_row: impl FnMut(&Row) -> Outcome<T>) -> Outcome<Vec<T>> {
    db.prepare(sql)?.query_map([run], from_row)?.collect()
}

fn head(row: &Row) -> Outcome<Record> {
    Ok(Record {
        tool: Tool {
            name: row.get("tool_name")?,
            version: row.get("tool_version")?,
            commit: row.get("tool_commit")?,
        },
        id: RunId(row.get("id")?),
        started: row.get("started")?,
        seed: row.get::<_, String>("seed")?.parse().map_err(wrong)?,
        preset: word(row, "preset")?,
        complete: row.get("complete")?,
        command: json(row, "command")?,
        design: Design {
            metric: json(row, "metric")?,
            metrics: json(row, "metrics")?,
            alpha: row.get("alpha")?,
            shared_by: if row.get("alpha_per_cell")? { 1 } else { row.get("cells")? },
            delta: row.get("delta")?,
            looks: json(row, "looks")?,
            baselines: json(row, "baselines")?,
            curves: json(row, "curves")?,
            threads: json(row, "threads")?,
            questions: json(row, "questions")?,
        },
        host: host::read(row)?,
        volumes: Vec::new(),
        facts: Vec::new(),
        trials: Vec::new(),
        canaries: Vec::new(),
        notes: Vec::new(),
    })
}

fn volume(row: &Row) -> Outcome<Volume> {
    Ok(Volume {
        directory: PathBuf::from(row.get::<_, String>("directory")?),
        file_system: row.get("file_system")?,
        mount_point: row.get::<_, Option<String>>("mount_point")?.map(PathBuf::from),
        mount_options: row.get("mount_options")?,
        device: row.get("device")?,
        rotational: row.get("rotational")?,
        scheduler: row.get("scheduler")?,
        read_ahead_bytes: maybe(row, "read_ahead_bytes")?,
        total_bytes: maybe(row, "total_bytes")?,
        free_bytes: maybe(row, "free_bytes")?,
        block_bytes: maybe(row, "block_bytes")?,
    })
}

fn fact(row: &Row) -> Outcome<Fact> {
    let (number, unit): (Option<f64>, Option<String>) = (row.get("number")?, row.get("unit")?);
    let words: Option<String> = row.get("words")?;
    Ok(Fact {
        family: row.get("family")?,
        name: row.get("name")?,
        about: row.get("about")?,
        value: match number {
            Some(number) => FactValue::Number { number, unit: unit.unwrap_or_default() },
            None => FactValue::Words { words: words.unwrap_or_default() },
        },
    })
}

/// The columns of a trial, in the order in which [`trial`] takes them.
const TRIAL_COLUMNS: &str = "family, technique, aliases, kind, twin_of, variant_of, class, command, workload, workload_files, \
     workload_numbers, workload_shape, cache, durability, file_system, processors, memory_limit_bytes, directory, attempt, looks";

fn trial(row: &Row) -> Outcome<TrialRecord> {
    let mut cells = Cells::of(row);
    // The fields are evaluated in the order in which they stand here.
    Ok(TrialRecord {
        family: cells.get()?,
        technique: cells.get()?,
        aliases: cells.json()?,
        kind: cells.word()?,
        twin_of: cells.get()?,
        variant_of: cells.get()?,
        class: cells.word()?,
        command: cells.json()?,
        workload: Workload {
            name: cells.get()?,
            files: cells.json()?,
            point: point(cells.json()?, cells.json()?),
        },
        setting: Setting {
            conditions: Conditions {
                cache: cells.maybe_word()?,
                durability: cells.maybe_word()?,
                file_system: cells.get()?,
                processors: cells.json()?,
                memory_limit_bytes: cells.maybe()?,
            },
            place: Place { directory: cells.get::<Option<String>>()?.map(PathBuf::from) },
        },
        attempt: cells.get()?,
        looks: cells.json()?,
        samples: Vec::new(),
        failures: Vec::new(),
    })
}

fn failure(row: &Row) -> Outcome<Failure> {
    Ok(Failure {
        round: row.get("round")?,
        position: row.get("position")?,
        kind: word(row, "kind")?,
        reason: row.get("reason")?,
        shortfall: maybe_json(row, "shortfall")?,
    })
}

fn point(numbers: BTreeMap<String, u64>, words: BTreeMap<String, String>) -> Point {
    let numbers = numbers.into_iter().map(|(axis, number)| (axis, Value::Number(number)));
    Point(numbers.chain(words.into_iter().map(|(axis, word)| (axis, Value::Word(word)))).collect())
}

/// The part of each sample that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All that is known.
    Whole,
    /// Its place and its times.
    Compared,
}

/// Puts the samples of trials, each with the number of its row, into them, in the order in which they came. `samples_of_run` is
/// their number in the whole run, where most of it is wanted.
fn read_samples(
    db: &Connection, trials: &mut [(i64, TrialRecord)], extent: Extent, samples_of_run: Option<i64>,
) -> Outcome<()> {
    let columns = extent.columns();
    let ends = match samples_of_run {
        Some(samples) => ends(db, trials)?
            // Between the rows of a run stand at most those of another run measured at the same time: reading all is cheaper than
            // searching for each.
            .filter(|(first, last)| last.saturating_sub(*first) / 2 < samples),
        None => None,
    };
    if let Some((first, last)) = ends {
        let mut by_row: HashMap<i64, &mut TrialRecord> =
            trials.iter_mut().map(|(row, trial)| (*row, trial)).collect();
        let sql =
            format!("SELECT trial, {columns} FROM sample WHERE sample BETWEEN ?1 AND ?2 ORDER BY sample");
        let mut statement = db.prepare(&sql)?;
        let mut rows = statement.query([first, last])?;
        while let Some(row) = rows.next()? {
            let mut cells = Cells::of(row);
            if let Some(trial) = by_row.get_mut(&cells.get()?) {
                trial.samples.push(sample(cells, extent)?);
            }
        }
    } else {
        // The index gives the rows of each trial in the order in which they came, and nothing is sorted.
        let sql = format!("SELECT {columns} FROM sample WHERE trial = ?1 ORDER BY sample");
        let mut statement = db.prepare(&sql)?;
        for (row, trial) in trials {
            let samples = statement.query_map([*row], |row| sample(Cells::of(row), extent))?;
            trial.samples = samples.collect::<Outcome<_>>()?;
        }
    }
    Ok(())
}

/// Returns the first and the last row of the trials' samples; `None` where there are none.
fn ends(db: &Connection, trials: &[(i64, TrialRecord)]) -> Outcome<Option<(i64, i64)>> {
    let mut first = db.prepare("SELECT sample FROM sample WHERE trial = ?1 ORDER BY sample ASC LIMIT 1")?;
    let mut last = db.prepare("SELECT sample FROM sample WHERE trial = ?1 ORDER BY sample DESC LIMIT 1")?;
    let mut ends: Option<(i64, i64)> = None;
    for (row, _) in trials {
        let Some(low) = first.query_row([row], |row| row.get(0)).optional()? else { continue };
        let high = last.query_row([row], |row| row.get(0))?;
        ends = Some(ends.map_or((low, high), |(first, last)| (first.min(low), last.max(high))));
    }
    Ok(ends)
}

impl Extent {
    /// Returns the columns in the order in which [`sample`] takes them.
    fn columns(self) -> String {
        const COMPARED: &str = "round, inner_round, position, work_ns, process_ns, repetitions";
        const REST: &str = "processor_before, processor_after, resident_pages, total_pages, proof_bytes, proof_digest, \
             value_numbers, histograms, notes, counters";
        let counters = Usage::NAMES[..Usage::WITH_COLUMN].join(", ");
        if self == Self::Whole { format!("{COMPARED}, {counters}, {REST}") } else { COMPARED.to_owned() }
    }
}

fn sample(mut cells: Cells, extent: Extent) -> Outcome<Sample> {
    // The fields are evaluated in the order in which they stand here.
    let mut sample = Sample {
        round: cells.get()?,
        inner: cells.get()?,
        position: cells.get()?,
        work_ns: cells.maybe()?,
        process_ns: cells.maybe()?,
        repetitions: cells.count()?,
        ..Sample::default()
    };
    if extent == Extent::Whole {
        read_the_rest(&mut cells, &mut sample)?;
    }
    Ok(sample)
}

fn read_the_rest(cells: &mut Cells, sample: &mut Sample) -> Outcome<()> {
    let mut in_columns = Usage::default();
    for part in in_columns.parts_mut().into_iter().take(Usage::WITH_COLUMN) {
        *part = cells.maybe()?;
    }
    sample.processor_before = cells.get()?;
    sample.processor_after = cells.get()?;
    sample.resident_before = match (cells.maybe()?, cells.maybe()?) {
        (Some(resident_pages), Some(total_pages)) => Some(Residency { resident_pages, total_pages }),
        _ => None,
    };
    sample.proof = Proof { bytes: cells.count()?, digest: cells.get()? };
    sample.values = cells.json()?;
    sample.histograms = cells.json()?;
    sample.notes = cells.json()?;
    let others: Usage = cells.json()?;
    sample.usage = in_columns.combined_with(others, Option::or);
    Ok(())
}

/// The cells of a row from left to right. A store holds millions of rows, and finding each cell by name takes most of the time.
struct Cells<'row, 'statement> {
    row: &'row Row<'statement>,
    next: usize,
}

impl<'row, 'statement> Cells<'row, 'statement> {
    fn of(row: &'row Row<'statement>) -> Self {
        Self { row, next: 0 }
    }

    fn step(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    fn get<T: FromSql>(&mut self) -> Outcome<T> {
        self.row.get(self.step())
    }

    fn count(&mut self) -> Outcome<u64> {
        count(self.row, self.step())
    }

    fn maybe(&mut self) -> Outcome<Option<u64>> {
        maybe(self.row, self.step())
    }

    fn json<T: DeserializeOwned + Default>(&mut self) -> Outcome<T> {
        maybe_json(self.row, self.step())
    }

    fn word<T: DeserializeOwned>(&mut self) -> Outcome<T> {
        word(self.row, self.step())
    }

    fn maybe_word<T: DeserializeOwned>(&mut self) -> Outcome<Option<T>> {
        let word = self.get::<Option<String>>()?.map(serde_json::Value::String);
        word.map(serde_json::from_value).transpose().map_err(wrong)
    }
}

/// Reads the unsigned value whose bits are kept in a signed column.
fn count(row: &Row, column: impl RowIndex) -> Outcome<u64> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
}

fn maybe(row: &Row, column: impl RowIndex) -> Outcome<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(i64::cast_unsigned))
}

pub(super) fn json<T: DeserializeOwned>(row: &Row, column: impl RowIndex) -> Outcome<T> {
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(wrong)
}

fn maybe_json<T: DeserializeOwned + Default>(row: &Row, column: impl RowIndex) -> Outcome<T> {
    let text = row.get::<_, Option<String>>(column)?;
    text.map_or(Ok(T::default()), |text| serde_json::from_str(&text).map_err(wrong))
}

fn word<T: DeserializeOwned>(row: &Row, column: impl RowIndex) -> Outcome<T> {
    serde_json::from_value(serde_json::Value::String(row.get(column)?)).map_err(wrong)
}

fn wrong(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(usize::MAX, Type::Text, Box::new(error))
}
