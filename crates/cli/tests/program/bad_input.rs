//! What cannot be done is refused with exit code 2 and one line that says what, where and what to do, and nothing is written.

use std::fs;

use crate::sandbox::{SMALL, Sandbox, assert_refused, names, stderr, stdout};

/// `bakeoff run` with these arguments on an untouched sandbox is refused with these words.
fn refuse(arguments: &[&str], words: &[&str]) {
    let sandbox = Sandbox::new();
    assert_refused(&mut sandbox.run(arguments), words);
    sandbox.assert_untouched();
}

#[test]
fn an_unknown_family_is_refused_with_the_nearest_one() {
    refuse(&["cpoy"], &["no family is called 'cpoy'", "did you mean 'copy'?"]);
}

#[test]
fn an_unknown_technique_is_refused_with_the_nearest_one() {
    refuse(&["copy/std_cpoy"], &["'std_cpoy'", "did you mean 'std_copy'?", "bakeoff list copy"]);
}

#[test]
fn a_technique_without_its_family_is_told_where_it_belongs() {
    refuse(&["posix_layer"], &["'posix_layer'", "write 'copy/posix_layer'"]);
}

#[test]
fn an_assignment_that_is_none_is_refused_in_one_line() {
    let mut worker = crate::sandbox::Program::new(crate::program());
    let assignment = r#"{"do": "two\nlines"}"#;
    assert_refused(
        worker.arg("worker").write_stdin(assignment),
        &["bakeoff worker:", "no assignment", "two"],
    );
}

#[test]
fn a_bad_size_is_refused_with_the_place_and_an_example() {
    refuse(&["copy", "--size", "25.6MX"], &["--size", "'25.6MX'", "character 5", "64K"]);
    refuse(&["copy", "--size", "much"], &["--size", "'much'", "character 1", "64K"]);
    refuse(&["copy", "--memory-limit", "1..5G"], &["--memory-limit", "'1..5G'", "character 3", "64K"]);
}

#[test]
fn memory_that_no_program_fits_into_is_refused_before_anything_is_planned() {
    for limit in ["0", "1", "1023K"] {
        refuse(
            &["disk", "--memory-limit", limit],
            &["--memory-limit", "no program fits into less than 1 MiB"],
        );
        let time = Sandbox::new();
        let words = ["time", "--memory-limit", limit, "true"];
        assert_refused(&mut time.bakeoff(&words), &["--memory-limit", "less than 1 MiB"]);
    }
}

#[test]
fn a_bad_duration_is_refused_with_the_place_and_an_example() {
    refuse(&["copy", "--budget", "5parsecs"], &["--budget", "'5parsecs'", "character 2", "90s"]);
    refuse(&["copy", "--time-limit", "90"], &["--time-limit", "'90'", "character 3", "90s"]);
}

#[test]
fn a_budget_of_no_time_is_refused_wherever_something_is_measured() {
    let sandbox = Sandbox::new();
    for command in [&["run", "copy"][..], &["findings", "--measure"], &["noise"]] {
        let refused = &mut sandbox.bakeoff(&[command, &["--budget", "0s"]].concat());
        assert_refused(refused, &["'0s'", "--budget", "nothing can be measured in no time", "90s"]);
    }
    sandbox.assert_untouched();
}

#[test]
fn a_number_out_of_its_range_is_refused_with_the_range() {
    refuse(&["copy", "--rounds", "0"], &["--rounds", "0", "from 3 to 10000"]);
    refuse(
        &["copy", "--rounds", "5", "--min-rounds", "6"],
        &["--min-rounds 6", "--rounds 5", "leave --rounds out"],
    );
    refuse(&["copy", "--alpha", "1"], &["--alpha", "0.05"]);
    refuse(&["copy", "--until", "0.1%"], &["--until", "1%"]);
    refuse(&["copy", "--processors", "x"], &["--processors", "0,2-3"]);
    refuse(&["copy", "--processors", "99999"], &["--processors", "99999"]);
}

