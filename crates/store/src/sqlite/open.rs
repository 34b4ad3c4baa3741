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

/// Place of the versions needed to write and to read in SQLite's file format (<https://www.sqlite.org/fileformat.html>, 1.3).
const FORMAT_AT: std::ops::Range<usize> = 18..20;
/// Both versions of a file with a write-ahead log.
const FORMAT_WITH_A_LOG: u8 = 2;
const APPLICATION_ID_AT: usize = 68;
/// The largest store of which all pages are checked at opening, in some tenths of a second; of a larger one, the runs and hosts.
const CHECKED_WHOLE_BYTES: u64 = if cfg!(test) { 1 << 20 } else { 16 << 20 };
const MAGIC: &[u8] = b"SQLite format 3\0";

/// A file that is or will be a store, and how long its lock is waited for.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) path: PathBuf,
    pub(super) wait: Duration,
}

/// An answer of SQLite about a place, put into words.
pub(super) trait At<T> {
    fn at(self, place: &Place) -> Result<T>;
}

impl<T> At<T> for rusqlite::Result<T> {
    fn at(self, place: &Place) -> Result<T> {
        self.map_err(|error| explain(&error, &place.path, place.wait.as_secs_f64()))
    }
}

pub(super) fn writing(path: &Path, wait: Duration) -> Result<Sqlite> {
    let place = Place { path: whole(path)?, wait };
    make_folder(&place.path)?;
    let looked = place.look()?;
    if place.is_protected() {
        // SQLite would write as root all the same; who protects a file means it.
        return Err(place.read_only("the file is marked read-only"));
    }
    place.leave_the_log().at(&place)?;
    let mut connection = place.open_to_write(wait).at(&place)?;
    if connection.is_readonly(MAIN_DB).at(&place)? {
        return Err(place.read_only("the system allows reading only"));
    }
    match looked {
        Looked::Current => try_to_write(&mut connection).at(&place)?,
        Looked::Nothing | Looked::Old(_) | Looked::Torn => place.migrate(&mut connection)?,
    }
    // Every commit reaches the disk in order: a crash of the system must not damage the runs of before.
    connection.pragma_update(None, "synchronous", "FULL").at(&place)?;
    Ok(Sqlite { connection, place })
}

pub(super) fn reading(path: &Path, wait: Duration) -> Result<Sqlite> {
    let place = Place { path: whole(path)?, wait };
    let mut looked = place.look()?;
    if looked == Looked::Torn {
        place.take_back()?;
        looked = place.look()?;
    }
    match looked {
        Looked::Current => again(place),
        Looked::Nothing => Err(StoreError::Absent(place.path)),
        Looked::Old(found) => Err(StoreError::Older(place.path, found)),
        Looked::Torn => Err(place.read_only(TORN)),
    }
}

/// Opens for reading only what was found to be a store.
pub(super) fn again(place: Place) -> Result<Sqlite> {
    let plain = place.open_to_look(false).and_then(|connection| {
        connection.query_row("SELECT count(*) FROM run", [], |_| Ok(()))?;
        Ok(connection)
    });
    let connection = match plain {
        // In a directory where nothing may be made, SQLite cannot share a log; an empty one is not needed.
        Err(error) if !is_about_content(&error) && !place.is_shared() => place.open_to_look(true),
        other => other,
    };
    Ok(Sqlite { connection: connection.at(&place)?, place })
}

pub(super) fn in_memory() -> Result<Sqlite> {
    let place = Place { path: PathBuf::from(":memory:"), wait: Duration::ZERO };
    let made = Connection::open_in_memory().and_then(|connection| {
        prepare(&connection, place.wait)?;
        apply(&connection, 0)?;
        Ok(connection)
    });
    Ok(Sqlite { connection: made.at(&place)?, place })
}

/// Reason why a reader cannot read what a killed writer left.
const TORN: &str =
    "its last writer was killed, and only a user who may write to it can take back the unfinished change";

