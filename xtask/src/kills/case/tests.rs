//! Programs that do what must not be, and die by themselves: the judgement must name it.

use std::process::Command;

use rusqlite::Connection;

use super::super::draw::Moment;
use super::super::scenario::SCENARIOS;
use super::*;

/// Plays the program: what `run` does before it is killed, and what `list` does at the next start.
fn play(run: &str, list: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = folder.path().join("program");
    let text = format!("#!/bin/sh\ncase $1 in\nrun) {run}\nkill -9 $$;;\nlist) {list};;\nesac\n");
    // Written by another process: a script that is open for writing in this one cannot be started by its other threads.
    let write = ["-c", "printf %s \"$1\" >\"$0\" && chmod 755 \"$0\""];
    let status = Command::new("sh").args(write).arg(&binary).arg(text).status().expect("a shell");
    assert!(status.success());
    let store = folder.path().join("store");
    make_store(&store);
    let means = Means { binary, store, with_groups: false, keep: false, looks: 20 };
    let kill = Kill {
        number: 0,
        scenario: &SCENARIOS[0],
        seed: 1,
        keeps_a_run: true,
        moment: Moment::After(Duration::from_secs(600)),
        target: Target::Coordinator,
        signals: &[Signal::Kill],
        gap: Duration::ZERO,
        again: None,
        next: Next::List,
    };
    let seed = rand::random();
    let outcome = carry_out(&kill, seed, &means).expect("nothing else is wrong");
    assert_eq!(outcome.struck, Struck::TooLate);
    outcome.problems
}

fn make_store(path: &Path) {
    let connection = Connection::open(path).expect("a store");
    let tables = "
        CREATE TABLE run (run INTEGER PRIMARY KEY, id, seed, command, complete);
        CREATE TABLE trial (trial INTEGER PRIMARY KEY, run, ordinal, technique, kind);
        CREATE TABLE sample (trial, round, inner_round, position, work_ns, process_ns, proof_digest);
        CREATE TABLE failure (trial, round, kind, reason);
        CREATE TABLE canary (run, round, processor_ns, memory_ns);
        INSERT INTO run VALUES (1, 'a', '7', '[]', 1);
        INSERT INTO canary VALUES (1, 0, 10, 20);";
    connection.execute_batch(tables).expect("tables");
}

/// The one problem that there is.
fn only(problems: Vec<String>) -> String {
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.into_iter().next().unwrap_or_default()
}

#[test]
fn a_program_that_dies_and_leaves_nothing_passes() {
    let none: [String; 0] = [];
    assert_eq!(play("mkdir work", "rmdir work"), none);
}

#[test]
fn a_process_in_another_session_is_left() {
    let problem = only(play("setsid sleep 600 &", ":"));
    assert!(problem.starts_with("a process is left: ") && problem.ends_with(" sleep 600"), "{problem}");
}

#[test]
fn a_process_that_ends_with_the_next_start_is_not_left() {
    let none: [String; 0] = [];
    assert_eq!(play("setsid sleep 600 & echo $! >number", "kill $(cat number); rm number"), none);
}

#[test]
fn a_folder_that_the_next_start_does_not_remove_is_left() {
    let problem = only(play("mkdir \"$TMPDIR/probe\"", ":"));
    assert!(problem.starts_with("left in its folders: tmp/probe ("), "{problem}");
}

#[test]
fn a_round_that_the_next_start_loses_is_lost() {
    let problem = only(play(":", ": >\"$XDG_DATA_HOME/bakeoff/bakeoff.sqlite\""));
    assert!(
        problem.starts_with("in the store after the kill, no longer after the next start: run a"),
        "{problem}"
    );
}

#[test]
fn a_damaged_store_is_told() {
    let damage = "printf 12345 >\"$XDG_DATA_HOME/bakeoff/bakeoff.sqlite\"";
    let problems = play(damage, ":");
    assert!(problems[0].starts_with("the store is damaged after it: "), "{problems:?}");
}

#[test]
fn a_panic_and_a_signal_that_was_not_sent_are_told() {
    let problems = play("echo thread main panicked at src/main.rs >&2; exit 101", ":");
    assert!(problems[0].starts_with("a panic: thread main panicked"), "{problems:?}");
    assert!(problems[1].starts_with("the program ended with exit status: 101: "), "{problems:?}");
    let problem = only(play("kill -ABRT $$", ":"));
    assert!(problem.contains("signal: 6"), "{problem}");
}

#[test]
fn a_signal_that_is_ignored_where_kills_are_started_is_not_ignored_by_the_program() {
    let place = Place::new("ignored", false).expect("a temporary folder");
    let words = ["-c", "kill -s INT $$; exit 3"].map(str::to_owned);
    let command = place.command(Path::new("/bin/sh"), &words);
    let mut script = Command::new("sh");
    script.args(["-c", "trap '' INT; exec \"$0\" \"$@\""]);
    let status = script.arg(command.get_program()).args(command.get_args()).status().expect("a shell");
    assert_eq!(status.signal(), Some(2), "{status}");
}

#[test]
fn a_next_start_that_fails_is_told_with_its_words() {
    let problem = only(play(":", "echo no room >&2; exit 2"));
    assert_eq!(problem, "the next start ended with exit status: 2: no room");
}
