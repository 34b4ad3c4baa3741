//! Promises of the SQLite file beyond the contract of every store.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Barrier;
use std::thread;

use super::*;
use crate::contract::{record, round, sample};

/// Makes a folder, and returns it with the path of a store in it that is not there yet.
fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("runs.sqlite");
    (folder, path)
}

fn stored() -> (tempfile::TempDir, PathBuf, Record) {
    let (folder, path) = place();
    let run = closed_store(&path);
    (folder, path, run)
}

fn refusal<T>(outcome: Result<T>) -> String {
    outcome.map(drop).expect_err("it is refused").to_string()
}

fn append(store: &mut Sqlite, expected: &mut Record, number: u32) {
    store.append(&expected.id, &round(number)).expect("append");
    expected.apply(&round(number));
}

fn protect(path: &Path) {
    let mut rights = fs::metadata(path).expect("metadata").permissions();
    rights.set_readonly(true);
    fs::set_permissions(path, rights).expect("protect");
}

/// Checks that both ways of opening find the run in the store.
fn assert_held(path: &Path, expected: &Record) {
    for open in [Sqlite::open_read_only, Sqlite::open] {
        assert_eq!(open(path).expect("open").load(&expected.id).expect("load"), *expected);
    }
}

/// Makes a store with one run of three rounds, closed.
fn closed_store(path: &Path) -> Record {
    let mut store = Sqlite::open(path).expect("a new store");
    let mut expected = record("20261121T100000-aa");
    store.begin(&expected).expect("begin");
    (0..3).for_each(|number| append(&mut store, &mut expected, number));
    expected
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn the_folders_and_the_file_are_made_and_nothing_else_is_left() {
    let (folder, _) = place();
    // Windows allows no question mark in a name.
    let hostile = if MAIN_SEPARATOR == '/' { "deep/er # 100% ?x=y" } else { "deep/er # 100% &x=y" };
    let path = folder.path().join(hostile).join("runs.sqlite");
    let expected = closed_store(&path);
    assert_eq!(names_in(path.parent().expect("a folder")), ["runs.sqlite"]);
    assert_held(&path, &expected);
}

#[test]
fn a_killed_process_keeps_whole_rounds_only() {
    let (folder, path, before) = stored();
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
    let [whole, store, journal] = [&path, &taken.join("runs.sqlite"), &taken.join("runs.sqlite-journal")]
        .map(|file| fs::metadata(file).expect("a file").len());
    assert!(store > whole / 2 && journal > 4096, "the round was half written");
    let copied = folder.path().join("copied");
    fs::create_dir(&copied).expect("a folder");
    for open in [Sqlite::open_read_only, Sqlite::open] {
        for name in names_in(&taken) {
            fs::copy(taken.join(&name), copied.join(&name)).expect("copy");
        }
        let store = open(copied.join("runs.sqlite")).expect("what the killed process left");
        assert_eq!(store.load(&before.id).expect("load"), before);
    }
    protect(&taken.join("runs.sqlite"));
    let refused = refusal(Sqlite::open_read_only(taken.join("runs.sqlite")));
    assert!(refused.contains("its last writer was killed"), "{refused}");
}

#[test]
fn writers_that_make_one_store_at_once_lose_nothing() {
    let (folder, _) = place();
    let path = folder.path().join("new/runs.sqlite");
    let start = Barrier::new(4);
    let write_one = |name: &str| {
        start.wait();
        let mut store = Sqlite::open(&path).expect("open while others open");
        let mut expected = record(name);
        store.begin(&expected).expect("begin");
        (0..25).for_each(|number| append(&mut store, &mut expected, number));
        expected
    };
    let expected: Vec<Record> = thread::scope(|scope| {
        let writers = ["r1", "r2", "r3", "r4"].map(|name| scope.spawn(move || write_one(name)));
        writers.map(|writer| writer.join().expect("a writer")).into()
    });
    let store = Sqlite::open_read_only(&path).expect("open");
    for record in expected {
        assert_eq!(store.load(&record.id).expect("load"), record);
    }
}

#[test]
fn readers_see_whole_rounds_while_another_process_writes() {
    let (folder, path, mut expected) = stored();
    let mut writer = Sqlite::open(&path).expect("open");
    let reader = Sqlite::open_read_only(&path).expect("open");
    let further = reader.open_again().expect("again");
    for number in 3..6 {
        append(&mut writer, &mut expected, number);
        assert_eq!(reader.load(&expected.id).expect("load"), expected);
        assert_eq!(further.load(&expected.id).expect("load"), expected);
    }
    drop(reader);
    assert_eq!(further.load(&expected.id).expect("still a run"), expected);
    assert_eq!(names_in(folder.path()), ["runs.sqlite"], "nothing stands next to a store");
}

#[test]
fn a_writer_that_waits_too_long_says_so() {
    let (_folder, path, _) = stored();
    let mut holder = Sqlite::open(&path).expect("open");
    let wait = Duration::from_millis(50);
    let held = holder.connection.transaction_with_behavior(TransactionBehavior::Immediate).expect("hold");
    let refused = refusal(open::writing(&path, wait));
    assert!(refused.contains("another process has held") && refused.contains("0.05 s"), "{refused}");
    let reader = open::reading(&path, wait).expect("others may read");
    held.rollback().expect("let go");
    let mut waiting = open::writing(&path, wait).expect("now it is free");
    let held = holder.connection.transaction_with_behavior(TransactionBehavior::Exclusive).expect("hold");
    // A file that is being written is not read.
    for refused in [refusal(waiting.begin(&record("new"))), refusal(reader.runs())] {
        assert!(refused.contains("another process has held"), "{refused}");
    }
    held.rollback().expect("let go");
    waiting.begin(&record("new")).expect("now it is free");
}

#[test]
fn a_flipped_byte_never_panics_and_changes_no_file() {
    let (folder, path, expected) = stored();
    let whole = fs::read(&path).expect("read");
    // All of the file's own header, then a stride that meets every page and many places inside one.
    let offsets = (0..112).chain((112..whole.len()).step_by(701));
    let (mut refused, mut differing) = (0, 0);
    for (offset, mask) in offsets.zip([0x01, 0xff].into_iter().cycle()) {
        let mut damaged = whole.clone();
        damaged[offset] ^= mask;
        fs::write(&path, &damaged).expect("write");
        for open in [Sqlite::open, Sqlite::open_read_only] {
            match open(&path) {
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains("runs.sqlite"), "{error}");
                    assert_eq!(fs::read(&path).expect("read"), damaged, "offset {offset}");
                }
                Ok(store) => {
                    let _ = store.runs();
                    differing += u32::from(store.load(&expected.id).ok() != Some(expected.clone()));
                }
            }
            assert_eq!(names_in(folder.path()), ["runs.sqlite"], "offset {offset}");
        }
    }
    assert!(refused > 100, "only {refused} were refused");
    assert!(differing > 0, "some flips lie in values");
}

