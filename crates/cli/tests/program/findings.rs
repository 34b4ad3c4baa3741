//! What was published, and what is true here.

use serde_json::Value;

use crate::sandbox::{PATIENCE, Sandbox, assert_refused, stderr, stdout};

/// The findings as the program judges them, by their names.
fn outcome(sandbox: &Sandbox, id: &str) -> Value {
    let judged = sandbox.json(&["findings"]);
    let findings = judged["findings"].as_array().expect("findings");
    findings.iter().find(|finding| finding["id"] == id).unwrap_or_else(|| panic!("{id}")).clone()
}

#[test]
fn before_any_run_every_finding_is_told_with_what_was_published() {
    let sandbox = Sandbox::new();
    let shown = sandbox.shown(&["findings", "--family", "copy"]);
    let answer =
        "0 of 8 published findings were tested here. 8 were not measured: 'bakeoff findings --measure'";
    assert!(shown.starts_with(answer), "{shown}");
    let finding = outcome(&sandbox, "copy-2");
    assert_eq!(finding["outcome"], "not_measured");
    assert_eq!(finding["comparisons"][0]["published"]["machines"], 6, "{finding}");
    assert!(!sandbox.store().exists(), "reading makes no store");
}

#[test]
fn a_kept_run_is_judged_where_its_conditions_are_those_of_the_finding() {
    let sandbox = Sandbox::new();
    let sorts = ["sort/sortFL", "sort/sortFLSR", "sort/sortHP", "--set", "records=100000", "--rounds", "8"];
    sandbox.run(&sorts).assert().success();
    let finding = outcome(&sandbox, "sort-6");
    let known = ["holds", "reversed", "undecided"];
    assert!(known.iter().any(|word| finding["outcome"] == *word), "{finding}");
    let effect = &finding["comparisons"][0]["effect"];
    assert!(effect["estimate"].is_f64() && effect["rounds"].as_u64() >= Some(3), "{finding}");
    // No run was pinned to one processor, or had a tree.
    assert_eq!(outcome(&sandbox, "sort-5")["outcome"], "not_measured");
    let lacking = outcome(&sandbox, "sort-1");
    assert!(lacking["reason"].as_str().expect("a reason").contains("sortBT"), "{lacking}");
    let page = sandbox.shown(&["findings", "last", "--family", "sort", "-v"]);
    assert!(page.contains("sort-6") && page.contains("sortBT over sortFL"), "{page}");
}

#[test]
fn findings_are_measured_in_one_run_and_judged_by_it() {
    let sandbox = Sandbox::new();
    let plan = ["findings", "--measure", "--dry-run", "--family", "search", "--family", "clock", "--dir"];
    let shown = stdout(&sandbox.bakeoff(&plan).arg(sandbox.dir()).assert().success());
    assert!(shown.contains("plan: search, clock"), "{shown}");
    let too_little = ["findings", "--measure", "--family", "sort", "--seed", "1", "--budget", "1s", "--dir"];
    let shown = stdout(&sandbox.bakeoff(&too_little).arg(sandbox.dir()).assert().success());
    // Where not even its first sample was paid for, it is not known what would do.
    let (known, unknown) = ("has time for", "a budget of 1 s does not pay for it");
    assert!(shown.contains(known) || shown.contains(unknown), "{shown}");
    // A busy host may need more than a minute, and says how much. It may be busier afterwards.
    let most_s = PATIENCE.as_secs() / 10 * 9;
    let mut budget_s = 60;
    for _ in 0..3 {
        let budget = format!("{budget_s}s");
        let measure =
            ["findings", "--measure", "--family", "clock", "--seed", "1", "--budget", &budget, "--dir"];
        let shown = stdout(&sandbox.bakeoff(&measure).arg(sandbox.dir()).assert().success());
        assert!(
            shown.contains("clock-1") && shown.contains("published findings were tested here"),
            "{shown}"
        );
        let finding = outcome(&sandbox, "clock-1");
        if finding["run"].is_string() {
            return;
        }
        budget_s = budget_that_is_told_s(&finding).map_or(most_s, |told_s| most_s.min(2 * told_s));
    }
    panic!("not measured: {}", outcome(&sandbox, "clock-1"));
}

/// The budget that has time for all that was not measured. None is told where not even the first sample was paid for.
fn budget_that_is_told_s(finding: &Value) -> Option<u64> {
    let told = finding.to_string();
    let budgets = told.split("--budget ").skip(1).filter_map(|rest| rest.split_once("s' has time for them"));
    budgets.filter_map(|(number, _)| number.parse().ok()).max()
}

#[test]
fn other_work_than_the_published_one_does_not_stand_beside_it() {
    let sandbox = Sandbox::new();
    for (run, machine) in [
        (
            ["search/grepSQ", "search/grepMT", "--set", "file_bytes=4K", "--rounds", "3"],
            "published:xeon-4way",
        ),
        (
            ["threads/thread_each", "threads/pool", "--set", "iterations=1000", "--rounds", "3"],
            "published:pentium3-1000-xp-pro",
        ),
    ] {
        sandbox.run(&run).assert().success();
        let shown = sandbox.shown(&["compare", "last", machine]);
        assert!(shown.starts_with("These runs have no contest in common: "), "{shown}");
    }
}

