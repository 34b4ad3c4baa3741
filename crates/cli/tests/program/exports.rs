//! What other programs are given.

use std::fs;

use predicates::prelude::*;
use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, assert_shows, from_json};

/// Returns what of the last run's export the schema does not allow.
fn faults(schema: &Value, sandbox: &Sandbox) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("the schema is one");
    let export = sandbox.exported();
    validator.iter_errors(&export).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

#[test]
fn the_json_of_a_run_is_what_its_schema_says() {
    let documented = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema-run-3.json");
    let documented = from_json(&fs::read_to_string(documented).expect("the schema of a run"));
    let sandbox = Sandbox::new();
    let schema = from_json(&sandbox.shown("schema"));
    assert_eq!(schema, documented, "the program prints it");
    assert_refused(&mut sandbox.bakeoff("schema pages"), "pages");
    sandbox.ran("--cache both");
    assert_eq!(faults(&schema, &sandbox), Vec::<String>::new());
    let control = "control/sleep_5ms control/sleep_7ms control/wrong_answer control/crash --rounds 6";
    sandbox.measured(control);
    assert_eq!(faults(&schema, &sandbox), Vec::<String>::new());
}

#[test]
fn a_format_that_cannot_hold_the_metric_writes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    sandbox.import_as_latest(|run| {
        for trial in run["trials"].as_array_mut().expect("trials") {
            for sample in trial["samples"].as_array_mut().expect("samples") {
                sample["values"] = serde_json::json!({ "units_per_second": 2.5 });
            }
        }
    });
    let file = sandbox.path("rates.out");
    let mut by = sandbox.bakeoff("export --metric units_per_second --format pyperf --output");
    by.arg(&file).assert().code(2).stdout("").stderr(predicate::str::contains("pyperf has no rates"));
    assert!(!file.exists(), "a file was written");
    let mut by = sandbox.bakeoff("export --metric units_per_second --format benchstat --output");
    by.arg(&file).assert().success();
    assert_shows(&fs::read_to_string(&file).expect("a file"), " 2.5 units/s");
}

#[test]
fn an_export_is_written_whole_into_a_file() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    for format in
        ["json", "csv", "markdown", "asciidoc", "orgmode", "hyperfine", "pyperf", "bmf", "benchstat"]
    {
        let file = sandbox.file("export", "what stood there before");
        let mut command = sandbox.bakeoff(&["export", "--format", format, "--output"]);
        command.arg(&file).assert().success().stdout("").stderr("");
        let written = fs::read_to_string(&file).expect("readable");
        let printed = sandbox.shown(&["export", "last", "--format", format]);
        assert_eq!(written.trim_end(), printed.trim_end(), "{format}");
    }
    let nowhere = sandbox.path("absent").join("run.json");
    let mut command = sandbox.bakeoff("export last --format json --output");
    assert_refused(command.arg(&nowhere), "run.json | cannot be written");
}
