//! `bakeoff run`: what is measured, kept and printed when nothing goes wrong.

use std::fs;

use predicates::prelude::*;
use serde_json::Value;

use crate::sandbox::{
    SMALL, Sandbox, assert_refused, names, place, samples, stderr, stdout, trial, unwarned,
};

#[test]
fn a_run_prints_its_answer_first_and_then_the_figures() {
    let sandbox = Sandbox::new();
    let shown = sandbox.ran(&[]);
    let (answers, rest) = unwarned(&shown).split_once("\n\n").expect("a block of answers");
    assert!(answers.starts_with("copy  "), "{shown}");
    assert!(rest.starts_with("copy: How do I copy a file?"), "{shown}");
    for word in ["slower by", "std_copy", "posix_layer", "% confidence", "6 rounds"] {
        assert!(shown.contains(word), "'{word}' is missing:\n{shown}");
    }
    let run = sandbox.exported();
    let ranking = &run["contests"][0];
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = words(ranking["sentence"].as_str().expect("a sentence"));
    assert!(!sentence.is_empty() && words(&shown).contains(&sentence), "'{sentence}' is missing:\n{shown}");
    let advice = words(ranking["advice"].as_str().expect("an advice"));
    assert!(words(answers).contains(&advice), "{shown}");
    let leader = ranking["leader"].as_str().expect("a leader");
    assert_eq!(ranking["fastest"][0], leader);
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
    let before = fs::metadata(&file).and_then(|found| found.modified()).expect("a time");
    let named = file.to_str().expect("UTF-8");
    let two = ["copy/std_copy", "copy/posix_layer", "--rounds", "6", "--input", named];
    let shown = stdout(&sandbox.run(&two).assert().success());
    assert!(shown.contains("letters.txt (95 kB)"), "{shown}");
    let run = sandbox.exported();
    let workload = &trial(&run, "std_copy")["workload"];
    assert_eq!(workload["bytes"], 95_000);
    assert!(workload["files"][0].as_str().is_some_and(|path| path.ends_with("letters.txt")), "{workload}");
    assert_eq!(fs::metadata(&file).and_then(|found| found.modified()).expect("a time"), before);
    sandbox.assert_clean();
}

#[test]
fn what_is_for_many_files_is_no_gap_in_the_plan_of_one_file() {
    let sandbox = Sandbox::new();
    let whole = stdout(&sandbox.run(&["copy", "--dry-run"]).assert().success());
    assert!(!whole.contains("for many files"), "{whole}");
    let named = ["copy/std_copy", "copy/parallel_files", "--dry-run"];
    let named = stdout(&sandbox.run(&named).assert().success());
    assert!(named.contains("for many files: --set files=1000 makes them"), "{named}");
    let many = stdout(&sandbox.run(&["copy", "--dry-run", "--set", "files=1k"]).assert().success());
    assert!(!many.contains("for one large file"), "{many}");
}

#[test]
fn many_files_skip_what_is_for_one_file() {
    let sandbox = Sandbox::new();
    let asked = [
        "copy/std_copy",
        "copy/parallel_files",
        "copy/direct",
        "--set",
        "files=20",
        "--set",
        "file_bytes=1000",
    ];
    let shown = stdout(&sandbox.run(&asked).args(["--rounds", "6"]).assert().success());
    assert!(shown.contains("for one large file: past the cache, every small one would wait"), "{shown}");
    let run = sandbox.exported();
    let workload = &trial(&run, "parallel_files")["workload"];
    for (number, value) in [("file_count", 20), ("file_bytes", 1_000), ("bytes", 20_000)] {
        assert_eq!(workload[number], value, "{workload}");
    }
    for technique in ["std_copy", "parallel_files"] {
        assert_eq!(samples(&run, technique), 7, "{technique}");
    }
    assert_eq!(trial(&run, "direct")["failures"][0]["kind"], "missing");
    sandbox.assert_clean();
}

#[test]
fn a_number_of_files_that_is_none_and_a_technique_that_is_for_many_are_refused_in_one_line() {
    let sandbox = Sandbox::new();
    for (arguments, words) in [
        (&["copy", "--set", "files=0"][..], &["files=0", "between 1 and 100000"][..]),
        (&["copy", "--set", "file_bytes=1K"], &["add --set files=1000"]),
        (&["copy/parallel_files"], &["nothing to compare", "--set files=1000"]),
    ] {
        assert_refused(&mut sandbox.run(arguments), words);
    }
}

#[test]
fn a_report_of_the_last_run_is_what_the_run_printed_to_the_byte() {
    for format in ["text", "markdown", "json"] {
        let sandbox = Sandbox::new();
        let shown = sandbox.ran(&["--format", format]);
        let report = sandbox.bakeoff(&["report", "last", "--format", format]).assert().success();
        assert_eq!(stdout(&report), shown, "{format}");
        match format {
            "markdown" => assert!(shown.contains("technique") && shown.contains("\n|"), "{shown}"),
            "json" => {
                let page: Value = serde_json::from_str(&shown).expect("JSON");
                assert_eq!((&page["schema"], &page["run"]["complete"]), (&3.into(), &true.into()));
            }
            _ => {}
        }
    }
}