/// Returns whether an error is about the content, or another process holds the file: then it would be wrong to read without locks.
fn is_about_content(error: &rusqlite::Error) -> bool {
    use ErrorCode::{CannotOpen, ReadOnly, SystemIoFailure};
    !matches!(error.sqlite_error_code(), Some(CannotOpen | ReadOnly | SystemIoFailure))
}

/// Returns the whole path. SQLite gives names like `:memory:` and `file:x?mode=ro` a meaning of their own; no whole path is one.
pub(super) fn whole(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| StoreError::Unreachable(path.to_owned(), error.to_string()))
}

/// The thing at the path.
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

impl Place {
    /// Looks at the file without writing to it or next to it.
    fn look(&self) -> Result<Looked> {
        refuse_irregular(&self.path)?;
        let before = match self.stamp() {
            None | Some((0, _)) => return Ok(Looked::Nothing),
            some => some,
        };
        if self.check_header()? && !self.is_shared() {
            // No process has it open: no lock is needed, and none of the log's files appears.
            let found = self.examine(true);
            if found.is_ok() || (!self.is_shared() && self.stamp() == before) {
                return found;
            }
        }
        self.examine(false)
    }

    fn examine(&self, alone: bool) -> Result<Looked> {
        let connection = self.open_to_look(alone).at(self)?;
        let version: i64 = match connection.query_row("PRAGMA user_version", [], |row| row.get(0)) {
            // SQLite's words for "a journal must be played back first".
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => return Ok(Looked::Torn),
            version => version.at(self)?,
        };
        if version > VERSION {
            return Err(StoreError::Newer(self.path.clone(), version));
        }
        if version < 0 {
            return Err(self.corrupt(format!("its version is {version}")));
        }
        let is_small = fs::metadata(&self.path).map_or(0, |file| file.len()) <= CHECKED_WHOLE_BYTES;
        self.check(&connection, is_small)?;
        if version < VERSION {
            return Ok(Looked::Old(version));
        }
        self.check_tables(&connection)?;
        Ok(Looked::Current)
    }

    /// Returns whether a log or a journal holds a part of the store.
    fn is_shared(&self) -> bool {
        let mut sizes = ["-wal", "-journal"].iter().map(|suffix| fs::metadata(self.side_file(suffix)));
        sizes.any(|file| file.is_ok_and(|file| file.len() > 0))
    }

    /// Returns the path of a side file, which lies next to the file itself, not next to a link to it.
    fn side_file(&self, suffix: &str) -> PathBuf {
        let file = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let mut name = file.into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    }

    fn stamp(&self) -> Option<(u64, Option<SystemTime>)> {
        fs::metadata(&self.path).ok().map(|file| (file.len(), file.modified().ok()))
    }

