//! `bakeoff time`: real, user and system time of commands and all that they start.

use super::processes::{Beside, of_stage};
use crate::sandbox::{
    Sandbox, assert_measured, assert_refused, assert_shows, from_json, list, samples, stderr, stdout, text,
    trial, wait_until,
};

#[test]
fn a_command_is_timed_with_its_input_and_output() {
    let sandbox = Sandbox::new();
    let assert = sandbox.bakeoff("time -- sh -c 'cat; echo to two >&2'").write_stdin("typed\n").assert();
    let assert = assert.success().stdout("typed\n");
    let shown = stderr(&assert);
    assert!(shown.starts_with("to two\n"), "{shown}");
    assert_shows(&shown, "real | user | system | memory | counted by");
    // Redirected, the output is the command's alone.
    sandbox.bakeoff("time -- printf 'a\\n'").assert().success().stdout("a\n");
    for (command, words) in [("exit 3", "exit code 3"), ("kill -9 $$", "SIGKILL"), ("kill -15 $$", "SIGTERM")]
    {
        let assert = sandbox.bakeoff(&["time", "--", "sh", "-c", command]).assert().code(1);
        assert_shows(&stderr(&assert), &[words, "real"]);
    }
    sandbox.assert_untouched();
}

#[test]
fn the_last_run_of_time_is_found_by_that_name() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    assert_refused(&mut sandbox.bakeoff("report time"), "no run of 'bakeoff time' is kept | time 'A' 'B'");
    assert_refused(&mut sandbox.bakeoff("report sort"), "no kept run has the family 'sort' | run sort");
    sandbox.bakeoff("time -n 2 true 'sleep 0'").assert().success();
    sandbox.ran("");
    for name in ["time", "commands"] {
        assert_shows(&sandbox.shown(&format!("report {name}")), "sleep 0");
    }
}

#[test]
fn what_cannot_be_timed_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("text", "no program");
    assert_refused(sandbox.bakeoff("time --").arg(file), "text | denied");
    let quotes = ["--shell reads commands in quotes", "bakeoff time --shell 'a | b'"];
    for arguments in ["--shell -- true", "--shell -n 5 -- true"] {
        assert_refused(&mut sandbox.bakeoff(&format!("time {arguments}")), &quotes);
    }
    for (arguments, words) in [
        ("-- no-such-program", "no-such-program"),
        ("true no-such-program", "no-such-program"),
        ("", "no command | for example"),
        ("\"echo 'a\"", "quotation mark | echo 'a"),
        ("'  '", "empty"),
        ("-n 0 true", "0 | from 1 to 10000"),
        ("--min-runs 0 true", "0 | from 1 to 10000"),
        ("--min-runs 17 -n 20 true", "--runs | --min-runs"),
        ("-P n 1..x 'echo {n}'", "-P | n 1..x | 'x' is not a number | 1..8:2"),
        ("-P n 1..10000 'echo {n}'", "10000 values | at most 1000"),
        ("-L n 1,2 -L n 3,4 'echo {n}'", "two scans are called 'n'"),
        ("-L m 1,2 'echo n'", "no command holds {m}"),
        (
            "--prepare true --prepare true --prepare true true 'sleep 0'",
            "--prepare is given 3 times for 2 commands | one for each",
        ),
        ("--name one --name two true", "--name is given 2 times for 1 command"),
        ("--name x -- true", "--name is for several runs | add -n 10"),
        ("--baseline x -- true", "--baseline is for several runs | add -n 10"),
        ("--metric cpu -- true", "--metric is for several runs | add -n 10"),
        ("--budget 1s -- true", "--budget is for several runs | add -n 10"),
        ("--seed 1 -- true", "--seed is for several runs | add -n 10"),
        ("--alpha 0.01 -- true", "--alpha is for several runs | add -n 10"),
        ("--tolerance 5% -- true", "--tolerance is for several runs | add -n 10"),
        ("--show-output -- true", "--show-output is for several runs | add -n 10"),
        ("--verbose -- true", "--verbose is for several runs | add -n 10"),
        ("--linger 1s -n 1 true", "--linger is for a single run"),
        ("-L n 1,2 --name 'a {n}' --name 'a 1' 'echo {n}' true", "two commands are called 'a 1'"),
        ("-n 1 true --export-csv /no/such/file", "/no/such/file cannot be written"),
        ("-n 1 true --export-csv /", "/ cannot be written"),
    ] {
        assert_refused(&mut sandbox.bakeoff(&format!("time {arguments}")), words);
    }
    sandbox.assert_untouched();
    sandbox.shown("time -n 1 --name x -- true");
    trial(&sandbox.exported(), "x");
}

