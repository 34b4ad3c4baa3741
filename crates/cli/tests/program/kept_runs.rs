//! Runs of other hosts, and what a store shows that holds little.

use std::fs;

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, stdout};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn an_exported_run_is_imported_once_and_is_then_as_it_was() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    there.ran(&[]);
    let exported = there.shown(&["export", "last", "--format", "json"]);
    let file = here.file("run.json", &exported);
    let file = file.to_str().expect("UTF-8");
    let import = || stdout(&here.bakeoff(&["import", file]).assert().success());
    assert!(import().contains(" trials, "), "it was new");
    assert!(import().contains("stored already; nothing was changed"));
    assert_eq!(here.exported(), json(&exported));
}

#[test]
fn a_run_that_is_imported_is_the_last_only_where_it_began_last() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let mut run = sandbox.exported();
    let here = run["run"]["id"].as_str().expect("a name").to_owned();
    for (id, started, last) in [
        // Its local time is the greatest.
        ("earlier", "2001-01-01T23:59:59+14:00", here.as_str()),
        ("later", "2999-01-01T00:00:00-12:00", "later"),
    ] {
        run["run"]["id"] = id.into();
        run["run"]["started"] = started.into();
        sandbox.bakeoff(&["import"]).arg(sandbox.file("run.json", &run.to_string())).assert().success();
        for name in ["last", "latest"] {
            assert_eq!(sandbox.json(&["export", name])["run"]["id"], last, "{name} after {id}");
        }
    }
}

#[test]
fn a_run_tells_the_commit_that_its_techniques_are_built_from() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let run = sandbox.exported();
    let version = sandbox.shown(&["--version"]);
    match run["tool"]["commit"].as_str() {
        Some(commit) => assert_eq!(version, format!("bakeoff {} ({commit})\n", env!("CARGO_PKG_VERSION"))),
        // Not built in a repository.
        None => assert_eq!(version, format!("bakeoff {}\n", env!("CARGO_PKG_VERSION"))),
    }
}

#[test]
fn a_file_that_is_no_run_changes_nothing() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    there.ran(&[]);
    let exported = there.shown(&["export", "last", "--format", "json"]);
    let whole = here.file("whole.json", &exported);
    let changed = exported.replacen("\"complete\": true", "\"complete\": false", 1);
    let nameless = |id: &str| {
        let mut run = json(&exported);
        run["run"]["id"] = id.into();
        run.to_string()
    };
    let mut undated = json(&exported);
    undated["run"]["started"] = "not a date".into();
    for (name, text, said) in [
        ("cut.json", exported[..exported.len() / 2].to_owned(), "line"),
        ("other.json", "{\"schema\":2}".to_owned(), "missing"),
        ("foreign.json", "{\"results\":[]}".to_owned(), "foreign.json"),
        ("empty.json", String::new(), "begin with '{'"),
        ("blank.json", " \n\t\n".to_owned(), "begin with '{'"),
        ("list.json", format!("[{exported}]"), "begin with '{'"),
        ("table.csv", "round,technique,value\n0,a,1\n".to_owned(), "begin with '{'"),
        ("deep.json", "{\"a\":".repeat(1_000_000), "EOF"),
        ("deep-list.json", format!("{{\"schema\":2,\"trials\":{}", "[".repeat(1_000_000)), "line 1"),
        ("twice.json", exported.replacen("\"schema\": 3", "\"schema\": 3, \"schema\": 3", 1), "duplicate"),
        ("newer.json", exported.replacen("\"schema\": 3", "\"schema\": 99", 1), "99"),
        ("number.json", exported.replacen("\"round\": 0", "\"round\": 1e999", 1), "number"),
        ("negative.json", exported.replacen("\"round\": 0", "\"round\": -1", 1), "-1"),
        ("tail.json", format!("{exported}{exported}"), "trailing"),
        ("nameless.json", nameless(""), "identity"),
        ("hostile.json", nameless("../../etc\u{1b}[2J"), "identity"),
        ("last.json", nameless("last"), "identity"),
        ("undated.json", undated.to_string(), "is no time"),
    ] {
        let file = here.file(name, &text);
        assert_refused(&mut here.bakeoff(&["import", file.to_str().expect("UTF-8")]), &[said]);
    }
    fs::write(here.path("latin.json"), b"{\"schema\": \"\xe9\"}").expect("a file");
    assert_refused(
        here.bakeoff(&["import"]).arg(here.path("latin.json")),
        &["latin.json", "byte 13 is no UTF-8"],
    );
    assert_refused(here.bakeoff(&["import"]).arg(here.dir()), &["dir", "cannot be imported"]);
    assert_refused(here.bakeoff(&["import"]).arg(here.path("absent.json")), &["absent.json"]);
    // A hole, which takes no space here; it is not read at all.
    let huge = fs::File::create(here.path("huge.json")).expect("a file");
    huge.set_len((512 << 20) + 1).expect("a length");
    assert_refused(here.bakeoff(&["import"]).arg(here.path("huge.json")), &["huge.json", "512 MiB"]);
    assert!(!here.store().exists(), "a store was begun");
    here.bakeoff(&["import"]).arg(&whole).assert().success();
    let other = here.file("changed.json", &changed);
    assert_refused(here.bakeoff(&["import"]).arg(&other), &["another run is stored"]);
}

