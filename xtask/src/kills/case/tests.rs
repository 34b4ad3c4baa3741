//! Programs that do what must not be, and die by themselves: the judgement must name it.

use std::process::Command;

use super::super::draw::SCENARIOS;
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
    rounds::make_store(&store).close().expect("its log is in the file");
    let means = Means { binary, store, with_groups: false, keep: false, looks: 20 };
    let kill = Kill {
        scenario: &SCENARIOS[0],
        keeps_a_run: true,
        moment: Moment::After(Duration::from_secs(600)),
        target: Target::Coordinator,
        signals: &[Signal::KILL],
        again: None,
        next_runs: false,
        ..Kill::draw(1, 0)
    };
    let outcome = carry_out(&kill, rand::random(), &means).expect("nothing else is wrong");
    assert!(!outcome.is_hit);
    outcome.problems
}

#[test]
fn a_program_that_dies_and_leaves_nothing_passes() {
    let none: [String; 0] = [];
    assert_eq!(play("mkdir work", "rmdir work"), none);
    assert_eq!(play("setsid sleep 600 & echo $! >number", "kill $(cat number); rm number"), none);
}

#[test]
fn what_is_wrong_is_said_with_its_words() {
    const STORE: &str = ">\"$XDG_DATA_HOME/bakeoff/bakeoff.sqlite\"";
    for (run, list, begin, end) in [
        ("setsid sleep 600 &", ":", "a process is left: ", " sleep 600"),
        ("mkdir \"$TMPDIR/probe\"", ":", "left in its folders: tmp/probe (", " bytes)"),
        (":", &format!(": {STORE}"), "in the store after the kill, no longer after the next start: run", "'"),
        (&format!("printf 12345 {STORE}"), ":", "the store is damaged after it: ", ""),
        ("kill -ABRT $$", ":", "the program ended with signal: 6", "it said nothing"),
        (":", "echo no room >&2; exit 2", "the next start ended with exit status: 2: no room", ""),
        ("echo main panicked at a.rs >&2; exit 101", ":", "a panic: main panicked at a.rs", ""),
    ] {
        let problems = play(run, list);
        assert!(problems[0].starts_with(begin) && problems[0].ends_with(end), "{problems:?}");
        let further = problems.get(1).map_or("", |further| further);
        // A store that is damaged stays so, and who panics has an exit code of its own.
        if begin.starts_with("the store") {
            assert!(further.starts_with("the store is damaged after the next"), "{problems:?}");
        } else if begin.starts_with("a panic") {
            assert!(further.starts_with("the program ended with exit status: 101: "), "{problems:?}");
        } else {
            assert_eq!(problems.len(), 1, "{problems:?}");
        }
    }
}

#[test]
fn a_signal_that_the_starter_ignores_is_not_ignored() {
    let place = Place::new("ignored", false).expect("a temporary folder");
    let words = ["-c", "kill -s INT $$; exit 3"].map(str::to_owned);
    let command = place.command(Path::new("/bin/sh"), &words);
    let mut script = Command::new("sh");
    script.args(["-c", "trap '' INT; exec \"$0\" \"$@\""]);
    let status = script.arg(command.get_program()).args(command.get_args()).status().expect("a shell");
    assert_eq!(status.signal(), Some(2), "{status}");
}