#[test]
fn commands_are_interleaved_compared_and_kept_like_every_run() {
    let sandbox = Sandbox::new();
    // So far apart that a busy machine, which starts a process later, does not bring them together.
    let shown = sandbox.shown("time -n 12 'sleep 0.01' 'sleep 0.6'");
    assert_shows(&shown, "sleep 0.01 wins | runs | 12");
    assert!(!shown.contains("Which command is fastest?"), "{shown}");
    let run = sandbox.exported();
    for (command, least_ns) in [("sleep 0.01", 10_000_000), ("sleep 0.6", 600_000_000)] {
        let all = list(&trial(&run, command)["samples"]);
        assert_eq!(all.len(), 13, "round 0 is not counted");
        let mut times = all.iter().map(|one| one["process_ns"].as_u64());
        assert!(times.all(|ns| ns.is_some_and(|ns| ns >= least_ns)), "{command}");
    }
    assert_eq!(sandbox.shown("report"), shown);
    let scan = "time -n 3 -L how -n,-e -P n 1..5:2 'echo {how} {n}'";
    assert_shows(&sandbox.shown(scan), "echo -n 1 | echo -n 5 | echo -e 3");
}

#[test]
fn a_command_runs_ten_times_or_as_often_as_was_asked_for() {
    for (options, least) in [("", 10), ("--min-runs 17", 17)] {
        let sandbox = Sandbox::new();
        sandbox.shown(&format!("time 'sleep 0.001' 'sleep 0.1' {options}"));
        // Round 0 is not counted.
        assert_measured(&sandbox.exported(), least + 1, &["sleep 0.001", "sleep 0.1"]);
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
    sandbox.bakeoff("time -n 2 --shell true").args(steps).assert().success();
    let lines = std::fs::read_to_string(&log).expect("the log");
    let steps: Vec<(&str, u64, u64)> = lines
        .lines()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[0], words[1].parse().expect("nanoseconds"), words[2].parse().expect("nanoseconds"))
        })
        .collect();
    let names: Vec<&str> = steps.iter().map(|step| step.0).collect();
    assert_eq!(names, ["setup", "prepare", "prepare", "prepare", "cleanup"]);
    let run = sandbox.exported();
    let samples = list(&trial(&run, "true")["samples"]);
    assert_eq!(samples.len(), 3, "{samples:?}");
    // Whatever a sample took, it took it between the end of one step and the beginning of the next.
    for (sample, between) in samples.iter().zip(steps[1..].windows(2)) {
        let free_ns = between[1].1 - between[0].2;
        assert!(sample["process_ns"].as_u64().is_some_and(|ns| ns <= free_ns), "{sample}: {lines}");
    }
}

#[test]
fn a_command_far_behind_is_warmed_up_once_and_others_twice() {
    let sandbox = Sandbox::new();
    let log = sandbox.path("log");
    // It starts a hundred processes where the other one is a single one: the busier the machine, the longer both take.
    let hundred =
        "sleep 0.3; for i in 0 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do sh -c :; done; done";
    let [quick, slow] = [("quick", "true"), ("slow", hundred)]
        .map(|(word, then)| format!("echo {word} >> '{}'; {then}", log.display()));
    let names = ["--name", "quick", "--name", "slow"];
    let timed = ["time", "-n", "2", "--warmup", "1", "--shell", &quick, &slow];
    sandbox.shown(&[&timed[..], &names].concat()[..]);
    let lines = std::fs::read_to_string(&log).expect("the log");
    let lines: Vec<&str> = lines.lines().collect();
    let counts = ["quick", "slow"].map(|word| lines.iter().filter(|&&line| line == word).count());
    // Who comes first is drawn, and the first one has nothing to be far behind of.
    let slow_times = if lines[0] == "slow" { 4 } else { 3 };
    assert_eq!(counts, [4, slow_times], "{lines:?}");
    let run = sandbox.exported();
    assert_eq!((samples(&run, "quick"), samples(&run, "slow")), (3, 3));
}

#[test]
fn a_word_for_a_shell_is_warned_of_unless_one_reads_it() {
    let sandbox = Sandbox::new();
    let timed = |line: &str| {
        let assert = sandbox.bakeoff(&format!("time {line}")).assert().success();
        (stdout(&assert), stderr(&assert))
    };
    assert_shows(&timed("-n 1 'echo a | wc'").1, "reaches echo as an argument | --shell");
    let (shown, said) = timed("-n 1 --shell 'echo a | wc -c | grep 2'");
    assert!(!said.contains("warning"), "{said}");
    assert_shows(&shown, "a shell (sh -c) takes");
    // In a single run, too.
    let (shown, said) = timed("-- echo a '|' wc");
    assert!(shown.starts_with("a | wc\n"), "{shown}");
    assert_shows(&said, "reaches echo as an argument | --shell");
    assert!(!timed("-- find . -maxdepth 0 -exec true {} ';'").1.contains("warning"));
}

#[test]
fn a_failed_command_is_none_where_any_exit_code_is_good() {
    let sandbox = Sandbox::new();
    let assert = sandbox.bakeoff("time -n 2 false true").assert().code(1);
    assert_shows(&stdout(&assert), "ended with exit code 1");
    sandbox.shown("time -i -n 2 false true");
    sandbox.shown("time -i -- false");
}

