//! `bakeoff run`: what is measured, kept and printed when nothing goes wrong.

use std::fs;

use predicates::prelude::*;
use serde_json::json;

use crate::sandbox::{
    SMALL, Sandbox, assert_measured, assert_refused, assert_shows, from_json, list, names, place, refuse,
    samples, stderr, stdout, text, trial, unfolded, unwarned,
};

#[test]
fn a_run_prints_its_answer_first_and_then_the_figures() {
    let sandbox = Sandbox::new();
    let shown = sandbox.ran("");
    let (answers, _) = unwarned(&shown).split_once("\n\n").expect("an answer");
    assert!(answers.starts_with("copy: How do I copy a file?"), "{shown}");
    assert_shows(&shown, "slower by | std_copy | posix_layer | % confidence | 6 rounds");
    let run = sandbox.exported();
    let ranking = &run["contests"][0];
    assert_shows(&unfolded(answers), &unfolded(text(&ranking["advice"])));
    assert_eq!(ranking["fastest"][0], ranking["leader"]);
    for technique in ["std_copy", "posix_layer"] {
        let place = place(&run, technique);
        assert!(place["factor"].as_f64().is_some_and(|factor| factor > 0.0), "{place}");
        assert_eq!(samples(&run, technique), 7);
    }
}

#[test]
fn a_file_of_the_user_is_worked_on_as_a_copy_and_left_alone() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("letters.txt", &"a letter from afar\n".repeat(5_000));
    let before = fs::metadata(&file).expect("a file").modified().expect("a time");
    let input =
        ["copy/std_copy", "copy/posix_layer", "--rounds", "6", "--input", &sandbox.word("letters.txt")];
    assert_shows(&sandbox.measured(&input), "letters.txt (95 kB)");
    let run = sandbox.exported();
    let workload = &trial(&run, "std_copy")["workload"];
    assert_eq!(workload["bytes"], 95_000);
    assert!(text(&workload["files"][0]).ends_with("letters.txt"), "{workload}");
    assert_eq!(fs::metadata(&file).expect("a file").modified().expect("a time"), before);
}

#[test]
fn what_is_for_one_file_or_for_many_is_left_out_elsewhere() {
    let sandbox = Sandbox::new();
    let whole = sandbox.measured("copy --dry-run");
    assert!(!whole.contains("for many files"), "{whole}");
    let named = sandbox.measured("copy/std_copy copy/parallel_files --dry-run");
    assert_shows(&named, "for many files: --set files=1000 makes them");
    let many = sandbox.measured("copy --dry-run --set files=1k");
    assert!(!many.contains("for one large file"), "{many}");
    let three = "copy/std_copy copy/parallel_files copy/direct --rounds 6";
    let shown = sandbox.measured(&format!("{three} --set files=20 --set file_bytes=1000"));
    assert_shows(&shown, "for one large file: past the cache, every small one would wait");
    let run = sandbox.exported();
    let workload = &trial(&run, "parallel_files")["workload"];
    for (number, value) in [("file_count", 20), ("file_bytes", 1_000), ("bytes", 20_000)] {
        assert_eq!(workload[number], value, "{workload}");
    }
    assert_eq!(["std_copy", "parallel_files"].map(|technique| samples(&run, technique)), [7, 7]);
    assert_eq!(trial(&run, "direct")["failures"][0]["kind"], "missing");
    for (arguments, words) in [
        ("copy --set files=0", "files=0 | between 1 and 100000"),
        ("copy --set file_bytes=1K", "add --set files=1000"),
        ("copy/parallel_files", "nothing to compare | --set files=1000"),
    ] {
        refuse(arguments, words);
    }
}

#[test]
fn a_report_of_the_last_run_is_what_the_run_printed_to_the_byte() {
    for format in ["text", "markdown", "json"] {
        let sandbox = Sandbox::new();
        let shown = sandbox.ran(&["--format", format]);
        assert_eq!(sandbox.shown(&["report", "last", "--format", format]), shown);
        match format {
            "markdown" => assert_shows(&shown, "technique | \n|"),
            "json" => {
                let page = from_json(&shown);
                assert_eq!((&page["schema"], &page["run"]["complete"]), (&json!(3), &json!(true)));
            }
            _ => {}
        }
    }
}

#[test]
fn a_dry_run_prints_the_plan_and_keeps_nothing() {
    let sandbox = Sandbox::new();
    let plan = sandbox.ran("--dry-run");
    assert_shows(&plan, "plan: copy | 3 trials | 6 rounds | about  | scratch | free | seed");
    sandbox.assert_untouched();
    // On Windows the register stands elsewhere.
    let register = sandbox.path("home/state/bakeoff/scratch");
    assert!(!register.exists() || names(&register).is_empty());
}

