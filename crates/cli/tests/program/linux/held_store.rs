//! A store that another process holds for longer than a run waits for it.

use std::process::Output;

use rusqlite::Connection;

use super::interruption::{long_run, wait_for_round};
use crate::sandbox::{Sandbox, stdout};

/// How a run ends whose store is held from this round on: its exit code is 2. What it said, in one line without its progress.
fn held_from(sandbox: &Sandbox, round: u32) -> String {
    let run = long_run(sandbox);
    wait_for_round(sandbox, round);
    let holder = Connection::open(sandbox.store()).expect("the store");
    holder.busy_timeout(std::time::Duration::from_secs(60)).expect("patience");
    // Others may read meanwhile.
    holder.execute_batch("BEGIN IMMEDIATE").expect("the store is held");
    let Output { status, stdout, stderr } = run.end();
    holder.execute_batch("ROLLBACK").expect("it is let go");
    let said = String::from_utf8(stderr).expect("UTF-8");
    assert_eq!((status.code(), stdout.len()), (Some(2), 0), "{said}");
    sandbox.assert_clean();
    said.lines().last().expect("a sentence").to_owned()
}

#[test]
fn rounds_from_before_another_process_held_the_store_are_kept_and_the_run_is_named() {
    let sandbox = Sandbox::new();
    let said = held_from(&sandbox, 4);
    assert!(said.contains("another process has held the store") && said.contains("20 s"), "{said}");
    let run = sandbox.exported();
    let id = run["run"]["id"].as_str().expect("an identity");
    assert!(said.contains("its whole rounds are kept") && said.contains(&format!("report {id}")), "{said}");
    assert_eq!(run["run"]["complete"], false);
    assert!(run["contests"][0]["rounds"].as_u64().is_some_and(|rounds| rounds >= 3), "{run}");
    let shown = sandbox.bakeoff(&["report", id]).assert().success();
    assert!(stdout(&shown).contains("did not come to its end"), "{}", stdout(&shown));
}

#[test]
fn a_run_whose_store_is_held_before_its_first_rounds_are_stored_says_that_nothing_of_it_is_kept() {
    let sandbox = Sandbox::new();
    let said = held_from(&sandbox, 0);
    assert!(
        said.contains("another process has held the store") && said.contains("nothing of it is kept"),
        "{said}"
    );
    assert!(said.starts_with("bakeoff: the run 2"), "{said}");
    let runs = sandbox.bakeoff(&["report", "--list", "--format", "json"]).assert().success();
    assert_eq!(stdout(&runs).trim(), "[]", "{said}");
}
