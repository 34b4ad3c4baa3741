//! Several sizes in one run: the levels of a curve.

use std::fs;
use std::sync::OnceLock;

use serde_json::json;

use crate::sandbox::{Sandbox, assert_shows, list, measured, text, unfolded};

/// A loop that grows with its level against a sleep that does not: they are far apart at every level.
const CROSSING: &str =
    "control/spin_a control/sleep_5ms --set iterations=66000,132000,26400000,52800000 --rounds 20";
const SENTENCE: &str = "Use spin_a at 66000 and 132000 iterations";

/// Returns a store of its own with a run of them that is sure, which is measured once for all tests.
pub(crate) fn crossing() -> Sandbox {
    static MEASURED: OnceLock<Vec<u8>> = OnceLock::new();
    // A host that is busy with other tests may leave the first run undecided.
    let mut attempts = (0..3).map(|_| Sandbox::new());
    let store = MEASURED.get_or_init(|| {
        let sure = attempts.find(|sandbox| unfolded(&sandbox.measured(CROSSING)).contains(SENTENCE));
        fs::read(sure.expect("a run that is sure").store()).expect("a store in one file")
    });
    let sandbox = Sandbox::new();
    fs::write(sandbox.store(), store).expect("written");
    sandbox
}

#[test]
fn where_two_techniques_change_places_is_shown_in_every_form() {
    let sandbox = crossing();
    let shown = sandbox.shown("report");
    assert!(!shown.contains("slower by  "), "the contests of the levels are for those who ask: {shown}");
    let markdown = sandbox.shown("report --format markdown");
    assert!(markdown.contains("| iterations | `spin_a` | `sleep_5ms` |"), "{markdown}");
    let run = sandbox.exported();
    assert_eq!(
        run["run"]["design"]["curves"],
        json!({"control": {"axis": "iterations", "named": ["sleep_5ms", "spin_a"]}})
    );
    let curve = &run["curves"][0];
    assert!(curve["sentence"].as_str().is_some_and(|said| said.starts_with(SENTENCE)), "{curve}");
    let ranges: Vec<_> = list(&curve["ranges"])
        .iter()
        .map(|one| (&one["choice"]["entry"], &one["from"], &one["to"]))
        .collect();
    let low = (&json!("spin_a"), &json!(66_000), &json!(132_000));
    let high = (&json!("sleep_5ms"), &json!(26_400_000), &json!(52_800_000));
    assert_eq!(ranges, [low, high]);
}

#[test]
fn a_range_is_measured_at_each_of_its_levels() {
    for (arguments, axis, levels, bytes) in [
        ("copy/std_copy copy/posix_layer --sizes 1K..4K,16K", "bytes", [1024, 2048, 4096, 16384], 1),
        (
            "control/spin_a control/spin_b --set iterations=1000..4000,3000",
            "iterations",
            [1000, 2000, 3000, 4000],
            0,
        ),
        (
            "sort/sort_unstable sort/heap_qsort --set records=1k..4k,3k",
            "records",
            [1000, 2000, 3000, 4000],
            64,
        ),
    ] {
        let run = measured(&format!("{arguments} --rounds 6"));
        let [curve] = list(&run["curves"]) else { panic!("{}", run["curves"]) };
        let at: Vec<u64> = list(&curve["levels"]).iter().filter_map(|level| level["at"].as_u64()).collect();
        assert_eq!((text(&curve["axis"]), &at[..]), (axis, &levels[..]));
        if bytes > 0 {
            let contests = list(&run["contests"]).iter();
            let mut measured: Vec<_> = contests.filter_map(|one| one["workload"]["bytes"].as_u64()).collect();
            measured.sort_unstable();
            assert_eq!(measured, levels.map(|level| level * bytes), "{axis}");
        }
    }
    let sandbox = Sandbox::new();
    assert_shows(&sandbox.measured("search --dry-run"), "in 5 contests");
    assert_shows(&sandbox.measured("search --size 1MB --dry-run"), "in 1 contest");
}