#[test]
fn files_that_cannot_be_worked_on_are_refused_by_name() {
    refuse(&["copy", "--input", "no-such-file"], &["--input no-such-file"]);
    refuse(&["copy", "--input", "."], &["--input", "is a directory", "copy works on one file"]);
    refuse(&["copy", "--input", "Cargo.toml", "--input", "src"], &["--input", "one file", "2 were named"]);
    refuse(&["copy", "--input", "Cargo.toml", "--size", "64K"], &["--input", "--size"]);
    refuse(&["control", "--input", "Cargo.toml"], &["--input", "control works on no files"]);
}

#[test]
fn a_range_of_sizes_that_is_none_is_refused_with_what_would_be_right() {
    for (range, words) in [
        ("64K..4K", "'64K..4K' ends before it begins; for example 4K..1GiB"),
        ("4K..4K", "'4K..4K' has one level; write 4K for one size"),
        ("4K..1M+16", "'4K..1M+16' has 65281 levels, and a curve has at most 64"),
        ("0..1M", "'0..1M' begins with 0"),
        ("4K..1Mx1", "a whole number from 2 on is expected"),
        ("4K..much", "'much' is not a size"),
    ] {
        refuse(&["copy", "--sizes", range], &["--size", words]);
    }
    refuse(&["copy", "--sizes", "1..64+1,1K..64K+1K"], &["--size", "128 sizes", "at most 64"]);
}

#[test]
fn a_setting_that_no_family_knows_is_refused() {
    refuse(&["convert", "--set", "colour=red"], &["--set colour=red", "nothing to set"]);
    refuse(&["control", "--set", "colour=red"], &["--set colour=red", "--set iterations=6600000"]);
    refuse(&["control", "--set", "iterations=few"], &["--set iterations=few", "whole number"]);
    let bytes = ["pipeline", "--set", "units=20MB"];
    refuse(&bytes, &["--set units=20MB", "a unit of bytes stands at character 3", "20k"]);
    refuse(&["copy", "--set", "colour"], &["--set", "'colour'", "NAME=VALUE"]);
    refuse(&["convert", "--threads", "8"], &["--threads 8", "nothing to set"]);
    for (range, words) in [
        ("8..1", "ends before it begins; for example 1..64"),
        ("1..", "'' is not a whole number"),
        ("1..100+1", "has 100 levels, and a curve has at most 64"),
        ("1..60+1,101..160+1", "these are 120 values, and a run takes at most 64"),
    ] {
        let typed = format!("iterations={range}");
        refuse(&["control", "--set", &typed], &["--set iterations=", words]);
    }
}

#[test]
fn a_curve_of_one_level_is_refused_with_what_would_be_one() {
    let one = ["control/spin_a", "--set", "iterations=8..8"];
    refuse(&one, &["--set iterations=8..8", "has one level; write 8 for one value"]);
}

#[test]
fn axes_that_make_too_many_points_together_are_refused_before_the_points_are_made() {
    let axes = ["pipeline", "--set", "threads=1..60+1", "--set", "units=1..60+1", "--set", "depth=1..60+1"];
    refuse(&axes, &["pipeline", "points, and a run takes at most 1000", "leave values out"]);
}

#[test]
fn a_command_cannot_enter_a_family_whose_techniques_share_a_process() {
    refuse(&["clock", "--contender", "x=true"], &["clock", "no command can take part", "contender 'x'"]);
}

#[test]
fn an_option_that_is_not_there_is_refused_in_one_line() {
    refuse(&["copy", "--sise", "64K"], &["--sise", "--size"]);
    refuse(&["copy", "--fast", "--deep"], &["--fast", "--deep"]);
    refuse(&["copy", "--cache", "lukewarm"], &["lukewarm", "warm", "cold", "both"]);
}

#[test]
fn a_command_that_is_not_there_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    assert_refused(&mut sandbox.bakeoff(&["runn"]), &["runn", "run"]);
    sandbox.assert_untouched();
}

#[test]
fn a_family_without_sizes_says_so() {
    refuse(&["control/spin_a", "--size", "64K"], &["control", "no size", "--size"]);
}

#[test]
fn a_size_that_the_disk_cannot_hold_is_refused_before_anything_is_written() {
    refuse(&["copy/std_copy", "--size", "100TB"], &["free", "needs", "--size", "--dir"]);
}