#[test]
fn a_dry_run_prints_the_plan_and_keeps_nothing() {
    let sandbox = Sandbox::new();
    let assert = sandbox.run(SMALL).arg("--dry-run").assert().success();
    let plan = stdout(&assert);
    for word in ["plan: copy", "3 trials", "6 rounds", "about ", "scratch", "free", "seed"] {
        assert!(plan.contains(word), "'{word}' is missing:\n{plan}");
    }
    sandbox.assert_untouched();
    // On Windows the register stands elsewhere.
    let register = sandbox.path("home/state/bakeoff/scratch");
    assert!(!register.exists() || names(&register).is_empty());
}

#[test]
fn the_ranking_is_on_standard_output_and_the_plan_on_standard_error() {
    let sandbox = Sandbox::new();
    let assert = sandbox.run(SMALL).args(["--seed", "5"]).assert().success();
    let (shown, said) = (stdout(&assert), stderr(&assert));
    assert!(said.starts_with("plan: copy") && said.contains("seed      5"), "{said}");
    assert!(!said.contains("slower by"), "{said}");
    assert!(shown.contains("slower by") && !shown.contains("plan: copy"), "{shown}");
    assert!(!said.contains('\u{1b}') && !said.contains('\r'), "no terminal, no progress line: {said:?}");
    assert!(!shown.contains('\u{1b}'), "no terminal, no colours: {shown:?}");
    sandbox.assert_clean();
    assert_eq!(names(&sandbox.path("tmp")), Vec::<String>::new());
    let run = sandbox.exported();
    let command: Vec<&str> =
        run["run"]["command"].as_array().expect("words").iter().filter_map(Value::as_str).collect();
    assert!(command.ends_with(&["--seed", "5"]), "what was typed is kept: {command:?}");
    assert_eq!(run["run"]["seed"], 5);
    let escape = || predicate::str::contains("\u{1b}[");
    sandbox.bakeoff(&["report", "--color", "always"]).assert().success().stdout(escape());
    sandbox.bakeoff(&["report", "--color", "never"]).assert().success().stdout(escape().not());
    sandbox.bakeoff(&["report"]).env("NO_COLOR", "1").assert().success().stdout(escape().not());
    let quiet = sandbox.run(SMALL).arg("--quiet").assert().success().stderr("");
    assert!(stdout(&quiet).contains("slower by"));
}

#[test]
fn a_plan_expects_what_earlier_runs_took_and_says_where_nothing_is_known() {
    let sandbox = Sandbox::new();
    let three = ["control/sleep_20ms", "control/sleep_5ms", "--seed", "1"];
    let plan = |sandbox: &Sandbox| stdout(&sandbox.run(&three).arg("--dry-run").assert().success());
    let before = plan(&sandbox);
    assert!(before.contains("not known before every technique was tried once; about "), "{before}");
    let limited = stdout(&sandbox.run(&three).args(["--dry-run", "--budget", "20s"]).assert().success());
    assert!(limited.contains("tried once; no round begins after 20 s"), "{limited}");
    sandbox.run(&three).args(["--rounds", "3", "--quiet"]).assert().success();
    let after = plan(&sandbox);
    assert!(after.contains("time      about "), "{after}");
}

#[test]
fn a_budget_that_is_too_small_for_all_is_spent_on_some_and_the_others_are_named() {
    let sandbox = Sandbox::new();
    let three = ["control/sleep_5ms", "control/sleep_7ms", "control/sleep_20ms"];
    sandbox.run(&three).args(["--budget", "1ms", "--quiet"]).assert().success();
    let run = sandbox.exported();
    let skipped = |trial: &&Value| {
        let failures = trial["failures"].as_array().into_iter().flatten();
        failures.into_iter().any(|one| one["kind"] == "skipped" && one["shortfall"]["budget_ns"] == 1_000_000)
    };
    let trials = run["trials"].as_array().expect("trials");
    assert_eq!(trials.iter().filter(skipped).count(), 1, "{run}");
    let measured =
        trials.iter().filter(|trial| trial["samples"].as_array().is_some_and(|all| !all.is_empty()));
    assert_eq!(measured.count(), 2);
    sandbox.assert_clean();
}

#[test]
fn a_contest_ends_when_its_leader_is_known_as_well_as_was_asked_for() {
    let sandbox = Sandbox::new();
    let two = ["control/sleep_5ms", "control/sleep_20ms", "--budget", "1h", "--quiet"];
    sandbox.run(&two).args(["--tolerance", "100%"]).assert().success();
    let run = sandbox.exported();
    assert_eq!(run["run"]["design"]["delta"], 1.0);
    // Four times as long is seen at one of the first looks, whatever else this host does.
    let leader = trial(&run, "sleep_5ms");
    let last_look = leader["looks"].as_array().and_then(|looks| looks.last()?.as_u64()).expect("looks");
    let counted = leader["samples"].as_array().map_or(0, Vec::len) as u64 - 1;
    assert!((6..last_look).contains(&counted), "{counted} of {last_look} rounds");
    sandbox.run(&two).args(["--tolerance", "100%", "--min-rounds", "25"]).assert().success();
    assert!(samples(&sandbox.exported(), "sleep_5ms") > 25, "round 0 is not counted");
}

