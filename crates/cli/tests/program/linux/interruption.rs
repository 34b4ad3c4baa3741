//! A run that does not come to its end keeps what it has measured and leaves nothing behind.

use std::fs;
use std::path::Path;

use super::processes::{Beside, kill, of_stage};
use crate::sandbox::{Sandbox, assert_shows, is_well, list, names, stderr, wait_until};

/// A run of at least a second after its fourth round, which writes the number of the round under way into a file.
pub(super) fn long_run(sandbox: &Sandbox) -> Beside {
    long_run_by("env", sandbox)
}

/// The same, started by a program that becomes it.
fn long_run_by(starter: &str, sandbox: &Sandbox) -> Beside {
    let external = format!("beat=sh -c 'echo $BAKEOFF_ROUND > {}; sleep 0.5'", sandbox.word("beat"));
    Beside::run_by(starter, sandbox, &["control/sleep_20ms", "--command", &external, "--rounds", "200"])
}

/// A run of a command that does not end, once it has begun.
fn endless_run(sandbox: &Sandbox, command: &str) -> Beside {
    let started = sandbox.path("started");
    let external = format!("wait=sh -c 'touch {}; {command}'", started.display());
    let run = Beside::run(sandbox, &["control/sleep_20ms", "--command", &external]);
    wait_until("the first start", || started.exists());
    run
}

/// Nothing of the sandbox runs any more, and nothing lies in its directory.
fn assert_nothing_is_left(sandbox: &Sandbox) {
    assert_eq!(of_stage(sandbox), Vec::<String>::new());
    sandbox.assert_clean();
}

/// Waits until a round is under way.
pub(super) fn wait_for_round(sandbox: &Sandbox, round: u32) {
    wait_until("a round", || has_begun(sandbox, round));
}

fn has_begun(sandbox: &Sandbox, round: u32) -> bool {
    let text = fs::read_to_string(sandbox.path("beat")).unwrap_or_default();
    text.trim().parse::<u32>().is_ok_and(|now| now >= round)
}

fn assert_interrupted(sandbox: &Sandbox, run: Beside) {
    let run = run.end();
    assert_eq!(run.code, Some(130), "{}", run.said);
    assert_shows(&run.shown, "interrupted | sleep_20ms");
    assert!(run.said.ends_with("bakeoff: interrupted\n") && !run.said.contains("panicked"), "{}", run.said);
    assert_nothing_is_left(sandbox);
    let kept = sandbox.exported();
    assert_eq!(kept["run"]["complete"], false);
    let rounds = kept["contests"][0]["rounds"].as_u64().expect("rounds");
    assert!((3..100).contains(&rounds), "{rounds}");
    assert_eq!(sandbox.shown("report last"), run.shown);
}

#[test]
fn an_interrupted_run_keeps_its_whole_rounds_and_is_marked() {
    // However the tests were started. A terminal signals all processes, for Ctrl-C and when it is closed.
    let signals: [fn(&Beside); 4] = [
        |run| run.signal("TERM"),
        |run| run.signal("INT"),
        |run| run.signal_group("INT"),
        |run| run.signal_group("HUP"),
    ];
    for signal in signals {
        let sandbox = Sandbox::new();
        let run = long_run_by("env --default-signal=HUP", &sandbox);
        wait_for_round(&sandbox, 4);
        signal(&run);
        assert_interrupted(&sandbox, run);
    }
}

#[test]
fn a_run_that_was_started_by_nohup_outlives_its_terminal() {
    let sandbox = Sandbox::new();
    let mut run = long_run_by("nohup", &sandbox);
    wait_for_round(&sandbox, 4);
    run.signal_group("HUP");
    wait_until("more rounds, or the end", || run.has_ended() || has_begun(&sandbox, 7));
    assert!(!run.has_ended(), "the hangup ended it");
    run.signal("TERM");
    assert_interrupted(&sandbox, run);
}

#[test]
fn a_run_interrupted_before_its_first_round_has_nothing_to_show() {
    let sandbox = Sandbox::new();
    let run = endless_run(&sandbox, "sleep 86399");
    assert_interrupted_before_any_round(&sandbox, run);
}

#[test]
fn a_killed_run_leaves_whole_rounds_and_removable_scratch() {
    let sandbox = Sandbox::new();
    let run = long_run(&sandbox);
    wait_for_round(&sandbox, 4);
    run.signal("KILL");
    run.end();
    wait_until("the end of all its workers", || of_stage(&sandbox).is_empty());

    let exported = sandbox.exported();
    assert_eq!(exported["run"]["complete"], false);
    assert!(exported["contests"][0]["rounds"].as_u64().is_some_and(|rounds| rounds >= 3), "{exported}");
    assert_shows(&sandbox.shown("report last"), "did not come to its end");
    let [orphan] = &names(&sandbox.dir())[..] else { panic!("one folder is left") };
    let next = sandbox.run("control/sleep_5ms --rounds 6").assert().success();
    assert_shows(&stderr(&next), &[orphan, "left behind"]);
    sandbox.assert_clean();
}

