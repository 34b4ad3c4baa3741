//! The content of a store, read with SQL and nothing of the program's own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use rusqlite::{Connection, OpenFlags};

/// SQLite's side files stand next to the store under its name and these ends.
pub(super) const SIDE_FILES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The rows of every round of every run, each written out as text.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Rounds(BTreeMap<(String, Option<i64>), BTreeSet<String>>);

/// One line for each row that belongs to a round, and one for each run.
const ROWS: &str = "
    SELECT id, NULL, 'run ' || seed || command FROM run
    UNION ALL SELECT id, NULL, 'complete' FROM run WHERE complete
    UNION ALL SELECT id, NULL, 'trial ' || ordinal || ' ' || technique FROM trial JOIN run USING (run)
    UNION ALL SELECT id, round, 'canary ' || processor_ns || ' ' || memory_ns FROM canary JOIN run USING (run)
    UNION ALL SELECT id, sample.round, 'sample ' || ordinal || ' ' || inner_round || ' ' || position || ' ' ||
        coalesce(work_ns, '?') || ' ' || coalesce(process_ns, '?') || ' ' || proof_digest
        FROM sample JOIN trial USING (trial) JOIN run USING (run)
    UNION ALL SELECT id, failure.round, 'failure ' || ordinal || ' ' || failure.kind || ' ' || reason
        FROM failure JOIN trial USING (trial) JOIN run USING (run)";

impl Rounds {
    fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut rounds = Self::default();
        if !connection.table_exists(None, "run")? {
            return Ok(rounds);
        }
        let mut statement = connection.prepare(ROWS)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            rounds.0.entry((row.get(0)?, row.get(1)?)).or_default().insert(row.get(2)?);
        }
        Ok(rounds)
    }

    pub(super) fn count(&self) -> usize {
        self.0.keys().filter(|(_, round)| round.is_some()).count()
    }

    /// Says which rows of this are no longer there.
    pub(super) fn lost_in(&self, later: &Self) -> Option<String> {
        let none = BTreeSet::new();
        self.0.iter().find_map(|(place, rows)| {
            let mut missing = rows.difference(later.0.get(place).unwrap_or(&none));
            let first = missing.next()?;
            let (missing, all) = (1 + missing.count(), rows.len());
            let round = place.1.map_or("its head".to_owned(), |round| format!("round {round}"));
            Some(format!("run {}, {round}: {missing} of {all} rows, such as '{first}'", place.0))
        })
    }
}

/// Reads a copy of the store: the store itself stays as the killed program left it. An absent one holds nothing.
/// Errors: the copy is no whole database.
pub(super) fn of_a_copy(store: &Path) -> Result<Rounds> {
    if !store.exists() {
        return Ok(Rounds::default());
    }
    let folder = tempfile::Builder::new().prefix("bakeoff-kills-copy-").tempdir()?;
    let copy = folder.path().join("store");
    fs::copy(store, &copy)?;
    for end in SIDE_FILES.iter().filter(|end| **end != "-shm") {
        let there = side_file(store, end);
        if there.exists() {
            fs::copy(&there, side_file(&copy, end))?;
        }
    }
    let connection = Connection::open_with_flags(&copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let said: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if said != "ok" {
        bail!("PRAGMA integrity_check: {said}");
    }
    Rounds::read(&connection).context("its tables cannot be read")
}

fn side_file(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Reads the store while the program writes it, until `stop`. What a reader has seen once is committed.
pub(super) fn watch(store: &Path, stop: &AtomicBool) -> Rounds {
    let mut seen = Rounds::default();
    loop {
        // A store that is being made at this moment cannot be read yet.
        if let Ok(connection) = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_ONLY)
            && let Ok(rounds) = Rounds::read(&connection)
        {
            for (place, rows) in rounds.0 {
                seen.0.entry(place).or_default().extend(rows);
            }
        }
        if stop.load(Ordering::Relaxed) {
            return seen;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Makes a store of one whole run with one round.
#[cfg(test)]
pub(super) fn make_store(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("a store");
    connection.pragma_update(None, "journal_mode", "WAL").expect("a log");
    let tables = "
        CREATE TABLE run (run INTEGER PRIMARY KEY, id, seed, command, complete);
        CREATE TABLE trial (trial INTEGER PRIMARY KEY, run, ordinal, technique, kind);
        CREATE TABLE sample (trial, round, inner_round, position, work_ns, process_ns, proof_digest);
        CREATE TABLE failure (trial, round, kind, reason);
        CREATE TABLE canary (run, round, processor_ns, memory_ns);
        INSERT INTO run VALUES (1, 'a', '7', '[]', 1);
        INSERT INTO trial VALUES (1, 1, 0, 'spin_a', 'technique');
        INSERT INTO canary VALUES (1, 0, 10, 20);
        INSERT INTO sample VALUES (1, 0, 0, 0, 5, NULL, 'x');";
    connection.execute_batch(tables).expect("tables");
    connection
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_is_gone_or_incomplete_is_lost() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("store");
        let connection = make_store(&path);
        let now = || of_a_copy(&path).expect("whole");
        let before = now();
        assert_eq!(before.count(), 1);
        connection.execute_batch("INSERT INTO canary VALUES (1, 2, 12, 22)").expect("inserted");
        assert_eq!(before.lost_in(&now()), None);
        connection.execute_batch("DELETE FROM sample").expect("deleted");
        let lost = before.lost_in(&now()).expect("a loss");
        assert!(lost.contains("run a, round 0: 1 of 2 rows"), "{lost}");
        connection.execute_batch("UPDATE run SET complete = 0").expect("updated");
        let lost = before.lost_in(&now()).expect("a loss");
        assert!(lost.contains("run a, its head: 1 of 3 rows, such as 'complete'"), "{lost}");
        let absent = folder.path().join("absent");
        assert!(before.lost_in(&of_a_copy(&absent).expect("nothing")).is_some());
        assert_eq!(watch(&absent, &AtomicBool::new(true)), Rounds::default());
        connection.close().expect("its log is in the file");
        let mut bytes = fs::read(&path).expect("a file");
        let page = bytes.len() - 4096;
        bytes[page..].fill(0xff);
        fs::write(&path, bytes).expect("a damaged page");
        assert!(of_a_copy(&path).is_err());
    }

    #[test]
    fn a_reader_sees_only_what_is_committed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("store");
        let mut connection = make_store(&path);
        let open = connection.transaction().expect("a transaction");
        open.execute_batch("INSERT INTO canary VALUES (1, 2, 12, 22)").expect("inserted");
        let stop = AtomicBool::new(true);
        assert_eq!(watch(&path, &stop).count(), 1);
        open.commit().expect("committed");
        assert_eq!(watch(&path, &stop).count(), 2);
    }
}
