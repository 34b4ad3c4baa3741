//! `bakeoff time`: real, user and system time of commands and all that they start.

use predicates::prelude::*;
use serde_json::Value;

use super::processes::{Beside, of_stage};
use crate::sandbox::{Sandbox, assert_refused, samples, stderr, stdout, trial, wait_until};

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
}

#[test]
fn what_cannot_be_timed_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    let text = sandbox.file("text", "no program").to_string_lossy().into_owned();
    let quotes = &["--shell reads commands in quotes", "bakeoff time --shell 'a | b'"][..];
    for (arguments, words) in [
        (&["--", "no-such-program"][..], &["no-such-program"][..]),
        (&["true", "no-such-program"], &["no-such-program"]),
        (&["--", &text], &[&text, "denied"]),
        (&[], &["no command", "for example"]),
        (&["echo 'a"], &["quotation mark", "echo 'a"]),
        (&["  "], &["empty"]),
        (&["-n", "0", "true"], &["0", "from 1 to 10000"]),
        (&["--min-runs", "0", "true"], &["0", "from 1 to 10000"]),
        (&["--min-runs", "17", "-n", "20", "true"], &["--runs", "--min-runs"]),
        (&["-P", "n", "1..x", "echo {n}"], &["-P", "n 1..x", "'x' is no number", "1..8:2"]),
        (&["-P", "n", "1..10000", "echo {n}"], &["10000 values", "at most 1000"]),
        (&["-L", "n", "1,2", "-L", "n", "3,4", "echo {n}"], &["two scans are called 'n'"]),
        (&["-L", "m", "1,2", "echo n"], &["no command holds {m}"]),
        (&["-L", "n", "1,2", "echo {n} {k}"], &["{k}", "nothing fills"]),
        (&["--shell", "--", "true"], quotes),
        (&["--shell", "-n", "5", "--", "true"], quotes),
        (
            &["--prepare", "true", "--prepare", "true", "--prepare", "true", "true", "sleep 0"],
            &["--prepare is given 3 times for 2 commands", "one for each"],
        ),
        (&["--name", "one", "--name", "two", "true"], &["--name is given 2 times for 1 command"]),
    ] {
        assert_refused(sandbox.bakeoff(&["time"]).args(arguments), words);
    }
    for [option, value] in
        [["--name", "x"], ["--baseline", "x"], ["--metric", "cpu"], ["--budget", "1s"], ["--seed", "1"]]
    {
        let words = [&format!("{option} is for several runs"), "add -n 10"];
        assert_refused(&mut sandbox.bakeoff(&["time", option, value, "--", "true"]), &words);
    }
    sandbox.assert_untouched();
    sandbox.shown(&["time", "-n", "1", "--name", "x", "--", "true"]);
    trial(&sandbox.exported(), "x");
}

#[test]
fn commands_are_interleaved_compared_and_kept_like_every_run() {
    let sandbox = Sandbox::new();
    // So far apart that a busy machine, which starts a process later, does not bring them together.
    let shown = sandbox.shown(&["time", "-n", "12", "sleep 0.01", "sleep 0.6"]);
    assert!(shown.contains("sleep 0.01 wins") && shown.contains("12 rounds"), "{shown}");
    assert!(shown.contains("Which command is fastest?") && !shown.contains("question"), "{shown}");
    let run = sandbox.exported();
    for (command, least_ns) in [("sleep 0.01", 10_000_000), ("sleep 0.6", 600_000_000)] {
        let all = trial(&run, command)["samples"].as_array().expect("samples");
        assert_eq!(all.len(), 13, "round 0 is not counted");
        assert!(
            all.iter().all(|one| one["process_ns"].as_u64().is_some_and(|ns| ns >= least_ns)),
            "{command}"
        );
    }
    assert_eq!(sandbox.shown(&["report"]), shown);
}

#[test]
fn a_command_runs_ten_times_or_as_often_as_was_asked_for() {
    for (options, least) in [(&[][..], 10), (&["--min-runs", "17"], 17)] {
        let sandbox = Sandbox::new();
        sandbox.bakeoff(&["time", "sleep 0.001", "sleep 0.1"]).args(options).assert().success();
        let run = sandbox.exported();
        for command in ["sleep 0.001", "sleep 0.1"] {
            // Round 0 is not counted.
            assert!(samples(&run, command) > least, "{command} ran {} times", samples(&run, command) - 1);
        }
    }
}

#[test]
fn a_scan_compares_a_command_at_every_value() {
    let sandbox = Sandbox::new();
    let scan = ["time", "-n", "3", "-L", "how", "-n,-e", "-P", "n", "1..5:2", "echo {how} {n}"];
    let shown = sandbox.shown(&scan);
    for name in ["echo -n 1", "echo -n 5", "echo -e 3"] {
        assert!(shown.contains(name), "'{name}' is missing:\n{shown}");
    }
}

