//! From rows to the model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use model::{
    Conditions, Design, Fact, FactValue, Failure, Fingerprint, Note, Place, Point, Proof, Record, Residency,
    RunId, Sample, Setting, Summary, Tool, TrialRecord, Usage, Value, Volume, Workload,
};
use rusqlite::types::Type;
use rusqlite::{Connection, Row, named_params};
use serde::de::DeserializeOwned;

use super::host;
use crate::LATEST_RUNS;

type Outcome<T> = rusqlite::Result<T>;

/// The identities of all runs, the one that began last first.
pub(super) fn ids(connection: &Connection) -> Outcome<Vec<RunId>> {
    connection
        .prepare("SELECT id FROM run ORDER BY run DESC")?
        .query_map([], |row| row.get(0).map(RunId))?
        .collect()
}

/// All runs in a line each, the one that began last first.
pub(super) fn summaries(connection: &Connection) -> Outcome<Vec<Summary>> {
    let mut statement = connection.prepare(
        "SELECT id, started, preset, complete, host_name, command,
                (SELECT json_group_array(family) FROM
                    (SELECT DISTINCT family FROM trial WHERE trial.run = run.run ORDER BY family)) AS families,
                (SELECT count(*) FROM trial WHERE trial.run = run.run) AS trials,
                (SELECT count(*) FROM trial JOIN sample USING (trial) WHERE trial.run = run.run) AS samples,
                (SELECT count(*) FROM trial JOIN failure USING (trial) WHERE trial.run = run.run) AS failures
         FROM run ORDER BY run DESC",
    )?;
    let summary = |row: &Row| {
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
    };
    statement.query_map([], summary)?.collect()
}

/// The time of each sample of a workload in the latest runs on a host, with the name of its technique.
pub(super) fn times(
    connection: &Connection,
    host: &Fingerprint,
    family: &str,
    workload: &Workload,
    setting: &Setting,
) -> Outcome<Vec<(String, u64)>> {
    // The text of a JSON object is what the writer made of the same map.
    let text = |value: serde_json::Result<String>| value.map_err(|error| wrong_parameter(error.into()));
    let mut statement = connection.prepare(
        "WITH fitting AS (
             SELECT run, trial, technique FROM trial JOIN run USING (run) JOIN host USING (host)
             WHERE fingerprint = :host AND family = :family AND workload_numbers = :numbers
                   AND workload_shape = :shape AND workload_files = :files AND cache IS :cache
                   AND durability IS :durability AND directory IS :directory)
         SELECT technique, coalesce(process_ns, work_ns) FROM fitting JOIN sample USING (trial)
         WHERE run IN (SELECT DISTINCT run FROM fitting ORDER BY run DESC LIMIT :runs)
               AND coalesce(process_ns, work_ns) IS NOT NULL",
    )?;
    let rows = statement.query_map(
        named_params! {
            ":host": host.0, ":family": family,
            ":numbers": text(serde_json::to_string(&workload.point.numbers().collect::<BTreeMap<_, _>>()))?,
            ":shape": text(serde_json::to_string(&workload.point.words().collect::<BTreeMap<_, _>>()))?,
            ":files": text(serde_json::to_string(&workload.files))?,
            ":cache": setting.conditions.cache.map(|cache| cache.to_string()),
            ":durability": setting.conditions.durability.map(|durability| durability.to_string()),
            ":directory": setting.directory().map(Path::to_string_lossy), ":runs": LATEST_RUNS as i64,
        },
        |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())),
    )?;
    rows.collect()
}

fn wrong_parameter(error: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(error)
}

/// Everything that is known of the run in row `run`.
pub(super) fn record(connection: &Connection, run: i64) -> Outcome<Record> {
    let mut record =
        connection.query_row("SELECT * FROM run JOIN host USING (host) WHERE run = ?1", [run], head)?;
    record.volumes = all(connection, "SELECT * FROM volume WHERE run = ?1 ORDER BY volume", run, volume)?;
    record.facts = all(connection, "SELECT * FROM fact WHERE run = ?1 ORDER BY fact", run, fact)?;
    record.trials = all(connection, "SELECT * FROM trial WHERE run = ?1 ORDER BY ordinal", run, trial)?;
    record.canaries = all(connection, "SELECT * FROM canary WHERE run = ?1 ORDER BY canary", run, |row| {
        Ok((row.get("round")?, count(row, "processor_ns")?, count(row, "memory_ns")?))
    })?;
    record.notes = all(connection, "SELECT * FROM note WHERE run = ?1 ORDER BY note", run, |row| {
        Ok(Note { topic: word(row, "topic")?, text: row.get("text")? })
    })?;
    let samples = all(
        connection,
        "SELECT trial.ordinal, sample.* FROM trial JOIN sample USING (trial) WHERE run = ?1 ORDER BY sample",
        run,
        |row| Ok((row.get("ordinal")?, sample(row)?)),
    )?;
    for (ordinal, sample) in samples {
        trial_of(&mut record, ordinal)?.samples.push(sample);
    }
    let failures = all(
        connection,
        "SELECT trial.ordinal, failure.* FROM trial JOIN failure USING (trial) WHERE run = ?1 ORDER BY failure",
        run,
        |row| Ok((row.get("ordinal")?, failure(row)?)),
    )?;
    for (ordinal, failure) in failures {
        trial_of(&mut record, ordinal)?.failures.push(failure);
    }
    Ok(record)
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    run: i64,
    from_row: impl FnMut(&Row) -> Outcome<T>,
) -> Outcome<Vec<T>> {
    connection.prepare(sql)?.query_map([run], from_row)?.collect()
}