#[test]
fn a_file_cut_anywhere_is_refused_and_left_as_it_is() {
    let (_folder, path, _) = stored();
    let whole = fs::read(&path).expect("read");
    for length in [1, 15, 16, 60, 71, 99, 100, 511, 4095, 4096, 5000, whole.len() - 4096, whole.len() - 1] {
        fs::write(&path, &whole[..length]).expect("write");
        refusals(&path);
    }
}

#[test]
fn damage_in_a_large_store_is_named_by_its_readers() {
    let (_folder, path) = place();
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
        let refused = refusal(store.load(&large.id));
        assert!(refused.contains("damaged") && refused.contains("runs.sqlite"), "{refused}");
    }
    assert_eq!(fs::read(&path).expect("read"), damaged, "it was left as it is");
}

/// Returns the refusals of both ways of opening a file, and checks that they leave it as it is.
fn refusals(path: &Path) -> [String; 2] {
    let before = fs::read(path).expect("read");
    let refusals = [Sqlite::open, Sqlite::open_read_only].map(|open| refusal(open(path)));
    assert_eq!(fs::read(path).expect("read"), before);
    refusals
}

#[test]
fn a_version_that_is_not_known_is_named() {
    let newest = migrations::VERSION;
    let newer = format!("store version {}, and this bakeoff knows versions up to {newest}", newest + 1);
    for (version, said) in [(newest + 1, newer.as_str()), (-3, "its version is -3")] {
        let (_folder, path, _) = stored();
        Connection::open(&path).expect("open").pragma_update(None, "user_version", version).expect("set");
        assert!(refusals(&path).iter().all(|refusal| refusal.contains(said)), "{said}");
    }
}

#[test]
fn an_unfinished_store_is_completed_by_writers_only() {
    let (_folder, path) = place();
    let connection = Connection::open(&path).expect("open");
    connection.pragma_update(None, "application_id", migrations::APPLICATION_ID).expect("set");
    drop(connection);
    assert!(matches!(Sqlite::open_read_only(&path), Err(StoreError::Older(_, 0))));
    Sqlite::open(&path).expect("completed").begin(&record("a")).expect("begin");
}

