//! What was published, and what is true here.

use serde_json::Value;

use crate::sandbox::{PATIENCE, Sandbox, assert_refused, assert_shows, list, stderr, text};

/// The findings as the program judges them, by their names.
fn outcome(sandbox: &Sandbox, id: &str) -> Value {
    let judged = sandbox.json("findings");
    let findings = list(&judged["findings"]);
    findings.iter().find(|finding| finding["id"] == id).unwrap_or_else(|| panic!("{id}")).clone()
}

#[test]
fn before_any_run_findings_show_what_was_published() {
    let sandbox = Sandbox::new();
    let shown = sandbox.shown("findings --family copy");
    let answer =
        "0 of 10 published findings were tested here. 2 cannot be tested here. 8 were not measured: 'bakeoff";
    assert!(shown.starts_with(answer), "{shown}");
    let finding = outcome(&sandbox, "copy-2");
    assert_eq!(finding["outcome"], "not_measured");
    assert_eq!(finding["comparisons"][0]["published"]["machines"], 6, "{finding}");
    assert!(!sandbox.store().exists(), "reading makes no store");
}

#[test]
fn a_kept_run_is_judged_under_the_conditions_of_the_finding() {
    let sandbox = Sandbox::new();
    let sorts =
        "sort/sortFL sort/sortFLSR sort/sortHP --set records=100000 --set output=suppressed --rounds 8";
    sandbox.measured(sorts);
    let warm = outcome(&sandbox, "sort-6");
    assert_shows(text(&warm["reason"]), "a cold file cache");
    sandbox.measured(&format!("{sorts} --cache cold"));
    let finding = outcome(&sandbox, "sort-6");
    assert!(["holds", "reversed", "undecided"].contains(&text(&finding["outcome"])), "{finding}");
    let effect = &finding["comparisons"][0]["effect"];
    assert!(effect["estimate"].is_f64() && effect["rounds"].as_u64() >= Some(3), "{finding}");
    // No run was pinned to one processor, or had a tree.
    assert_eq!(outcome(&sandbox, "sort-5")["outcome"], "not_measured");
    assert_shows(text(&outcome(&sandbox, "sort-1")["reason"]), "sortBT");
    assert_shows(text(&finding["conditions"]), "a cold file cache, output suppressed");
    assert_shows(
        &sandbox.shown("findings last --family sort -v"),
        "sort-6 | sortBT over sortFL | not as published: ",
    );
}

#[test]
fn findings_are_measured_in_one_run_and_judged_by_it() {
    let sandbox = Sandbox::new();
    let measure =
        |asked: &str| sandbox.shown(&format!("findings --measure --dir '{}' {asked}", sandbox.word("dir")));
    assert_shows(&measure("--dry-run --family search --family clock"), "plan: search, clock");
    let shown = measure("--family sort --seed 1 --budget 1s");
    // Where not even its first sample was paid for, it is not known what would do.
    let (known, unknown) = ("has time for", "beyond the 1 s of the budget");
    assert!(shown.contains(known) || shown.contains(unknown), "{shown}");
    // A busy host may need more than a minute, and says how much. It may be busier afterwards.
    let most_s = PATIENCE.as_secs() / 10 * 9;
    let mut budget_s = 60;
    for _ in 0..3 {
        let shown = measure(&format!("--family clock --seed 1 --budget {budget_s}s"));
        assert_shows(&shown, "clock-1 | of 5 published findings | tested here");
        let finding = outcome(&sandbox, "clock-1");
        if finding["run"].is_string() {
            return;
        }
        budget_s = budget_that_is_told_s(&finding).map_or(most_s, |told_s| most_s.min(2 * told_s));
    }
    panic!("not measured: {}", outcome(&sandbox, "clock-1"));
}

/// The budget that has time for all that was not measured. None is reported where not even the first sample was paid for.
fn budget_that_is_told_s(finding: &Value) -> Option<u64> {
    let told = finding.to_string();
    let budgets = told.split("--budget ").skip(1).filter_map(|rest| rest.split_once("s' has time for them"));
    budgets.filter_map(|(number, _)| number.parse().ok()).max()
}

#[test]
fn other_work_than_the_published_one_does_not_stand_beside_it() {
    let sandbox = Sandbox::new();
    for (run, machine) in [
        ("search/grepSQ search/grepMT --set file_bytes=4K --rounds 3", "xeon-4way"),
        ("threads/thread_each threads/pool --set iterations=1000 --rounds 3", "pentium3-1000-xp-pro"),
    ] {
        sandbox.measured(run);
        let shown = sandbox.shown(&format!("compare last published:{machine}"));
        assert!(shown.starts_with("These runs have no contest in common: "), "{shown}");
    }
}

#[test]
fn what_no_finding_is_about_is_refused() {
    let sandbox = Sandbox::new();
    let refused = &mut sandbox.bakeoff("findings --family cpoy");
    assert_refused(refused, "--family cpoy | copy");
    assert_refused(&mut sandbox.bakeoff("findings --budget 5s"), "--measure");
    assert_refused(&mut sandbox.bakeoff("findings nothing"), "");
}