#[test]
fn a_run_whose_launcher_or_guard_is_killed_blames_no_technique() {
    for end in [Beside::kill_launcher, |run: &Beside| kill("KILL", &run.guard())] {
        let sandbox = Sandbox::new();
        let run = long_run(&sandbox);
        wait_for_round(&sandbox, 4);
        end(&run);
        let run = run.end();
        assert_eq!(run.code, Some(2), "{}", run.said);
        assert_shows(
            run.said.lines().last().expect("a sentence"),
            "whole rounds are kept | launcher is gone",
        );
        assert_nothing_is_left(&sandbox);
        let kept = sandbox.exported();
        assert_eq!(kept["run"]["complete"], false);
        assert!(list(&kept["trials"]).iter().all(is_well), "{kept}");
    }
}

#[test]
fn a_run_that_is_killed_with_its_whole_group_leaves_no_command() {
    let sandbox = Sandbox::new();
    let run = endless_run(&sandbox, "setsid sleep 86399; :");
    run.signal_group("KILL");
    run.end();
    wait_until("the end of all its processes", || of_stage(&sandbox).is_empty());
}

#[test]
fn two_runs_at_once_share_a_store() {
    let sandbox = Sandbox::new();
    let runs = [(); 2].map(|()| Beside::run(&sandbox, "control/sleep_5ms control/sleep_7ms --rounds 6"));
    for run in runs.map(Beside::end) {
        assert_eq!(run.code, Some(0), "{}", run.said);
        assert_shows(&run.shown, "sleep_5ms");
    }
    assert_eq!(list(&sandbox.json("report --list")).len(), 2);
    sandbox.assert_clean();
}

pub(crate) fn wait_for_scratch(sandbox: &Sandbox, name: &str) {
    wait_until("a file in a scratch folder", || below(&sandbox.dir(), name));
}

fn below(folder: &Path, name: &str) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder { below(&entry.path(), name) } else { entry.file_name() == name }
    })
}

/// Interrupts a run that has no round yet: it says so, ends, and leaves nothing.
fn assert_interrupted_before_any_round(sandbox: &Sandbox, run: Beside) {
    run.signal("INT");
    let run = run.end();
    assert_eq!((run.code, &*run.shown), (Some(130), ""), "{}", run.said);
    assert_shows(&run.said, "nothing was measured");
    assert_nothing_is_left(sandbox);
}

#[test]
fn a_run_interrupted_while_its_input_is_made_leaves_nothing() {
    let sandbox = Sandbox::new();
    let run = Beside::run(&sandbox, "copy/std_copy copy/posix_layer --size 2GiB");
    wait_for_scratch(&sandbox, "copy-2147483648.input");
    assert_interrupted_before_any_round(&sandbox, run);
}

#[test]
fn an_explanation_that_is_interrupted_says_so() {
    let sandbox = Sandbox::new();
    let dir = sandbox.word("dir");
    let explain = Beside::start(&sandbox, &["explain", "--dir", &dir, "copy/std_copy", "--size", "2GiB"]);
    wait_for_scratch(&sandbox, "copy-2147483648.input");
    explain.signal("INT");
    let explain = explain.end();
    assert_eq!(explain.code, Some(130));
    assert!(explain.said.ends_with("bakeoff: interrupted\n"), "{}", explain.said);
    assert_nothing_is_left(&sandbox);
}

#[test]
fn a_second_interruption_ends_a_run_at_once() {
    let sandbox = Sandbox::new();
    let run = long_run(&sandbox);
    wait_for_round(&sandbox, 1);
    // Two of one kind might arrive as one.
    run.signal("INT");
    run.signal("TERM");
    let run = run.end();
    assert_eq!(run.code, Some(130));
    wait_until("the end of all its workers", || of_stage(&sandbox).is_empty());
    let left = names(&sandbox.dir());
    let removed = stderr(&sandbox.bakeoff("list control").assert().success());
    for name in &left {
        assert_shows(&run.said, &["the next start removes", name]);
        assert_shows(&removed, name);
    }
    sandbox.assert_clean();
}

#[test]
fn records_that_are_not_whole_have_no_name() {
    for signal in ["INT", "KILL"] {
        let sandbox = Sandbox::new();
        let file = sandbox.dir().join("records");
        let generate = Beside::start(&sandbox, &["generate", "20000000", &file.to_string_lossy()]);
        wait_for_scratch(&sandbox, "records");
        generate.signal(signal);
        let generate = generate.end();
        assert!(!file.exists(), "{signal}");
        if signal == "INT" {
            assert_eq!(generate.code, Some(130));
            sandbox.assert_clean();
        }
        sandbox.shown("list control");
        sandbox.assert_clean();
    }
}