#[test]
fn what_no_finding_is_about_is_refused() {
    let sandbox = Sandbox::new();
    let refused = &mut sandbox.bakeoff(&["findings", "--family", "cpoy"]);
    assert_refused(refused, &["--family cpoy", "copy"]);
    assert_refused(&mut sandbox.bakeoff(&["findings", "--budget", "5s"]), &["--measure"]);
    assert_refused(&mut sandbox.bakeoff(&["findings", "nothing"]), &[]);
}

#[test]
fn a_run_stands_beside_a_published_machine_program_by_program() {
    let sandbox = Sandbox::new();
    sandbox.run(&["copy/cpC", "copy/cpW", "--rounds", "3"]).assert().success();
    let compare = ["compare", "last", "published:xeon-4way"];
    let compared = sandbox.json(&compare);
    let contest = &compared["contests"][0];
    assert_eq!(contest["family"], "copy");
    let programs = contest["techniques"].as_array().expect("techniques");
    assert_eq!(programs.len(), 2, "{contest}");
    let other = |program: &str| {
        let is_it = |one: &&Value| one["aliases"].as_array().is_some_and(|all| all.contains(&program.into()));
        programs.iter().find(is_it).expect(program)["showed"][1].clone()
    };
    assert_eq!((&other("cpC")["median"], &other("cpW")["median"]), (&2.67e9.into(), &2.95e9.into()));
    assert_eq!(other("cpC")["system_ns"], 0.36e9);
    let page = sandbox.shown(&["compare", "last", "published:xeon-4way"]);
    assert!(page.contains("copy published") && page.contains("2.67 s") && page.contains('~'), "{page}");
}

#[test]
fn the_levels_of_a_curve_stand_beside_the_published_ones_in_one_table() {
    let sandbox = Sandbox::new();
    let curve =
        ["pipeline/signal-mutex", "pipeline/signal-critsec", "--set", "threads=1,2,4", "--rounds", "3"];
    sandbox.run(&curve).assert().success();
    let beside = ["compare", "last", "published:xeon-4way"];
    let compared = sandbox.json(&beside);
    let curve = &compared["curves"][0];
    assert_eq!((&curve["family"], &curve["axis"]), (&"pipeline".into(), &"threads".into()));
    let at = |level: &Value| level["at"].as_u64().expect("a level");
    let levels = curve["levels"].as_array().expect("levels");
    assert_eq!(levels.iter().map(at).collect::<Vec<_>>(), [1, 2, 4]);
    for level in levels {
        let medians = level["medians"].as_array().expect("medians");
        assert_eq!(medians.len(), 2, "a row for each technique: {level}");
        assert!(medians.iter().flat_map(|of| of.as_array()).flatten().all(Value::is_f64), "{level}");
    }
    // As published at 4 threads, in seconds.
    let names = curve["techniques"].as_array().expect("techniques");
    let place = names
        .iter()
        .position(|one| one[1].as_array().is_some_and(|all| all.contains(&"signal-mutex".into())));
    let place = place.expect("signal-mutex");
    assert_eq!(levels[2]["user_ns"][place][1], 0.26e9);
    assert_eq!(levels[2]["system_ns"][place][1], 0.31e9);
    let page = sandbox.shown(&beside);
    for row in ["4, real", "4, user", "4, system"] {
        assert!(page.contains(row), "{page}");
    }
    let untold = |level: &Value| {
        let own = |key: &str| level[key].as_array().expect(key).iter().any(|of| of[0].is_null());
        own("user_ns") || own("system_ns")
    };
    let markdown = sandbox.bakeoff(&beside).args(["--format", "markdown"]).assert().success();
    let said = stdout(&markdown).contains("less than the tick");
    assert_eq!(said, levels.iter().any(untold), "what is left out is said: {curve}");
    assert_eq!(page.matches("pipeline by threads").count(), 2, "the means, and one table: {page}");
    let html = stdout(&sandbox.bakeoff(&beside).args(["--format", "html"]).assert().success());
    assert!(html.contains("id=\"curves\"") && html.contains("pipeline by threads"), "{html}");
    // Another number of units is other work.
    let fewer = ["pipeline/signal-mutex", "--set", "threads=1,2", "--set", "units=100", "--rounds", "3"];
    sandbox.run(&fewer).assert().success();
    let apart = sandbox.shown(&beside);
    assert!(apart.contains("no contest in common"), "{apart}");
}

#[test]
fn runs_that_do_not_exist_or_are_the_same_are_not_compared() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    for (runs, said) in [
        (["last", "last"], "named twice"),
        (["last", "published:cray"], "xeon-4way-w2000-ntfs"),
        (["last", "nothing"], "nothing"),
    ] {
        assert_refused(&mut sandbox.bakeoff(&["compare", runs[0], runs[1]]), &[said]);
    }
    assert_refused(&mut sandbox.bakeoff(&["compare", "last"]), &["2"]);
}

#[test]
fn the_example_for_a_run_that_is_named_alone_is_a_command_that_compares() {
    let sandbox = Sandbox::new();
    sandbox.run(&["copy/cpC", "copy/cpW", "--rounds", "3"]).assert().success();
    for alone in ["last", "published:xeon-4way", "published:pentium3-w2000-fat"] {
        let refused = stderr(&sandbox.bakeoff(&["compare", alone]).assert().code(2));
        let (_, example) = refused.split_once("for example: bakeoff ").expect("an example");
        let words: Vec<&str> = example.split_whitespace().collect();
        assert!(words.contains(&alone), "{refused}");
        let told = sandbox.shown(&words);
        assert!(told.contains("published:"), "{told}");
    }
}
