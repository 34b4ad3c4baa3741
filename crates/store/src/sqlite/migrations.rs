//! The numbered steps that bring a store up to date. A step that was released is never edited: a new one follows it.

use rusqlite::Connection;

/// `BAKE`: distinguishes a store of runs from every other program's SQLite file.
pub(super) const APPLICATION_ID: u32 = u32::from_be_bytes(*b"BAKE");

/// Step `n` leads from version `n` to version `n + 1`.
pub(super) const STEPS: [&str; 13] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
    include_str!("schema_6.sql"),
    include_str!("schema_7.sql"),
    include_str!("schema_8.sql"),
    include_str!("schema_9.sql"),
    include_str!("schema_10.sql"),
    include_str!("schema_11.sql"),
    include_str!("schema_12.sql"),
    include_str!("schema_13.sql"),
];

/// The version that this program reads and writes.
pub(crate) const VERSION: i64 = STEPS.len() as i64;

/// Applies the steps from `version` on. Call it inside a transaction.
pub(super) fn apply(connection: &Connection, version: i64) -> rusqlite::Result<()> {
    for step in STEPS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// Returns the first table, index or view of the current version that `connection` lacks or has in another form. SQLite's own check
/// does not see a lost bit in the text of a definition.
pub(super) fn first_difference(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let fresh = Connection::open_in_memory()?;
    apply(&fresh, 0)?;
    let found = objects(connection)?;
    Ok(objects(&fresh)?.into_iter().find(|object| !found.contains(object)).map(|(name, _)| name))
}

fn objects(connection: &Connection) -> rusqlite::Result<Vec<(String, Option<String>)>> {
    connection
        .prepare("SELECT name, sql FROM sqlite_schema ORDER BY name")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

#[cfg(test)]
mod tests {
    use model::{Durability, Host, RunId, Setting, Summary};

    use super::*;
    use crate::Sqlite;
    use crate::contract::record;

    const RUN_OF_VERSION_1: &str = r#"INSERT INTO run VALUES (1, 'old', '2026-11-21T10:00:00+00:00', 1, 'bakeoff', '0.1.0', NULL,
        '7', 'quick', '["bakeoff"]', 'work', 0.05, 0, 0.02, '[10]', 1, NULL, ?1)"#;
    const FAILURES_OF_VERSION_1: &str = r#"INSERT INTO failure (trial, round, kind, reason) VALUES
        (1, NULL, 'missing', 'left out: a budget of 5 s pays for 2 of 3 entries'), (1, NULL, 'missing', 'no ring'),
        (1, 3, 'refused', 'write /a: No space left on device (os error 28)'), (1, 4, 'crash', 'Too many open files'),
        (1, 5, 'wrong', 'No space left on device'), (1, 6, 'refused', 'os error 280')"#;
    const TRIAL_OF_VERSION_1: &str = r#"INSERT INTO trial VALUES (1, 1, 0, 'copy', 'read_write', '[]', 'built-in', NULL,
        'moves-bytes', '[]', 'small', 5, '{"bytes":5}', 'warm', 'durable', '/tmp', 'ext4', '[]', NULL, 0), (2, 1, 1, 'clock',
        'tsc', '[]', 'built-in', NULL, 'moves-bytes', '[]', '1000 calls', NULL, '{"calls":1000}', 'warm', 'returned', '/tmp',
        'ext4', '[]', NULL, 0)"#;
    const SAMPLES_OF_VERSION_1: &str = r#"INSERT INTO sample (trial, round, inner_round, position, work_ns, repetitions,
        proof_bytes, proof_digest, notes) VALUES (1, 0, 0, 0, 7, 1, 5, 'ab', '["reflinked"]')"#;

    const QUESTION_AMONG_NOTES: &str = "INSERT INTO note (run, topic, text) VALUES (1, 'question', 'logs: How: with zstd?'), (1, 'steal', 'a: b')";

    #[test]
    fn every_earlier_version_is_brought_up_to_date_with_its_rows() {
        for version in 1..STEPS.len() {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("runs.sqlite");
            let connection = Connection::open(&path).expect("open");
            connection.execute_batch(STEPS[0]).expect("the first step");
            let host = serde_json::to_string(&record("old").host).expect("JSON");
            connection.execute(RUN_OF_VERSION_1, [host]).expect("a run");
            for rows in
                [TRIAL_OF_VERSION_1, FAILURES_OF_VERSION_1, SAMPLES_OF_VERSION_1, QUESTION_AMONG_NOTES]
            {
                connection.execute(rows, []).expect(rows);
            }
            for step in &STEPS[1..version] {
                connection.execute_batch(step).expect("a step");
            }
            connection.pragma_update(None, "application_id", APPLICATION_ID).expect("set");
            connection.pragma_update(None, "user_version", version as i64).expect("set");
            drop(connection);
            let refused = Sqlite::open_read_only(&path).expect_err("older").to_string();
            assert!(refused.contains(&format!("version {version}")), "{refused}");
            let store = Sqlite::open(&path).expect("brought up to date");
            let kept = store.load(&RunId("old".into())).expect("kept");
            assert_eq!(kept.trials[0].workload.bytes(), Some(5), "version {version}");
            let (workload, failures) = (&kept.trials[0].workload, &kept.trials[0].failures);
            assert!(workload.point.words().next().is_none() && workload.files.is_empty());
            let kinds: Vec<&str> = failures.iter().map(|failure| failure.kind.word()).collect();
            assert_eq!(kinds, ["skipped", "missing", "disk-full", "too-many-files", "wrong", "refused"]);
            assert_eq!(failures[0].reason, "a budget of 5 s pays for 2 of 3 entries");
            let mut of_files = Setting::warm("/tmp", Durability::Durable);
            of_files.conditions.file_system = Some("ext4".into());
            assert_eq!(kept.trials[0].setting, of_files, "version {version}");
            assert_eq!(kept.trials[1].setting, Setting::default(), "a clock has no files");
            assert_eq!(kept.design.questions, [("logs".to_owned(), "How: with zstd?".to_owned())].into());
            assert_eq!(kept.notes.len(), 1, "version {version}");
            assert_eq!(kept.trials[0].samples.len(), 1, "version {version}");
            let summary = Summary { host: None, ..kept.summary() };
            assert_eq!(store.runs().expect("runs"), [summary], "version {version}");
            assert_eq!(kept.host, Host { fingerprint: None, ..record("old").host }, "version {version}");
        }
    }
}
