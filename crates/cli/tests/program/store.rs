//! The store of runs: kept whole, never overwritten, never guessed at.

use std::fs;

use model::RunId;
use store::Sqlite;

use crate::sandbox::{SMALL, Sandbox, assert_refused, assert_shows, list, names, text};

/// Bytes at which SQLite's file format keeps the version that its user counts (<https://www.sqlite.org/fileformat.html>, 1.3).
const USER_VERSION_AT: usize = 60;

/// The bytes of a whole store of one run.
fn whole(sandbox: &Sandbox) -> Vec<u8> {
    sandbox.measured("control/sleep_5ms control/sleep_7ms --rounds 6");
    fs::read(sandbox.store()).expect("a readable file")
}

#[test]
fn a_store_that_is_none_is_refused_and_left_as_it_is() {
    let sandbox = Sandbox::new();
    let own = whole(&sandbox);
    let mut newer = own.clone();
    newer[USER_VERSION_AT..USER_VERSION_AT + 4].copy_from_slice(&99_u32.to_be_bytes());
    let text = "all my measurements of last year\n".repeat(20).into_bytes();
    for (bytes, words) in [
        (newer, "store.sqlite | version 99 | newer bakeoff"),
        (own[..own.len() / 2].to_vec(), "store.sqlite | damaged"),
        (text, "store.sqlite | not a SQLite database | another file"),
    ] {
        fs::write(sandbox.store(), &bytes).expect("a writable file");
        let before = names(&sandbox.path("")).len();
        assert_refused(&mut sandbox.run(SMALL), words);
        for command in ["report", "findings", "advise copy"] {
            assert_refused(&mut sandbox.bakeoff(command), words);
        }
        for command in ["explain", "show"] {
            assert_refused(&mut sandbox.in_dir(command, "copy/std_copy"), words);
        }
        assert_eq!(fs::read(sandbox.store()).expect("a readable file"), bytes, "the store was changed");
        assert_eq!(names(&sandbox.path("")).len(), before, "something stands next to the store");
        sandbox.assert_clean();
    }
}

#[test]
fn a_store_that_is_marked_read_only_is_read_and_not_written() {
    let sandbox = Sandbox::new();
    let bytes = whole(&sandbox);
    let mut rights = fs::metadata(sandbox.store()).expect("a file").permissions();
    rights.set_readonly(true);
    fs::set_permissions(sandbox.store(), rights).expect("an own file");
    assert_refused(&mut sandbox.run(SMALL), "store.sqlite | read-only | Allow writing");
    assert_shows(&sandbox.shown("report"), "sleep_5ms");
    assert_eq!(fs::read(sandbox.store()).expect("a readable file"), bytes);
    sandbox.assert_clean();
}

#[test]
fn without_a_store_there_is_nothing_to_report() {
    let sandbox = Sandbox::new();
    for command in ["report", "report --list", "export --format csv"] {
        assert_refused(&mut sandbox.bakeoff(command), "no store | store.sqlite | bakeoff run");
    }
    sandbox.assert_untouched();
}

#[test]
fn runs_are_listed_and_found_by_the_beginning_of_their_names() {
    let sandbox = Sandbox::new();
    whole(&sandbox);
    whole(&sandbox);
    let all = sandbox.json("report --list");
    let ids: Vec<&str> = list(&all).iter().map(|run| text(&run["id"])).collect();
    assert_eq!(ids.len(), 2);
    for id in &ids {
        assert_shows(&sandbox.shown(&["report", id, "--verbose"]), *id);
    }
    assert_refused(&mut sandbox.bakeoff("report 2"), &["2 runs", ids[0], ids[1]]);
    assert_refused(&mut sandbox.bakeoff("report 1999"), &["'1999'", ids[0], "last"]);
    assert_refused(&mut sandbox.bakeoff("export 1999 --format csv"), &["'1999'", ids[0]]);
    for format in ["text", "markdown"] {
        assert_shows(&sandbox.shown(&["report", "--list", "--format", format]), &ids[..]);
    }
}

#[test]
fn looks_that_no_plan_can_have_are_refused_in_a_store_too() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    let mut kept = Sqlite::open(sandbox.store()).expect("a store");
    let last = kept.resolve("last").expect("a run");
    let mut record = kept.load(&last).expect("a record");
    record.id = RunId("29991231T235959-0000".into());
    record.started = "2999-12-31T23:59:59Z".into();
    record.design.looks = vec![8, 4_000_000_000];
    kept.begin(&record).expect("a second run");
    drop(kept);
    let words = "29991231T235959-0000 | damaged | the looks must ascend from 1 | key looks";
    assert_refused(&mut sandbox.bakeoff("report"), words);
    assert_refused(&mut sandbox.bakeoff("export --format csv"), words);
}
