//! Opening a store: look first, without writing; touch only what is ours and whole.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, TransactionBehavior, ffi};

use super::Sqlite;
use super::migrations::{APPLICATION_ID, VERSION, apply, first_difference};
use crate::error::{explain, in_one_line, is_full, system_refusal};
use crate::{Result, StoreError};

/// Where SQLite's file format keeps the versions needed to write and to read (<https://www.sqlite.org/fileformat.html>, 1.3).
const FORMAT_AT: std::ops::Range<usize> = 18..20;
/// Both versions of a file with a write-ahead log.
const FORMAT_WITH_A_LOG: u8 = 2;
/// Where it keeps the application id.
const APPLICATION_ID_AT: usize = 68;
/// The largest store of which every page is looked at each time it is opened, which takes some tenths of a second. Of a larger one, the
/// runs and hosts are; damage elsewhere is found by what reads it.
const CHECKED_WHOLE_BYTES: u64 = if cfg!(test) { 1 << 20 } else { 16 << 20 };
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
    leave_the_log(path).map_err(explain)?;
    let mut connection = open_to_write(path, wait).map_err(explain)?;
    if connection.is_readonly(MAIN_DB).map_err(explain)? {
        return Err(read_only(path, "the system allows reading only"));
    }
    match looked {
        Looked::Current => try_to_write(&mut connection).map_err(explain)?,
        Looked::Nothing | Looked::Old(_) | Looked::Torn => migrate(&mut connection, path, wait)?,
    }
    // Every commit reaches the disk in order: a crash of the system must not damage the runs of before.
    connection.pragma_update(None, "synchronous", "FULL").map_err(explain)?;
    Ok(Sqlite { connection, path: path.to_owned(), wait })
}

fn open_to_write(path: &Path, wait: Duration) -> rusqlite::Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection, wait)?;
    Ok(connection)
}

/// Opens for reading only.
pub(super) fn reading(path: &Path, wait: Duration) -> Result<Sqlite> {
    let path = &whole(path)?;
    let mut looked = look(path, wait)?;
    if looked == Looked::Torn {
        take_back(path, wait)?;
        looked = look(path, wait)?;
    }
    match looked {
        Looked::Current => {}
        Looked::Nothing => return Err(StoreError::Absent(path.to_owned())),
        Looked::Old(found) => {
            return Err(StoreError::Older { path: path.to_owned(), found, known: VERSION });
        }
        Looked::Torn => return Err(read_only(path, TORN)),
    }
    again(path, wait)
}

/// Opens for reading only what was found to be a store.
pub(super) fn again(path: &Path, wait: Duration) -> Result<Sqlite> {
    let plain = open_to_look(path, wait, false).and_then(|connection| {
        connection.query_row("SELECT count(*) FROM run", [], |_| Ok(()))?;
        Ok(connection)
    });
    let connection = match plain {
        // In a directory where nothing may be made, SQLite cannot share a log; an empty one is not needed.
        Err(error) if !is_about_content(&error) && !is_shared(path) => open_to_look(path, wait, true),
        other => other,
    };
    let connection = connection.map_err(|error| explain(&error, path, wait.as_secs_f64()))?;
    Ok(Sqlite { connection, path: path.to_owned(), wait })
}

/// Why a reader cannot read what a killed writer left.
const TORN: &str =
    "its last writer was killed, and only a user who may write to it can take back the unfinished change";

/// Takes back the change that a killed writer left unfinished.
fn take_back(path: &Path, wait: Duration) -> Result<()> {
    if fs::metadata(path).is_ok_and(|file| file.permissions().readonly()) {
        return Err(read_only(path, TORN));
    }
    let taken_back = open_to_write(path, wait)
        .and_then(|connection| connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())));
    taken_back.map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            system_refusal(path).unwrap_or_else(|| read_only(path, TORN))
        }
        _ => explain(&error, path, wait.as_secs_f64()),
    })
}

/// Whether an error tells of what stands in the file, or that another process holds it. Then it would be wrong to read
/// without locks.
fn is_about_content(error: &rusqlite::Error) -> bool {
    !matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::SystemIoFailure)
    )
}

/// The whole path. SQLite gives names like `:memory:` and `file:x?mode=ro` a meaning of their own; no whole path is one.
pub(super) fn whole(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| StoreError::Unreachable(path.to_owned(), error.to_string()))
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

