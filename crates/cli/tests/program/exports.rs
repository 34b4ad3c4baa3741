//! What other programs are given.

use std::fs;

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, stdout};

fn export(sandbox: &Sandbox, format: &str) -> String {
    sandbox.shown(&["export", "last", "--format", format])
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// What of the last run's export the schema does not allow.
fn faults(schema: &Value, sandbox: &Sandbox) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("the schema is one");
    let export = sandbox.exported();
    validator.iter_errors(&export).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

#[test]
fn the_json_of_a_run_is_what_its_schema_says() {
    let documented = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema-run-3.json");
    let documented = json(&fs::read_to_string(documented).expect("the schema of a run"));
    let sandbox = Sandbox::new();
    let schema = json(&stdout(&sandbox.bakeoff(&["schema"]).assert().success().stderr("")));
    assert_eq!(schema, documented, "the program prints it");
    assert_refused(&mut sandbox.bakeoff(&["schema", "pages"]), &["pages"]);
    sandbox.ran(&["--cache", "both"]);
    assert_eq!(faults(&schema, &sandbox), Vec::<String>::new());
    let control = ["control/sleep_5ms", "control/sleep_7ms", "control/wrong_answer", "control/crash"];
    sandbox.run(&control).args(["--rounds", "6"]).assert().success();
    assert_eq!(faults(&schema, &sandbox), Vec::<String>::new());
}

#[test]
fn a_table_has_a_header_and_a_line_for_every_sample() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let table = export(&sandbox, "csv");
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    for column in ["family", "workload", "round", "position", "technique", "value", "work_ns", "proof_digest"]
    {
        assert!(header.contains(&column), "{column} is missing: {header:?}");
    }
    let trials = sandbox.exported();
    let trials = trials["trials"].as_array().expect("trials").iter();
    let samples: usize = trials.filter_map(|trial| trial["samples"].as_array()).map(Vec::len).sum();
    assert_eq!(lines.count(), samples);
}

#[test]
fn an_export_is_judged_by_any_metric_that_it_holds() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let sentence = |arguments: &[&str]| {
        let verdict = json(&sandbox.shown(arguments));
        let contest = &verdict["contests"][0];
        assert_eq!(contest["metric"]["key"], "user_ns", "{arguments:?}");
        contest["sentence"].as_str().expect("a sentence").to_owned()
    };
    let expected = sentence(&["report", "--metric", "user", "--format", "json"]);
    for format in ["csv", "json"] {
        let place = sandbox.path(&format!("run.{format}"));
        let file = place.to_str().expect("UTF-8");
        sandbox.bakeoff(&["export", "--format", format, "--output", file]).assert().success();
        let judged = sentence(&["judge", file, "--metric", "user", "--format", "json"]);
        assert_eq!(judged, expected, "{format}");
        let by = ["export", "--format", format, "--metric", "user", "--output", file];
        sandbox.bakeoff(&by).assert().success();
        assert_eq!(sentence(&["judge", file, "--format", "json"]), expected, "{format}, exported by it");
        assert_refused(&mut sandbox.bakeoff(&["judge", file, "--metric", "miles"]), &[file, "miles"]);
    }
    assert_refused(
        &mut sandbox.bakeoff(&["export", "--format", "csv", "--metric", "miles"]),
        &["--metric", "miles", "work"],
    );
    let hyperfine = ["export", "--format", "hyperfine", "--metric", "user"];
    assert_refused(&mut sandbox.bakeoff(&hyperfine), &["--metric", "hyperfine", "times only", "csv"]);
}

#[test]
fn hyperfines_scripts_find_their_keys() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let exported = json(&export(&sandbox, "hyperfine"));
    let results = exported["results"].as_array().expect("results");
    let first =
        results.iter().find(|one| one["command"].as_str().is_some_and(|name| name.contains("std_copy")));
    let first = first.expect("std_copy");
    for key in ["mean", "median", "min", "max", "stddev"] {
        assert!(first[key].as_f64().is_some_and(|seconds| (0.0..60.0).contains(&seconds)), "{key}: {first}");
    }
    assert_eq!(first["times"].as_array().map(Vec::len), Some(7), "round 0 and six more");
    assert_eq!(first["exit_codes"].as_array().map(Vec::len), Some(7));
}

