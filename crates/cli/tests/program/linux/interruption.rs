//! A run that does not come to its end keeps what it has measured and leaves nothing behind.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::processes::{Beside, most_threads, of_stage};
use crate::sandbox::{Sandbox, names, stderr, stdout, wait_until};

/// A run of at least a second after its fourth round, which writes the number of the round under way into a file.
pub(super) fn long_run(sandbox: &Sandbox) -> Beside {
    long_run_by(&["env"], sandbox)
}

/// The same, started by a program that becomes it.
fn long_run_by(starter: &[&str], sandbox: &Sandbox) -> Beside {
    let beat = sandbox.path("beat");
    let contender = format!("beat=sh -c 'echo $BAKEOFF_ROUND > {}; sleep 0.5'", beat.display());
    let dir = sandbox.dir().to_string_lossy().into_owned();
    Beside::start_by(
        starter,
        sandbox,
        &[
            "run",
            "--dir",
            &dir,
            "control/sleep_20ms",
            "--contender",
            &contender,
            "--rounds",
            "200",
            "--budget",
            "1h",
        ],
    )
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

fn interrupted_by(signal: impl FnOnce(&Beside)) {
    let sandbox = Sandbox::new();
    let run = long_run(&sandbox);
    wait_for_round(&sandbox, 4);
    signal(&run);
    assert_interrupted(&sandbox, run);
}

fn assert_interrupted(sandbox: &Sandbox, run: Beside) {
    let output = run.end();
    let (shown, said) = (utf8(&output.stdout), utf8(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(shown.contains("interrupted") && shown.contains("sleep_20ms"), "{shown}");
    assert!(said.ends_with("bakeoff: interrupted\n"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(of_stage(sandbox), Vec::<String>::new());
    sandbox.assert_clean();
    let run = sandbox.exported();
    assert_eq!(run["run"]["complete"], false);
    let rounds = run["contests"][0]["rounds"].as_u64().expect("rounds");
    assert!((3..100).contains(&rounds), "{rounds}");
    let report = sandbox.bakeoff(&["report", "last"]).assert().success();
    assert_eq!(stdout(&report), shown);
}

#[test]
fn a_terminated_run_keeps_its_whole_rounds_and_is_marked() {
    interrupted_by(|run| run.signal("TERM"));
}

#[test]
fn an_interrupted_run_keeps_its_whole_rounds_and_is_marked() {
    interrupted_by(|run| run.signal("INT"));
}

#[test]
fn ctrl_c_reaches_all_processes_and_does_the_same() {
    interrupted_by(|run| run.signal_group("INT"));
}

#[test]
fn a_terminal_that_is_closed_interrupts_a_run() {
    let sandbox = Sandbox::new();
    // However the tests were started.
    let run = long_run_by(&["env", "--default-signal=HUP"], &sandbox);
    wait_for_round(&sandbox, 4);
    run.signal_group("HUP");
    assert_interrupted(&sandbox, run);
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
    let started = sandbox.path("started");
    let contender = format!("wait=sh -c 'touch {}; sleep 86399'", started.display());
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let run =
        Beside::start(&sandbox, &["run", "--dir", &dir, "control/sleep_20ms", "--contender", &contender]);
    wait_until("the first start", || started.exists());
    run.signal("INT");
    let output = run.end();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(utf8(&output.stdout), "");
    assert!(utf8(&output.stderr).contains("nothing was measured"));
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
    sandbox.assert_clean();
}

#[test]
fn an_interruption_ends_hundreds_of_threads_that_wait_for_each_other() {
    let sandbox = Sandbox::new();
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let endless = ["--set", "threads=200", "--set", "units=2000", "--set", "work_steps=500"];
    let names = ["run", "--dir", &dir, "pipeline/signal_atomic_wait", "pipeline/crossbeam"];
    let run = Beside::start(&sandbox, &[&names[..], &endless].concat());
    wait_until("all threads", || most_threads(&sandbox) > 400);
    run.signal_group("INT");
    assert_eq!(run.end().status.code(), Some(130));
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
    sandbox.assert_clean();
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
fn a_run_whose_launcher_is_killed_ends_with_a_sentence_and_blames_no_technique() {
    ended_early_by(Beside::kill_launcher);
}

#[test]
fn a_run_whose_guard_is_killed_ends_with_a_sentence_and_blames_no_technique() {
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
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
    sandbox.assert_clean();
    let run = sandbox.exported();
    assert_eq!(run["run"]["complete"], false);
    let mut trials = run["trials"].as_array().expect("trials").iter();
    assert!(trials.all(|trial| trial["failures"].as_array().is_none_or(Vec::is_empty)), "{run}");
}

#[test]
fn a_run_that_is_killed_with_its_whole_group_leaves_no_contender() {
    let sandbox = Sandbox::new();
    let started = sandbox.path("started");
    let contender = format!("wait=sh -c 'touch {}; setsid sleep 86399; :'", started.display());
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let run =
        Beside::start(&sandbox, &["run", "--dir", &dir, "control/sleep_20ms", "--contender", &contender]);
    wait_until("the first start", || started.exists());
    run.signal_group("KILL");
    run.end();
    wait_until("the end of all its processes", || of_stage(&sandbox).is_empty());
}

#[test]
fn two_runs_at_once_share_a_store() {
    let sandbox = Sandbox::new();
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let techniques = ["control/sleep_5ms", "control/sleep_7ms", "--rounds", "6"];
    let start = || Beside::start(&sandbox, &[&["run", "--dir", &dir], &techniques[..]].concat());
    for output in [start(), start()].map(Beside::end) {
        assert!(output.status.success(), "{}", utf8(&output.stderr));
        assert!(utf8(&output.stdout).contains("sleep_5ms"));
    }
    let list = sandbox.bakeoff(&["report", "--list", "--format", "json"]).assert().success();
    let runs: Vec<Value> = serde_json::from_str(&stdout(&list)).expect("a list");
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
    assert!(said.contains("nothing was measured"), "{said}");
    assert_eq!(of_stage(sandbox), Vec::<String>::new());
    sandbox.assert_clean();
}

#[test]
fn a_run_interrupted_while_its_input_is_made_ends_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let run = Beside::start(
        &sandbox,
        &["run", "--dir", &dir, "copy/std_copy", "copy/posix_layer", "--size", "2GiB"],
    );
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
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
    sandbox.assert_clean();
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
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let run = Beside::start(&sandbox, &["run", &job, "--dir", &dir, "--budget", "1h", "--time-limit", "1h"]);
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