#[test]
fn files_of_others_are_refused_and_not_touched() {
    let (folder, _) = place();
    let path = folder.path().join("other");
    for text in ["x".to_owned(), "family,value\n".repeat(1000), "SQLite format 3\0".to_owned()] {
        fs::write(&path, &text).expect("write");
        assert!(refusals(&path).iter().all(|refusal| refusal.contains("other")));
    }
    fs::remove_file(&path).expect("remove");
    Connection::open(&path).expect("open").execute_batch("CREATE TABLE bookmarks (url)").expect("create");
    let foreign = "another program (application id 0x00000000)";
    assert!(refusals(&path).iter().all(|refusal| refusal.contains(foreign)));
    assert_eq!(names_in(folder.path()), ["other"]);
}

#[test]
fn paths_that_hold_no_store_are_named() {
    let (folder, _) = place();
    let absent = folder.path().join("absent.sqlite");
    fs::write(folder.path().join("file"), "x").expect("write");
    for (outcome, said) in [
        (Sqlite::open(folder.path()), "it is a directory"),
        (Sqlite::open_read_only(&absent), "there is no store of runs at"),
        (Sqlite::open(folder.path().join("file/runs.sqlite")), "cannot be made"),
    ] {
        let refused = refusal(outcome);
        assert!(refused.contains(said), "{refused}");
    }
    assert!(!absent.exists(), "asking makes nothing");
}

#[test]
fn a_protected_file_is_readable_and_refused_for_writing() {
    let (_folder, path, expected) = stored();
    protect(&path);
    let refused = refusal(Sqlite::open(&path));
    assert!(refused.contains("marked read-only") && refused.contains("name another file"), "{refused}");
    let mut store = Sqlite::open_read_only(&path).expect("readable");
    assert_eq!(store.load(&expected.id).expect("load"), expected);
    assert!(matches!(store.begin(&record("new")), Err(StoreError::ReadOnly(..))));
}

#[test]
fn a_full_disk_is_named_and_what_was_stored_is_kept() {
    let (_folder, path, expected) = stored();
    let mut store = Sqlite::open(&path).expect("open");
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("pages");
    // The same code that SQLite gives when the device has no space.
    store.connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).expect("limit");
    let mut big = round(9);
    big.samples = (0..5000).map(|seed| (0, sample(seed))).collect();
    let refused = refusal(store.append(&expected.id, &big));
    assert!(refused.contains("no space is left"), "{refused}");
    assert_eq!(store.load(&expected.id).expect("load"), expected);
}

#[test]
fn what_the_store_cannot_hold_is_refused_as_a_whole() {
    let (_folder, path) = place();
    let mut store = Sqlite::open(&path).expect("open");
    let mut odd = record("a");
    odd.design.delta = f64::NAN;
    assert!(refusal(store.begin(&odd)).contains("delta is NaN"));
    assert_eq!(store.runs().expect("runs"), []);
}