#[test]
fn levels_stand_next_to_the_published_ones_in_one_table() {
    let sandbox = Sandbox::new();
    let published = "--set threads=1,2,4 --set work_steps=0 --set payload_bytes=1K";
    sandbox.measured(&format!("pipeline/signal-mutex pipeline/signal-critsec {published} --rounds 3"));
    let beside = "compare last published:xeon-4way";
    let compared = sandbox.json(beside);
    let curve = &compared["curves"][0];
    assert_eq!((&curve["family"], &curve["axis"]), (&"pipeline".into(), &"threads".into()));
    let levels = list(&curve["levels"]);
    let at: Vec<u64> = levels.iter().filter_map(|level| level["at"].as_u64()).collect();
    assert_eq!(at, [1, 2, 4]);
    for level in levels {
        let medians = list(&level["medians"]);
        assert_eq!(medians.len(), 6, "a row for each technique, and for each that was published: {level}");
        let both = medians[..2].iter().flat_map(|of| of.as_array()).flatten();
        assert!(both.chain(medians.iter().map(|of| &of[1])).all(Value::is_f64), "{level}");
    }
    // As published at 4 threads, in seconds.
    let names = list(&curve["techniques"]);
    let place = names
        .iter()
        .position(|one| one[1].as_array().is_some_and(|all| all.contains(&"signal-mutex".into())));
    let place = place.expect("signal-mutex");
    assert_eq!(levels[2]["user_ns"][place][1], 0.26e9);
    assert_eq!(levels[2]["system_ns"][place][1], 0.31e9);
    let page = sandbox.shown(beside);
    assert_shows(&page, "4, real | 4, user | 4, system");
    let times = levels.iter().flat_map(|level| ["user_ns", "system_ns"].map(|key| &list(&level[key])[..2]));
    let is_lacking = times.flatten().any(|of| of[0].is_null());
    let said = sandbox.shown(&format!("{beside} --format markdown")).contains("less than the tick");
    assert_eq!(said, is_lacking, "what is left out is said: {curve}");
    assert_eq!(page.matches("pipeline by threads").count(), 2, "the means, and one table: {page}");
    let html = sandbox.shown(&format!("{beside} --format html"));
    assert!(html.contains("id=\"curves\"") && html.contains("pipeline by threads"), "{html}");
    // Another number of units is other work.
    sandbox.measured("pipeline/signal-mutex --set threads=1,2 --set units=100 --rounds 3");
    assert_shows(&sandbox.shown(beside), "no contest in common");
}

#[test]
fn runs_that_cannot_be_compared_are_refused_with_an_example() {
    let sandbox = Sandbox::new();
    sandbox.measured("copy/cpC copy/cpW --rounds 3");
    for (runs, words) in [
        ("last last", "named twice"),
        ("last published:cray", "xeon-4way-w2000-ntfs"),
        ("last nothing", "nothing"),
    ] {
        assert_refused(&mut sandbox.bakeoff(&format!("compare {runs}")), words);
    }
    for alone in ["last", "published:xeon-4way", "published:pentium3-w2000-fat"] {
        let refused = stderr(&sandbox.bakeoff(&["compare", alone]).assert().code(2));
        let (_, example) = refused.split_once("for example: bakeoff ").expect("an example");
        assert!(example.split_whitespace().any(|word| word == alone), "{refused}");
        let words: Vec<&str> = example.split_whitespace().collect();
        assert_shows(&sandbox.shown(&words[..]), "published:");
    }
}

#[test]
fn a_program_of_one_published_machine_stands_next_to_the_others() {
    let sandbox = Sandbox::new();
    let is_windows = std::env::consts::OS == "windows";
    let own = if is_windows { "QueryPerformanceCounter" } else { "gettimeofday" };
    sandbox.measured(&format!("clock/{own} clock/std_instant --rounds 3"));
    let machines = ["linux-2.4.2-smp", "linux-2.4.2", "windows-2000", "linux-2.2.16"];
    let runs = machines.map(|name| format!("published:{name}")).join(" ");
    let compared = sandbox.json(&format!("compare last {runs}"));
    let showed = |technique: &str| -> Vec<bool> {
        let mut all = list(&compared["contests"][0]["techniques"]).iter();
        let is_named = |one: &&Value| {
            one["technique"] == technique || one["aliases"].to_string().contains(&format!("\"{technique}\""))
        };
        let one = all.find(is_named).unwrap_or_else(|| panic!("{technique}"));
        list(&one["showed"]).iter().map(|showed| !showed.is_null()).collect()
    };
    assert_eq!(showed("gettimeofday"), [!is_windows, true, true, false, true]);
    assert_eq!(showed("QueryPerformanceCounter"), [is_windows, false, false, true, false]);
    for difference in list(&compared["differences"]) {
        let is_told = ["processor", "system", "kernel", "file cache"].contains(&text(&difference["fact"]));
        assert!(!is_told || list(&difference["values"]).iter().all(Value::is_string), "{difference}");
    }
}
