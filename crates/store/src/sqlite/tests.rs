//! What is true of the SQLite file beyond the contract of every store.

mod filling;
mod foreign;

use std::fs;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::Barrier;
use std::thread;

use super::*;
use crate::contract::{record, round, sample};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A store with one run of three rounds, closed.
fn closed_store(path: &Path) -> Record {
    let mut store = Sqlite::open(path).expect("a new store");
    let mut expected = record("20261121T100000-aa");
    store.begin(&expected).expect("begin");
    for number in 0..3 {
        store.append(&expected.id, &round(number)).expect("append");
        expected.apply(&round(number));
    }
    expected
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn the_folders_and_the_file_are_made_and_nothing_else_is_left() {
    let folder = folder();
    // Windows allows no question mark in a name.
    let hostile = if MAIN_SEPARATOR == '/' { "deep/er # 100% ?x=y" } else { "deep/er # 100% &x=y" };
    let path = folder.path().join(hostile).join("runs.sqlite");
    let expected = closed_store(&path);
    let inside = path.parent().expect("a folder");
    assert_eq!(names_in(inside), ["runs.sqlite"]);
    let again = Sqlite::open(&path).expect("open again");
    assert_eq!(again.load(&expected.id).expect("load"), expected);
}

#[test]
fn a_killed_process_keeps_the_rounds_before_and_nothing_of_the_round_it_was_in() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let before = closed_store(&path);
    let mut victim = Sqlite::open(&path).expect("open");
    let taken = folder.path().join("as the disk was when the process died");
    fs::create_dir(&taken).expect("a folder");
    let transaction = victim.connection.transaction().expect("begin");
    let Ok(run) = row_of(&transaction, &before.id) else { panic!("the run is there") };
    // A cache of few pages makes SQLite write into the file before the commit.
    transaction.execute_batch("PRAGMA cache_size = 2").expect("cache");
    let mut big = round(9);
    big.samples = (0..5000).map(|seed| (0, sample(seed))).collect();
    assert!(write::increment(&transaction, &before.id, run, &big).is_ok());
    for name in names_in(folder.path()).iter().filter(|name| name.starts_with("runs.sqlite")) {
        fs::copy(folder.path().join(name), taken.join(name)).expect("copy");
    }
    assert!(
        fs::metadata(taken.join("runs.sqlite")).expect("a store").len()
            > fs::metadata(&path).expect("a store").len() / 2
            && fs::metadata(taken.join("runs.sqlite-journal")).expect("a journal").len() > 4096,
        "the round was half written"
    );
    for open in [Sqlite::open_read_only, Sqlite::open] {
        let copied = folder.path().join("copied");
        fs::create_dir_all(&copied).expect("a folder");
        for name in names_in(&taken) {
            fs::copy(taken.join(&name), copied.join(&name)).expect("copy");
        }
        let store = open(copied.join("runs.sqlite")).expect("what the killed process left");
        assert_eq!(store.load(&before.id).expect("load"), before);
    }
    let mut rights = fs::metadata(taken.join("runs.sqlite")).expect("metadata").permissions();
    rights.set_readonly(true);
    fs::set_permissions(taken.join("runs.sqlite"), rights).expect("protect");
    let refused =
        Sqlite::open_read_only(taken.join("runs.sqlite")).expect_err("it may not be changed").to_string();
    assert!(refused.contains("its last writer was killed"), "{refused}");
}

#[test]
fn two_processes_that_make_and_fill_one_store_at_once_lose_nothing() {
    let folder = folder();
    let path = folder.path().join("new/runs.sqlite");
    let start = Barrier::new(4);
    let write_one = |name: &str| {
        start.wait();
        let mut store = Sqlite::open(&path).expect("open while others open");
        let mut expected = record(name);
        store.begin(&expected).expect("begin");
        for number in 0..25 {
            store.append(&expected.id, &round(number)).expect("append");
            expected.apply(&round(number));
        }
        expected
    };
    let expected: Vec<Record> = thread::scope(|scope| {
        let writers: Vec<_> =
            ["r1", "r2", "r3", "r4"].map(|name| scope.spawn(move || write_one(name))).into();
        writers.into_iter().map(|writer| writer.join().expect("a writer")).collect()
    });
    let store = Sqlite::open_read_only(&path).expect("open");
    for record in expected {
        assert_eq!(store.load(&record.id).expect("load"), record);
    }
}

