//! Opening a store: look first, without writing; touch only what is ours and whole.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, TransactionBehavior};

use super::Sqlite;
use super::migrations::{APPLICATION_ID, VERSION, apply, first_difference};
use crate::error::explain;
use crate::{Result, StoreError};

/// Where SQLite's file format keeps the application id (<https://www.sqlite.org/fileformat.html>, 1.3).
const APPLICATION_ID_AT: usize = 68;
const MAGIC: &[u8] = b"SQLite format 3\0";

/// Opens for reading and writing.
pub(super) fn writing(path: &Path, wait: Duration) -> Result<Sqlite> {
    let path = &whole(path)?;
    make_folder(path)?;
    let looked = look(path, wait)?;
    if fs::metadata(path).is_ok_and(|file| file.permissions().readonly()) {
        // SQLite would write as root all the same; who protects a file means it.
        return Err(read_only(path, "the file is marked read-only"));
    }
    let explain = |error: rusqlite::Error| explain(&error, path, wait.as_secs_f64());
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection =
        Connection::open_with_flags(path, flags).map_err(|error| refused_new(path, explain(error)))?;
    prepare(&connection, wait).map_err(explain)?;
    if connection.is_readonly(MAIN_DB).map_err(explain)? {
        return Err(read_only(path, "the system allows reading only"));
    }
    if looked != Looked::Current {
        migrate(&mut connection, path, wait)?;
    }
    keep_a_log(&connection).map_err(explain)?;
    Ok(Sqlite { connection, path: path.to_owned(), wait })
}

/// Opens for reading only.
pub(super) fn reading(path: &Path, wait: Duration) -> Result<Sqlite> {
    let path = &whole(path)?;
    match look(path, wait)? {
        Looked::Current => {}
        Looked::Nothing => return Err(StoreError::Absent { path: path.to_owned() }),
        Looked::Old(found) => {
            return Err(StoreError::Older { path: path.to_owned(), found, known: VERSION });
        }
        Looked::Torn => {
            let detail =
                "its last writer was killed and only a program that may write can clean up".to_owned();
            return Err(StoreError::ReadOnly { path: path.to_owned(), detail });
        }
    }
    let plain = open_to_look(path, wait, false).and_then(|connection| {
        connection.query_row("SELECT count(*) FROM run", [], |_| Ok(()))?;
        Ok(connection)
    });
    let connection = match plain {
        // In a directory where nothing may be made, SQLite cannot share the log; without one it needs none.
        Err(_) if !has_content(&beside(path, "-wal")) => open_to_look(path, wait, true),
        other => other,
    };
    let connection = connection.map_err(|error| explain(&error, path, wait.as_secs_f64()))?;
    Ok(Sqlite { connection, path: path.to_owned(), wait })
}

/// The whole path. SQLite gives names like `:memory:` and `file:x?mode=ro` a meaning of their own; no whole path is one.
pub(super) fn whole(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .map_err(|error| StoreError::Unreachable { path: path.to_owned(), detail: error.to_string() })
}

/// What stands at the path.
#[derive(Debug, PartialEq, Eq)]
enum Looked {
    /// No file, or an empty one.
    Nothing,
    /// A whole store of this version.
    Current,
    /// A whole store of this older version.
    Old(i64),
    /// Our store, in the middle of a change whose writer was killed: only a writer can see what it holds.
    Torn,
}

/// Looks at the file without writing to it or beside it.
fn look(path: &Path, wait: Duration) -> Result<Looked> {
    refuse_irregular(path)?;
    let before = match stamp(path) {
        None => return Ok(Looked::Nothing),
        Some((0, _)) => return Ok(Looked::Nothing),
        some => some,
    };
    check_header(path)?;
    let shared = || has_content(&beside(path, "-wal")) || has_content(&beside(path, "-journal"));
    if !shared() {
        // No process has it open: no lock is needed, and none of SQLite's side files appears.
        let found = examine(path, wait, true);
        if found.is_ok() || (!shared() && stamp(path) == before) {
            return found;
        }
    }
    examine(path, wait, false)
}

/// Only a regular file can hold a store. Asked before anything is opened: the open of a pipe would wait for ever.
fn refuse_irregular(path: &Path) -> Result<()> {
    let detail = match fs::metadata(path) {
        Ok(found) if found.is_file() => return Ok(()),
        Ok(found) if found.is_dir() => "it is a directory".to_owned(),
        Ok(_) => "it is no regular file".to_owned(),
        // What is absent will be made, also where a link leads.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        Err(error) => error.to_string(),
    };
    Err(StoreError::Unreachable { path: path.to_owned(), detail })
}

fn stamp(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    fs::metadata(path).ok().map(|file| (file.len(), file.modified().ok()))
}

/// Refuses what is no SQLite file and what is another program's before SQLite sees it.
fn check_header(path: &Path) -> Result<()> {
    let unreachable =
        |error: std::io::Error| StoreError::Unreachable { path: path.to_owned(), detail: error.to_string() };
    let mut header = Vec::new();
    File::open(path).map_err(unreachable)?.take(100).read_to_end(&mut header).map_err(unreachable)?;
    if !header.starts_with(MAGIC) {
        return Err(StoreError::NotADatabase { path: path.to_owned() });
    }
    let Some(&[a, b, c, d]) = header.get(APPLICATION_ID_AT..APPLICATION_ID_AT + 4) else {
        let detail = "the file ends inside its first 100 bytes".to_owned();
        return Err(StoreError::Corrupt { path: path.to_owned(), detail });
    };
    match u32::from_be_bytes([a, b, c, d]) {
        APPLICATION_ID => Ok(()),
        found => Err(StoreError::Foreign { path: path.to_owned(), found }),
    }
}