#[test]
fn pyperf_bencher_and_benchstat_are_given_the_figures_of_the_run() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let run = sandbox.exported();
    let contest = &run["contests"][0];
    let names: Vec<&str> = contest["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|one| one["technique"].as_str())
        // The limit leaves after the first look.
        .filter(|name| *name != "memory_copy")
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");

    let pyperf = json(&export(&sandbox, "pyperf"));
    let (bmf, lines) = (json(&export(&sandbox, "bmf")), export(&sandbox, "benchstat"));
    for name in names {
        let is_it = |one: &&Value| one["metadata"]["technique"] == name;
        let of_name = pyperf["benchmarks"].as_array().expect("a list").iter().find(is_it).expect(name);
        assert_eq!(of_name["runs"].as_array().map(Vec::len), Some(6), "round 0 is no run");
        assert_eq!(of_name["runs"][0]["warmups"].as_array().map(Vec::len), Some(1));
        let measure = &bmf[of_name["metadata"]["name"].as_str().expect("a name")]["latency"];
        let [low, value, high] =
            ["lower_value", "value", "upper_value"].map(|key| measure[key].as_f64().expect(key));
        assert!(low <= value && value <= high, "{measure}");
        let samples = lines.lines().filter(|line| line.contains(&format!("/technique={name}")));
        assert_eq!(samples.filter(|line| line.ends_with(" ns/op")).count(), 6, "{lines}");
    }
}

#[test]
fn a_format_that_cannot_hold_the_metric_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let file = sandbox.path("memory.json");
    let memory = ["export", "--format", "pyperf", "--metric", "memory", "--output"];
    sandbox.bakeoff(&memory).arg(&file).assert().success();
    assert_eq!(
        json(&fs::read_to_string(&file).expect("a file"))["benchmarks"][0]["metadata"]["unit"],
        "byte"
    );
    let mut run = sandbox.exported();
    run["run"]["id"] = "20991201T000001.000Z-00000000".into();
    run["run"]["started"] = "2099-12-01T00:00:01Z".into();
    for trial in run["trials"].as_array_mut().expect("trials") {
        for sample in trial["samples"].as_array_mut().expect("samples") {
            sample["values"] = serde_json::json!({ "units_per_second": 2.5 });
        }
    }
    let rates = sandbox.file("rates.json", &run.to_string());
    sandbox.bakeoff(&["import"]).arg(rates).assert().success();
    let by = ["export", "--metric", "units_per_second", "--output", "rates.out", "--format"];
    let nothing = sandbox.path("rates.out");
    let by = |format| sandbox.bakeoff(&by).arg(format).current_dir(sandbox.path("")).assert();
    let refused = by("pyperf").code(2).stdout("");
    assert!(crate::sandbox::stderr(&refused).contains("pyperf has no rates"));
    assert!(!nothing.exists(), "a file was written");
    by("benchstat").success();
    assert!(fs::read_to_string(&nothing).expect("a file").contains(" 2.5 units/s"));
}

#[test]
fn an_export_is_written_whole_into_a_file() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    for format in
        ["json", "csv", "markdown", "asciidoc", "orgmode", "hyperfine", "pyperf", "bmf", "benchstat"]
    {
        let file = sandbox.file("export", "what stood there before");
        let mut command = sandbox.bakeoff(&["export", "--format", format, "--output"]);
        command.arg(&file).assert().success().stdout("").stderr("");
        let written = fs::read_to_string(&file).expect("readable");
        assert_eq!(written.trim_end(), export(&sandbox, format).trim_end(), "{format}");
    }
}

#[test]
fn every_shell_gets_its_completions() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let assert = sandbox.bakeoff(&["completions", shell]).assert().success().stderr("");
        let script = stdout(&assert);
        assert!(script.contains("commands-file") && script.contains("generate"), "{shell}:\n{script}");
    }
}
