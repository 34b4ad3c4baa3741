//! `bakeoff explain`.

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, assert_shows, from_json, list, stderr, stdout, text};

fn json(sandbox: &Sandbox, arguments: &str) -> Value {
    let mut command = sandbox.in_dir("explain", arguments);
    from_json(&stdout(&command.args(["--format", "json"]).assert().success()))
}

#[test]
fn what_a_technique_does_is_shown_in_every_format() {
    let sandbox = Sandbox::new();
    let named = "copy/std_copy copy/posix_layer --size 64K";
    let shown = stdout(&sandbox.in_dir("explain", named).assert().success());
    assert_shows(&shown, "copy, 64 KiB: How do I copy a file? | std_copy | posix_layer | technique");
    let markdown = sandbox.in_dir("explain", named).args(["--format", "markdown"]).assert().success();
    assert_shows(&stdout(&markdown), "| `posix_layer`");
    let page = json(&sandbox, named);
    let techniques = list(&page["families"][0]["techniques"]);
    let names: Vec<&str> = techniques.iter().map(|one| text(&one["name"])).collect();
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
    sandbox.ran("");
    let run = sandbox.exported();
    let page = json(&sandbox, "copy --size 64K");
    let family = &page["families"][0];
    let techniques = list(&family["techniques"]);
    assert_eq!(
        (&techniques[0]["name"], &techniques[0]["is_leader"]),
        (&run["contests"][0]["leader"], &true.into())
    );
    assert!(techniques.len() <= 2 && techniques.iter().any(|one| one["is_baseline"] == true), "{family}");
    assert_shows(text(&family["leader_of"]), text(&run["run"]["id"]));
    // Where the baseline leads, the next one is compared with it.
    assert!(techniques.len() == 1 || family["why"].is_string(), "{family}");
    let assert = Sandbox::new().in_dir("explain", "clock --format json").assert().success();
    assert_shows(&stderr(&assert), "no run of clock that is kept has a leader");
    let page = from_json(&stdout(&assert));
    assert!(list(&page["families"][0]["techniques"]).len() > 2, "{page}");
}

#[test]
fn the_leader_is_the_one_at_the_level_that_is_explained() {
    let sandbox = Sandbox::new();
    let few = "--set iterations=10000";
    sandbox.measured(&format!("threads/pool threads/thread_each --threads 1,64 --rounds 3 {few}"));
    for (level, leader_of) in
        [("", " threads=64 "), ("--set threads=1", " threads=1 "), ("--set threads=3", " threads=1 ")]
    {
        let page = json(&sandbox, &format!("threads {few} {level}"));
        assert_shows(text(&page["families"][0]["leader_of"]), leader_of);
    }
}

#[test]
fn a_workload_is_chosen_as_a_run_chooses_it() {
    let sandbox = Sandbox::new();
    let first_line = |arguments: &str| {
        let shown = stdout(&sandbox.in_dir("explain", arguments).assert().success());
        shown.lines().next().unwrap_or_default().to_owned()
    };
    let usual = first_line("blocks/plain");
    assert!(usual.starts_with("blocks, write 8 MiB ("), "{usual}");
    let read = first_line("blocks/plain --set work=read --set total_bytes=64K");
    assert!(read.contains("total 64 KiB") && read.contains("work read") && !read.contains('='), "{read}");
    let published =
        "blocks/plain --preset published --workload 'write 8 MiB in pieces of 2 KiB' --set passes=1";
    assert_shows(&first_line(published), "piece 2 KiB | 1 pass,");
    // A pattern is a text.
    assert_shows(&first_line("search/sequential --size 64K --set pattern=1,2"), "pattern 1,2");
    sandbox.assert_untouched();
}

#[test]
fn a_technique_that_fails_is_shown_and_the_exit_code_says_so() {
    let sandbox = Sandbox::new();
    let assert = sandbox.in_dir("explain", "control/wrong_answer --format json").assert().code(1);
    let page = from_json(&stdout(&assert));
    let failed = &page["families"][0]["techniques"][0];
    assert_shows(text(&failed["failure"]), "instead of");
    assert!(failed["account"].is_null());
    sandbox.assert_untouched();
}

#[test]
fn what_cannot_be_explained_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    for (arguments, words) in [
        ("cpoy", "no family is called 'cpoy' | did you mean 'copy'"),
        ("copy/presised", "presised | did you mean 'presized'"),
        ("clock --size 1K", "clock has no size"),
        ("", "FAMILY"),
        ("clock --workload noon", "--workload noon: clock has no such workload | it has "),
        ("pipeline --set units=20KB", "a unit of bytes stands"),
        ("pipeline --set threads=1,2", "one workload is done at a time | --set threads=1"),
        ("pipeline --set threads=1 --set threads=2", "one workload is done at a time | --set threads=1"),
        ("pipeline --set threads=,", "threads"),
    ] {
        assert_refused(&mut sandbox.in_dir("explain", arguments), words);
    }
    assert_refused(&mut sandbox.bakeoff("explain copy --dir /no/such"), "--dir /no/such");
    sandbox.assert_untouched();
}
