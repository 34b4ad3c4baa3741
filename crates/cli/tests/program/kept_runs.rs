//! Runs of other hosts, and what a store shows that holds little.

use std::fs;

use crate::sandbox::{Sandbox, assert_refused, assert_shows, from_json, list, stderr, stdout};

#[test]
fn an_exported_run_is_imported_once_and_is_then_as_it_was() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    there.ran("");
    let exported = there.shown("export last --format json");
    here.file("run.json", &exported);
    let import = ["import", &here.word("run.json")];
    assert_shows(&here.shown(&import), " trials, ");
    assert_shows(&here.shown(&import), "stored already; nothing was changed");
    assert_eq!(here.exported(), from_json(&exported));
    // A run knows the commit that its techniques are built from; without a repository there is none.
    let commit = from_json(&exported)["tool"]["commit"].as_str().map(|commit| format!(" ({commit})"));
    let version = format!("bakeoff {}{}\n", env!("CARGO_PKG_VERSION"), commit.unwrap_or_default());
    assert_eq!(here.shown("--version"), version);
}

#[test]
fn a_file_that_is_no_run_changes_nothing() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    there.ran("");
    let exported = there.shown("export last --format json");
    let whole = here.file("whole.json", &exported);
    let changed = exported.replacen("\"complete\": true", "\"complete\": false", 1);
    let [nameless, hostile, last] = ["", "../../etc\u{1b}[2J", "last"].map(|id| {
        let mut run = from_json(&exported);
        run["run"]["id"] = id.into();
        run.to_string()
    });
    let mut undated = from_json(&exported);
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
        ("nameless.json", nameless, "identity"),
        ("hostile.json", hostile, "identity"),
        ("last.json", last, "identity"),
        ("undated.json", undated.to_string(), "is not a time"),
    ] {
        let file = here.file(name, &text);
        assert_refused(here.bakeoff("import").arg(file), said);
    }
    fs::write(here.path("latin.json"), b"{\"schema\": \"\xe9\"}").expect("a file");
    assert_refused(here.bakeoff("import").arg(here.path("latin.json")), "latin.json | byte 13 is not UTF-8");
    assert_refused(here.bakeoff("import").arg(here.dir()), "dir | cannot be imported");
    assert_refused(here.bakeoff("import").arg(here.path("absent.json")), "absent.json");
    // A hole, which takes no space here; it is not read at all.
    let huge = fs::File::create(here.path("huge.json")).expect("a file");
    huge.set_len((512 << 20) + 1).expect("a length");
    assert_refused(here.bakeoff("import").arg(here.path("huge.json")), "huge.json | 512 MiB");
    assert!(!here.store().exists(), "a store was begun");
    let other = here.file("changed.json", &changed);
    // Two of one identity, neither of which is stored.
    let two = "changed.json: run | named twice, with other contents | leave this file out";
    assert_refused(here.bakeoff("import").args([&whole, &other]), two);
    let twice = here.bakeoff("import").args([&whole, &whole]).assert().success();
    assert_shows(&stdout(&twice), "stored already");
    // A file before a bad one in the list is not stored either.
    there.ran("");
    let next = here.file("next.json", &there.shown("export last --format json"));
    assert_refused(
        here.bakeoff("import").args([&next, &other]),
        "changed.json: run | is stored | other contents",
    );
    assert_eq!(list(&here.json("report --list")).len(), 1);
}

/// Returns every page and export of the last run.
fn pages() -> Vec<String> {
    let exports = ["json", "csv", "markdown", "hyperfine", "pyperf", "bmf", "benchstat"];
    let reports = ["text", "markdown", "json", "html"]
        .into_iter()
        .flat_map(|format| ["report", "history"].map(|command| format!("{command} --format {format}")));
    reports.chain(exports.map(|format| format!("export --format {format}"))).collect()
}

#[test]
fn a_store_without_a_run_says_so() {
    let sandbox = Sandbox::new();
    store::Sqlite::open(sandbox.store()).expect("an empty store");
    for page in pages().iter().filter(|page| !page.starts_with("history")) {
        assert_refused(&mut sandbox.bakeoff(page), "no run is stored there yet");
    }
    assert_refused(&mut sandbox.bakeoff("compare last last"), "no run is stored there yet");
    assert_refused(&mut sandbox.bakeoff("history copy"), "copy");
    for page in ["history", "report --list"] {
        sandbox.bakeoff(page).assert().success().stderr("");
    }
}

#[test]
fn a_run_of_only_failures_has_pages_and_no_samples_elsewhere() {
    let sandbox = Sandbox::new();
    // The run is kept all the same.
    let assert = sandbox.run("control/wrong_answer control/crash --rounds 3").assert().code(2);
    let last = stderr(&assert).lines().last().expect("a sentence").to_owned();
    assert_shows(&last, "nothing was measured: every technique failed; the first was ");
    sandbox.assert_clean();
    for page in pages() {
        if ["pyperf", "bmf", "benchstat"].iter().any(|format| page.ends_with(format)) {
            let why = "nothing can be exported | no technique of this run has a sample";
            assert_refused(&mut sandbox.bakeoff(&page), why);
        } else {
            sandbox.bakeoff(&page).assert().success().stderr("");
        }
    }
    assert_shows(&sandbox.shown("report"), "wrong_answer | crash | failed");
}

#[test]
fn a_run_of_one_sample_has_every_page_and_every_export() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    sandbox.import_as_latest(|run| {
        let trials = run["trials"].as_array_mut().expect("trials");
        trials.truncate(1);
        trials[0]["samples"].as_array_mut().expect("samples").truncate(1);
    });
    for page in pages() {
        let shown = sandbox.shown(&page);
        assert!(!shown.contains("NaN") && !shown.contains("inf "), "{page}: {shown}");
    }
}

#[test]
fn runs_without_a_common_contest_are_compared_in_a_sentence() {
    let sandbox = Sandbox::new();
    sandbox.measured("control/sleep_5ms --rounds 3");
    let first = sandbox.last_id();
    sandbox.ran("");
    for format in ["text", "markdown", "json", "html"] {
        let command = ["compare", &first, "last", "--format", format];
        let assert = sandbox.bakeoff(&command).assert().success().stderr("");
        assert!(!stdout(&assert).trim().is_empty(), "{format}");
    }
    assert_shows(&sandbox.shown(&["compare", &first, "last"]), "no contest in common");
}
