//! The shape, against the schema that Bencher publishes.

use model::Sample;

use super::*;
use crate::fixture::{judged, record};

fn document(record: &Record, decided: &Decided) -> Value {
    let text = export(record, decided).text.expect("entries");
    serde_json::from_str(&text).expect("JSON")
}

/// What a document must be, after "Bencher Metric Format (BMF) JSON Schema" in Bencher's reference, and without further keys.
fn schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema",
        "type": "object",
        "patternProperties": { ".+": {
            "type": "object",
            "patternProperties": { ".+": {
                "type": "object",
                "properties": {
                    "value": { "type": "number" }, "lower_value": { "type": "number" }, "upper_value": { "type": "number" },
                },
                "required": ["value"],
                "additionalProperties": false,
            } },
        } },
    })
}

#[test]
fn a_run_is_the_median_of_each_entry_with_its_quartiles() {
    let text = export(&record(), &judged()).text.expect("entries");
    insta::assert_snapshot!(text);
    let validator = jsonschema::validator_for(&schema()).expect("a schema");
    let document = serde_json::from_str(&text).expect("JSON");
    let faults: Vec<String> = validator.iter_errors(&document).map(|fault| fault.to_string()).collect();
    assert_eq!(faults, Vec::<String>::new());
    assert!(!validator.is_valid(&json!({ "a": { "latency": { "value": "1" } } })));
}

#[test]
fn quartiles_leave_out_the_middle_and_one_sample_has_none() {
    let metric = |record: &Record| {
        let document = document(record, &judged());
        document["copy/read_write@256K 25.6MB warm returned"]["latency"].clone()
    };
    let (mut one, mut three) = (record(), record());
    one.trials[0].samples.truncate(2);
    assert_eq!(metric(&one), json!({ "value": 7e6 }));
    let last = three.trials[0].samples[2].clone();
    three.trials[0].samples.push(Sample { round: 3, process_ns: Some(16_000_000), ..last });
    assert_eq!(metric(&three), json!({ "value": 7e6, "lower_value": 6e6, "upper_value": 16e6 }));
}

#[test]
fn measures_are_benchers_own_or_called_after_the_metric() {
    for (metric, measure) in [
        (Metric::WORK, "latency"),
        (Metric::PROCESS, "latency"),
        (Metric::MEMORY, "peak-memory-bytes"),
        (Metric::USER, "user-ns"),
        (Metric::more("units_per_second", "units"), "throughput"),
    ] {
        let (mut record, mut decided) = (record(), judged());
        record.trials[0].samples.iter_mut().for_each(|sample| {
            sample.values.insert("units_per_second".into(), 2.5);
        });
        decided.rankings[0].metric = metric;
        let document = document(&record, &decided);
        let entry = &document["copy/read_write@256K 25.6MB warm returned"];
        assert!(entry.get(measure).is_some(), "{measure}: {entry}");
    }
}

#[test]
fn what_bencher_would_take_otherwise_is_skipped() {
    for (workload, reason) in [("a".repeat(1025), "1024 characters"), ("b-bencher-ignore".into(), "meaning")]
    {
        let (mut record, mut decided) = (record(), judged());
        for trial in &mut record.trials {
            trial.workload.name.clone_from(&workload);
            trial.setting.conditions.cache = None;
            trial.setting.conditions.durability = None;
        }
        decided.rankings[0].workload.name = workload;
        decided.rankings[0].setting = record.trials[0].setting.clone();
        let refused = export(&record, &decided);
        assert_eq!(refused.text, None);
        assert!(refused.skipped.iter().all(|sentence| sentence.contains(reason)), "{:?}", refused.skipped);
        assert!(refused.skipped.iter().all(|sentence| sentence.len() < 200), "{:?}", refused.skipped);
    }
}
