//! From the model to rows. `read` builds structs without `..`: a field that joins the model does not compile without its column.

use std::collections::BTreeMap;
use std::path::Path;

use model::{Fact, FactValue, Failure, Increment, Note, Record, RunId, Sample, TrialRecord, Usage, Volume};
use rusqlite::{ToSql, Transaction, params_from_iter};
use serde::Serialize;

use super::{Outcome, Refusal, host};
use crate::StoreError;

pub(super) fn record(db: &Transaction, record: &Record) -> Outcome<()> {
    let id = &record.id;
    if db.prepare("SELECT 1 FROM run WHERE id = ?1")?.exists([&id.0])? {
        return Err(StoreError::AlreadyStored(id.clone()).into());
    }
    let mut writer = Writer { transaction: db, id, run: 0 };
    writer.run = writer.head(record)?;
    record.volumes.iter().try_for_each(|volume| writer.volume(volume))?;
    record.facts.iter().try_for_each(|fact| writer.fact(fact))?;
    for (ordinal, trial) in record.trials.iter().enumerate() {
        writer.trial(ordinal, trial)?;
    }
    record.canaries.iter().try_for_each(|canary| writer.canary(*canary))?;
    record.notes.iter().try_for_each(|note| writer.note(note))?;
    writer.count(&record.trials, [0, 0])
}

pub(super) fn increment(db: &Transaction, id: &RunId, run: i64, increment: &Increment) -> Outcome<()> {
    let Increment { trials, samples, failures, canaries, notes } = increment;
    let mut rows: Vec<i64> = db
        .prepare_cached("SELECT trial FROM trial WHERE run = ?1 ORDER BY ordinal")?
        .query_map([run], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    check_trials(id, increment, (rows.len() + trials.len()) as u32)?;
    let writer = Writer { transaction: db, id, run };
    for trial in trials {
        rows.push(writer.trial(rows.len(), trial)?);
    }
    samples.iter().try_for_each(|(index, sample)| writer.sample(rows[*index as usize], sample))?;
    failures.iter().try_for_each(|(index, failure)| writer.failure(rows[*index as usize], failure))?;
    canaries.iter().try_for_each(|canary| writer.canary(*canary))?;
    notes.iter().try_for_each(|note| writer.note(note))?;
    writer.count(trials, [samples.len(), failures.len()])
}

/// Refuses an increment with a row of a trial that is not there: a sample without its trial would be lost in silence.
fn check_trials(id: &RunId, increment: &Increment, trials: u32) -> Result<(), StoreError> {
    let samples = increment.samples.iter().map(|(trial, _)| *trial);
    let mut named = samples.chain(increment.failures.iter().map(|(trial, _)| *trial));
    let Some(index) = named.find(|&trial| trial >= trials) else { return Ok(()) };
    Err(StoreError::UnknownTrial { id: id.clone(), index, trials })
}

struct Writer<'t> {
    transaction: &'t Transaction<'t>,
    id: &'t RunId,
    run: i64,
}

/// A column and its value.
type Cell<'a> = (&'a str, &'a dyn ToSql);

