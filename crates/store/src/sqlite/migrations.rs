//! The numbered steps that bring a store up to date. A step that was released is never edited: a new one follows it.

use rusqlite::Connection;

/// `BAKE`: tells a store of runs from every other program's SQLite file.
pub(super) const APPLICATION_ID: u32 = u32::from_be_bytes(*b"BAKE");

/// Step `n` leads from version `n` to version `n + 1`.
pub(super) const STEPS: [&str; 5] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
];

/// The version that this program reads and writes.
pub(super) const VERSION: i64 = STEPS.len() as i64;

/// Applies the steps from `version` on. Call it inside a transaction.
pub(super) fn apply(connection: &Connection, version: i64) -> rusqlite::Result<()> {
    for step in STEPS.iter().skip(usize::try_from(version).unwrap_or(0)) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "application_id", APPLICATION_ID)?;
    connection.pragma_update(None, "user_version", VERSION)
}

/// The first table, index or view of the current version that `connection` lacks or has in another form.
///
/// A page that lost a bit in the text of a table's definition still passes SQLite's own check.
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