fn examine(path: &Path, wait: Duration, alone: bool) -> Result<Looked> {
    let explain = |error: rusqlite::Error| explain(&error, path, wait.as_secs_f64());
    let connection = open_to_look(path, wait, alone).map_err(explain)?;
    let version: i64 = match connection.query_row("PRAGMA user_version", [], |row| row.get(0)) {
        Ok(version) => version,
        // SQLite's words for "a journal must be played back first".
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => return Ok(Looked::Torn),
        Err(error) => return Err(explain(error)),
    };
    if version > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found: version, known: VERSION });
    }
    if version < 0 {
        let detail = format!("its version is {version}");
        return Err(StoreError::Corrupt { path: path.to_owned(), detail });
    }
    check_whole(&connection, path, wait)?;
    if version < VERSION { Ok(Looked::Old(version)) } else { check_tables(&connection, path, wait) }
}

fn open_to_look(path: &Path, wait: Duration, alone: bool) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if alone {
        Connection::open_with_flags(immutable_uri(path), flags | OpenFlags::SQLITE_OPEN_URI)?
    } else {
        Connection::open_with_flags(path, flags)?
    };
    prepare(&connection, wait)?;
    Ok(connection)
}

/// The address by which SQLite reads a file without locks and without side files
/// (<https://www.sqlite.org/uri.html>).
fn immutable_uri(path: &Path) -> String {
    let mut name = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if MAIN_SEPARATOR == '\\' => name.push('/'),
            b'/' | b':' | b'.' | b'-' | b'_' => name.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => name.push(char::from(byte)),
            _ => name.push_str(&format!("%{byte:02X}")),
        }
    }
    let start = match (path.is_absolute(), name.starts_with('/')) {
        (true, true) => "file://",
        (true, false) => "file:///",
        (false, _) => "file:./",
    };
    format!("{start}{name}?immutable=1")
}

fn prepare(connection: &Connection, wait: Duration) -> rusqlite::Result<()> {
    connection.busy_timeout(wait)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // bakeoff makes no triggers; one that stands in a store is of another, and would run with every round.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "foreign_keys", true)
}

fn check_whole(connection: &Connection, path: &Path, wait: Duration) -> Result<()> {
    let explain = |error: rusqlite::Error| explain(&error, path, wait.as_secs_f64());
    let detail: String =
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(explain)?;
    if detail != "ok" {
        return Err(StoreError::Corrupt { path: path.to_owned(), detail: detail.replace('\n', " ") });
    }
    let orphan = connection.prepare("PRAGMA foreign_key_check").and_then(|mut check| check.exists([]));
    if orphan.map_err(explain)? {
        let detail = "a row belongs to a run or trial that is not there".to_owned();
        return Err(StoreError::Corrupt { path: path.to_owned(), detail });
    }
    Ok(())
}

fn check_tables(connection: &Connection, path: &Path, wait: Duration) -> Result<Looked> {
    match first_difference(connection).map_err(|error| explain(&error, path, wait.as_secs_f64()))? {
        None => Ok(Looked::Current),
        Some(name) => {
            let detail = format!("its definition of '{name}' is not what version {VERSION} has");
            Err(StoreError::Corrupt { path: path.to_owned(), detail })
        }
    }
}

/// Makes a new store, brings an old one up to date, or finds that another process just did.
fn migrate(connection: &mut Connection, path: &Path, wait: Duration) -> Result<()> {
    let explain = |error: rusqlite::Error| refused_new(path, explain(&error, path, wait.as_secs_f64()));
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(explain)?;
    let number = |sql: &str| transaction.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(explain);
    let (id, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    let objects = number("SELECT count(*) FROM sqlite_schema")?;
    if (id != 0 || objects != 0) && id != i64::from(APPLICATION_ID) {
        return Err(StoreError::Foreign { path: path.to_owned(), found: id as u32 });
    }
    if version > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found: version, known: VERSION });
    }
    if objects != 0 {
        check_whole(&transaction, path, wait)?;
    }
    if version < VERSION {
        apply(&transaction, version).map_err(explain)?;
    }
    check_tables(&transaction, path, wait)?;
    transaction.commit().map_err(explain)
}

/// Turns the write-ahead log on. Where the file system has no shared memory SQLite stays with its journal, and then
/// every commit must reach the disk in order.
fn keep_a_log(connection: &Connection) -> rusqlite::Result<()> {
    let mut mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0))?;
    for _ in 0..50 {
        if mode == "wal" {
            break;
        }
        match connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get::<_, String>(0)) {
            // Another process that makes the change now holds the file for a moment, and SQLite does not wait here.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                sleep(Duration::from_millis(20));
            }
            other => {
                mode = other?;
                break;
            }
        }
    }
    connection.pragma_update(None, "synchronous", if mode == "wal" { "NORMAL" } else { "FULL" })
}

fn make_folder(path: &Path) -> Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        None => Ok(()),
        Some(folder) => fs::create_dir_all(folder)
            .map_err(|source| StoreError::Folder { path: folder.to_owned(), source }),
    }
}

/// A file that is not there and cannot be made is a matter of rights, not of reading.
fn refused_new(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Unreachable { detail, .. } if !path.exists() => read_only(path, &detail),
        other => other,
    }
}

fn read_only(path: &Path, detail: &str) -> StoreError {
    StoreError::ReadOnly { path: path.to_owned(), detail: detail.to_owned() }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
}
