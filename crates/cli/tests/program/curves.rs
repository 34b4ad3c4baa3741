//! Several sizes in one run: the levels of a curve.

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, stdout, unwarned};

/// A loop that grows with its level against a sleep that does not: they are far apart at every level.
const CROSSING: &[&str] = &[
    "control/spin_a",
    "control/sleep_5ms",
    "--set",
    "iterations=66000",
    "--set",
    "iterations=132000",
    "--set",
    "iterations=26400000",
    "--set",
    "iterations=52800000",
    "--rounds",
    "20",
];

#[test]
fn where_two_techniques_change_places_is_told_in_every_form_now_and_later() {
    let sentence = "Use spin_a at 66000 and 132000 iterations";
    // A host that is busy with other tests may leave the first run undecided.
    let runs = (0..3).map(|_| {
        let sandbox = Sandbox::new();
        let shown = stdout(&sandbox.run(CROSSING).assert().success());
        (sandbox, shown)
    });
    let unfolded = |shown: &str| shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_sure =
        |shown: &str| unfolded(unwarned(shown)).starts_with(&format!("control, by iterations {sentence}"));
    let (sandbox, shown) = runs.into_iter().find(|(_, shown)| is_sure(shown)).expect("a run that is sure");
    assert!(!shown.contains("slower by  "), "the contests of the levels are for those who ask: {shown}");
    let again = stdout(&sandbox.bakeoff(&["report"]).assert().success());
    assert_eq!(again, shown);
    let markdown = stdout(&sandbox.bakeoff(&["report", "--format", "markdown"]).assert().success());
    assert!(markdown.contains("| iterations | `spin_a` | `sleep_5ms` |"), "{markdown}");
    let run = sandbox.exported();
    assert_eq!(
        run["run"]["design"]["curves"],
        json!({"control": {"axis": "iterations", "named": ["sleep_5ms", "spin_a"]}})
    );
    let curve = &run["curves"][0];
    assert!(curve["sentence"].as_str().is_some_and(|told| told.starts_with(sentence)), "{curve}");
    let ranges = curve["ranges"].as_array().expect("ranges");
    let ranges: Vec<_> =
        ranges.iter().map(|one| (&one["choice"]["entry"], &one["from"], &one["to"])).collect();
    let low = (&json!("spin_a"), &json!(66_000), &json!(132_000));
    let high = (&json!("sleep_5ms"), &json!(26_400_000), &json!(52_800_000));
    assert_eq!(ranges, [low, high]);
}

#[test]
fn the_samples_of_a_curve_are_judged_alike_in_another_program() {
    let sandbox = Sandbox::new();
    sandbox.run(CROSSING).assert().success();
    // A host that is busy with other tests may leave the run undecided: that, too, is judged alike.
    let run = sandbox.exported();
    let sentence = run["curves"][0]["sentence"].as_str().expect("a curve");
    for format in ["json", "csv"] {
        let file = sandbox.path(&format!("run.{format}"));
        let name = file.to_str().expect("UTF-8");
        sandbox.bakeoff(&["export", "--format", format, "--output", name]).assert().success();
        let judged = stdout(&sandbox.bakeoff(&["judge", name]).assert().success());
        let unfolded = judged.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(unfolded.contains(sentence), "{format}: {judged}");
        let told = stdout(&sandbox.bakeoff(&["judge", name, "--format", "json"]).assert().success());
        let told: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!((&told["schema"], told["contests"].as_array().map(Vec::len)), (&json!(3), Some(4)));
        assert_eq!(told["curves"][0]["sentence"], sentence, "{format}");
    }
}

#[test]
fn a_range_of_sizes_is_measured_at_each_of_its_levels() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["copy/std_copy", "copy/posix_layer", "--sizes", "1K..4K,16K", "--rounds", "6"])
        .assert()
        .success();
    let run = sandbox.exported();
    let sizes = |list: &Value, key: &str| -> Vec<u64> {
        list.as_array().expect("a list").iter().filter_map(|one| one.pointer(key)?.as_u64()).collect()
    };
    assert_eq!(sizes(&run["contests"], "/workload/bytes"), [1024, 2048, 4096, 16384]);
    assert_eq!(sizes(&run["curves"][0]["levels"], "/at"), [1024, 2048, 4096, 16384]);
    sandbox.assert_clean();
}

#[test]
fn a_range_of_any_number_is_measured_at_each_of_its_levels() {
    let sandbox = Sandbox::new();
    let range = ["control/spin_a", "control/spin_b", "--set", "iterations=1000..4000,3000", "--rounds", "6"];
    sandbox.run(&range).assert().success();
    let levels = sandbox.exported()["curves"][0]["levels"].clone();
    let at: Vec<u64> =
        levels.as_array().expect("a list").iter().filter_map(|one| one["at"].as_u64()).collect();
    assert_eq!(at, [1000, 2000, 3000, 4000]);
}

#[test]
fn numbers_of_records_are_the_levels_of_one_curve() {
    let sandbox = Sandbox::new();
    let run = ["sort/sort_unstable", "sort/heap_qsort", "--set", "records=1k..4k", "--rounds", "6"];
    let shown = stdout(&sandbox.run(&run).assert().success());
    assert!(unwarned(&shown).starts_with("sort, by records"), "{shown}");
    let run = sandbox.exported();
    let at = |list: &Value, key: &str| -> Vec<u64> {
        list.as_array().expect("a list").iter().filter_map(|one| one.pointer(key)?.as_u64()).collect()
    };
    assert_eq!(run["curves"].as_array().map(Vec::len), Some(1));
    assert_eq!(run["curves"][0]["axis"], json!("records"));
    assert_eq!(at(&run["curves"][0]["levels"], "/at"), [1_000, 2_000, 4_000]);
    assert_eq!(at(&run["contests"], "/workload/bytes"), [64_000, 128_000, 256_000]);
    sandbox.assert_clean();
}

#[test]
fn a_default_run_of_search_plans_its_curve() {
    let sandbox = Sandbox::new();
    let plan = |arguments: &[&str]| stdout(&sandbox.run(arguments).arg("--dry-run").assert().success());
    assert!(plan(&["search"]).contains("in 5 contests"), "{}", plan(&["search"]));
    assert!(
        plan(&["search", "--size", "1MB"]).contains("in 1 contest"),
        "{}",
        plan(&["search", "--size", "1MB"])
    );
}
