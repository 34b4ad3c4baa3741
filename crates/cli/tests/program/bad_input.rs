//! What cannot be done is refused with exit code 2 and one line that says what, where and what to do, and nothing is written.

use std::fs;

use crate::sandbox::{SMALL, Sandbox, assert_refused, names, refuse, stderr};

#[test]
fn what_a_run_cannot_do_is_refused_with_place_and_example() {
    for (arguments, words) in [
        // Names.
        ("cpoy", "no family is called 'cpoy' | did you mean 'copy'?"),
        ("copy/std_cpoy", "'std_cpoy' | did you mean 'std_copy'? | bakeoff list copy"),
        ("posix_layer", "'posix_layer' | write 'copy/posix_layer'"),
        ("search/direct", "search has no technique 'direct' | 'disk/direct' | bakeoff list search"),
        ("copy --baseline no_such_way", "--baseline no_such_way | bakeoff list"),
        ("copy/std_copy --baseline reflonk", "--baseline reflonk"),
        ("copy --sise 64K", "--sise | --size"),
        ("copy --fast --deep", "--fast | --deep"),
        ("copy --cache lukewarm", "lukewarm | warm | cold | both"),
        // Sizes and durations.
        ("copy --size 25.6MX", "--size | '25.6MX' | character 5 | 64K"),
        ("copy --size much", "--size | 'much' | character 1 | 64K"),
        ("control/spin_a --size 64K", "control | no size | --size"),
        ("copy --size 0", "--size 0 | --size 64K"),
        ("disk --size 0,4K", "--size 0 | --size 64K"),
        ("copy/std_copy --size 100TB", "free | needs | --size | --dir"),
        ("copy --memory-limit 1..5G", "--memory-limit | '1..5G' | character 3 | 64K"),
        ("copy --budget 5parsecs", "--budget | '5parsecs' | character 2 | 90s"),
        ("copy --time-limit 90", "--time-limit | '90' | character 3 | 90s"),
        // Numbers.
        ("copy --rounds 0", "--rounds | 0 | from 3 to 10000"),
        ("copy --rounds 5 --min-rounds 6", "--min-rounds 6 | --rounds 5 | leave --rounds out"),
        ("copy --alpha 1", "--alpha | 0.05"),
        ("copy --tolerance 0.1%", "--tolerance | 1%"),
        ("copy --processors x", "--processors | 0,2-3"),
        ("copy --processors 99999", "--processors | 99999"),
        // Files.
        ("copy --input no-such-file", "--input no-such-file"),
        ("copy --input .", "--input | is a directory | copy works on one file"),
        ("copy --input Cargo.toml --input src", "--input | one file | 2 were named"),
        ("copy --input Cargo.toml --size 64K", "--input | --size"),
        ("control --input Cargo.toml", "--input | control works on no files"),
        // What a family has to set.
        ("convert --set colour=red", "--set colour=red | nothing to set"),
        ("control --set colour=red", "--set colour=red | --set iterations=6600000"),
        ("control --set iterations=few", "--set iterations=few | whole number"),
        ("pipeline --set units=20MB", "--set units=20MB | a unit of bytes stands at character 3 | 20k"),
        ("copy --set colour", "--set | 'colour' | NAME=VALUE"),
        ("convert --threads 8", "--threads 8 | nothing to set"),
        (
            "control/spin_a --set iterations=8..8",
            "--set iterations=8..8 | has one level; write 8 for one value",
        ),
        (
            "pipeline --set threads=1..60+1 --set units=1..60+1 --set depth=1..60+1",
            "pipeline | points, and a run takes at most 1000 | leave values out",
        ),
        ("copy --sizes 1..64+1,1K..64K+1K", "--size | 128 sizes | at most 64"),
        ("copy --sizes 64K..4K", "--size | '64K..4K' ends before it begins; for example 4K..1GiB"),
        ("control --set iterations=1..60+1,101..160+1", "these are 120 values, and a run takes at most 64"),
        // Commands next to techniques.
        ("clock --command x=true", "clock | no command can take part | command 'x'"),
        ("copy --metric work --command 'cp=cp {input} {output}'", "work | process"),
    ] {
        refuse(arguments, words);
    }
}

