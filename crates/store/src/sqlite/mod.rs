//! The store in one SQLite file. A round is a transaction: a killed run keeps all rounds but its last. Others read between the
//! rounds, and writers wait for each other. A journal and not a write-ahead log: see `open`.

mod host;
mod migrations;
mod open;
mod read;
mod write;

pub(crate) use self::migrations::VERSION;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use model::{Fingerprint, Increment, Record, RunId, Setting, Summary, Workload};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};

use self::open::{At, Place};
use self::read::Extent;
use crate::error::in_one_line;
use crate::resolve::{self, unknown};
use crate::{Meant, Result, StoreError};

/// Patience of a writer. Another one writes a round in milliseconds, so this is only reached when a process hangs.
const WAIT: Duration = Duration::from_secs(20);

/// A store in one SQLite file. The tables are described in `schema_1.sql` and the steps after it. A stored record is what was begun plus every increment that
/// was appended.
///
/// Errors: the store cannot be read or written, or has no run of the identity that is named.
#[derive(Debug)]
pub struct Sqlite {
    connection: Connection,
    place: Place,
}

impl Sqlite {
    /// Opens the store at `path` for reading and writing. Makes directory and file, and brings an older store up to date.
    /// Errors: the file is something else, another program's, damaged, of a newer bakeoff, or not writable. It is left as it was.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        open::writing(path.as_ref(), WAIT)
    }

    /// Opens the store at `path` for reading only. Nothing in it changes, but what a killed process left unfinished is taken back.
    /// Errors: the file is absent, something else, another program's, damaged, or of another version.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self> {
        open::reading(path.as_ref(), WAIT)
    }

    /// Makes a store that ends with the process: for tests, and for runs that leave nothing behind.
    /// Errors: there is no memory left.
    pub fn in_memory() -> Result<Self> {
        open::in_memory()
    }

    /// Opens another reader of the same store, for another thread, without the checks of the first one.
    /// Errors: the file cannot be opened any more; a store in memory has no other reader.
    pub fn open_again(&self) -> Result<Self> {
        open::again(self.place.clone())
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.place.path
    }

    /// Writes many whole runs in one transaction.
    /// Errors: a run is stored already or cannot be stored, or the file cannot be written. Then none of them is.
    pub fn fill(&mut self, runs: impl IntoIterator<Item = (Record, Increment)>) -> Result<()> {
        self.transact(|transaction| {
            for (record, rounds) in runs {
                write::record(transaction, &record)?;
                let run = row_of(transaction, &record.id)?;
                write::increment(transaction, &record.id, run, &rounds)?;
            }
            Ok(())
        })
    }

    /// Stores a new record with everything that it holds already.
    /// Errors: a run of this identity is stored already.
    pub fn begin(&mut self, record: &Record) -> Result<()> {
        self.transact(|transaction| write::record(transaction, record))
    }

    /// Adds what a round found out: all of it or, on an error, nothing.
    /// Errors: a row names a trial that the run does not have.
    pub fn append(&mut self, id: &RunId, increment: &Increment) -> Result<()> {
        self.transact(|transaction| {
            let run = row_of(transaction, id)?;
            write::increment(transaction, id, run, increment)
        })
    }

    /// Marks the run as complete.
    pub fn finish(&mut self, id: &RunId) -> Result<()> {
        self.transact(|transaction| {
            let run = row_of(transaction, id)?;
            transaction.execute("UPDATE run SET complete = 1 WHERE run = ?1", [run])?;
            Ok(())
        })
    }

    /// Returns all runs, the one that began last first.
    pub fn runs(&self) -> Result<Vec<Summary>> {
        read::summaries(&self.connection).at(&self.place)
    }

    /// Returns the host of each run: `None` for one without a fingerprint.
    pub fn hosts(&self) -> Result<BTreeMap<RunId, Option<Fingerprint>>> {
        read::hosts(&self.connection).at(&self.place)
    }

    /// Loads a whole run.
    pub fn load(&self, id: &RunId) -> Result<Record> {
        self.load_part(id, &|_, _| true, Extent::Whole)
    }

    /// Loads a run with some of its trials: of others neither samples nor failures are read. Of each sample only place, repetitions
    /// and compared metric are sure, which is several times faster.
    pub fn load_compared(&self, id: &RunId, is_meant: Meant<'_>) -> Result<Record> {
        self.load_part(id, is_meant, Extent::Compared)
    }

    /// Returns the median time of one repetition in nanoseconds by the technique, in a host's latest runs of a workload at a
    /// setting. Hosts without a fingerprint have none.
    pub fn earlier_times(
        &self, host: &Fingerprint, family: &str, workload: &Workload, setting: &Setting,
    ) -> Result<BTreeMap<String, u64>> {
        read::median_times(&self.connection, host, family, workload, setting).at(&self.place)
    }

    /// Finds the run that a user means: `last`, a full identity, or the beginning of exactly one.
    /// Errors: nothing fits (the nearest identities are named), or more than one run does.
    pub fn resolve(&self, text: &str) -> Result<RunId> {
        resolve::resolve(text, &read::ids(&self.connection).at(&self.place)?)
    }

    /// Loads a run with some of its trials, and this much of their samples.
    fn load_part(&self, id: &RunId, is_meant: Meant<'_>, extent: Extent) -> Result<Record> {
        let load = || -> Outcome<Record> {
            // One snapshot: another process may append a round while the tables are read one after the other.
            let snapshot = self.connection.unchecked_transaction()?;
            let run = row_of(&snapshot, id)?;
            let record = read::record(&snapshot, run, is_meant, extent)?;
            let Some(fault) = record.fault() else { return Ok(record) };
            let detail = format!("{} ({})", fault.problem, fault.place);
            Err(StoreError::CorruptRun(self.place.path.clone(), id.clone(), detail).into())
        };
        match load() {
            // One cell that cannot be read costs its run, not the store.
            Err(Refusal::Sqlite(error)) if error.sqlite_error_code().is_none() => {
                let detail = in_one_line(&error.to_string());
                Err(StoreError::CorruptRun(self.place.path.clone(), id.clone(), detail))
            }
            loaded => loaded.at(&self.place),
        }
    }

    /// Runs `body` in a transaction that is kept whole or not at all.
    fn transact<T>(&mut self, body: impl FnOnce(&Transaction) -> Outcome<T>) -> Result<T> {
        let run = || -> Outcome<T> {
            // Immediate: a transaction that begins by reading could not wait for a writer later on.
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = body(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        run().at(&self.place)
    }
}

type Outcome<T> = std::result::Result<T, Refusal>;

enum Refusal {
    Store(Box<StoreError>),
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(Box::new(error))
    }
}

impl<T> At<T> for Outcome<T> {
    fn at(self, place: &Place) -> Result<T> {
        match self {
            Ok(value) => Ok(value),
            Err(Refusal::Store(error)) => Err(*error),
            Err(Refusal::Sqlite(error)) => Err(error).at(place),
        }
    }
}

/// Returns the row number of a run, or the refusal that names the nearest runs.
fn row_of(connection: &Connection, id: &RunId) -> Outcome<i64> {
    let sql = "SELECT run FROM run WHERE id = ?1";
    match connection.query_row(sql, [&id.0], |row| row.get(0)).optional()? {
        Some(row) => Ok(row),
        None => Err(unknown(&id.0, &read::ids(connection)?).into()),
    }
}

#[cfg(test)]
mod tests;
