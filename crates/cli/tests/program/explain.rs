//! `bakeoff explain`.

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, stderr, stdout};

/// `bakeoff explain` in the directory of the sandbox.
fn explain(sandbox: &Sandbox, arguments: &[&str]) -> crate::sandbox::Program {
    let mut command = sandbox.bakeoff(&["explain", "--dir"]);
    command.arg(sandbox.dir()).args(arguments);
    command
}

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let assert = explain(sandbox, arguments).args(["--format", "json"]).assert().success();
    serde_json::from_str(&stdout(&assert)).expect("JSON")
}

#[test]
fn what_a_technique_does_is_told_in_every_format_and_nothing_is_left_behind() {
    let sandbox = Sandbox::new();
    let named = ["copy/std_copy", "copy/posix_layer", "--size", "64K"];
    let shown = stdout(&explain(&sandbox, &named).assert().success());
    for word in ["copy, 64 KiB: How do I copy a file?", "std_copy", "posix_layer", "technique"] {
        assert!(shown.contains(word), "'{word}' is missing:\n{shown}");
    }
    let markdown = stdout(&explain(&sandbox, &named).args(["--format", "markdown"]).assert().success());
    assert!(markdown.contains("| `posix_layer`"), "{markdown}");
    let told = json(&sandbox, &named);
    let techniques = told["families"][0]["techniques"].as_array().expect("techniques");
    let names: Vec<&str> = techniques.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["std_copy", "posix_layer"]);
    for technique in techniques {
        let account = &technique["account"];
        // What cannot be seen has a sentence that says so.
        assert!(account["calls"].is_array() != account["unseen"].is_string(), "{technique}");
    }
    sandbox.assert_untouched();
}

#[test]
fn a_family_alone_means_its_leader_and_baseline_or_all() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let run = sandbox.exported();
    let leader = run["contests"][0]["leader"].as_str().expect("a leader");
    let told = json(&sandbox, &["copy", "--size", "64K"]);
    let family = &told["families"][0];
    let techniques = family["techniques"].as_array().expect("techniques");
    assert_eq!(techniques[0]["name"], leader);
    assert_eq!(techniques[0]["is_leader"], true);
    assert!(techniques.len() <= 2 && techniques.iter().any(|one| one["is_baseline"] == true), "{family}");
    assert!(
        family["leader_of"]
            .as_str()
            .is_some_and(|text| text.contains(run["run"]["id"].as_str().expect("an id")))
    );
    let other = Sandbox::new();
    let assert = explain(&other, &["clock", "--format", "json"]).assert().success();
    assert!(stderr(&assert).contains("no run of clock that is kept has a leader"), "{}", stderr(&assert));
    let told: Value = serde_json::from_str(&stdout(&assert)).expect("JSON");
    let techniques = told["families"][0]["techniques"].as_array().expect("techniques");
    assert!(techniques.len() > 2, "{told}");
}

#[test]
fn the_leader_is_the_one_at_the_level_that_is_explained() {
    let sandbox = Sandbox::new();
    let run = ["run", "threads/pool", "threads/thread_each", "--threads", "1,64", "--rounds", "3"];
    let mut command = sandbox.bakeoff(&[]);
    command.args(run);
    command.args(["--set", "iterations=10000", "--dir"]).arg(sandbox.dir()).assert().success();
    let at = |arguments: &[&str]| {
        let told = json(&sandbox, &[&["threads", "--set", "iterations=10000"], arguments].concat());
        told["families"][0]["leader_of"].as_str().expect("a leader").to_owned()
    };
    assert!(at(&[]).contains(" threads=64 "), "{}", at(&[]));
    let one = at(&["--set", "threads=1"]);
    assert!(one.contains(" threads=1 "), "{one}");
    let nearer_to_one = at(&["--set", "threads=3"]);
    assert!(nearer_to_one.contains(" threads=1 "), "{nearer_to_one}");
}

#[test]
fn a_workload_is_chosen_as_a_run_chooses_it_and_told_in_the_first_line() {
    let sandbox = Sandbox::new();
    let first_line = |arguments: &[&str]| {
        let shown = stdout(&explain(&sandbox, arguments).assert().success());
        shown.lines().next().unwrap_or_default().to_owned()
    };
    let usual = first_line(&["blocks/plain"]);
    assert!(usual.starts_with("blocks, write 8 MiB ("), "{usual}");
    let read = first_line(&["blocks/plain", "--set", "work=read", "--set", "total_bytes=64K"]);
    assert!(read.contains("total 64 KiB") && read.contains("work read") && !read.contains('='), "{read}");
    let published = ["blocks/plain", "--preset", "published", "--workload", "write 8 MiB in pieces of 2 KiB"];
    let with_passes = [&published[..], &["--set", "passes=1"]].concat();
    let told = first_line(&with_passes);
    assert!(told.contains("piece 2 KiB") && told.contains("1 pass,"), "{told}");
    sandbox.assert_untouched();
}

#[test]
fn a_technique_that_fails_is_told_and_the_exit_code_says_so() {
    let sandbox = Sandbox::new();
    let assert = explain(&sandbox, &["control/wrong_answer", "--format", "json"]).assert().code(1);
    let told: Value = serde_json::from_str(&stdout(&assert)).expect("JSON");
    let failed = &told["families"][0]["techniques"][0];
    assert!(failed["failure"].as_str().is_some_and(|reason| reason.contains("instead of")), "{failed}");
    assert!(failed["account"].is_null());
    sandbox.assert_untouched();
}

#[test]
fn names_sizes_and_places_that_do_not_exist_are_refused_in_one_line() {
    let sandbox = Sandbox::new();
    for (arguments, words) in [
        (&["cpoy"][..], &["no family is called 'cpoy'", "did you mean 'copy'"][..]),
        (&["copy/presised"], &["presised", "did you mean 'presized'"]),
        (&["clock", "--size", "1K"], &["clock has no size"]),
        (&[], &["FAMILY"]),
        (&["clock", "--workload", "noon"], &["--workload noon: clock has no such workload", "it has "]),
        (&["pipeline", "--set", "units=20KB"], &["a unit of bytes stands"]),
    ] {
        assert_refused(&mut explain(&sandbox, arguments), words);
    }
    assert_refused(&mut sandbox.bakeoff(&["explain", "copy", "--dir", "/no/such"]), &["--dir /no/such"]);
    sandbox.assert_untouched();
}