#[test]
fn steps_beside_a_command_run_outside_of_its_time() {
    let sandbox = Sandbox::new();
    let log = sandbox.path("log");
    // Each notes the moments, in nanoseconds, at which it began and ended.
    let moment = "$(date +%s%N)";
    let note =
        |word: &str| format!("began={moment}; sleep 0.2; echo {word} $began {moment} >> '{}'", log.display());
    let (setup, prepare, cleanup) = (note("setup"), note("prepare"), note("cleanup"));
    let steps = ["--setup", &setup, "--prepare", &prepare, "--cleanup", &cleanup];
    sandbox.bakeoff(&["time", "-n", "2", "--shell", "true"]).args(steps).assert().success();
    let lines = std::fs::read_to_string(&log).expect("the log");
    let steps: Vec<(&str, u64, u64)> = lines
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let moment = |place: usize| words[place].parse().expect("nanoseconds");
            (words[0], moment(1), moment(2))
        })
        .collect();
    let names: Vec<&str> = steps.iter().map(|step| step.0).collect();
    assert_eq!(names, ["setup", "prepare", "prepare", "prepare", "cleanup"]);
    let run = sandbox.exported();
    let samples = trial(&run, "true")["samples"].as_array().expect("samples");
    assert_eq!(samples.len(), 3, "{samples:?}");
    // Whatever a sample took, it took it between the end of one step and the beginning of the next.
    for (sample, between) in samples.iter().zip(steps[1..].windows(2)) {
        let free_ns = between[1].1 - between[0].2;
        assert!(sample["process_ns"].as_u64().is_some_and(|ns| ns <= free_ns), "{sample}: {lines}");
    }
}

#[test]
fn a_command_that_is_far_behind_does_its_first_work_once_and_others_twice() {
    let sandbox = Sandbox::new();
    let log = sandbox.path("log");
    let note = |word: &str, then: &str| format!("echo {word} >> '{}'; {then}", log.display());
    // It starts a hundred processes where the other one is a single one: the busier the machine, the longer both take.
    let hundred =
        "sleep 0.3; for i in 0 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do sh -c :; done; done";
    let (quick, slow) = (note("quick", "true"), note("slow", hundred));
    let names = ["--name", "quick", "--name", "slow"];
    sandbox
        .bakeoff(&["time", "-n", "2", "--warmup", "1", "--shell", &quick, &slow])
        .args(names)
        .assert()
        .success();
    let lines = std::fs::read_to_string(&log).expect("the log");
    let lines: Vec<&str> = lines.lines().collect();
    let count = |word: &str| lines.iter().filter(|&&line| line == word).count();
    // Who comes first is drawn, and the first one has nothing to be far behind of.
    let slow_times = if lines[0] == "slow" { 4 } else { 3 };
    assert_eq!((count("quick"), count("slow")), (4, slow_times), "{lines:?}");
    let run = sandbox.exported();
    assert_eq!((samples(&run, "quick"), samples(&run, "slow")), (3, 3));
}

#[test]
fn a_word_for_a_shell_is_warned_of_and_a_shell_reads_it_where_one_is_asked_for() {
    let sandbox = Sandbox::new();
    let assert = sandbox.bakeoff(&["time", "-n", "1", "echo a | wc"]).assert().success();
    assert!(stderr(&assert).contains("warning: '|' reaches echo as an argument"), "{}", stderr(&assert));
    assert!(stderr(&assert).contains("--shell"));
    let assert =
        sandbox.bakeoff(&["time", "-n", "1", "--shell", "echo a | wc -c | grep 2"]).assert().success();
    assert!(!stderr(&assert).contains("warning"), "{}", stderr(&assert));
    assert!(stdout(&assert).contains("a shell (sh -c) takes"), "{}", stdout(&assert));
    // In a single run, too.
    let assert = sandbox.bakeoff(&["time", "--", "echo", "a", "|", "wc"]).assert().success();
    assert!(stdout(&assert).starts_with("a | wc\n"), "{}", stdout(&assert));
    let said = stderr(&assert);
    assert!(said.contains("warning: '|' reaches echo as an argument") && said.contains("--shell"), "{said}");
    let find = ["time", "--", "find", ".", "-maxdepth", "0", "-exec", "true", "{}", ";"];
    sandbox.bakeoff(&find).assert().success().stderr("");
}

#[test]
fn a_command_that_fails_is_no_failure_where_any_exit_code_is_good() {
    let sandbox = Sandbox::new();
    let shown = stdout(&sandbox.bakeoff(&["time", "-n", "2", "false", "true"]).assert().code(1));
    assert!(shown.contains("ended with exit code 1"), "{shown}");
    sandbox.bakeoff(&["time", "-i", "-n", "2", "false", "true"]).assert().success();
    sandbox.bakeoff(&["time", "-i", "--", "false"]).assert().success();
}

