//! A store that another process holds for longer than a run waits for it.

use rusqlite::Connection;

use super::interruption::{long_run, wait_for_round};
use crate::sandbox::{Sandbox, assert_shows, list, text};

/// Returns what a run says whose store is held from this round on, in one line without its progress. Its exit code is 2.
fn held_from(sandbox: &Sandbox, round: u32) -> String {
    let run = long_run(sandbox);
    wait_for_round(sandbox, round);
    let holder = Connection::open(sandbox.store()).expect("the store");
    holder.busy_timeout(std::time::Duration::from_secs(60)).expect("patience");
    // Others may read meanwhile.
    holder.execute_batch("BEGIN IMMEDIATE").expect("the store is held");
    let run = run.end();
    holder.execute_batch("ROLLBACK").expect("it is let go");
    assert_eq!((run.code, &*run.shown), (Some(2), ""), "{}", run.said);
    sandbox.assert_clean();
    run.said.lines().last().expect("a sentence").to_owned()
}

#[test]
fn rounds_from_before_the_store_was_held_are_kept() {
    let sandbox = Sandbox::new();
    let said = held_from(&sandbox, 4);
    let run = sandbox.exported();
    let id = text(&run["run"]["id"]);
    assert_shows(&said, "another process has held the store | 20 s | its whole rounds are kept");
    assert_shows(&said, &format!("report {id}"));
    assert_eq!(run["run"]["complete"], false);
    assert!(run["contests"][0]["rounds"].as_u64().is_some_and(|rounds| rounds >= 3), "{run}");
    assert_shows(&sandbox.shown(&["report", id]), "did not come to its end");
}

#[test]
fn nothing_is_kept_of_a_run_whose_store_was_held_from_the_start() {
    let sandbox = Sandbox::new();
    let said = held_from(&sandbox, 0);
    assert_shows(&said, "another process has held the store | nothing of it is kept");
    assert!(said.starts_with("bakeoff: the run 2"), "{said}");
    assert!(list(&sandbox.json("report --list")).is_empty(), "{said}");
}