/// Looks at the file without writing to it or next to it.
fn look(path: &Path, wait: Duration) -> Result<Looked> {
    refuse_irregular(path)?;
    let before = match stamp(path) {
        None => return Ok(Looked::Nothing),
        Some((0, _)) => return Ok(Looked::Nothing),
        some => some,
    };
    let has_a_log = check_header(path)?;
    if has_a_log && !is_shared(path) {
        // No process has it open: no lock is needed, and none of the log's files appears.
        let found = examine(path, wait, true);
        if found.is_ok() || (!is_shared(path) && stamp(path) == before) {
            return found;
        }
    }
    examine(path, wait, false)
}

/// Whether a log or a journal holds a part of what is stored.
fn is_shared(path: &Path) -> bool {
    // SQLite lays them next to the file itself, not next to a link to it.
    let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    ["-wal", "-journal"].iter().any(|suffix| has_content(&beside(&file, suffix)))
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
    Err(StoreError::Unreachable(path.to_owned(), detail))
}

fn stamp(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    fs::metadata(path).ok().map(|file| (file.len(), file.modified().ok()))
}

/// Refuses what is no SQLite file and what is another program's before SQLite sees it; says whether it has a write-ahead
/// log.
fn check_header(path: &Path) -> Result<bool> {
    let unreachable = |error: std::io::Error| StoreError::Unreachable(path.to_owned(), error.to_string());
    let mut header = Vec::new();
    File::open(path).map_err(unreachable)?.take(100).read_to_end(&mut header).map_err(unreachable)?;
    if !header.starts_with(MAGIC) {
        return Err(StoreError::NotADatabase(path.to_owned()));
    }
    let Some(&[a, b, c, d]) = header.get(APPLICATION_ID_AT..APPLICATION_ID_AT + 4) else {
        let detail = "the file ends inside its first 100 bytes".to_owned();
        return Err(StoreError::Corrupt(path.to_owned(), detail));
    };
    match u32::from_be_bytes([a, b, c, d]) {
        APPLICATION_ID => Ok(header[FORMAT_AT].contains(&FORMAT_WITH_A_LOG)),
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
        return Err(StoreError::Corrupt(path.to_owned(), detail));
    }
    check_length(&connection, path, wait)?;
    match fs::metadata(path).map_or(0, |file| file.len()) > CHECKED_WHOLE_BYTES {
        true => check_heads(&connection, path, wait)?,
        false => check_whole(&connection, path, wait)?,
    }
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

/// SQLite takes what the last page lacks for zeros, and its check does not look into the values of an index.
fn check_length(connection: &Connection, path: &Path, wait: Duration) -> Result<()> {
    let lengths = || {
        // While this is open, no other process shortens or extends the file.
        let reading = connection.unchecked_transaction()?;
        let number = |sql: &str| reading.query_row(sql, [], |row| row.get::<_, i64>(0));
        let needed =
            number("PRAGMA page_count")?.cast_unsigned() * number("PRAGMA page_size")?.cast_unsigned();
        let found = fs::metadata(path).map_or(needed, |file| file.len());
        // The last pages may be in the log.
        Ok((if is_shared(path) { needed } else { found }, needed))
    };
    let (found, needed) = lengths().map_err(|error| explain(&error, path, wait.as_secs_f64()))?;
    if found < needed {
        let detail = format!("it has {found} bytes of {needed}");
        return Err(StoreError::Corrupt(path.to_owned(), detail));
    }
    Ok(())
}

/// Looks at every page, and whether each index agrees with its table: what is found by an index must be what the table holds.
fn check_whole(connection: &Connection, path: &Path, wait: Duration) -> Result<()> {
    check_pages(connection, "PRAGMA integrity_check(1)", path, wait)?;
    check_references(connection, "PRAGMA foreign_key_check", path, wait)
}

/// Looks at the tables that every command reads.
fn check_heads(connection: &Connection, path: &Path, wait: Duration) -> Result<()> {
    check_pages(connection, "PRAGMA integrity_check(run)", path, wait)?;
    check_pages(connection, "PRAGMA integrity_check(host)", path, wait)?;
    check_references(connection, "PRAGMA foreign_key_check(run)", path, wait)
}

fn check_pages(connection: &Connection, sql: &str, path: &Path, wait: Duration) -> Result<()> {
    let explain = |error: rusqlite::Error| explain(&error, path, wait.as_secs_f64());
    let detail: String = connection.query_row(sql, [], |row| row.get(0)).map_err(explain)?;
    if let Some(error) = unread(&detail) {
        return Err(explain(error));
    }
    if detail != "ok" {
        return Err(StoreError::Corrupt(path.to_owned(), in_one_line(&detail)));
    }
    Ok(())
}

fn check_references(connection: &Connection, sql: &str, path: &Path, wait: Duration) -> Result<()> {
    let explain = |error: rusqlite::Error| explain(&error, path, wait.as_secs_f64());
    // SQLite takes a last page that was cut for a whole one that ends in zeros.
    if ends_in_a_page(connection, path).map_err(explain)? == Some(false) {
        let detail = "its last page is cut".to_owned();
        return Err(StoreError::Corrupt(path.to_owned(), detail));
    }
    let orphan = connection.prepare(sql).and_then(|mut check| check.exists([]));
    if orphan.map_err(explain)? {
        let detail = "a row belongs to a host, run or trial that is not there".to_owned();
        return Err(StoreError::Corrupt(path.to_owned(), detail));
    }
    Ok(())
}

/// Whether a file is as long as some number of pages; `None` where its length is not told.
fn ends_in_a_page(connection: &Connection, path: &Path) -> rusqlite::Result<Option<bool>> {
    // A reader's lock, where the caller has none of its own: the file does not grow meanwhile.
    let _lock = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
    let _objects: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let page_bytes: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let bytes = path.metadata().ok().map(|file| file.len());
    Ok(bytes.zip(u64::try_from(page_bytes).ok()).map(|(bytes, page)| bytes.is_multiple_of(page)))
}

/// A check that lacks memory, or whose device fails, reports a page that it could not read as if the page were damaged.
fn unread(detail: &str) -> Option<rusqlite::Error> {
    let (_, code) = detail.rsplit_once("unable to get the page. error code=")?;
    let error = ffi::Error::new(code.trim().parse().ok()?);
    let of_the_host = matches!(error.code, ErrorCode::OutOfMemory | ErrorCode::SystemIoFailure);
    of_the_host.then_some(rusqlite::Error::SqliteFailure(error, None))
}

fn check_tables(connection: &Connection, path: &Path, wait: Duration) -> Result<Looked> {
    match first_difference(connection).map_err(|error| explain(&error, path, wait.as_secs_f64()))? {
        None => Ok(Looked::Current),
        Some(name) => {
            let detail = format!("its definition of '{name}' is not what version {VERSION} has");
            Err(StoreError::Corrupt(path.to_owned(), detail))
        }
    }
}

/// Makes a new store, brings an old one up to date, or finds that another process just did.
fn migrate(connection: &mut Connection, path: &Path, wait: Duration) -> Result<()> {
    let explain = |error: rusqlite::Error| explain(&error, path, wait.as_secs_f64());
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

/// Gives a file with a write-ahead log, as earlier versions made it, the journal that all others have.
///
/// The log's index is a mapped file. On btrfs each write to it takes new space, and where none is left, the write ends the
/// process with SIGBUS. The journal is a plain file: a full disk is an error that can be told. It also needs nothing from
/// those who only read.
fn leave_the_log(path: &Path) -> rusqlite::Result<()> {
    if !matches!(check_header(path), Ok(true)) {
        return Ok(());
    }
    let connection = open_to_write(path, Duration::ZERO)?;
    // Set before the first access, so that the index is never mapped.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    match connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())) {
        // Another process has it open. It stays as it is for as long.
        Err(error)
            if matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::ReadOnly)) =>
        {
            Ok(())
        }
        Err(error) => Err(error),
        Ok(()) => {
            // A reader may have left the index. No other process has the file open, and none opens it while this connection
            // lasts.
            let file = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            let _ = fs::remove_file(beside(&file, "-shm"));
            Ok(())
        }
    }
}

