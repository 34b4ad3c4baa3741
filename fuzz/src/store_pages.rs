//! A store whose bytes or cells were changed, opened to be reported. The input is a list of changes to a small whole store: bytes at an
//! offset, or a value in a column.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use judge::{decide, read_run};
use model::Record;
use report::{Context, Format, RunPage, Style, csv, hyperfine, render};
use rusqlite::Connection;
use rusqlite::types::Value;
use store::{Sqlite, StoreError};
use tempfile::TempDir;

use crate::assert_says_why;
use crate::sample_run::record;

/// A whole store with one small run, and the names of its columns.
struct Whole {
    bytes: Vec<u8>,
    columns: Vec<(String, String)>,
}

static WHOLE: LazyLock<Whole> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("whole.sqlite");
    let mut store = Sqlite::open(&path).expect("a new store");
    store.begin(&record()).expect("a run");
    drop(store);
    let connection = Connection::open(&path).expect("our own");
    // Without a log next to the file, its bytes are all there is.
    connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())).expect("no other has it open");
    let columns = columns(&connection).expect("our own");
    drop(connection);
    Whole { bytes: fs::read(&path).expect("our own"), columns }
});

/// The run as it is stored. Most changes leave it alone, and judging it takes longer than all else.
static UNCHANGED: LazyLock<Record> = LazyLock::new(record);

fn columns(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let sql = "SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
               WHERE tables.type = 'table' ORDER BY tables.name, columns.cid";
    connection.prepare(sql)?.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

pub(crate) fn check(input: &[u8]) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("changed.sqlite");
    fs::write(&path, &WHOLE.bytes).expect("a file");
    let changes = changes(input);
    change_cells(&path, &changes).ok();
    let mut bytes = fs::read(&path).expect("our own");
    change_bytes(&mut bytes, &changes);
    fs::write(&path, &bytes).expect("a file");

    match Sqlite::open_read_only(&path) {
        Ok(store) => show_all(&store, input),
        Err(refused) => assert_names(&refused, &path, input),
    }
    assert!(fs::read(&path).expect("still there") == bytes, "reading changed the file");
    match Sqlite::open(&path) {
        Ok(mut store) => add_a_run(&mut store, &path, input),
        Err(refused) => {
            assert_names(&refused, &path, input);
            assert!(fs::read(&path).expect("still there") == bytes, "a store that was refused was changed");
        }
    }
}

enum Change {
    Bytes { at: usize, bytes: Vec<u8> },
    End { at: usize },
    Cell { column: usize, value: Value },
}

fn changes(input: &[u8]) -> Vec<Change> {
    let mut rest = Bytes(input);
    let mut changes = Vec::new();
    while let Some(kind) = rest.byte() {
        changes.push(match kind % 8 {
            0..=2 => Change::Bytes { at: rest.number(3) as usize, bytes: rest.text() },
            3 => Change::End { at: rest.number(3) as usize },
            _ => {
                let column = rest.number(1) as usize;
                let value = match rest.byte().unwrap_or(0) % 5 {
                    0 => Value::Null,
                    1 => Value::Integer(rest.number(8).cast_signed()),
                    2 => Value::Real(f64::from_bits(rest.number(8))),
                    3 => Value::Text(String::from_utf8_lossy(&rest.text()).into_owned()),
                    _ => Value::Blob(rest.text()),
                };
                Change::Cell { column, value }
            }
        });
    }
    changes
}

fn change_bytes(whole: &mut Vec<u8>, changes: &[Change]) {
    for change in changes {
        match change {
            Change::Bytes { at, bytes } => {
                let at = at % whole.len().max(1);
                whole[at..].iter_mut().zip(bytes).for_each(|(old, new)| *old = *new);
            }
            Change::End { at } => whole.truncate(*at),
            Change::Cell { .. } => {}
        }
    }
}

/// Changes cells, also to what the tables' own checks forbid: another program may have switched them off.
fn change_cells(path: &Path, changes: &[Change]) -> rusqlite::Result<()> {
    if !changes.iter().any(|change| matches!(change, Change::Cell { .. })) {
        return Ok(());
    }
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "ignore_check_constraints", true)?;
    connection.pragma_update(None, "foreign_keys", false)?;
    for change in changes {
        let Change::Cell { column, value } = change else { continue };
        let (table, column) = &WHOLE.columns[column % WHOLE.columns.len()];
        // A value that a key or a column's declaration forbids is refused; then the cell stays.
        connection.execute(&format!("UPDATE \"{table}\" SET \"{column}\" = ?1"), [value]).ok();
    }
    Ok(())
}

/// Makes all that `bakeoff report` and `bakeoff export` print.
fn show_all(store: &Sqlite, input: &[u8]) {
    let summaries = match store.runs() {
        Ok(summaries) => summaries,
        Err(refused) => return assert_says_why(&refused.to_string(), input),
    };
    let style = Style { verbose: true, ..Style::default() };
    render(&summaries[..], Format::Text, &style);
    render(&summaries[..], Format::Markdown, &style);
    for summary in summaries {
        let record = match store.load(&summary.id) {
            Ok(record) => record,
            Err(refused) => {
                assert_says_why(&refused.to_string(), input);
                continue;
            }
        };
        if record == *UNCHANGED {
            continue;
        }
        let decided = decide(&record);
        let page =
            RunPage { record: &record, decided: &decided, context: &Context::default(), findings: &[] };
        render(&page, Format::Text, &style);
        render(&page, Format::Markdown, &style);
        csv::samples(&record, &decided.rankings);
        hyperfine::export(&record, &decided, &hyperfine::Typed::default());
        let written = render(&page, Format::Json, &style);
        let read = read_run(&written, None).unwrap_or_else(|refused| panic!("{refused}: {written}"));
        assert_eq!(read, record, "{written}");
    }
}

/// Adds a run: an accepted store keeps it as any other does, or says why it cannot.
fn add_a_run(store: &mut Sqlite, path: &Path, input: &[u8]) {
    let mut new = record();
    new.id.0.push('b');
    match store.begin(&new) {
        Ok(()) => match store.load(&new.id) {
            Ok(read) => assert_eq!(read, new),
            Err(refused) => assert_names(&refused, path, input),
        },
        Err(refused) => assert_says_why(&refused.to_string(), input),
    }
}

fn assert_names(refused: &StoreError, path: &Path, input: &[u8]) {
    let sentence = refused.to_string();
    assert_says_why(&sentence, input);
    assert!(sentence.contains(&path.display().to_string()), "no file is named: {sentence}");
}

/// The rest of an input. Behind its end everything is 0 and empty.
struct Bytes<'input>(&'input [u8]);

impl Bytes<'_> {
    /// Takes the next byte; `None` at the end.
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Takes a number of this many bytes, the lowest first.
    fn number(&mut self, bytes: u32) -> u64 {
        (0..bytes).fold(0, |number, place| number | u64::from(self.byte().unwrap_or(0)) << (8 * place))
    }

    /// Takes a length of one byte, and this many bytes or as many as there are.
    fn text(&mut self) -> Vec<u8> {
        let length = usize::from(self.byte().unwrap_or(0)).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        text.to_vec()
    }
}
