//! Refusals of a store, in words for its user.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use model::RunId;
use rusqlite::{ErrorCode, ffi};
use thiserror::Error;

use crate::sqlite::VERSION;

/// The answer of a store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// A refusal of a store. Each sentence says what, where, and what to do.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file is something else.
    #[error("{} is not a store of runs: it is not a SQLite database; it was not changed. Name another file", .0.display())]
    NotADatabase(PathBuf),
    /// The file is a database of another program: its application id.
    #[error("{} is a SQLite database of another program (application id {id:#010x}); it was not changed. Name another file",
        .0.display(), id = .1)]
    Foreign(PathBuf, u32),
    /// The store was written by a newer bakeoff: its version.
    #[error(
        "{} has store version {found}, and this bakeoff knows versions up to {VERSION}; it was not changed. \
         Use a newer bakeoff, or name another file",
        .0.display(), found = .1
    )]
    Newer(PathBuf, i64),
    /// The store is older than this program reads without writing: its version.
    #[error(
        "{} has store version {found}, older than version {VERSION}, and may not be changed here. \
         'bakeoff run' with this store brings it up to date",
        .0.display(), found = .1
    )]
    Older(PathBuf, i64),
    /// The store is damaged: how.
    #[error("{} is damaged: {detail}. It was left as it is. Restore it from a copy, or move it away to begin a new one",
        .0.display(), detail = .1)]
    Corrupt(PathBuf, String),
    /// One run in the file is damaged: how.
    #[error("run '{}' in {} is damaged: {detail}. It was left as it is, and the other runs can be used",
        .1.0.escape_default(), .0.display(), detail = .2)]
    CorruptRun(PathBuf, RunId, String),
    /// There is no store yet.
    #[error("there is no store of runs at {}; the first 'bakeoff run' with this store makes it", .0.display())]
    Absent(PathBuf),
    /// The file or its directory may not be written: what the system said.
    #[error("{} cannot be written: {detail}. Allow writing to the file and its directory, or name another file",
        .0.display(), detail = .1)]
    ReadOnly(PathBuf, String),
    /// The directory of the store cannot be made: what the system said.
    #[error("the directory {} of the store cannot be made: {source}. Make it, or name another place", .0.display(), source = .1)]
    Folder(PathBuf, #[source] io::Error),
    /// The file cannot be opened: what the system said.
    #[error("the store {} cannot be opened: {detail}. Check that the path is a file and that you may read it", .0.display(), detail = .1)]
    Unreachable(PathBuf, String),
    /// A limit of the process.
    #[error("the store {} cannot be written: the limit of file sizes is too small. Raise it ('ulimit -f unlimited')",
        .0.display())]
    SizeLimit(PathBuf),
    /// The disk is full.
    #[error("no space is left for the store {}; what was stored before is kept. Free some space, or name another file",
        .0.display())]
    Full(PathBuf),
    /// Another process holds the store: how many seconds were waited.
    #[error("another process has held the store {} for more than {waited_s} s. Wait until it ends, or name another file",
        .0.display(), waited_s = .1)]
    Locked(PathBuf, f64),
    /// Another file stands in its place, or none.
    #[error(
        "the store {} was moved, removed or replaced by another program while it was in use; what was stored before \
         is in the file that stood there",
        .0.display()
    )]
    Moved(PathBuf),
    /// No run fits the text that was asked for: the identities most like it, best first.
    #[error("no stored run is called '{0}'{nearest}", nearest = nearest_words(.1))]
    UnknownRun(String, Vec<RunId>),
    /// Several runs begin with the text that was asked for: which.
    #[error("'{0}' is the beginning of {count} runs: {names}; type more of it", count = .1.len(), names = some_names(.1))]
    AmbiguousRun(String, Vec<RunId>),
    /// A run of this identity exists.
    #[error("run {0} is stored already; nothing was changed")]
    AlreadyStored(RunId),
    /// A row names a trial that is not there.
    #[error("run {id} has {trials} trials and no trial {index}; nothing of this round was stored")]
    UnknownTrial {
        /// The run.
        id: RunId,
        /// The index that was named, from 0.
        index: u32,
        /// Number of the run's trials.
        trials: u32,
    },
    /// A value of the run has no form in the store: which, and why.
    #[error("run {0} cannot be stored: {1}")]
    Unstorable(RunId, String),
    /// Anything else that SQLite reports, in its words.
    #[error("the store {} failed: {detail}", .0.display(), detail = .1)]
    Failed(PathBuf, String),
}