#[test]
fn a_baseline_takes_part_and_is_kept_with_the_design() {
    let sandbox = Sandbox::new();
    sandbox.ran(&["--baseline", "read_write", "--quiet"]);
    let run = sandbox.exported();
    let baseline = run["run"]["design"]["baselines"]["copy"].as_str().expect("a baseline").to_owned();
    assert!(baseline.starts_with("read_write@"), "{baseline}");
    assert_eq!(samples(&run, &baseline), 7);
    sandbox.ran(&["--quiet"]);
    assert_eq!(sandbox.exported()["run"]["design"]["baselines"]["copy"], "std_copy");
}

/// The place of each technique in each round.
fn order(run: &Value) -> Vec<(String, u64, u64)> {
    let mut order: Vec<(String, u64, u64)> = Vec::new();
    let first = |trial: &&Value| trial["attempt"].as_u64().unwrap_or(0) == 0;
    for trial in run["trials"].as_array().expect("trials").iter().filter(first) {
        for sample in trial["samples"].as_array().into_iter().flatten() {
            let number = |key: &str| sample[key].as_u64().expect("a number");
            order.push((trial["technique"].to_string(), number("round"), number("position")));
        }
    }
    order.sort();
    order
}

#[test]
fn a_seed_gives_the_same_order_and_another_seed_another() {
    let of_seed = |seed: &str| {
        let sandbox = Sandbox::new();
        sandbox.ran(&["--seed", seed]);
        order(&sandbox.exported())
    };
    let first = of_seed("7");
    assert!(first.len() >= 14, "{first:?}");
    assert_eq!(first, of_seed("7"));
    assert_ne!(first, of_seed("8"));
}

#[test]
fn warm_and_cold_are_measured_in_one_run_and_ranked_apart() {
    let sandbox = Sandbox::new();
    sandbox.ran(&["--cache", "both"]);
    let run = sandbox.exported();
    let rankings = run["contests"].as_array().expect("rankings");
    let caches: Vec<&str> = rankings.iter().filter_map(|one| one["setting"]["cache"].as_str()).collect();
    assert_eq!(caches, ["warm", "cold"]);
}

#[test]
fn durable_is_an_end_point_of_its_own() {
    let sandbox = Sandbox::new();
    let shown = sandbox.ran(&["--durable"]);
    assert!(
        shown.lines().any(|headline| headline.starts_with("copy: ") && headline.ends_with("durable")),
        "{shown}"
    );
    assert_eq!(sandbox.exported()["contests"][0]["setting"]["durability"], "durable");
}

#[test]
fn two_directories_are_measured_in_one_run_and_both_left_clean() {
    let sandbox = Sandbox::new();
    let other = sandbox.path("other dir");
    fs::create_dir(&other).expect("a directory");
    let other = other.to_string_lossy().into_owned();
    sandbox.ran(&["--dir", &other]);
    assert_eq!(sandbox.exported()["contests"].as_array().map(Vec::len), Some(2));
    sandbox.assert_clean();
    assert_eq!(names(&sandbox.path("other dir")), Vec::<String>::new());
}

#[test]
fn an_empty_file_is_copied_and_the_processors_are_kept() {
    let sandbox = Sandbox::new();
    let empty = ["copy/std_copy", "copy/posix_layer", "--size", "0", "--rounds", "6", "--processors", "0"];
    sandbox.run(&empty).assert().success();
    let contest = &sandbox.exported()["contests"][0];
    assert_eq!(contest["workload"]["bytes"], 0);
    assert_eq!(contest["setting"]["processors"], serde_json::json!([0]));
}

#[test]
fn another_metric_is_compared_when_asked_for() {
    let sandbox = Sandbox::new();
    let shown = sandbox.ran(&["--metric", "process"]);
    assert!(shown.contains("by the time of the whole process"), "{shown}");
    assert_eq!(sandbox.exported()["contests"][0]["metric"]["key"], "process_ns");
}

#[test]
fn a_kept_run_is_judged_by_any_metric_that_was_measured() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let shown = sandbox.shown(&["report", "--metric", "user"]);
    assert!(shown.contains(", by user time"), "{shown}");
    let again = sandbox.shown(&["report"]);
    assert!(!again.contains("by user time"), "{again}");
    assert_refused(
        &mut sandbox.bakeoff(&["report", "--metric", "miles"]),
        &["--metric", "miles", "user", "work"],
    );
    assert_refused(
        &mut sandbox.run(&["copy", "--metric", "miles"]),
        &["--metric miles", "copy", "process", "user"],
    );
}
