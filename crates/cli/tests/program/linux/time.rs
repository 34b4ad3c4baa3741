//! `bakeoff time`: real, user and system time of commands and all that they start.

use predicates::prelude::*;
use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, stdout};

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let assert = sandbox.bakeoff(&["time", "--format", "json"]).args(arguments).assert().success();
    serde_json::from_str(&stdout(&assert)).expect("JSON")
}

#[test]
fn a_command_that_ends_well_is_timed_and_its_output_comes_through() {
    let sandbox = Sandbox::new();
    let assert =
        sandbox.bakeoff(&["time", "--", "sh", "-c", "echo to one; echo to two >&2"]).assert().success();
    let shown = stdout(&assert);
    assert!(shown.starts_with("to one\n"), "{shown}");
    for word in ["real", "user", "system", "memory", "counted by"] {
        assert!(shown.contains(word), "'{word}' is missing:\n{shown}");
    }
    assert.stderr("to two\n");
    sandbox.assert_untouched();
}

#[test]
fn a_command_reads_standard_input() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.bakeoff(&["time", "--", "cat"]);
    command.write_stdin("typed\n").assert().success().stdout(predicate::str::starts_with("typed\n"));
}

#[test]
fn a_command_that_fails_is_timed_and_the_exit_code_is_1() {
    let sandbox = Sandbox::new();
    for (command, words) in [("exit 3", "exit code 3"), ("kill -9 $$", "SIGKILL"), ("kill -15 $$", "SIGTERM")]
    {
        let assert = sandbox.bakeoff(&["time", "--", "sh", "-c", command]).assert().code(1);
        let shown = stdout(&assert);
        assert!(shown.contains(words) && shown.contains("real"), "{command}:\n{shown}");
    }
    sandbox.bakeoff(&["time", "-n", "2", "false", "true"]).assert().code(1);
}

#[test]
fn a_command_that_is_not_there_is_refused_with_its_name() {
    let sandbox = Sandbox::new();
    assert_refused(&mut sandbox.bakeoff(&["time", "--", "no-such-program"]), &["no-such-program"]);
    assert_refused(&mut sandbox.bakeoff(&["time", "true", "no-such-program"]), &["no-such-program"]);
    let text = sandbox.file("text", "no program").to_string_lossy().into_owned();
    assert_refused(&mut sandbox.bakeoff(&["time", "--", &text]), &[&text, "denied"]);
    assert_refused(&mut sandbox.bakeoff(&["time"]), &["no command", "for example"]);
    assert_refused(&mut sandbox.bakeoff(&["time", "echo 'a"]), &["quotation mark", "echo 'a"]);
    assert_refused(&mut sandbox.bakeoff(&["time", "  "]), &["empty"]);
    assert_refused(&mut sandbox.bakeoff(&["time", "-n", "0", "true"]), &["0", "from 1 to 100000"]);
}

#[test]
fn several_commands_are_interleaved_and_compared() {
    let sandbox = Sandbox::new();
    let shown = stdout(&sandbox.bakeoff(&["time", "-n", "12", "sleep 0.01", "sleep 0.1"]).assert().success());
    assert!(shown.contains("sleep 0.01 is fastest") && shown.contains("12 runs"), "{shown}");
    let page = json(&sandbox, &["-n", "5", "sleep 0.01", "sleep 0.02"]);
    let commands = page["commands"].as_array().expect("commands");
    assert_eq!(commands.len(), 2);
    for (command, least_ns) in commands.iter().zip([10e6, 20e6]) {
        assert_eq!(command["runs"], 5);
        assert!(command["real"]["min_ns"].as_f64().is_some_and(|ns| ns >= least_ns), "{command}");
    }
}

#[test]
fn the_output_of_several_runs_is_shown_only_when_asked_for() {
    let sandbox = Sandbox::new();
    let echo = ["time", "-n", "3", "echo spoken"];
    let heard = |shown: &str| shown.lines().filter(|line| *line == "spoken").count();
    assert_eq!(heard(&stdout(&sandbox.bakeoff(&echo).assert().success())), 0);
    // One untimed run comes first.
    assert_eq!(heard(&stdout(&sandbox.bakeoff(&echo).arg("--show-output").assert().success())), 4);
}

#[test]
fn a_descendant_that_nobody_waits_for_is_counted() {
    let sandbox = Sandbox::new();
    // A process tells its own processor time in ticks of 10 ms: user and system are the 14th and 15th field.
    let busy = "t=0; while [ $t -lt 30 ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; \
                read -r line < /proc/$$/stat; set -- ${line##*) }; t=$((${12}+${13})); done";
    let parent = format!("(setsid sh -c '{}' &) ; exit 0", busy.replace('\'', "'\\''"));
    let page = json(&sandbox, &["--", "sh", "-c", &parent]);
    let ns = |key: &str| page["commands"][0][key]["median_ns"].as_f64().expect("a time");
    assert!(ns("user") + ns("system") >= 0.25e9, "{page}");
}

#[test]
fn a_time_limit_kills_a_command_with_all_that_it_started() {
    let sandbox = Sandbox::new();
    let parent = format!("sh -c 'sleep 86399; : {}' & sleep 86399", sandbox.path("").display());
    let time = ["time", "--time-limit", "200ms", "--", "sh", "-c", &parent];
    let assert = sandbox.bakeoff(&time).assert().code(1);
    assert!(stdout(&assert).contains("time limit"), "{}", stdout(&assert));
    super::processes::wait_until("the end of all", || super::processes::of_stage(&sandbox).is_empty());
}

#[test]
fn an_interrupted_command_is_ended_with_130() {
    let sandbox = Sandbox::new();
    let started = sandbox.path("started");
    let parent = format!("touch {}; sleep 86399", started.display());
    let time = super::processes::Beside::start(&sandbox, &["time", "--", "sh", "-c", &parent]);
    super::processes::wait_until("the start", || started.exists());
    time.signal_group("INT");
    assert_eq!(time.end().status.code(), Some(130));
    assert_eq!(super::processes::of_stage(&sandbox), Vec::<String>::new());
}

#[test]
fn a_launcher_that_is_killed_is_told_and_is_no_success() {
    let sandbox = Sandbox::new();
    let started = sandbox.path("started");
    let parent = format!("setsid sleep 86399 & touch {}; sleep 86399", started.display());
    let time = super::processes::Beside::start(&sandbox, &["time", "--", "sh", "-c", &parent]);
    super::processes::wait_until("the start", || started.exists());
    time.kill_launcher();
    let output = time.end();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("launcher is gone"));
    assert_eq!(super::processes::of_stage(&sandbox), Vec::<String>::new());
}