#[test]
fn a_reader_sees_whole_rounds_while_another_process_writes() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let mut expected = closed_store(&path);
    let mut writer = Sqlite::open(&path).expect("open");
    let reader = Sqlite::open_read_only(&path).expect("open");
    for number in 3..6 {
        assert_eq!(reader.load(&expected.id).expect("load"), expected);
        writer.append(&expected.id, &round(number)).expect("append while another reads");
        expected.apply(&round(number));
    }
    assert_eq!(reader.load(&expected.id).expect("load"), expected);
}

#[test]
fn a_writer_that_waits_too_long_says_so() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    closed_store(&path);
    let mut holder = Sqlite::open(&path).expect("open");
    let transaction =
        holder.connection.transaction_with_behavior(TransactionBehavior::Immediate).expect("hold");
    let refused = open::writing(&path, Duration::from_millis(50)).expect_err("the store is held").to_string();
    assert!(
        refused.contains("another process has held the store") && refused.contains("0.05 s"),
        "{refused}"
    );
    let reader = open::reading(&path, Duration::from_millis(50)).expect("others may read");
    transaction.rollback().expect("let go");
    let mut waiting = open::writing(&path, Duration::from_millis(50)).expect("now it is free");
    let transaction =
        holder.connection.transaction_with_behavior(TransactionBehavior::Exclusive).expect("hold");
    let refused = waiting.begin(&record("new")).expect_err("the store is held").to_string();
    assert!(refused.contains("another process has held the store"), "{refused}");
    let refused = reader.runs().expect_err("a file that is being written is not read").to_string();
    assert!(refused.contains("another process has held the store"), "{refused}");
    transaction.rollback().expect("let go");
    waiting.begin(&record("new")).expect("now it is free");
}

#[test]
fn a_flipped_byte_never_panics_and_a_refused_file_is_left_as_it_is() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let expected = closed_store(&path);
    let whole = fs::read(&path).expect("read");
    // All of the file's own header, then a stride that meets every page and many places inside one.
    let offsets = (0..112).chain((112..whole.len()).step_by(211));
    let (mut refused, mut differing) = (0, 0);
    for offset in offsets {
        for mask in [0x01, 0xff] {
            let mut damaged = whole.clone();
            damaged[offset] ^= mask;
            fs::write(&path, &damaged).expect("write");
            for open in [Sqlite::open, Sqlite::open_read_only] {
                match open(&path) {
                    Err(error) => {
                        refused += 1;
                        assert!(error.to_string().contains("runs.sqlite"), "{error}");
                        assert_eq!(fs::read(&path).expect("read"), damaged, "offset {offset}");
                        assert_eq!(names_in(folder.path()), ["runs.sqlite"], "offset {offset}");
                    }
                    Ok(store) => {
                        let _ = store.runs();
                        differing += u32::from(store.load(&expected.id).ok() != Some(expected.clone()));
                        drop(store);
                        assert_eq!(names_in(folder.path()), ["runs.sqlite"], "offset {offset}");
                    }
                }
            }
        }
    }
    assert!(refused > 100, "only {refused} were refused");
    assert!(differing > 0, "some flips lie in values");
}

#[test]
fn a_file_cut_anywhere_is_refused_and_left_as_it_is() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    closed_store(&path);
    let whole = fs::read(&path).expect("read");
    for length in [1, 15, 16, 60, 71, 99, 100, 511, 4095, 4096, 5000, whole.len() - 4096, whole.len() - 1] {
        fs::write(&path, &whole[..length]).expect("write");
        for open in [Sqlite::open, Sqlite::open_read_only] {
            assert!(open(&path).is_err(), "cut to {length} bytes");
            assert_eq!(fs::read(&path).expect("read"), whole[..length], "cut to {length} bytes");
        }
    }
}

