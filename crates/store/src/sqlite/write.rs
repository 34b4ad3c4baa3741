//! From the model to rows.
//!
//! Structs are taken apart field by field without `..`, so that a field that joins the model does not compile here until
//! it has its column.

use std::collections::BTreeMap;
use std::path::Path;

use model::{
    Conditions, Design, Fact, FactValue, Failure, Increment, Note, Place, Record, RunId, Sample, Setting,
    TrialRecord, Usage, Volume,
};
use rusqlite::{ToSql, Transaction, params_from_iter};
use serde::Serialize;

use super::{Outcome, Refusal, host};
use crate::StoreError;
use crate::memory::check_trials;

/// Stores a new record with all that it holds.
pub(super) fn record(transaction: &Transaction, record: &Record) -> Outcome<()> {
    let id = &record.id;
    let exists: bool =
        transaction
            .query_row("SELECT EXISTS (SELECT 1 FROM run WHERE id = ?1)", [&id.0], |row| row.get(0))?;
    if exists {
        return Err(StoreError::AlreadyStored(id.clone()).into());
    }
    let run = head(transaction, record)?;
    for (ordinal, one) in record.trials.iter().enumerate() {
        trial(transaction, id, run, ordinal, one)?;
    }
    for one in &record.canaries {
        canary(transaction, run, *one)?;
    }
    for one in &record.notes {
        note(transaction, id, run, one)?;
    }
    count(transaction, run, &record.trials, [0, 0])
}