fn trial_of(record: &mut Record, ordinal: u32) -> Outcome<&mut TrialRecord> {
    // The indices run from 0 without a gap unless the file is damaged.
    record.trials.get_mut(ordinal as usize).ok_or(rusqlite::Error::IntegralValueOutOfRange(0, ordinal.into()))
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
            quantity: json(row, "quantity")?,
            quantities: json(row, "quantities")?,
            alpha: row.get("alpha")?,
            shared_by: if row.get("alpha_per_cell")? { 1 } else { row.get("cells")? },
            delta: row.get("delta")?,
            looks: json(row, "looks")?,
            references: json(row, "reference_names")?,
            curves: json(row, "curves")?,
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

fn trial(row: &Row) -> Outcome<TrialRecord> {
    Ok(TrialRecord {
        family: row.get("family")?,
        technique: row.get("technique")?,
        aliases: json(row, "aliases")?,
        kind: word(row, "kind")?,
        twin_of: row.get("twin_of")?,
        variant_of: row.get("variant_of")?,
        class: word(row, "class")?,
        command: json(row, "command")?,
        workload: Workload {
            name: row.get("workload")?,
            files: json(row, "workload_files")?,
            point: point(json(row, "workload_numbers")?, json(row, "workload_shape")?),
        },
        setting: Setting {
            conditions: Conditions {
                cache: maybe_word(row, "cache")?,
                durability: maybe_word(row, "durability")?,
                file_system: row.get("file_system")?,
                processors: json(row, "processors")?,
                memory_limit_bytes: maybe(row, "memory_limit_bytes")?,
            },
            place: Place { directory: row.get::<_, Option<String>>("directory")?.map(PathBuf::from) },
        },
        attempt: row.get("attempt")?,
        looks: json(row, "looks")?,
        samples: Vec::new(),
        failures: Vec::new(),
    })
}

fn sample(row: &Row) -> Outcome<Sample> {
    let pages = (maybe(row, "resident_pages")?, maybe(row, "total_pages")?);
    Ok(Sample {
        round: row.get("round")?,
        inner: row.get("inner_round")?,
        position: row.get("position")?,
        work_ns: maybe(row, "work_ns")?,
        process_ns: maybe(row, "process_ns")?,
        repetitions: count(row, "repetitions")?,
        usage: Usage {
            user_ns: maybe(row, "user_ns")?,
            system_ns: maybe(row, "system_ns")?,
            minor_faults: maybe(row, "minor_faults")?,
            major_faults: maybe(row, "major_faults")?,
            voluntary_switches: maybe(row, "voluntary_switches")?,
            involuntary_switches: maybe(row, "involuntary_switches")?,
            run_delay_ns: maybe(row, "run_delay_ns")?,
            peak_memory_bytes: maybe(row, "peak_memory_bytes")?,
            read_bytes: maybe(row, "read_bytes")?,
            written_bytes: maybe(row, "written_bytes")?,
        },
        processor_before: row.get("processor_before")?,
        processor_after: row.get("processor_after")?,
        resident_before: match pages {
            (Some(resident_pages), Some(total_pages)) => Some(Residency { resident_pages, total_pages }),
            _ => None,
        },
        proof: Proof { bytes: count(row, "proof_bytes")?, digest: row.get("proof_digest")? },
        values: maybe_json(row, "value_numbers")?,
        histograms: maybe_json(row, "histograms")?,
        notes: maybe_json(row, "notes")?,
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

/// The unsigned value whose bits are kept in a signed column.
fn count(row: &Row, column: &str) -> Outcome<u64> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
}

fn maybe(row: &Row, column: &str) -> Outcome<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(i64::cast_unsigned))
}

fn point(numbers: BTreeMap<String, u64>, words: BTreeMap<String, String>) -> Point {
    let numbers = numbers.into_iter().map(|(axis, number)| (axis, Value::Number(number)));
    Point(numbers.chain(words.into_iter().map(|(axis, word)| (axis, Value::Word(word)))).collect())
}

pub(super) fn json<T: DeserializeOwned>(row: &Row, column: &str) -> Outcome<T> {
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(wrong)
}

fn maybe_json<T: DeserializeOwned + Default>(row: &Row, column: &str) -> Outcome<T> {
    match row.get::<_, Option<String>>(column)? {
        None => Ok(T::default()),
        Some(text) => serde_json::from_str(&text).map_err(wrong),
    }
}

fn word<T: DeserializeOwned>(row: &Row, column: &str) -> Outcome<T> {
    serde_json::from_value(serde_json::Value::String(row.get(column)?)).map_err(wrong)
}

fn maybe_word<T: DeserializeOwned>(row: &Row, column: &str) -> Outcome<Option<T>> {
    let word = row.get::<_, Option<String>>(column)?.map(serde_json::Value::String);
    word.map(serde_json::from_value).transpose().map_err(wrong)
}

fn wrong(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}