#[test]
fn damage_in_a_large_store_is_told_by_what_reads_it() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let mut large = record("large");
    large.trials[0].samples = (0..20_000).map(sample).collect();
    let small = record("small");
    let mut store = Sqlite::open(&path).expect("a new store");
    store.begin(&large).expect("begin");
    store.begin(&small).expect("begin");
    drop(store);
    let mut damaged = fs::read(&path).expect("read");
    assert!(damaged.len() > 2 << 20, "{}", damaged.len());
    // The kind of a page stands first in it: 13 is one of rows.
    let middle = damaged.len() / 2;
    let page = (middle..).step_by(4096).map(|offset| offset - offset % 4096);
    let page = page.into_iter().find(|&offset| damaged[offset] == 13).expect("a page of samples");
    damaged[page] = 77;
    fs::write(&path, &damaged).expect("write");
    for open in [Sqlite::open, Sqlite::open_read_only] {
        let store = open(&path).expect("its runs are whole");
        assert_eq!(store.load(&small.id).expect("load"), small);
        assert_eq!(store.runs().expect("runs").len(), 2);
        let refused = store.load(&large.id).expect_err("damaged").to_string();
        assert!(refused.contains("damaged") && refused.contains("runs.sqlite"), "{refused}");
    }
    assert_eq!(fs::read(&path).expect("read"), damaged, "it was left as it is");
}

#[test]
fn a_store_of_a_newer_version_is_named_and_not_touched() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let newer = migrations::VERSION + 1;
    closed_store(&path);
    Connection::open(&path).expect("open").pragma_update(None, "user_version", newer).expect("set");
    let before = fs::read(&path).expect("read");
    for open in [Sqlite::open, Sqlite::open_read_only] {
        let refused = open(&path).expect_err("newer").to_string();
        assert!(
            refused.contains(&format!("store version {newer}"))
                && refused.contains(&format!("up to {}", migrations::VERSION)),
            "{refused}"
        );
    }
    assert_eq!(fs::read(&path).expect("read"), before);
}

#[test]
fn an_unfinished_store_is_completed_by_a_writer_and_refused_to_a_reader() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let connection = Connection::open(&path).expect("open");
    connection.pragma_update(None, "application_id", migrations::APPLICATION_ID).expect("set");
    drop(connection);
    assert!(matches!(Sqlite::open_read_only(&path), Err(StoreError::Older { found: 0, .. })));
    Sqlite::open(&path).expect("completed").begin(&record("a")).expect("begin");
}

#[test]
fn files_of_others_are_refused_and_not_touched() {
    let folder = folder();
    let path = folder.path().join("other");
    for text in ["x".to_owned(), "family,value\n".repeat(1000), "SQLite format 3\0".to_owned()] {
        fs::write(&path, &text).expect("write");
        for open in [Sqlite::open, Sqlite::open_read_only] {
            let refused = open(&path).expect_err("no store").to_string();
            assert!(refused.contains("other"), "{refused}");
            assert_eq!(fs::read_to_string(&path).expect("read"), text);
        }
    }
    fs::remove_file(&path).expect("remove");
    Connection::open(&path).expect("open").execute_batch("CREATE TABLE bookmarks (url)").expect("create");
    let before = fs::read(&path).expect("read");
    for open in [Sqlite::open, Sqlite::open_read_only] {
        let refused = open(&path).expect_err("another program's");
        assert!(matches!(refused, StoreError::Foreign { found: 0, .. }), "{refused}");
    }
    assert_eq!(fs::read(&path).expect("read"), before);
    assert_eq!(names_in(folder.path()), ["other"]);
}