#[test]
fn a_comparison_is_exported_in_every_format() {
    let sandbox = Sandbox::new();
    let file = |name: &str| sandbox.path(name).to_string_lossy().into_owned();
    let (json, csv, markdown, hyperfine) = (file("a.json"), file("a.csv"), file("a.md"), file("h.json"));
    let exports = ["--export-json", &json, "--export-csv", &csv, "--export-markdown", &markdown];
    let time = ["time", "-n", "2", "true", "sleep 0.01", "--name", "one", "--export-hyperfine", &hyperfine];
    sandbox.bakeoff(&time).args(exports).assert().success();
    let read = |path: &str| std::fs::read_to_string(path).expect("an export");
    let results: Value = serde_json::from_str(&read(&hyperfine)).expect("JSON");
    let names: Vec<&str> = results["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|one| one["command"].as_str())
        .collect();
    assert_eq!(names, ["one", "sleep 0.01"]);
    let run: Value = serde_json::from_str(&read(&json)).expect("JSON");
    assert_eq!(trial(&run, "one")["command"], serde_json::json!(["true"]));
    // A twin may have joined.
    let own = read(&csv).lines().filter(|line| line.contains(",command,")).count();
    assert_eq!(own, 6, "three runs of each");
    assert!(read(&markdown).contains("| `sleep 0.01` |"), "{}", read(&markdown));
}

#[test]
fn a_name_with_a_bar_keeps_the_tables_of_every_markup_whole() {
    let sandbox = Sandbox::new();
    let file = |markup: &str| sandbox.path(markup);
    let markups = [("markdown", "`a\\|b`"), ("asciidoc", "`a&#124;b`"), ("orgmode", "a\\vert{}b")];
    let mut command = sandbox.bakeoff(&["time", "-n", "2", "true", "sleep 0.01", "--name", "a|b"]);
    for (markup, _) in markups {
        command.arg(format!("--export-{markup}")).arg(file(markup));
    }
    command.assert().success();
    for (markup, name) in markups {
        let page = std::fs::read_to_string(file(markup)).expect("an export");
        let bars = |name: &str| {
            let row = page.lines().find(|line| line.starts_with('|') && line.contains(name));
            row.unwrap_or_else(|| panic!("{name}: {page}")).replace("\\|", "").matches('|').count()
        };
        assert_eq!(bars(name), bars("sleep 0.01"), "{page}");
    }
}

#[test]
fn the_output_of_several_runs_is_shown_only_when_asked_for() {
    let sandbox = Sandbox::new();
    let echo = ["time", "-n", "3", "echo spoken"];
    let heard = |shown: &str| shown.lines().filter(|line| *line == "spoken").count();
    assert_eq!(heard(&sandbox.shown(&echo)), 0);
    // One run comes first that is not counted.
    assert_eq!(heard(&stdout(&sandbox.bakeoff(&echo).arg("--show-output").assert().success())), 4);
}

#[test]
fn a_descendant_that_no_process_waits_for_is_counted() {
    let sandbox = Sandbox::new();
    // A process tells its own processor time in ticks of 10 ms: user and system are the 14th and 15th field.
    let busy = "t=0; while [ $t -lt 30 ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; \
                read -r line < /proc/$$/stat; set -- ${line##*) }; t=$((${12}+${13})); done";
    let parent = format!("(setsid sh -c '{}' &) ; exit 0", busy.replace('\'', "'\\''"));
    let timed = ["time", "--format", "json", "--linger", "10m", "--", "sh", "-c", &parent];
    let page: Value = serde_json::from_str(&sandbox.shown(&timed)).expect("JSON");
    let ns = |key: &str| page[key].as_f64().expect("a time");
    assert!(ns("user_ns") + ns("system_ns") >= 0.25e9, "{page}");
}

#[test]
fn a_time_limit_kills_a_command_with_all_that_it_started() {
    let sandbox = Sandbox::new();
    let parent = format!("sh -c 'sleep 86399; : {}' & sleep 86399", sandbox.path("").display());
    let time = ["time", "--time-limit", "200ms", "--", "sh", "-c", &parent];
    let assert = sandbox.bakeoff(&time).assert().code(1);
    assert!(stdout(&assert).contains("time limit"), "{}", stdout(&assert));
    wait_until("the end of all", || of_stage(&sandbox).is_empty());
}

/// A command that does not end, once it has begun.
fn endless(sandbox: &Sandbox, before: &str) -> Beside {
    let started = sandbox.path("started");
    let parent = format!("{before}touch {}; sleep 86399", started.display());
    let time = Beside::start(sandbox, &["time", "--", "sh", "-c", &parent]);
    wait_until("the start", || started.exists());
    time
}

#[test]
fn an_interrupted_command_is_ended_with_130() {
    let sandbox = Sandbox::new();
    let time = endless(&sandbox, "");
    time.signal_group("INT");
    assert_eq!(time.end().status.code(), Some(130));
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
}

#[test]
fn a_launcher_that_is_killed_is_told_and_is_no_success() {
    let sandbox = Sandbox::new();
    let time = endless(&sandbox, "setsid sleep 86399 & ");
    time.kill_launcher();
    let output = time.end();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("launcher is gone"));
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
}
