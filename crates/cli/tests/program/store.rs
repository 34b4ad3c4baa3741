//! The store of runs: kept whole, never overwritten, never guessed at.

use std::fs;

use model::RunId;
use predicates::prelude::*;
use store::{Sqlite, Store};

use crate::sandbox::{SMALL, Sandbox, assert_refused, names, stdout};

/// Where SQLite's file format keeps the version that its user counts (<https://www.sqlite.org/fileformat.html>, 1.3).
const USER_VERSION_AT: usize = 60;
/// Where it keeps the id of the program.
const APPLICATION_ID_AT: usize = 68;

/// Neither `run` nor `report` takes the store as it is, both say why, and not a byte of it changes.
fn left_as_it_is(sandbox: &Sandbox, bytes: &[u8], words: &[&str]) {
    fs::write(sandbox.store(), bytes).expect("a writable file");
    let beside = names(&sandbox.path("")).len();
    assert_refused(&mut sandbox.run(SMALL), words);
    assert_refused(&mut sandbox.bakeoff(&["report"]), words);
    assert_eq!(fs::read(sandbox.store()).expect("a readable file"), bytes, "the store was changed");
    assert_eq!(names(&sandbox.path("")).len(), beside, "something stands beside the store");
    sandbox.assert_clean();
}

/// The bytes of a whole store of one run.
fn whole(sandbox: &Sandbox) -> Vec<u8> {
    sandbox.run(&["control/sleep_5ms", "control/sleep_7ms", "--rounds", "6"]).assert().success();
    fs::read(sandbox.store()).expect("a readable file")
}

#[test]
fn a_store_that_is_none_is_refused_and_left_as_it_is() {
    let sandbox = Sandbox::new();
    let own = whole(&sandbox);
    let changed = |at: usize, number: u32| {
        let mut bytes = own.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
        bytes
    };
    let mut scrawled = own.clone();
    scrawled[2000..own.len() / 2].fill(0x5a);
    let text = "all my measurements of last year\n".repeat(20).into_bytes();
    for (bytes, words) in [
        (changed(USER_VERSION_AT, 99), &["version 99", "newer bakeoff"][..]),
        (changed(APPLICATION_ID_AT, 1), &["another program"]),
        (own[..own.len() / 2].to_vec(), &["damaged"]),
        (scrawled, &["damaged"]),
        (text, &["no SQLite database", "another file"]),
    ] {
        left_as_it_is(&sandbox, &bytes, &[&["store.sqlite"], words].concat());
    }
}

#[test]
fn a_directory_is_no_store() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.store()).expect("a directory");
    assert_refused(&mut sandbox.run(SMALL), &["store.sqlite", "directory"]);
    assert_eq!(names(&sandbox.store()), Vec::<String>::new());
    sandbox.assert_clean();
}

#[test]
fn a_store_that_is_marked_read_only_is_read_and_not_written() {
    let sandbox = Sandbox::new();
    let bytes = whole(&sandbox);
    let mut rights = fs::metadata(sandbox.store()).expect("a file").permissions();
    rights.set_readonly(true);
    fs::set_permissions(sandbox.store(), rights).expect("an own file");
    assert_refused(&mut sandbox.run(SMALL), &["store.sqlite", "read-only", "Allow writing"]);
    sandbox.bakeoff(&["report"]).assert().success().stdout(predicate::str::contains("sleep_5ms"));
    assert_eq!(fs::read(sandbox.store()).expect("a readable file"), bytes);
    sandbox.assert_clean();
}

#[test]
fn without_a_store_there_is_nothing_to_report() {
    let sandbox = Sandbox::new();
    for command in [&["report"][..], &["report", "--list"], &["export", "--format", "csv"]] {
        assert_refused(&mut sandbox.bakeoff(command), &["no store", "store.sqlite", "bakeoff run"]);
    }
    sandbox.assert_untouched();
}

#[test]
fn a_run_that_is_not_there_is_refused_with_those_that_are() {
    let sandbox = Sandbox::new();
    whole(&sandbox);
    let id = sandbox.exported()["run"]["id"].as_str().expect("an identity").to_owned();
    assert_refused(&mut sandbox.bakeoff(&["report", "1999"]), &["'1999'", &id, "last"]);
    assert_refused(&mut sandbox.bakeoff(&["export", "1999", "--format", "csv"]), &["'1999'", &id]);
}

#[test]
fn runs_are_listed_and_found_by_the_beginning_of_their_names() {
    let sandbox = Sandbox::new();
    whole(&sandbox);
    whole(&sandbox);
    let list = sandbox.json(&["report", "--list"]);
    let runs = list.as_array().expect("a list");
    let ids: Vec<&str> = runs.iter().map(|run| run["id"].as_str().expect("an identity")).collect();
    assert_eq!(ids.len(), 2);
    for id in &ids {
        sandbox.bakeoff(&["report", id]).assert().success().stdout(predicate::str::contains(*id));
    }
    assert_refused(&mut sandbox.bakeoff(&["report", "2"]), &["2 runs", ids[0], ids[1]]);
    for format in ["text", "markdown"] {
        let list = sandbox.bakeoff(&["report", "--list", "--format", format]).assert().success();
        assert!(ids.iter().all(|id| stdout(&list).contains(id)), "{format}");
    }
}

/// Where SQLite's file format keeps the versions needed to write and to read: 2 with a write-ahead log, else 1.
const FORMAT_AT: std::ops::Range<usize> = 18..20;

#[test]
fn a_store_that_an_earlier_version_kept_with_a_log_has_a_journal_after_a_run() {
    let sandbox = Sandbox::new();
    let mut bytes = whole(&sandbox);
    assert_eq!(bytes[FORMAT_AT], [1, 1]);
    bytes[FORMAT_AT].fill(2);
    fs::write(sandbox.store(), &bytes).expect("a writable file");
    sandbox.bakeoff(&["report"]).assert().success();
    whole(&sandbox);
    assert_eq!(fs::read(sandbox.store()).expect("a readable file")[FORMAT_AT], [1, 1]);
    let beside = names(&sandbox.path("")).into_iter().filter(|name| name.starts_with("store.sqlite-"));
    assert_eq!(beside.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn looks_that_no_plan_can_have_are_refused_in_a_store_too() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let mut kept = Sqlite::open(sandbox.store()).expect("a store");
    let last = kept.resolve("last").expect("a run");
    let mut record = kept.load(&last).expect("a record");
    record.id = RunId("29991231T235959-0000".into());
    record.started = "2999-12-31T23:59:59Z".into();
    record.design.looks = vec![8, 4_000_000_000];
    kept.begin(&record).expect("a second run");
    drop(kept);
    let words = ["29991231T235959-0000", "damaged", "the looks must ascend from 1", "key looks"];
    assert_refused(&mut sandbox.bakeoff(&["report"]), &words);
    assert_refused(&mut sandbox.bakeoff(&["export", "--format", "csv"]), &words);
}
