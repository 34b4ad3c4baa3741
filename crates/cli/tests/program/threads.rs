//! The family `threads`: from a number of threads to what a reader sees.

use serde_json::Value;

use crate::sandbox::{Sandbox, refuse, stdout};

#[test]
fn a_range_of_threads_is_a_curve_with_the_best_number_of_threads_and_what_more_of_them_cost() {
    let sandbox = Sandbox::new();
    let words = ["threads/thread_each", "threads/pool", "--threads", "1..64x4", "--rounds", "8"];
    let small = ["--set", "iterations=20000"];
    let shown = stdout(&sandbox.run(&words).args(small).assert().success());
    for told in ["growth with threads: ", "overhead of threads: "] {
        assert!(shown.contains(told), "{told} is missing:\n{shown}");
    }
    let run = sandbox.exported();
    assert_eq!(run["run"]["design"]["curves"]["threads"]["is_spread"], true);
    let lines = run["curves"][0]["techniques"].as_array().expect("techniques").clone();
    for line in &lines {
        let spread = &line["spread"];
        assert_eq!(spread["overhead"]["at"], 64, "{line}");
    }
    let markdown = sandbox.shown(&["report", "--format", "markdown"]);
    assert!(markdown.contains("- overhead of threads: "), "{markdown}");
    sandbox.assert_clean();
}

#[test]
fn the_parts_of_the_work_can_be_compared_and_the_limits_are_facts() {
    let sandbox = Sandbox::new();
    let words = ["threads/thread_each", "threads/one_thread", "--set", "iterations=20000", "--rounds", "6"];
    sandbox.run(&words).assert().success();
    let by_creation = sandbox.shown(&["report", "--metric", "create_ns"]);
    assert!(by_creation.contains("the time to create the threads"), "{by_creation}");
    let run = sandbox.exported();
    let facts = run["facts"].as_array().expect("facts");
    let has =
        |name: &str| facts.iter().any(|fact: &Value| fact["family"] == "threads" && fact["name"] == name);
    assert!(has("threads created at once") && has("runs out first"), "{facts:?}");
}

#[test]
fn counts_of_threads_that_make_no_sense_are_refused() {
    for (words, said) in [
        (&["--threads", "0"][..], &["--threads 0: ", "a whole number from 1 to 1000000"][..]),
        (&["--threads", "99999999999999999999"], &["--threads 99999", "not a whole number"]),
        (&["--threads", "5000000"], &["from 1 to 1000000"]),
        (&["--threads", "-1"], &["--threads -1: ", "not a whole number"]),
        (&["--set", "threads=0"], &["--set threads=0: ", "from 1 to 1000000"]),
        (&["--threads", "many"], &["not a whole number"]),
        (&["--threads", "8..1"], &["ends before it begins; for example 1..64"]),
        (&["--threads", "64", "--set", "iterations=10"], &["64 threads cannot share them"]),
        (&["--set", "generator=dice"], &["own, c_library"]),
    ] {
        refuse(&[&["threads"], words].concat(), said);
    }
}