#[test]
fn people_can_ask_the_store_with_sql() {
    let (_folder, path, _) = stored();
    let connection = Connection::open(&path).expect("open");
    let sql =
        "SELECT count(*), sum(work_ns IS NULL) FROM measurement WHERE family = 'copy' AND cache = 'cold'";
    let found = connection.query_row(sql, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
    assert_eq!(found.expect("a query"), (6, 3));
}

#[test]
fn names_that_sqlite_would_understand_otherwise_are_files() {
    let (folder, _) = place();
    // Windows allows neither colons nor question marks in a name.
    let names = [":memory:", "file:other?mode=memory", "file:x"];
    for name in if MAIN_SEPARATOR == '/' { &names[..] } else { &["file"] } {
        let path = folder.path().join(name);
        closed_store(&path);
        assert!(path.is_file(), "{name}");
        assert_eq!(open::whole(Path::new(name)).expect("a path").file_name(), path.file_name());
        assert!(open::whole(Path::new(name)).expect("a path").is_absolute());
    }
}

/// Makes a store with a write-ahead log, as earlier versions did.
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
fn a_store_with_a_log_is_given_a_journal() {
    let (folder, path) = place();
    let mut expected = logged_store(&path);
    assert_eq!(journal_mode(&path), "wal");
    assert_eq!(Sqlite::open_read_only(&path).expect("readable").load(&expected.id).expect("load"), expected);
    for left in ["runs.sqlite-wal", "runs.sqlite-shm"] {
        let _ = fs::remove_file(folder.path().join(left));
    }
    // No index can be made where a directory stands, so nothing needs it.
    fs::create_dir(folder.path().join("runs.sqlite-shm")).expect("a directory");
    append(&mut Sqlite::open(&path).expect("open"), &mut expected, 3);
    assert_eq!(journal_mode(&path), "delete");
    assert_held(&path, &expected);
}

#[test]
fn a_store_with_a_log_is_shared_while_it_is_open() {
    let (_folder, path) = place();
    let mut expected = logged_store(&path);
    let earlier = Connection::open(&path).expect("open");
    earlier.execute_batch("UPDATE run SET complete = complete").expect("it writes");
    let mut store = Sqlite::open(&path).expect("open");
    append(&mut store, &mut expected, 3);
    let rounds = earlier.query_row("SELECT count(*) FROM canary", [], |row| row.get::<_, i64>(0));
    assert_eq!(rounds.expect("it reads"), expected.canaries.len() as i64);
    drop((store, earlier));
    assert_held(&path, &expected);
}

#[test]
fn a_store_that_is_moved_away_in_use_is_named() {
    let (folder, path, expected) = stored();
    let mut store = Sqlite::open(&path).expect("open");
    if let Err(refused) = fs::rename(&path, folder.path().join("moved")) {
        // It moves no file that is open: there it cannot happen, and the store stays in use.
        assert_eq!(std::env::consts::OS, "windows", "{refused}");
        return store.append(&expected.id, &round(3)).expect("it is where it was");
    }
    for _ in 0..2 {
        let refused = refusal(store.append(&expected.id, &round(3)));
        assert!(refused.contains("moved, removed or replaced"), "{refused}");
        assert!(!path.exists(), "nothing is made in its place");
    }
    assert_held(&folder.path().join("moved"), &expected);
}

#[test]
fn many_runs_join_whole_or_not_at_all() {
    let (_folder, path, known) = stored();
    let mut store = Sqlite::open(&path).expect("open");
    let mut first = record("20261120T100000-aa");
    store.fill([(first.clone(), round(0))]).expect("filled");
    first.apply(&round(0));
    let other = record("20261122T100000-bb");
    let runs = [(other.clone(), round(0)), (known.clone(), round(0))];
    assert!(matches!(store.fill(runs), Err(StoreError::AlreadyStored(..))));
    assert_eq!(store.runs().expect("runs"), [first.summary(), known.summary()]);
    drop(store);
    assert_held(&path, &known);
    assert_held(&path, &first);
}

#[test]
fn one_bad_cell_costs_its_run_and_not_the_store() {
    let (_folder, path, run) = stored();
    let mut store = Sqlite::open(&path).expect("open");
    let other = record("20261122T100000-bb");
    store.connection.execute("UPDATE trial SET kind = 'x'", []).expect("changed");
    store.begin(&other).expect("begin");
    let refused = store.load(&run.id).expect_err("a bad cell").to_string();
    assert!(refused.starts_with(&format!("run '{}' in ", run.id)), "{refused}");
    assert!(refused.contains("unknown variant `x`") && !refused.contains("index"), "{refused}");
    assert_eq!(store.load(&other.id).expect("another run"), other);
}

#[test]
fn a_run_is_read_whole_whatever_its_counts_of_rows() {
    let (_folder, path, run) = stored();
    for count in [i64::MAX, i64::MIN, -1, 0, 1] {
        let store = Sqlite::open(&path).expect("open");
        let sql = "UPDATE run SET samples = ?1, failures = ?1";
        store.connection.execute(sql, [count]).expect("changed");
        assert_eq!(store.load(&run.id).expect("a run"), run, "{count}");
    }
}

#[test]
fn foreign_tables_and_views_are_left_alone_and_no_trigger_runs() {
    let (_folder, path, mut expected) = stored();
    let foreign = "CREATE TABLE diary (text TEXT); INSERT INTO diary VALUES ('kept');\
                   CREATE VIEW broken AS SELECT * FROM what_is_not_there;\
                   CREATE TRIGGER bad AFTER INSERT ON sample BEGIN DELETE FROM canary; END";
    Connection::open(&path).expect("open").execute_batch(foreign).expect("create");
    append(&mut Sqlite::open(&path).expect("still ours"), &mut expected, 3);
    assert_held(&path, &expected);
    let connection = Connection::open(&path).expect("open");
    let text: String = connection.query_row("SELECT text FROM diary", [], |row| row.get(0)).expect("a row");
    assert_eq!(text, "kept");
    let mut views = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'broken'").expect("SQL");
    assert!(views.exists([]).expect("a view"));
}