#[test]
fn an_assignment_that_is_none_is_refused_in_one_line() {
    for (assignment, word) in
        [("", ""), ("{}", ""), (r#"{"do":"once"}"#, ""), (r#"{"do": "two\nlines"}"#, "two")]
    {
        let mut worker = crate::sandbox::Program::new(crate::program());
        let words = ["bakeoff worker:", "assignment", word];
        assert_refused(worker.arg("worker").write_stdin(assignment), &words);
    }
}

#[test]
fn a_command_without_quotes_is_repeated_as_it_was_typed() {
    let mut typed = Sandbox::new().bakeoff("time --budget 5s nosuch -c root nosuch.txt");
    assert_refused(&mut typed, "bakeoff time 'nosuch -c root nosuch.txt'");
}

#[test]
fn memory_that_no_program_fits_into_is_refused() {
    for limit in ["0", "1", "1023K"] {
        let words = "--memory-limit | no program fits into less than 1 MiB";
        refuse(&["disk", "--memory-limit", limit], words);
        assert_refused(&mut Sandbox::new().bakeoff(&["time", "--memory-limit", limit, "true"]), words);
    }
}

#[test]
fn a_budget_of_no_time_is_refused() {
    let sandbox = Sandbox::new();
    for (command, option) in [
        ("run copy", "--budget"),
        ("findings --measure", "--budget"),
        ("noise", "--budget"),
        ("time true", "--budget"),
        ("run copy", "--time-limit"),
        ("time true", "--time-limit"),
        ("explain copy", "--time-limit"),
    ] {
        let refused = &mut sandbox.bakeoff(&format!("{command} {option} 0s"));
        assert_refused(refused, &format!("'0s' | {option} | nothing can be measured in no time | 90s"));
    }
    sandbox.assert_untouched();
}

#[test]
fn an_option_that_would_do_nothing_is_refused() {
    let sandbox = Sandbox::new();
    for (command, words) in [
        ("run copy --dry-run --format json", "--dry-run | --format"),
        ("run copy --dry-run --verbose", "--dry-run | --verbose"),
        ("findings --measure --dry-run --format json", "--dry-run | --format"),
        ("report sort --list", "--list | [RUN]"),
        ("report --list --baseline x", "--list | --baseline"),
        ("report --list --metric cpu", "--list | --metric"),
        ("report --list --verbose", "--list | --verbose"),
    ] {
        assert_refused(&mut sandbox.bakeoff(command), words);
    }
    sandbox.assert_untouched();
}

#[test]
fn a_file_named_like_a_technique_is_not_a_job() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("copy")).expect("a folder");
    sandbox.file("copy/std_copy", "no job");
    sandbox.run(SMALL).current_dir(sandbox.path("")).assert().success();
}

#[test]
fn what_is_not_there_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    assert_refused(&mut sandbox.bakeoff("runn"), "runn | run");
    assert_refused(&mut sandbox.bakeoff("list sortt"), "sortt");
    for command in ["list", "host", "run copy"] {
        assert_refused(&mut sandbox.bakeoff(&format!("{command} --dir absent")), "absent");
    }
    let mut nowhere = sandbox.run(SMALL);
    assert_refused(
        nowhere.arg("--store").arg(sandbox.path("a/b.sqlite")),
        "--store | no folder | b.sqlite | make it",
    );
    let file = sandbox.file("plain file", "text");
    let on_a_file = &mut sandbox.bakeoff("run copy --dir");
    assert_refused(on_a_file.arg(file), "--dir | plain file | not a directory");
    assert_refused(sandbox.run(SMALL).arg("--dir").arg(sandbox.dir()), "--dir | twice");
    sandbox.assert_untouched();
}

#[test]
fn records_are_not_written_over_a_file_or_into_nowhere() {
    let sandbox = Sandbox::new();
    let kept = sandbox.file("kept", "years of work");
    assert_refused(sandbox.bakeoff("generate 2").arg(&kept), "kept | exists already | --force");
    assert_eq!(fs::read_to_string(&kept).expect("readable"), "years of work");
    assert_refused(sandbox.bakeoff("generate 2").arg(sandbox.path("absent").join("file")), "absent");
    assert_refused(&mut sandbox.bakeoff("generate many file"), "many");
    assert_eq!(names(&sandbox.dir()), Vec::<String>::new());
}

#[test]
fn a_typed_name_cannot_steer_the_terminal_from_its_refusal() {
    let name = "\u{1b}[2J\u{1b}]0;title\u{7}";
    refuse(&[name], "no family is called '\\u{1b}[2J\\u{1b}]0;title\\u{7}'");
    let sandbox = Sandbox::new();
    let said = stderr(&sandbox.run(&["--size", name]).assert().code(2));
    assert!(said.contains("--size") && !said.trim_end().contains(char::is_control), "{said:?}");
}

/// All that the advice of `host` may say.
const ADVICE: &str = include_str!("../../../report/src/words/advice.rs");

#[test]
fn the_options_and_commands_that_a_host_is_advised_to_use_exist() {
    let sandbox = Sandbox::new();
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter == '-';
    let word = |rest: &'static str| rest.split(|letter| !is_part(letter)).next().unwrap_or_default();
    let options: Vec<&str> = ADVICE.split(" --").skip(1).map(word).collect();
    assert!(options.contains(&"processors"), "{options:?}");
    let help = sandbox.shown("run --help");
    for option in options {
        assert!(help.contains(&format!("--{option} ")), "--{option}");
    }
    let text = ADVICE.lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in text {
        for command in line.split("bakeoff ").skip(1).map(word) {
            sandbox.shown(&[command, "--help"]);
        }
    }
}