#[test]
fn a_comparison_is_exported_in_every_format() {
    let sandbox = Sandbox::new();
    let formats = ["json", "csv", "markdown", "asciidoc", "orgmode", "hyperfine"];
    let mut command = sandbox.bakeoff("time -n 2 true 'sleep 0.01' --name 'a|b'");
    for format in formats {
        command.arg(format!("--export-{format}")).arg(sandbox.path(format));
    }
    command.assert().success();
    let [json, csv, markdown, asciidoc, orgmode, hyperfine] =
        formats.map(|format| std::fs::read_to_string(sandbox.path(format)).expect("an export"));
    let results = from_json(&hyperfine);
    let names: Vec<&str> = list(&results["results"]).iter().map(|one| text(&one["command"])).collect();
    assert_eq!(names, ["a|b", "sleep 0.01"]);
    let run = from_json(&json);
    assert_eq!(trial(&run, "a|b")["command"], serde_json::json!(["true"]));
    // A twin may have joined.
    let own = csv.lines().filter(|line| line.contains(",command,")).count();
    assert_eq!(own, 6, "three runs of each");
    // A name with a bar keeps the tables of every markup whole.
    for (page, name) in [(markdown, "`a\\|b`"), (asciidoc, "`a&#124;b`"), (orgmode, "a\\vert{}b")] {
        let [own, other] = [name, "sleep 0.01"].map(|name| {
            let row = page.lines().find(|line| line.starts_with('|') && line.contains(name));
            row.unwrap_or_else(|| panic!("{name}: {page}")).replace("\\|", "").matches('|').count()
        });
        assert_eq!(own, other, "{page}");
    }
}

#[test]
fn an_export_that_fails_stops_no_other_and_names_the_kept_run() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("folder")).expect("a folder");
    let [folder, json, csv] = ["folder", "folder/run.json", "run.csv"].map(|name| sandbox.word(name));
    let mut command = sandbox.bakeoff("time -n 1");
    command.args([&format!("rm -rf {folder}"), "--export-json", &json, "--export-csv", &csv]);
    let assert = command.assert().code(2);
    let again = format!("bakeoff export {} --format json --output FILE", sandbox.last_id());
    assert_shows(&stderr(&assert), &["folder/run.json cannot be written; the run is kept", &again]);
    assert!(sandbox.path("run.csv").exists());
}

#[test]
fn the_output_of_several_runs_is_shown_only_when_asked_for() {
    let sandbox = Sandbox::new();
    // One run comes first that is not counted.
    for (option, times) in [("", 0), ("--show-output", 4)] {
        let shown = sandbox.shown(&format!("time -n 3 'echo spoken' {option}"));
        assert_eq!(shown.lines().filter(|line| *line == "spoken").count(), times, "{option}");
    }
}

#[test]
fn a_descendant_that_no_process_waits_for_is_counted() {
    let sandbox = Sandbox::new();
    // A process reports its own processor time in ticks of 10 ms: user and system are the 14th and 15th field.
    let busy = "t=0; while [ $t -lt 30 ]; do i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; \
                read -r line < /proc/$$/stat; set -- ${line##*) }; t=$((${12}+${13})); done";
    let parent = format!("(setsid sh -c '{}' &) ; exit 0", busy.replace('\'', "'\\''"));
    let timed = ["time", "--format", "json", "--linger", "10m", "--", "sh", "-c", &parent];
    let page = from_json(&stderr(&sandbox.bakeoff(&timed).assert().success()));
    let [user_ns, system_ns] = ["user_ns", "system_ns"].map(|key| page[key].as_f64().expect("a time"));
    assert!(user_ns + system_ns >= 0.25e9, "{page}");
}

#[test]
fn a_time_limit_kills_a_command_with_all_that_it_started() {
    let sandbox = Sandbox::new();
    let parent = format!("sh -c 'sleep 86399; : {}' & sleep 86399", sandbox.path("").display());
    let time = ["time", "--time-limit", "200ms", "--", "sh", "-c", &parent];
    let assert = sandbox.bakeoff(&time).assert().code(1);
    assert!(stderr(&assert).contains("time limit"), "{}", stderr(&assert));
    wait_until("the end of all", || of_stage(&sandbox).is_empty());
}

/// Starts a command that does not end, and returns once it has begun.
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
    assert_eq!(time.end().code, Some(130));
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
}

#[test]
fn a_launcher_that_is_killed_is_named_and_is_no_success() {
    let sandbox = Sandbox::new();
    let time = endless(&sandbox, "setsid sleep 86399 & ");
    time.kill_launcher();
    let time = time.end();
    assert_eq!(time.code, Some(2));
    assert_shows(&time.said, "launcher is gone");
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
}
