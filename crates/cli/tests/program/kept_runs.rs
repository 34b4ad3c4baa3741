//! Runs of other hosts, and this host over time.

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, stdout};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn export(sandbox: &Sandbox) -> String {
    stdout(&sandbox.bakeoff(&["export", "last", "--format", "json"]).assert().success())
}

#[test]
fn an_exported_run_is_imported_once_and_is_then_as_it_was() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    there.ran(&[]);
    let exported = export(&there);
    let file = here.file("run.json", &exported);
    let file = file.to_str().expect("UTF-8");
    let import = || stdout(&here.bakeoff(&["import", file]).assert().success());
    assert!(import().contains(" trials, "), "it was new");
    assert!(import().contains("stored already; nothing was changed"));
    assert_eq!(json(&export(&here)), json(&exported));
}

#[test]
fn a_file_that_is_no_run_changes_nothing() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    there.ran(&[]);
    let exported = export(&there);
    let whole = here.file("whole.json", &exported);
    let changed = exported.replacen("\"complete\": true", "\"complete\": false", 1);
    let nameless = |id: &str| {
        let mut run = json(&exported);
        run["run"]["id"] = id.into();
        run.to_string()
    };
    for (name, text, said) in [
        ("cut.json", exported[..exported.len() / 2].to_owned(), "line"),
        ("other.json", "{\"schema\":2}".to_owned(), "missing"),
        ("foreign.json", "{\"results\":[]}".to_owned(), "foreign.json"),
        ("nameless.json", nameless(""), "identity"),
        ("hostile.json", nameless("../../etc\u{1b}[2J"), "identity"),
    ] {
        let file = here.file(name, &text);
        assert_refused(&mut here.bakeoff(&["import", file.to_str().expect("UTF-8")]), &[said]);
    }
    assert!(!here.store().exists(), "a store was begun");
    here.bakeoff(&["import"]).arg(&whole).assert().success();
    let other = here.file("changed.json", &changed);
    assert_refused(here.bakeoff(&["import"]).arg(&other), &["another run is stored"]);
}

#[test]
fn a_host_is_followed_over_its_runs_and_a_regression_sets_the_exit_code() {
    let sandbox = Sandbox::new();
    sandbox.ran(&["--seed", "1"]);
    let first = json(&export(&sandbox));
    // The same run on other days, each a little faster or slower, and one day twice as slow.
    let on_day = |day: u64, percent: u64| {
        let mut run = first.clone();
        run["run"]["id"] = format!("20991201T0000{day:02}.000Z-00000000").into();
        run["run"]["started"] = format!("2099-12-01T00:00:{day:02}+00:00").into();
        for trial in run["trials"].as_array_mut().expect("trials") {
            for sample in trial["samples"].as_array_mut().expect("samples") {
                let ns = sample["work_ns"].as_u64().expect("a time");
                sample["work_ns"] = (ns * percent / 100).into();
            }
        }
        sandbox.file(&format!("day{day}.json"), &run.to_string())
    };
    let import = |day: u64, percent: u64| {
        sandbox.bakeoff(&["import"]).arg(on_day(day, percent)).assert().success();
    };
    let watch = ["history", "copy", "--fail-on-regression", "5%"];
    for (day, percent) in [(1, 101), (2, 99), (3, 102)] {
        import(day, percent);
    }
    sandbox.bakeoff(&watch).assert().success();
    import(4, 100);
    import(5, 101);
    let steady = stdout(&sandbox.bakeoff(&watch).assert().success());
    assert!(steady.contains("No technique changed over 6 runs."), "{steady}");
    import(6, 200);
    let slower = stdout(&sandbox.bakeoff(&watch).assert().code(1));
    assert!(slower.starts_with("2 techniques slower than 7 runs let one expect."), "{slower}");
    let told = json(&stdout(&sandbox.bakeoff(&["history", "--format", "json"]).assert().success()));
    assert_eq!(told["lines"][0]["course"], "slower");
    assert_refused(&mut sandbox.bakeoff(&["history", "sort"]), &["sort"]);
    assert_refused(&mut sandbox.bakeoff(&["history", "--fail-on-regression", "much"]), &["2%"]);
}