#[test]
fn a_reference_that_does_not_take_part_is_refused_by_name() {
    refuse(&["copy", "--reference", "no_such_way"], &["--reference no_such_way", "bakeoff list"]);
    refuse(&["copy/std_copy", "--reference", "reflonk"], &["--reference reflonk"]);
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let sandbox = Sandbox::new();
    assert_refused(
        sandbox.bakeoff(&["run", "copy", "--dir"]).arg(sandbox.path("absent")),
        &["--dir", "absent"],
    );
    sandbox.assert_untouched();
}

#[test]
fn a_file_is_no_directory() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("plain file", "text");
    assert_refused(
        sandbox.bakeoff(&["run", "copy", "--dir"]).arg(file),
        &["--dir", "plain file", "no directory"],
    );
    sandbox.assert_untouched();
}

#[test]
fn a_directory_named_twice_is_refused() {
    let sandbox = Sandbox::new();
    assert_refused(sandbox.run(SMALL).arg("--dir").arg(sandbox.dir()), &["--dir", "twice"]);
    sandbox.assert_untouched();
}

#[test]
fn contests_by_work_and_contenders_exclude_each_other() {
    let contender = "cp=cp {input} {output}";
    refuse(&["copy", "--metric", "work", "--contender", contender], &["work", "process"]);
}

#[test]
fn a_list_of_no_family_and_of_no_directory_is_refused() {
    let sandbox = Sandbox::new();
    assert_refused(&mut sandbox.bakeoff(&["list", "sortt"]), &["sortt"]);
    assert_refused(&mut sandbox.bakeoff(&["list", "--dir", "absent"]), &["absent"]);
    assert_refused(&mut sandbox.bakeoff(&["host", "--dir", "absent"]), &["absent"]);
}

#[test]
fn records_are_not_written_over_a_file_or_into_nowhere() {
    let sandbox = Sandbox::new();
    let kept = sandbox.file("kept", "years of work");
    assert_refused(sandbox.bakeoff(&["generate", "2"]).arg(&kept), &["kept", "exists already", "--force"]);
    assert_eq!(fs::read_to_string(&kept).expect("readable"), "years of work");
    assert_refused(sandbox.bakeoff(&["generate", "2"]).arg(sandbox.path("absent").join("file")), &["absent"]);
    assert_refused(&mut sandbox.bakeoff(&["generate", "many", "file"]), &["many"]);
    assert_eq!(names(&sandbox.dir()), Vec::<String>::new());
}

#[test]
fn an_export_into_nowhere_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let nowhere = sandbox.path("absent").join("run.json");
    let mut command = sandbox.bakeoff(&["export", "last", "--format", "json", "--output"]);
    assert_refused(command.arg(&nowhere), &["run.json", "cannot be written"]);
}

#[test]
fn a_typed_name_cannot_steer_the_terminal_from_its_refusal() {
    let name = "\u{1b}[2J\u{1b}]0;title\u{7}";
    refuse(&[name], &["no family is called '\\u{1b}[2J\\u{1b}]0;title\\u{7}'"]);
    let sandbox = Sandbox::new();
    let said = stderr(&sandbox.run(&["--size", name]).assert().code(2));
    assert!(said.contains("--size") && !said.trim_end().contains(char::is_control), "{said:?}");
}

#[test]
fn a_host_is_asked_about_directories_that_are_there() {
    let sandbox = Sandbox::new();
    let absent = sandbox.path("absent");
    let mut host = sandbox.bakeoff(&["host", "--dir"]);
    assert_refused(host.arg(&absent), &[&absent.to_string_lossy()]);
    sandbox.assert_untouched();
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
    let help = stdout(&sandbox.bakeoff(&["run", "--help"]).assert().success());
    for option in options {
        assert!(help.contains(&format!("--{option} ")), "--{option}");
    }
    let text = ADVICE.lines().filter(|line| !line.trim_start().starts_with("//"));
    for line in text {
        for command in line.split("bakeoff ").skip(1).map(word) {
            sandbox.bakeoff(&[command, "--help"]).assert().success();
        }
    }
}
