//! The shape, and what has no place in it. `.ci/steps/exports` has pyperf itself read a run.

use super::*;
use crate::fixture::{judged, record};

fn document(record: &Record, decided: &Decided) -> Value {
    let text = export(record, decided).text.expect("entries");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_run_is_a_suite_of_its_entries_and_round_0_is_a_warm_up() {
    insta::assert_snapshot!(export(&record(), &judged()).text.expect("entries"));
}

#[test]
fn entries_that_failed_and_twins_have_no_place() {
    let document = document(&record(), &judged());
    let benchmarks = document["benchmarks"].as_array().expect("a list");
    let names: Vec<&str> =
        benchmarks.iter().filter_map(|one| one["metadata"]["technique"].as_str()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| !name.contains("twin") && !name.contains("mmap")), "{names:?}");
}

#[test]
fn samples_of_a_session_are_values_of_one_run() {
    let mut record = record();
    for (nth, sample) in record.trials[0].samples.iter_mut().enumerate() {
        sample.round = nth.min(1) as u32;
        sample.repetitions = 40;
    }
    let document = document(&record, &judged());
    // In the order of the ranking, the command stands first.
    let runs = &document["benchmarks"][1]["runs"];
    assert_eq!(runs.as_array().map(Vec::len), Some(1));
    assert_eq!(runs[0]["values"], json!([0.007, 0.006]));
    assert_eq!(runs[0]["warmups"], json!([[40, 0.005]]));
    assert_eq!(runs[0]["metadata"]["loops"], 40);
}

#[test]
fn amounts_are_bytes_and_counts_are_integers() {
    for (metric, unit, value) in [(Metric::MEMORY, "byte", 2_500_000.0), (Metric::FAULTS, "integer", 17.0)] {
        let (mut record, mut decided) = (record(), judged());
        record.trials[0].samples.iter_mut().for_each(|sample| sample.usage.minor_faults = Some(17));
        decided.rankings[0].metric = metric;
        let benchmark = &document(&record, &decided)["benchmarks"][0];
        assert_eq!(benchmark["metadata"]["unit"], unit);
        assert_eq!(benchmark["runs"][0]["values"][0].as_f64(), Some(value), "{unit}");
    }
}

#[test]
fn rates_and_values_of_zero_are_skipped_with_a_sentence() {
    let (mut record, mut decided) = (record(), judged());
    record.trials[0].samples[1].process_ns = Some(0);
    let left = export(&record, &decided);
    assert!(left.text.expect("the command").contains("0.009"));
    let zero = "copy/read_write@256K 25.6MB warm returned is skipped: pyperf refuses a value of 0";
    assert_eq!(left.skipped, [zero]);
    decided.rankings[0].metric = Metric::more("units_per_second", "units per second");
    for sample in record.trials.iter_mut().flat_map(|trial| &mut trial.samples) {
        sample.values.insert("units_per_second".into(), 2.5);
    }
    let refused = export(&record, &decided);
    let rate = "units_per_second of copy is skipped: pyperf has no rates, and takes less for better";
    assert_eq!((refused.text, refused.skipped), (None, vec![rate.to_owned()]));
}

#[test]
fn no_text_has_several_lines_and_none_is_empty() {
    let mut record = record();
    record.host.name = Some(" \n ".into());
    record.host.processor.model = Some("two\nlines".into());
    let metadata = document(&record, &judged())["metadata"].clone();
    assert_eq!(metadata.get("hostname"), Some(&json!("\\n")));
    assert_eq!(metadata["cpu_model_name"], "two\\nlines");
    record.host.name = Some("  ".into());
    assert_eq!(document(&record, &judged())["metadata"].get("hostname"), None);
}