#[test]
fn a_directory_a_missing_file_and_a_path_through_a_file_are_named() {
    let folder = folder();
    let refused = Sqlite::open(folder.path()).expect_err("a directory").to_string();
    assert!(refused.contains("it is a directory"), "{refused}");
    let absent = folder.path().join("absent.sqlite");
    let refused = Sqlite::open_read_only(&absent).expect_err("absent").to_string();
    assert!(refused.contains("there is no store of runs at"), "{refused}");
    assert!(!absent.exists(), "asking makes nothing");
    fs::write(folder.path().join("file"), "x").expect("write");
    let refused = Sqlite::open(folder.path().join("file/runs.sqlite")).expect_err("below a file").to_string();
    assert!(refused.contains("cannot be made"), "{refused}");
}

#[test]
fn a_protected_file_is_readable_and_refused_for_writing() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let expected = closed_store(&path);
    let mut rights = fs::metadata(&path).expect("metadata").permissions();
    rights.set_readonly(true);
    fs::set_permissions(&path, rights).expect("protect");
    let refused = Sqlite::open(&path).expect_err("protected").to_string();
    assert!(refused.contains("marked read-only") && refused.contains("name another file"), "{refused}");
    let mut store = Sqlite::open_read_only(&path).expect("readable");
    assert_eq!(store.load(&expected.id).expect("load"), expected);
    assert!(matches!(store.begin(&record("new")), Err(StoreError::ReadOnly { .. })));
}

#[test]
fn a_full_disk_is_named_and_what_was_stored_is_kept() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let expected = closed_store(&path);
    let mut store = Sqlite::open(&path).expect("open");
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("pages");
    // The same code that SQLite gives when the device has no space.
    store.connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).expect("limit");
    let mut big = round(9);
    big.samples = (0..5000).map(|seed| (0, sample(seed))).collect();
    let refused = store.append(&expected.id, &big).expect_err("no space").to_string();
    assert!(refused.contains("no space is left"), "{refused}");
    assert_eq!(store.load(&expected.id).expect("load"), expected);
}

#[test]
fn what_the_store_cannot_hold_is_refused_as_a_whole() {
    let folder = folder();
    let mut store = Sqlite::open(folder.path().join("runs.sqlite")).expect("open");
    let mut odd = record("a");
    odd.design.delta = f64::NAN;
    assert!(store.begin(&odd).expect_err("not a number").to_string().contains("delta is NaN"));
    assert_eq!(store.runs().expect("runs"), []);
}

#[test]
fn people_can_ask_the_store_with_sql() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    closed_store(&path);
    let connection = Connection::open(&path).expect("open");
    let (rows, unknown): (i64, i64) = connection
        .query_row(
            "SELECT count(*), sum(work_ns IS NULL) FROM measurement WHERE family = 'copy' AND cache = 'cold'",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .expect("a query");
    assert_eq!((rows, unknown), (6, 3));
    // A view of the user's own is no reason to call the store damaged.
    connection.execute_batch("CREATE VIEW mine AS SELECT 1").expect("create");
    drop(connection);
    Sqlite::open(&path).expect("still ours");
}

#[test]
fn names_that_sqlite_would_understand_otherwise_are_files() {
    let folder = folder();
    // Windows allows neither colons nor question marks in a name.
    let names = if MAIN_SEPARATOR == '/' {
        vec![":memory:", "file:other?mode=memory", "file:x"]
    } else {
        vec!["file"]
    };
    for name in names {
        let path = folder.path().join(name);
        closed_store(&path);
        assert!(path.is_file(), "{name}");
        assert_eq!(open::whole(Path::new(name)).expect("a path").file_name(), path.file_name());
        assert!(open::whole(Path::new(name)).expect("a path").is_absolute());
    }
}

#[test]
fn a_trigger_of_another_program_does_not_run() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let expected = closed_store(&path);
    Connection::open(&path)
        .expect("open")
        .execute_batch("CREATE TRIGGER bad AFTER INSERT ON sample BEGIN DELETE FROM canary; END")
        .expect("create");
    let mut store = Sqlite::open(&path).expect("still ours");
    store.append(&expected.id, &round(3)).expect("append");
    assert_eq!(store.load(&expected.id).expect("load").canaries.len(), expected.canaries.len() + 1);
    store.delete(&expected.id).expect("rows of a run go with it all the same");
}