/// Finds out whether the store can be written, before the first round is measured in vain: another process may hold it, its
/// directory may be protected, or its disk full. Nothing is changed.
fn try_to_write(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.rollback()
}

fn make_folder(path: &Path) -> Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        None => Ok(()),
        Some(folder) => fs::create_dir_all(folder).map_err(|source| match is_full(&source) {
            true => StoreError::Full(path.to_owned()),
            false => StoreError::Folder { path: folder.to_owned(), source },
        }),
    }
}

fn read_only(path: &Path, detail: &str) -> StoreError {
    StoreError::ReadOnly(path.to_owned(), detail.to_owned())
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn has_content(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.len() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_could_not_be_read_for_want_of_memory_is_no_damage() {
        let said = |code: i32| {
            format!("*** in database main *** Tree 8 page 148: unable to get the page. error code={code}")
        };
        let failed = unread(&said(ffi::SQLITE_NOMEM)).expect("a failure of the host");
        let told = explain(&failed, Path::new("s.sqlite"), 0.0);
        assert!(matches!(&told, StoreError::Failed(..)) && told.to_string().contains("memory"), "{told}");
        assert!(unread(&said(ffi::SQLITE_IOERR_READ)).is_some());
        assert!(unread(&said(ffi::SQLITE_CORRUPT)).is_none());
        assert!(unread("ok").is_none());
    }
}
