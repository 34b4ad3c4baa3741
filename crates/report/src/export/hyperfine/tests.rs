//! The shape, field by field, and its statistics on figures worked by hand.

use super::*;
use crate::fixture::record;

#[test]
fn an_entry_has_the_fields_of_hyperfine_in_seconds() {
    let export = results(&record(), &Typed::default());
    let expected = json!({
        "command": "copy/read_write@256K 25.6MB warm returned",
        "mean": 0.006, "stddev": 0.001, "median": 0.006, "user": 0.002, "system": 0.004,
        "min": 0.005, "max": 0.007, "times": [0.005, 0.007, 0.006],
        "memory_usage_byte": [2_500_000, 2_500_000, 2_500_000], "exit_codes": [0, 0, 0],
        "parameters": {"attempt": "0", "cache": "warm", "directory": ".", "durability": "returned", "family": "copy",
                       "technique": "read_write@256K", "workload": "25.6MB"},
    });
    let entry = &export["results"][0];
    for (key, value) in expected.as_object().expect("an object") {
        match (entry[key].as_f64(), value.as_f64()) {
            (Some(found), Some(value)) => assert!((found - value).abs() < 1e-12, "{key}: {found}"),
            _ => assert_eq!(&entry[key], value, "{key}"),
        }
    }
    assert_eq!(entry.as_object().map(|entry| entry.len()), Some(12));
}

#[test]
fn a_single_run_has_no_deviation_and_unknown_is_not_zero() {
    let export = results(&record(), &Typed::default());
    let results = export["results"].as_array().expect("a list");
    assert_eq!(results.len(), 3, "a technique without samples has no entry");
    let command = &results[2];
    assert_eq!((&command["times"], &command["exit_codes"]), (&json!([0.009]), &json!([0])));
    for key in ["stddev", "user", "system"] {
        assert_eq!(command.get(key), Some(&Value::Null), "{key}");
    }
    assert_eq!(command.get("memory_usage_byte"), None);
    assert_eq!(command["parameters"]["kind"], json!("command"));
}

#[test]
fn the_median_of_an_even_number_lies_between_the_middle_two() {
    assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), Some(3.0));
    assert_eq!(median(&[1.0, 2.0, 9.0]), Some(2.0));
    assert_eq!(median(&[]), None);
}

#[test]
fn a_run_by_the_work_exports_the_time_of_the_work() {
    let mut record = record();
    record.design.metric = model::Metric::WORK;
    assert_eq!(results(&record, &Typed::default())["results"][0]["times"], json!([0.004, 0.006, 0.005]));
}

#[test]
fn scan_values_are_parameters_and_unknown_exit_codes_null() {
    let record = record();
    let point = BTreeMap::from([("n".to_owned(), "1".to_owned())]);
    let points = BTreeMap::from([
        (record.trials[0].technique.clone(), point),
        (record.trials[1].technique.clone(), BTreeMap::new()),
    ]);
    let results = results(&record, &Typed { points, any_exit: true });
    assert_eq!(results["results"][0]["parameters"], json!({"n": "1"}));
    assert_eq!(results["results"][0]["exit_codes"], json!([null, null, null]));
    assert_eq!(results["results"][2]["parameters"]["kind"], json!("command"));
}