/// Every page and export of the last run, and how each ends.
fn pages() -> Vec<Vec<&'static str>> {
    let exports = ["json", "csv", "markdown", "hyperfine", "pyperf", "bmf", "benchstat"];
    let of_format = |format| [vec!["report", "--format", format], vec!["history", "--format", format]];
    let reports = ["text", "markdown", "json", "html"].into_iter().flat_map(of_format);
    reports.chain(exports.into_iter().map(|format| vec!["export", "--format", format])).collect()
}

#[test]
fn a_store_without_a_run_says_so() {
    let sandbox = Sandbox::new();
    store::Sqlite::open(sandbox.store()).expect("an empty store");
    for page in pages().iter().filter(|page| page[0] != "history") {
        assert_refused(&mut sandbox.bakeoff(page), &["no run is stored there yet"]);
    }
    assert_refused(&mut sandbox.bakeoff(&["compare", "last", "last"]), &["no run is stored there yet"]);
    sandbox.bakeoff(&["history"]).assert().success().stderr("");
    assert_refused(&mut sandbox.bakeoff(&["history", "copy"]), &["copy"]);
    sandbox.bakeoff(&["report", "--list"]).assert().success().stderr("");
}

#[test]
fn a_run_of_only_failures_has_pages_and_its_samples_have_no_place_elsewhere() {
    let sandbox = Sandbox::new();
    let broken = ["control/wrong_answer", "control/crash", "--rounds", "3"];
    // The run is kept all the same.
    sandbox.run(&broken).assert().code(2);
    for page in pages() {
        let mut command = sandbox.bakeoff(&page);
        match page[..] {
            ["export", _, "pyperf" | "bmf" | "benchstat"] => {
                assert_refused(
                    &mut command,
                    &["nothing can be exported", "no technique of this run has a sample"],
                );
            }
            _ => drop(command.assert().success().stderr("")),
        }
    }
    let told = sandbox.shown(&["report"]);
    assert!(told.contains("wrong_answer") && told.contains("crash"), "{told}");
}

#[test]
fn a_run_of_one_sample_has_every_page_and_every_export() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let mut run = sandbox.exported();
    run["run"]["id"] = "20991201T000001.000Z-00000000".into();
    let trials = run["trials"].as_array_mut().expect("trials");
    trials.truncate(1);
    trials[0]["samples"].as_array_mut().expect("samples").truncate(1);
    let file = sandbox.file("one.json", &run.to_string());
    sandbox.bakeoff(&["import"]).arg(file).assert().success();
    for page in pages() {
        let told = sandbox.shown(&page);
        assert!(!told.contains("NaN") && !told.contains("inf "), "{page:?}: {told}");
    }
}

#[test]
fn runs_that_have_nothing_in_common_are_compared_in_a_sentence() {
    let sandbox = Sandbox::new();
    sandbox.run(&["control/sleep_5ms", "--rounds", "3"]).assert().success();
    let first = sandbox.exported()["run"]["id"].as_str().expect("an identity").to_owned();
    sandbox.ran(&[]);
    for format in ["text", "markdown", "json", "html"] {
        let command = ["compare", &first, "last", "--format", format];
        let told = stdout(&sandbox.bakeoff(&command).assert().success().stderr(""));
        assert!(!told.trim().is_empty(), "{format}");
    }
    let told = sandbox.shown(&["compare", &first, "last"]);
    assert!(told.contains("no contest in common") || told.contains("nothing in common"), "{told}");
}