#[test]
fn the_ranking_is_on_standard_output_and_the_plan_on_error() {
    let sandbox = Sandbox::new();
    let assert = sandbox.run(SMALL).args(["--seed", "5"]).assert().success();
    let (shown, said) = (stdout(&assert), stderr(&assert));
    assert!(said.starts_with("copy: about "), "{said}");
    assert!(!said.contains("slower by"), "{said}");
    assert!(shown.contains("slower by") && !shown.contains("3 trials"), "{shown}");
    assert!(!said.contains('\u{1b}') && !said.contains('\r'), "no terminal, no progress line: {said:?}");
    assert!(!shown.contains('\u{1b}'), "no terminal, no colours: {shown:?}");
    sandbox.assert_clean();
    assert_eq!(names(&sandbox.path("tmp")), Vec::<String>::new());
    let run = sandbox.exported();
    let command: Vec<&str> = list(&run["run"]["command"]).iter().map(text).collect();
    assert!(command.ends_with(&["--seed", "5"]), "what was typed is kept: {command:?}");
    assert_eq!(run["run"]["seed"], 5);
    let escape = predicate::str::contains("\u{1b}[");
    sandbox.bakeoff("report --color always").assert().success().stdout(escape.clone());
    sandbox.bakeoff("report --color never").assert().success().stdout(escape.clone().not());
    sandbox.bakeoff("report").env("NO_COLOR", "1").assert().success().stdout(escape.not());
    let quiet = sandbox.run(SMALL).arg("--quiet").assert().success().stderr("");
    assert_shows(&stdout(&quiet), "slower by");
}

#[test]
fn a_plan_expects_what_earlier_runs_took() {
    let sandbox = Sandbox::new();
    let two = "control/sleep_20ms control/sleep_5ms --seed 1";
    let plan = format!("{two} --dry-run");
    assert_shows(&sandbox.measured(&plan), "not known before every technique was tried once; about ");
    assert_shows(
        &sandbox.measured(&format!("{plan} --budget 20s")),
        "tried once; no round begins after 20 s",
    );
    sandbox.measured(&format!("{two} --rounds 3 --quiet"));
    // Where the time decides how many rounds there are, none is promised.
    let short = sandbox.measured(&format!("{plan} --budget 500ms"));
    assert!(!short.contains(" rounds"), "{short}");
    assert_shows(&sandbox.measured(&plan), "time      about ");
    sandbox.measured(&format!("{two} --budget 1h --tolerance 100% --min-rounds 25 --quiet"));
    assert_measured(&sandbox.exported(), 26, &["sleep_5ms"]);
    let few = sandbox.shown("run control/sleep_5ms control/spin_a --budget 1s --min-rounds 9999 --quiet");
    assert_shows(&few, "the budget of 1 s pays for about");
}

#[test]
fn what_was_asked_for_is_kept_with_the_contest_and_shown() {
    for (options, place, kept, shown) in [
        ("--cache both", "/contests/0/setting/cache", json!("warm"), "in the page cache"),
        ("--cache both", "/contests/1/setting/cache", json!("cold"), "cold cache"),
        ("--durable", "/contests/0/setting/durability", json!("durable"), ", flushed "),
        ("--tolerance 100%", "/run/design/delta", json!(1.0), "copy: "),
        ("--seed 5", "/run/seed", json!(5), "copy: "),
        ("--processors 0 --size 1", "/contests/0/setting/processors", json!([0]), "copy: "),
        (
            "--metric process",
            "/contests/0/metric/key",
            json!("process_ns"),
            "by the time of the whole process",
        ),
        ("", "/run/design/baselines/copy", json!("std_copy"), "copy: "),
        (
            "--baseline read_write@64K",
            "/run/design/baselines/copy",
            json!("read_write@64K"),
            "read_write@64K",
        ),
    ] {
        let sandbox = Sandbox::new();
        let size = if options.contains("--size") { "" } else { "--size 64K" };
        let page = sandbox.measured(&format!("copy/std_copy copy/posix_layer --rounds 6 {size} {options}"));
        assert_shows(&unfolded(&page), shown);
        assert_eq!(sandbox.exported().pointer(place), Some(&kept), "{options}");
    }
}

#[test]
fn two_directories_are_measured_in_one_run_and_both_left_clean() {
    let sandbox = Sandbox::new();
    let other = sandbox.path("other dir");
    fs::create_dir(&other).expect("a directory");
    sandbox.ran(&["--dir", &sandbox.word("other dir")]);
    assert_eq!(list(&sandbox.exported()["contests"]).len(), 2);
    sandbox.assert_clean();
    assert_eq!(names(&other), Vec::<String>::new());
}

#[test]
fn a_kept_run_is_judged_by_any_metric_that_was_measured() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    assert_shows(&sandbox.shown("report --metric user"), ", by user time");
    let again = sandbox.shown("report");
    assert!(!again.contains("by user time"), "{again}");
    assert_refused(&mut sandbox.bakeoff("report --metric miles"), "--metric | miles | user | work");
    assert_refused(&mut sandbox.run("copy --metric miles"), "--metric miles | copy | process | user");
}