#[test]
fn a_negative_version_is_called_damaged() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    closed_store(&path);
    Connection::open(&path).expect("open").pragma_update(None, "user_version", -3).expect("set");
    for open in [Sqlite::open, Sqlite::open_read_only] {
        let refused = open(&path).expect_err("damaged").to_string();
        assert!(refused.contains("its version is -3"), "{refused}");
    }
}

/// What earlier versions kept: a store with a write-ahead log.
fn logged_store(path: &Path) -> Record {
    let expected = closed_store(path);
    let connection = Connection::open(path).expect("open");
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).expect("a log");
    expected
}

fn journal_mode(path: &Path) -> String {
    let connection = Connection::open(path).expect("open");
    connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).expect("its mode")
}

#[test]
fn a_store_with_a_log_is_given_a_journal_without_touching_the_index_of_the_log() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let mut expected = logged_store(&path);
    assert_eq!(journal_mode(&path), "wal");
    assert_eq!(Sqlite::open_read_only(&path).expect("readable").load(&expected.id).expect("load"), expected);
    for left in ["runs.sqlite-wal", "runs.sqlite-shm"] {
        let _ = fs::remove_file(folder.path().join(left));
    }
    // No index can be made where a directory stands, so nothing needs it.
    fs::create_dir(folder.path().join("runs.sqlite-shm")).expect("a directory");
    let mut store = Sqlite::open(&path).expect("open");
    store.append(&expected.id, &round(3)).expect("append");
    expected.apply(&round(3));
    drop(store);
    assert_eq!(journal_mode(&path), "delete");
    assert_eq!(Sqlite::open_read_only(&path).expect("open").load(&expected.id).expect("load"), expected);
}

#[test]
fn a_store_with_a_log_that_another_process_has_open_is_shared_with_it() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let mut expected = logged_store(&path);
    let earlier = Connection::open(&path).expect("open");
    earlier.execute_batch("UPDATE run SET complete = complete").expect("it writes");
    let mut store = Sqlite::open(&path).expect("open");
    store.append(&expected.id, &round(3)).expect("append");
    expected.apply(&round(3));
    let rounds: i64 =
        earlier.query_row("SELECT count(*) FROM canary", [], |row| row.get(0)).expect("it reads");
    assert_eq!(rounds, expected.canaries.len() as i64);
    drop((store, earlier));
    assert_eq!(Sqlite::open_read_only(&path).expect("open").load(&expected.id).expect("load"), expected);
}

#[test]
fn nothing_stands_beside_a_store_that_is_read_and_written() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let expected = closed_store(&path);
    let mut writer = Sqlite::open(&path).expect("open");
    let reader = Sqlite::open_read_only(&path).expect("open");
    writer.append(&expected.id, &round(3)).expect("append");
    reader.load(&expected.id).expect("load");
    assert_eq!(names_in(folder.path()), ["runs.sqlite"]);
}

#[test]
fn a_store_that_is_moved_away_while_it_is_in_use_is_told() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let expected = closed_store(&path);
    let mut store = Sqlite::open(&path).expect("open");
    if let Err(refused) = fs::rename(&path, folder.path().join("moved")) {
        // It moves no file that is open: there it cannot happen, and the store stays in use.
        assert_eq!(std::env::consts::OS, "windows", "{refused}");
        return store.append(&expected.id, &round(3)).expect("it is where it was");
    }
    for _ in 0..2 {
        let refused = store.append(&expected.id, &round(3)).expect_err("it is gone").to_string();
        assert!(refused.contains("moved, removed or replaced"), "{refused}");
        assert!(!path.exists(), "nothing is made in its place");
    }
    assert_eq!(
        Sqlite::open(folder.path().join("moved")).expect("open").load(&expected.id).expect("load"),
        expected
    );
}