    fn is_protected(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|file| file.permissions().readonly())
    }

    /// Refuses what is not a SQLite file or another program's before SQLite sees it; returns whether it has a write-ahead log.
    fn check_header(&self) -> Result<bool> {
        let mut header = Vec::new();
        let read = File::open(&self.path).and_then(|file| file.take(100).read_to_end(&mut header));
        read.map_err(|error| StoreError::Unreachable(self.path.clone(), error.to_string()))?;
        if !header.starts_with(MAGIC) {
            return Err(StoreError::NotADatabase(self.path.clone()));
        }
        let Some(&[a, b, c, d]) = header.get(APPLICATION_ID_AT..APPLICATION_ID_AT + 4) else {
            return Err(self.corrupt("the file ends inside its first 100 bytes"));
        };
        match u32::from_be_bytes([a, b, c, d]) {
            APPLICATION_ID => Ok(header[FORMAT_AT].contains(&FORMAT_WITH_A_LOG)),
            found => Err(StoreError::Foreign(self.path.clone(), found)),
        }
    }

    fn open_to_write(&self, wait: Duration) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let connection = Connection::open_with_flags(&self.path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
        prepare(&connection, wait)?;
        Ok(connection)
    }

    fn open_to_look(&self, alone: bool) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = if alone {
            Connection::open_with_flags(immutable_uri(&self.path), flags | OpenFlags::SQLITE_OPEN_URI)?
        } else {
            Connection::open_with_flags(&self.path, flags)?
        };
        prepare(&connection, self.wait)?;
        Ok(connection)
    }

    /// Takes back the change that a killed writer left unfinished.
    fn take_back(&self) -> Result<()> {
        if self.is_protected() {
            return Err(self.read_only(TORN));
        }
        let taken_back = self.open_to_write(self.wait).and_then(|connection| {
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
        });
        match taken_back.as_ref().err().and_then(rusqlite::Error::sqlite_error_code) {
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
                Err(system_refusal(&self.path).unwrap_or_else(|| self.read_only(TORN)))
            }
            _ => taken_back.at(self),
        }
    }

    /// Checks the length: SQLite takes what the last page lacks for zeros, and its check does not look into the values of an index.
    fn check_length(&self, connection: &Connection) -> Result<()> {
        let lengths = || -> rusqlite::Result<(u64, u64, u64)> {
            // A reader's lock, where the caller has none of its own: no other process shortens or extends the file.
            let _lock = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
            let number =
                |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned);
            let (count, page) = (number("PRAGMA page_count")?, number("PRAGMA page_size")?);
            Ok((fs::metadata(&self.path).map_or(count * page, |file| file.len()), count * page, page))
        };
        let (found, needed, page) = lengths().at(self)?;
        // The last pages may be in the log.
        if found < needed && !self.is_shared() {
            return Err(self.corrupt(format!("it has {found} bytes of {needed}")));
        }
        if !found.is_multiple_of(page) {
            return Err(self.corrupt("its last page is cut"));
        }
        Ok(())
    }

    /// Looks at every page, and whether each index agrees with its table: what is found by an index must be what the table holds.
    /// Where not the `whole` store is to be checked, looks at the tables that every command reads.
    fn check(&self, connection: &Connection, whole: bool) -> Result<()> {
        self.check_length(connection)?;
        for part in if whole { &["1"][..] } else { &["run", "host"] } {
            let sql = format!("PRAGMA integrity_check({part})");
            let detail: String = connection.query_row(&sql, [], |row| row.get(0)).at(self)?;
            match unread(&detail) {
                Some(error) => return Err(error).at(self),
                None if detail == "ok" => {}
                None => return Err(self.corrupt(in_one_line(&detail))),
            }
        }
        let sql = if whole { "PRAGMA foreign_key_check" } else { "PRAGMA foreign_key_check(run)" };
        if connection.prepare(sql).and_then(|mut check| check.exists([])).at(self)? {
            return Err(self.corrupt("a row belongs to a host, run or trial that is not there"));
        }
        Ok(())
    }

    fn check_tables(&self, connection: &Connection) -> Result<()> {
        let Some(name) = first_difference(connection).at(self)? else { return Ok(()) };
        Err(self.corrupt(format!("its definition of '{name}' is not what version {VERSION} has")))
    }

    /// Makes a new store, brings an old one up to date, or finds that another process just did.
    fn migrate(&self, connection: &mut Connection) -> Result<()> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).at(self)?;
        let number = |sql: &str| transaction.query_row(sql, [], |row| row.get::<_, i64>(0)).at(self);
        let (id, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
        let objects = number("SELECT count(*) FROM sqlite_schema")?;
        if (id != 0 || objects != 0) && id != i64::from(APPLICATION_ID) {
            return Err(StoreError::Foreign(self.path.clone(), id as u32));
        }
        if version > VERSION {
            return Err(StoreError::Newer(self.path.clone(), version));
        }
        if objects != 0 {
            self.check(&transaction, true)?;
        }
        if version < VERSION {
            apply(&transaction, version).at(self)?;
        }
        self.check_tables(&transaction)?;
        transaction.commit().at(self)
    }

    /// Gives a file with a write-ahead log, as earlier versions made it, the journal that all others have.
    ///
    /// The log's index is mapped. On btrfs each write to it takes new space, and a full disk ends the process with SIGBUS. With a
    /// journal it is an error that can be said, and readers need no rights.
    fn leave_the_log(&self) -> rusqlite::Result<()> {
        if !matches!(self.check_header(), Ok(true)) {
            return Ok(());
        }
        let connection = self.open_to_write(Duration::ZERO)?;
        // Set before the first access, so that the index is never mapped.
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
        match connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())) {
            Err(error) => match error.sqlite_error_code() {
                // Another process has it open. It stays as it is for as long.
                Some(ErrorCode::DatabaseBusy | ErrorCode::ReadOnly) => Ok(()),
                _ => Err(error),
            },
            Ok(()) => {
                // A reader may have left the index. No other process opens the file while this connection lasts.
                let _ = fs::remove_file(self.side_file("-shm"));
                Ok(())
            }
        }
    }

    fn read_only(&self, detail: &str) -> StoreError {
        StoreError::ReadOnly(self.path.clone(), detail.to_owned())
    }

    fn corrupt(&self, detail: impl Into<String>) -> StoreError {
        StoreError::Corrupt(self.path.clone(), detail.into())
    }
}