fn nearest_words(nearest: &[RunId]) -> String {
    match nearest {
        [] => "; no run is stored there yet".to_owned(),
        some => format!("; the nearest are {}, and 'last' is the one that began last", names(some)),
    }
}

fn names(ids: &[RunId]) -> String {
    ids.iter().map(|id| id.0.as_str()).collect::<Vec<_>>().join(", ")
}

/// Names the first of them, and counts the rest.
fn some_names(ids: &[RunId]) -> String {
    const NAMED: usize = 4;
    match ids.len() {
        0..=NAMED => names(ids),
        all => format!("{} and {} more", names(&ids[..NAMED - 1]), all - (NAMED - 1)),
    }
}

/// Puts what SQLite reports into words.
pub(crate) fn explain(error: &rusqlite::Error, path: &Path, waited_s: f64) -> StoreError {
    if error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_READONLY_DBMOVED) {
        return StoreError::Moved(path.to_owned());
    }
    use ErrorCode::{CannotOpen, PermissionDenied, ReadOnly, SystemIoFailure};
    let code = error.sqlite_error_code();
    let is_of_the_system = matches!(code, Some(CannotOpen | SystemIoFailure | ReadOnly | PermissionDenied));
    if let Some(refusal) = is_of_the_system.then(|| system_refusal(path)).flatten() {
        return refusal;
    }
    let path = path.to_owned();
    let detail = in_one_line(&error.to_string());
    match code {
        Some(ErrorCode::DiskFull) => StoreError::Full(path),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(path, waited_s),
        Some(ReadOnly | PermissionDenied) => StoreError::ReadOnly(path, detail),
        Some(ErrorCode::NotADatabase) => StoreError::NotADatabase(path),
        Some(CannotOpen) => StoreError::Unreachable(path, detail),
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Corrupt(path, detail),
        Some(_) => StoreError::Failed(path, detail),
        // What is left is about values: a cell of the wrong type is damage, since every cell was written here.
        None => StoreError::Corrupt(path, detail),
    }
}

/// Joins the lines of a text: SQLite quotes what it cannot read as it finds it, such as a whole definition of a table.
pub(crate) fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the system's refusal when the store and a file next to it are written: SQLite only reports that a file cannot be opened.
pub(crate) fn system_refusal(path: &Path) -> Option<StoreError> {
    /// No file system gives less at a time to a file that is not tiny.
    const PAGE_BYTES: usize = 4096;
    let folder = path.parent()?;
    let written = (|| {
        if path.exists() {
            File::options().write(true).open(path)?;
        }
        tempfile::tempfile_in(folder)?.write_all(&[1; PAGE_BYTES])
    })();
    let error = written.err()?;
    let path = path.to_owned();
    // The name of the file that was tried does not help the user.
    let detail = io::Error::from(error.kind()).to_string();
    Some(match error.kind() {
        _ if is_full(&error) => StoreError::Full(path),
        ErrorKind::FileTooLarge => StoreError::SizeLimit(path),
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly(path, detail),
        _ => StoreError::Unreachable(path, detail),
    })
}

/// Returns whether an error says that there is no space, or none for this user.
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_sqlite_quotes_are_joined() {
        let quoted =
            "malformed database schema (volume) - unrecognized token: \"`TEXT,\n    device TEXT\n)\"";
        let code = ffi::Error::new(ffi::SQLITE_CORRUPT);
        let damaged = rusqlite::Error::SqliteFailure(code, Some(quoted.to_owned()));
        let said = explain(&damaged, Path::new("/a/store"), 0.0).to_string();
        assert!(said.starts_with("/a/store is damaged: malformed") && !said.contains('\n'), "{said}");
        assert!(said.contains("`TEXT, device TEXT )"), "{said}");
    }
}