impl Writer<'_> {
    /// Counts what joined the run: samples and failures, and those that new trials brought along.
    fn count(&self, trials: &[TrialRecord], others: [usize; 2]) -> Outcome<()> {
        let samples = others[0] + trials.iter().map(|trial| trial.samples.len()).sum::<usize>();
        let failures = others[1] + trials.iter().map(|trial| trial.failures.len()).sum::<usize>();
        self.transaction
            .prepare_cached("UPDATE run SET samples = samples + ?2, failures = failures + ?3 WHERE run = ?1")?
            .execute((self.run, samples as i64, failures as i64))?;
        Ok(())
    }

    /// Adds the row of the run itself, and returns its number.
    fn head(&self, record: &Record) -> Outcome<i64> {
        let (tool, design) = (&record.tool, &record.design);
        for (what, value) in [("alpha", design.alpha), ("delta", design.delta)] {
            if !value.is_finite() {
                return Err(self.unstorable(format!("{what} is {value}")));
            }
        }
        let (host, host_state) = host::write(self.transaction, self.id, &record.host)?;
        self.insert(
            "run",
            &[
                ("id", &self.id.0),
                ("started", &record.started),
                ("complete", &record.complete),
                ("tool_name", &tool.name),
                ("tool_version", &tool.version),
                ("tool_commit", &tool.commit),
                ("seed", &record.seed.to_string()),
                ("preset", &self.word(&record.preset)?),
                ("command", &self.json(&record.command)?),
                ("metric", &self.json(&design.metric)?),
                ("metrics", &self.json(&design.metrics)?),
                ("alpha", &design.alpha),
                ("alpha_per_cell", &(design.shared_by == 1)),
                ("delta", &design.delta),
                ("looks", &self.json(&design.looks)?),
                ("cells", &design.shared_by),
                ("baselines", &self.json(&design.baselines)?),
                ("curves", &self.json(&design.curves)?),
                ("threads", &self.json(&design.threads)?),
                ("questions", &self.json(&design.questions)?),
                ("host_name", &record.host.name),
                ("host", &host),
                ("host_state", &host_state),
            ],
        )
    }

    fn volume(&self, volume: &Volume) -> Outcome<()> {
        let row: &[Cell<'_>] = &[
            ("run", &self.run),
            ("directory", &self.path(&volume.directory)?),
            ("file_system", &volume.file_system),
            ("mount_point", &volume.mount_point.as_deref().map(|point| self.path(point)).transpose()?),
            ("mount_options", &volume.mount_options),
            ("device", &volume.device),
            ("rotational", &volume.rotational),
            ("scheduler", &volume.scheduler),
            ("read_ahead_bytes", &volume.read_ahead_bytes.map(bits)),
            ("total_bytes", &volume.total_bytes.map(bits)),
            ("free_bytes", &volume.free_bytes.map(bits)),
            ("block_bytes", &volume.block_bytes.map(bits)),
        ];
        self.insert("volume", row).map(drop)
    }

    fn fact(&self, fact: &Fact) -> Outcome<()> {
        let Fact { family, name, about, value } = fact;
        let (number, unit, words) = match value {
            FactValue::Number { number, .. } if !number.is_finite() => {
                return Err(self.unstorable(format!("the fact {name} of {family} is {number}")));
            }
            FactValue::Number { number, unit } => (Some(number), Some(unit), None),
            FactValue::Words { words } => (None, None, Some(words)),
        };
        let of: [Cell<'_>; 4] = [("run", &self.run), ("family", family), ("name", name), ("about", about)];
        let value: [Cell<'_>; 3] = [("number", &number), ("unit", &unit), ("words", &words)];
        self.insert("fact", &[&of[..], &value].concat()).map(drop)
    }

    /// Adds a trial with its samples and failures, and returns its number.
    fn trial(&self, ordinal: usize, trial: &TrialRecord) -> Outcome<i64> {
        let (workload, conditions) = (&trial.workload, &trial.setting.conditions);
        let numbers: BTreeMap<_, _> = workload.point.numbers().collect();
        let words: BTreeMap<_, _> = workload.point.words().collect();
        let directory = trial.setting.directory().map(|directory| self.path(directory)).transpose()?;
        let row = self.insert(
            "trial",
            &[
                ("run", &self.run),
                ("ordinal", &(ordinal as i64)),
                ("family", &trial.family),
                ("technique", &trial.technique),
                ("aliases", &self.json(&trial.aliases)?),
                ("kind", &self.word(&trial.kind)?),
                ("twin_of", &trial.twin_of),
                ("variant_of", &trial.variant_of),
                ("class", &self.word(&trial.class)?),
                ("command", &self.json(&trial.command)?),
                ("workload", &workload.name),
                ("workload_bytes", &workload.bytes().map(bits)),
                ("workload_numbers", &self.json(&numbers)?),
                ("workload_shape", &self.json(&words)?),
                ("workload_files", &self.json(&workload.files)?),
                ("cache", &conditions.cache.map(|cache| self.word(&cache)).transpose()?),
                ("durability", &conditions.durability.map(|end| self.word(&end)).transpose()?),
                ("directory", &directory),
                ("file_system", &conditions.file_system),
                ("processors", &self.json(&conditions.processors)?),
                ("memory_limit_bytes", &conditions.memory_limit_bytes.map(bits)),
                ("attempt", &trial.attempt),
                ("looks", &self.json(&trial.looks)?),
            ],
        )?;
        trial.samples.iter().try_for_each(|sample| self.sample(row, sample))?;
        trial.failures.iter().try_for_each(|failure| self.failure(row, failure))?;
        Ok(row)
    }

    fn sample(&self, trial: i64, sample: &Sample) -> Outcome<()> {
        let Sample { values, histograms, notes, .. } = sample;
        let mut usage = sample.usage;
        if let Some((key, value)) = values.iter().find(|(_, value)| !value.is_finite()) {
            return Err(self.unstorable(format!("{key} is {value}")));
        }
        let counters = Usage::NAMES.iter().zip(usage.parts_mut()).take(Usage::WITH_COLUMN);
        let counters: Vec<(&str, Option<i64>)> =
            counters.map(|(name, part)| (*name, part.map(bits))).collect();
        let others = usage.without_column();
        let mut row: Vec<Cell<'_>> =
            counters.iter().map(|(name, count)| (*name, count as &dyn ToSql)).collect();
        let rest: &[Cell<'_>] = &[
            ("trial", &trial),
            ("round", &sample.round),
            ("inner_round", &sample.inner),
            ("position", &sample.position),
            ("work_ns", &sample.work_ns.map(bits)),
            ("process_ns", &sample.process_ns.map(bits)),
            ("repetitions", &bits(sample.repetitions)),
            ("processor_before", &sample.processor_before),
            ("processor_after", &sample.processor_after),
            ("resident_pages", &sample.resident_before.map(|pages| bits(pages.resident_pages))),
            ("total_pages", &sample.resident_before.map(|pages| bits(pages.total_pages))),
            ("proof_bytes", &bits(sample.proof.bytes)),
            ("proof_digest", &sample.proof.digest),
            ("value_numbers", &(!values.is_empty()).then(|| self.json(values)).transpose()?),
            ("histograms", &(!histograms.is_empty()).then(|| self.json(histograms)).transpose()?),
            ("notes", &(!notes.is_empty()).then(|| self.json(notes)).transpose()?),
            ("counters", &(!others.is_empty()).then(|| self.json(&others)).transpose()?),
        ];
        row.extend(rest);
        self.insert("sample", &row).map(drop)
    }

    fn failure(&self, trial: i64, failure: &Failure) -> Outcome<()> {
        let row: &[Cell<'_>] = &[
            ("trial", &trial),
            ("round", &failure.round),
            ("position", &failure.position),
            ("kind", &self.word(&failure.kind)?),
            ("reason", &failure.reason),
            ("shortfall", &failure.shortfall.map(|shortfall| self.json(&shortfall)).transpose()?),
        ];
        self.insert("failure", row).map(drop)
    }

    fn canary(&self, (round, processor_ns, memory_ns): (u32, u64, u64)) -> Outcome<()> {
        let times: [Cell<'_>; 2] = [("processor_ns", &bits(processor_ns)), ("memory_ns", &bits(memory_ns))];
        self.insert("canary", &[("run", &self.run), ("round", &round), times[0], times[1]]).map(drop)
    }

    fn note(&self, note: &Note) -> Outcome<()> {
        let topic = self.word(&note.topic)?;
        self.insert("note", &[("run", &self.run), ("topic", &topic), ("text", &note.text)]).map(drop)
    }

    fn insert(&self, table: &str, row: &[Cell<'_>]) -> Outcome<i64> {
        let columns: Vec<&str> = row.iter().map(|(column, _)| *column).collect();
        let places = vec!["?"; row.len()].join(",");
        let sql = format!("INSERT INTO {table} ({}) VALUES ({places})", columns.join(","));
        let values = params_from_iter(row.iter().map(|(_, value)| value));
        self.transaction.prepare_cached(&sql)?.execute(values)?;
        Ok(self.transaction.last_insert_rowid())
    }

    fn json<T: Serialize + ?Sized>(&self, value: &T) -> Outcome<String> {
        json(self.id, value)
    }

    /// Returns the word that an enumeration's variant has in files.
    fn word<T: Serialize>(&self, value: &T) -> Outcome<String> {
        match serde_json::to_value(value) {
            Ok(serde_json::Value::String(word)) => Ok(word),
            other => Err(self.unstorable(format!("{other:?} is not a word"))),
        }
    }

    fn path<'p>(&self, path: &'p Path) -> Outcome<&'p str> {
        path.to_str().ok_or_else(|| {
            let path = path.display();
            self.unstorable(format!("the name of the directory {path} is not valid UTF-8; use another"))
        })
    }

    fn unstorable(&self, detail: String) -> Refusal {
        StoreError::Unstorable(self.id.clone(), detail).into()
    }
}

/// Keeps the bits of a number: SQLite has no unsigned integers, see the head of the schema.
fn bits(value: u64) -> i64 {
    value.cast_signed()
}

pub(super) fn json<T: Serialize + ?Sized>(id: &RunId, value: &T) -> Outcome<String> {
    serde_json::to_string(value).map_err(|error| StoreError::Unstorable(id.clone(), error.to_string()).into())
}