/// Refuses what is not a regular file, before anything is opened: the open of a pipe would wait for ever.
fn refuse_irregular(path: &Path) -> Result<()> {
    let detail = match fs::metadata(path) {
        Ok(found) if found.is_file() => return Ok(()),
        Ok(found) if found.is_dir() => "it is a directory".to_owned(),
        Ok(_) => "it is not a regular file".to_owned(),
        // What is absent will be made, also where a link leads.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(()),
        Err(error) => error.to_string(),
    };
    Err(StoreError::Unreachable(path.to_owned(), detail))
}

/// Returns the address by which SQLite reads a file without locks and side files (<https://www.sqlite.org/uri.html>).
fn immutable_uri(path: &Path) -> String {
    let mut name = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if MAIN_SEPARATOR == '\\' => name.push('/'),
            _ if byte.is_ascii_alphanumeric() || b"/:.-_".contains(&byte) => name.push(char::from(byte)),
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

/// Returns the failure of a check that lacks memory, or whose device fails: it reports the page as if that were damaged.
fn unread(detail: &str) -> Option<rusqlite::Error> {
    let (_, code) = detail.rsplit_once("unable to get the page. error code=")?;
    let error = ffi::Error::new(code.trim().parse().ok()?);
    let of_the_host = matches!(error.code, ErrorCode::OutOfMemory | ErrorCode::SystemIoFailure);
    of_the_host.then_some(rusqlite::Error::SqliteFailure(error, None))
}

/// Finds out whether the store can be written, before the first round is measured in vain, and changes nothing.
fn try_to_write(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.rollback()
}

fn make_folder(path: &Path) -> Result<()> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else { return Ok(()) };
    fs::create_dir_all(folder).map_err(|source| {
        if is_full(&source) {
            StoreError::Full(path.to_owned())
        } else {
            StoreError::Folder(folder.to_owned(), source)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_no_memory_was_left_for_is_no_damage() {
        let [no_memory, unreadable, corrupt] =
            [ffi::SQLITE_NOMEM, ffi::SQLITE_IOERR_READ, ffi::SQLITE_CORRUPT].map(|code| {
                let check = "*** in database main *** Tree 8 page 148";
                unread(&format!("{check}: unable to get the page. error code={code}"))
            });
        let said = explain(&no_memory.expect("a failure of the host"), Path::new("s.sqlite"), 0.0);
        assert!(matches!(&said, StoreError::Failed(..)) && said.to_string().contains("memory"), "{said}");
        assert!(unreadable.is_some() && corrupt.is_none() && unread("ok").is_none());
    }
}
