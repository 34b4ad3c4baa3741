//! A run that does not come to its end keeps what it has measured and leaves nothing behind.

use std::fs;
use std::path::Path;

use super::processes::{Beside, most_threads, of_stage};
use crate::sandbox::{Sandbox, is_well, names, stderr, stdout, wait_until};

/// A run of at least a second after its fourth round, which writes the number of the round under way into a file.
pub(super) fn long_run(sandbox: &Sandbox) -> Beside {
    long_run_by(&["env"], sandbox)
}

/// The same, started by a program that becomes it.
fn long_run_by(starter: &[&str], sandbox: &Sandbox) -> Beside {
    let beat = sandbox.path("beat");
    let external = format!("beat=sh -c 'echo $BAKEOFF_ROUND > {}; sleep 0.5'", beat.display());
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let words = ["run", "--dir", &dir, "control/sleep_20ms", "--command", &external, "--rounds", "200"];
    Beside::start_by(starter, sandbox, &words)
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

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn assert_interrupted(sandbox: &Sandbox, run: Beside) {
    let output = run.end();
    let (shown, said) = (utf8(&output.stdout), utf8(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(shown.contains("interrupted") && shown.contains("sleep_20ms"), "{shown}");
    assert!(said.ends_with("bakeoff: interrupted\n"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert_nothing_is_left(sandbox);
    let run = sandbox.exported();
    assert_eq!(run["run"]["complete"], false);
    let rounds = run["contests"][0]["rounds"].as_u64().expect("rounds");
    assert!((3..100).contains(&rounds), "{rounds}");
    let report = sandbox.bakeoff(&["report", "last"]).assert().success();
    assert_eq!(stdout(&report), shown);
}

#[test]
fn an_interrupted_run_keeps_its_whole_rounds_and_is_marked() {
    // However the tests were started. A terminal signals all processes, for Ctrl-C and when it is closed.
    let usual = ["env", "--default-signal=HUP"];
    let signals: [fn(&Beside); 4] = [
        |run| run.signal("TERM"),
        |run| run.signal("INT"),
        |run| run.signal_group("INT"),
        |run| run.signal_group("HUP"),
    ];
    for signal in signals {
        let sandbox = Sandbox::new();
        let run = long_run_by(&usual, &sandbox);
        wait_for_round(&sandbox, 4);
        signal(&run);
        assert_interrupted(&sandbox, run);
    }
}

#[test]
fn a_run_that_was_started_by_nohup_outlives_its_terminal() {
    let sandbox = Sandbox::new();
    let mut run = long_run_by(&["nohup"], &sandbox);
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
fn an_interruption_ends_hundreds_of_threads_that_wait_for_each_other() {
    let sandbox = Sandbox::new();
    let endless = ["--set", "threads=200", "--set", "units=2000", "--set", "work_steps=500"];
    let names = ["pipeline/signal_atomic_wait", "pipeline/crossbeam"];
    let run = Beside::run(&sandbox, &[&names[..], &endless].concat());
    wait_until("all threads", || most_threads(&sandbox) > 400);
    run.signal_group("INT");
    assert_eq!(run.end().status.code(), Some(130));
    assert_nothing_is_left(&sandbox);
}

#[test]
fn a_killed_run_leaves_its_whole_rounds_no_worker_and_scratch_that_the_next_start_removes() {
    let sandbox = Sandbox::new();
    let run = long_run(&sandbox);
    wait_for_round(&sandbox, 4);
    run.signal("KILL");
    run.end();
    wait_until("the end of all its workers", || of_stage(&sandbox).is_empty());

    let exported = sandbox.exported();
    assert_eq!(exported["run"]["complete"], false);
    assert!(exported["contests"][0]["rounds"].as_u64().is_some_and(|rounds| rounds >= 3), "{exported}");
    let report = sandbox.bakeoff(&["report", "last"]).assert().success();
    assert!(stdout(&report).contains("did not come to its end"), "{}", stdout(&report));

    let orphans = names(&sandbox.dir());
    assert_eq!(orphans.len(), 1, "{orphans:?}");
    let next = sandbox.run(&["control/sleep_5ms", "--rounds", "6"]).assert().success();
    let said = stderr(&next);
    assert!(said.contains(&orphans[0]) && said.contains("left behind"), "{said}");
    sandbox.assert_clean();
}

#[test]
fn a_run_whose_launcher_or_guard_is_killed_blames_no_technique() {
    ended_early_by(Beside::kill_launcher);
    ended_early_by(Beside::kill_guard);
}

fn ended_early_by(kill: fn(&Beside)) {
    let sandbox = Sandbox::new();
    let run = long_run(&sandbox);
    wait_for_round(&sandbox, 4);
    kill(&run);
    let output = run.end();
    let said = utf8(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let last = said.lines().last().expect("a sentence");
    assert!(last.contains("whole rounds are kept") && last.contains("launcher is gone"), "{said}");
    assert_nothing_is_left(&sandbox);
    let run = sandbox.exported();
    assert_eq!(run["run"]["complete"], false);
    assert!(run["trials"].as_array().expect("trials").iter().all(is_well), "{run}");
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
    let start = || Beside::run(&sandbox, &["control/sleep_5ms", "control/sleep_7ms", "--rounds", "6"]);
    for output in [start(), start()].map(Beside::end) {
        assert!(output.status.success(), "{}", utf8(&output.stderr));
        assert!(utf8(&output.stdout).contains("sleep_5ms"));
    }
    let list = sandbox.json(&["report", "--list"]);
    let runs = list.as_array().expect("a list");
    assert_eq!(runs.len(), 2);
    sandbox.assert_clean();
}

/// Waits until a file lies somewhere in a folder of the directory of the sandbox.
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
    let output = run.end();
    let said = utf8(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_eq!(utf8(&output.stdout), "");
    assert!(said.contains("nothing was measured"), "{said}");
    assert_nothing_is_left(sandbox);
}

#[test]
fn a_run_interrupted_while_its_input_is_made_ends_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let run = Beside::run(&sandbox, &["copy/std_copy", "copy/posix_layer", "--size", "2GiB"]);
    wait_for_scratch(&sandbox, "copy-2147483648.input");
    assert_interrupted_before_any_round(&sandbox, run);
}

#[test]
fn what_is_interrupted_before_it_has_anything_to_show_says_so() {
    let sandbox = Sandbox::new();
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let explain = Beside::start(&sandbox, &["explain", "--dir", &dir, "copy/std_copy", "--size", "2GiB"]);
    wait_for_scratch(&sandbox, "copy-2147483648.input");
    explain.signal("INT");
    let output = explain.end();
    assert_eq!(output.status.code(), Some(130));
    assert!(utf8(&output.stderr).ends_with("bakeoff: interrupted\n"), "{}", utf8(&output.stderr));
    assert_nothing_is_left(&sandbox);
}

/// The first two proofs are those of what is right, taken while the inputs are made. The third hangs.
const HANGING_PROOF: &str =
    "echo >>proofs; [ $(wc -l <proofs) -le 2 ] || { touch proving; sleep 86399; }; cat \"$1\"\n";

#[test]
fn a_run_interrupted_while_a_result_is_proven_ends_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    sandbox.file("proof.sh", HANGING_PROOF);
    let job = "[proof]\ncommand = 'sh proof.sh {output}'\n[input]\ngenerate = 'text'\nbytes = '64K'\n\
               [[technique]]\nname = 'cp'\ncommand = 'cp {input} {output}'\n\
               [[technique]]\nname = 'cat'\ncommand = 'cat {input}'\n";
    let job = sandbox.file("own.toml", job).to_string_lossy().into_owned();
    let run = Beside::run(&sandbox, &[&job, "--budget", "1h", "--time-limit", "1h"]);
    wait_until("a look at a result", || sandbox.path("proving").exists());
    assert_interrupted_before_any_round(&sandbox, run);
}

#[test]
fn a_second_interruption_ends_a_run_at_once_and_the_next_start_removes_what_it_names() {
    let sandbox = Sandbox::new();
    let run = long_run(&sandbox);
    wait_for_round(&sandbox, 1);
    // Two of one kind might arrive as one.
    run.signal("INT");
    run.signal("TERM");
    let output = run.end();
    assert_eq!(output.status.code(), Some(130));
    wait_until("the end of all its workers", || of_stage(&sandbox).is_empty());
    let (said, left) = (utf8(&output.stderr), names(&sandbox.dir()));
    for name in &left {
        assert!(said.contains("the next start removes") && said.contains(name), "{left:?}: {said}");
    }
    let list = sandbox.bakeoff(&["list", "control"]).assert().success();
    let removed = stderr(&list);
    assert!(left.iter().all(|name| removed.contains(name)), "{left:?}: {removed}");
    sandbox.assert_clean();
}

#[test]
fn records_that_are_not_whole_have_no_name() {
    for signal in ["INT", "KILL"] {
        let sandbox = Sandbox::new();
        let file = sandbox.dir().join("records");
        let many = ["generate", "20000000", &file.to_string_lossy()];
        let generate = Beside::start(&sandbox, &many);
        wait_for_scratch(&sandbox, "records");
        generate.signal(signal);
        let output = generate.end();
        assert!(!file.exists(), "{signal}");
        if signal == "INT" {
            assert_eq!(output.status.code(), Some(130));
            sandbox.assert_clean();
        }
        sandbox.bakeoff(&["list", "control"]).assert().success();
        sandbox.assert_clean();
    }
}