/// Adds what a round found out.
pub(super) fn increment(
    transaction: &Transaction,
    id: &RunId,
    run: i64,
    increment: &Increment,
) -> Outcome<()> {
    let Increment { trials, samples, failures, canaries, notes } = increment;
    let mut rows: Vec<i64> = transaction
        .prepare_cached("SELECT trial FROM trial WHERE run = ?1 ORDER BY ordinal")?
        .query_map([run], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    check_trials(id, increment, (rows.len() + trials.len()) as u32)?;
    for one in trials {
        rows.push(trial(transaction, id, run, rows.len(), one)?);
    }
    for (index, one) in samples {
        sample(transaction, id, rows[*index as usize], one)?;
    }
    for (index, one) in failures {
        failure(transaction, id, rows[*index as usize], one)?;
    }
    for one in canaries {
        canary(transaction, run, *one)?;
    }
    for one in notes {
        note(transaction, id, run, one)?;
    }
    count(transaction, run, trials, [samples.len(), failures.len()])
}

/// Counts what joined the run: samples and failures, and those that new trials brought along.
fn count(transaction: &Transaction, run: i64, trials: &[TrialRecord], beside: [usize; 2]) -> Outcome<()> {
    let samples = beside[0] + trials.iter().map(|trial| trial.samples.len()).sum::<usize>();
    let failures = beside[1] + trials.iter().map(|trial| trial.failures.len()).sum::<usize>();
    transaction
        .prepare_cached("UPDATE run SET samples = samples + ?2, failures = failures + ?3 WHERE run = ?1")?
        .execute((run, samples as i64, failures as i64))?;
    Ok(())
}

fn head(transaction: &Transaction, record: &Record) -> Outcome<i64> {
    // The last three are stored by the caller.
    let Record {
        tool,
        id,
        started,
        seed,
        preset,
        complete,
        command,
        design,
        host: machine,
        volumes,
        facts,
        trials: _,
        canaries: _,
        notes: _,
    } = record;
    let Design { metric, metrics, alpha, shared_by, delta, looks, baselines, curves, threads, questions } =
        design;
    for (what, value) in [("alpha", alpha), ("delta", delta)] {
        if !value.is_finite() {
            return Err(unstorable(id, format!("{what} is {value}")));
        }
    }
    let (host, host_state) = host::write(transaction, id, machine)?;
    let row: &[Cell<'_>] = &[
        ("id", &id.0),
        ("started", started),
        ("complete", complete),
        ("tool_name", &tool.name),
        ("tool_version", &tool.version),
        ("tool_commit", &tool.commit),
        ("seed", &seed.to_string()),
        ("preset", &word(id, preset)?),
        ("command", &json(id, command)?),
        ("metric", &json(id, metric)?),
        ("metrics", &json(id, metrics)?),
        ("alpha", alpha),
        ("alpha_per_cell", &(*shared_by == 1)),
        ("delta", delta),
        ("looks", &json(id, looks)?),
        ("cells", shared_by),
        ("baselines", &json(id, baselines)?),
        ("curves", &json(id, curves)?),
        ("threads", &json(id, threads)?),
        ("questions", &json(id, questions)?),
        ("host_name", &machine.name),
        ("host", &host),
        ("host_state", &host_state),
    ];
    let run = insert(transaction, "run", row)?;
    for one in volumes {
        volume(transaction, id, run, one)?;
    }
    for one in facts {
        fact(transaction, id, run, one)?;
    }
    Ok(run)
}

fn volume(transaction: &Transaction, id: &RunId, run: i64, volume: &Volume) -> Outcome<()> {
    let Volume {
        directory,
        file_system,
        mount_point,
        mount_options,
        device,
        rotational,
        scheduler,
        total_bytes,
        free_bytes,
        block_bytes,
    } = volume;
    let row: &[Cell<'_>] = &[
        ("run", &run),
        ("directory", &path(id, directory)?),
        ("file_system", file_system),
        ("mount_point", &mount_point.as_deref().map(|point| path(id, point)).transpose()?),
        ("mount_options", mount_options),
        ("device", device),
        ("rotational", rotational),
        ("scheduler", scheduler),
        ("total_bytes", &total_bytes.map(bits)),
        ("free_bytes", &free_bytes.map(bits)),
        ("block_bytes", &block_bytes.map(bits)),
    ];
    insert(transaction, "volume", row)?;
    Ok(())
}

fn fact(transaction: &Transaction, id: &RunId, run: i64, fact: &Fact) -> Outcome<()> {
    let Fact { family, name, about, value } = fact;
    let (number, unit, words) = match value {
        FactValue::Number { number, .. } if !number.is_finite() => {
            return Err(unstorable(id, format!("the fact {name} of {family} is {number}")));
        }
        FactValue::Number { number, unit } => (Some(number), Some(unit), None),
        FactValue::Words { words } => (None, None, Some(words)),
    };
    transaction.execute(
        "INSERT INTO fact (run, family, name, about, number, unit, words) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        (run, family, name, about, number, unit, words),
    )?;
    Ok(())
}

fn trial(
    transaction: &Transaction,
    id: &RunId,
    run: i64,
    ordinal: usize,
    trial: &TrialRecord,
) -> Outcome<i64> {
    let TrialRecord {
        family,
        technique,
        aliases,
        kind,
        twin_of,
        variant_of,
        class,
        command,
        workload,
        setting,
        attempt,
        looks,
        samples,
        failures,
    } = trial;
    let Setting { conditions, place: Place { directory } } = setting;
    let Conditions { cache, durability, file_system, processors, memory_limit_bytes } = conditions;
    let numbers: BTreeMap<_, _> = workload.point.numbers().collect();
    let words: BTreeMap<_, _> = workload.point.words().collect();
    let cells: &[Cell<'_>] = &[
        ("run", &run),
        ("ordinal", &(ordinal as i64)),
        ("family", family),
        ("technique", technique),
        ("aliases", &json(id, aliases)?),
        ("kind", &word(id, kind)?),
        ("twin_of", twin_of),
        ("variant_of", variant_of),
        ("class", &word(id, class)?),
        ("command", &json(id, command)?),
        ("workload", &workload.name),
        ("workload_bytes", &workload.bytes().map(bits)),
        ("workload_numbers", &json(id, &numbers)?),
        ("workload_shape", &json(id, &words)?),
        ("workload_files", &json(id, &workload.files)?),
        ("cache", &cache.map(|cache| word(id, &cache)).transpose()?),
        ("durability", &durability.map(|durability| word(id, &durability)).transpose()?),
        ("directory", &directory.as_deref().map(|directory| path(id, directory)).transpose()?),
        ("file_system", file_system),
        ("processors", &json(id, processors)?),
        ("memory_limit_bytes", &memory_limit_bytes.map(bits)),
        ("attempt", attempt),
        ("looks", &json(id, looks)?),
    ];
    let row = insert(transaction, "trial", cells)?;
    for one in samples {
        sample(transaction, id, row, one)?;
    }
    for one in failures {
        failure(transaction, id, row, one)?;
    }
    Ok(row)
}

fn sample(transaction: &Transaction, id: &RunId, trial: i64, sample: &Sample) -> Outcome<()> {
    let Sample {
        round,
        inner,
        position,
        work_ns,
        process_ns,
        repetitions,
        usage,
        processor_before,
        processor_after,
        resident_before,
        proof,
        values,
        histograms,
        notes,
    } = sample;
    if let Some((key, value)) = values.iter().find(|(_, value)| !value.is_finite()) {
        return Err(unstorable(id, format!("{key} is {value}")));
    }
    let mut usage = *usage;
    let counters = Usage::NAMES.iter().zip(usage.parts_mut()).take(Usage::WITH_COLUMN);
    let counters: Vec<(&str, Option<i64>)> = counters.map(|(name, part)| (*name, part.map(bits))).collect();
    let others = usage.without_column();
    let mut row: Vec<Cell<'_>> = counters.iter().map(|(name, count)| (*name, count as &dyn ToSql)).collect();
    let rest: &[Cell<'_>] = &[
        ("trial", &trial),
        ("round", round),
        ("inner_round", inner),
        ("position", position),
        ("work_ns", &work_ns.map(bits)),
        ("process_ns", &process_ns.map(bits)),
        ("repetitions", &bits(*repetitions)),
        ("processor_before", processor_before),
        ("processor_after", processor_after),
        ("resident_pages", &resident_before.map(|pages| bits(pages.resident_pages))),
        ("total_pages", &resident_before.map(|pages| bits(pages.total_pages))),
        ("proof_bytes", &bits(proof.bytes)),
        ("proof_digest", &proof.digest),
        ("value_numbers", &(!values.is_empty()).then(|| json(id, values)).transpose()?),
        ("histograms", &(!histograms.is_empty()).then(|| json(id, histograms)).transpose()?),
        ("notes", &(!notes.is_empty()).then(|| json(id, notes)).transpose()?),
        ("counters", &(!others.is_empty()).then(|| json(id, &others)).transpose()?),
    ];
    row.extend(rest);
    insert(transaction, "sample", &row)?;
    Ok(())
}

fn failure(transaction: &Transaction, id: &RunId, trial: i64, failure: &Failure) -> Outcome<()> {
    let Failure { round, position, kind, reason, shortfall } = failure;
    let shortfall = shortfall.as_ref().map(|shortfall| json(id, shortfall)).transpose()?;
    transaction
        .prepare_cached(
            "INSERT INTO failure (trial, round, position, kind, reason, shortfall) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute((trial, round, position, word(id, kind)?, reason, shortfall))?;
    Ok(())
}

fn canary(
    transaction: &Transaction,
    run: i64,
    (round, processor_ns, memory_ns): (u32, u64, u64),
) -> Outcome<()> {
    transaction
        .prepare_cached("INSERT INTO canary (run, round, processor_ns, memory_ns) VALUES (?1, ?2, ?3, ?4)")?
        .execute((run, round, bits(processor_ns), bits(memory_ns)))?;
    Ok(())
}

fn note(transaction: &Transaction, id: &RunId, run: i64, note: &Note) -> Outcome<()> {
    let Note { topic, text } = note;
    transaction.prepare_cached("INSERT INTO note (run, topic, text) VALUES (?1, ?2, ?3)")?.execute((
        run,
        word(id, topic)?,
        text,
    ))?;
    Ok(())
}

/// A column and its value.
type Cell<'a> = (&'a str, &'a dyn ToSql);

/// Adds a row and gives its number.
fn insert(transaction: &Transaction, table: &str, row: &[Cell<'_>]) -> Outcome<i64> {
    let mut sql = format!("INSERT INTO {table} (");
    let mut places = String::new();
    for (place, (column, _)) in row.iter().enumerate() {
        let comma = if place == 0 { "" } else { "," };
        sql += comma;
        sql += column;
        places += comma;
        places += "?";
    }
    sql += &format!(") VALUES ({places})");
    let values = params_from_iter(row.iter().map(|(_, value)| value));
    transaction.prepare_cached(&sql)?.execute(values)?;
    Ok(transaction.last_insert_rowid())
}

/// SQLite has no unsigned integers: the bits are kept, see the head of the schema.
fn bits(value: u64) -> i64 {
    value.cast_signed()
}

pub(super) fn json<T: Serialize + ?Sized>(id: &RunId, value: &T) -> Outcome<String> {
    serde_json::to_string(value).map_err(|error| unstorable(id, error.to_string()))
}

/// The word that an enumeration's variant has in files.
fn word<T: Serialize>(id: &RunId, value: &T) -> Outcome<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => Ok(word),
        other => Err(unstorable(id, format!("{other:?} is no word"))),
    }
}

fn path<'p>(id: &RunId, path: &'p Path) -> Outcome<&'p str> {
    path.to_str().ok_or_else(|| {
        unstorable(
            id,
            format!("the name of the directory {} is not valid UTF-8; use another", path.display()),
        )
    })
}

fn unstorable(id: &RunId, detail: String) -> Refusal {
    StoreError::Unstorable { id: id.clone(), detail }.into()
}
