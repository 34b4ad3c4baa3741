//! The lines. `.ci/steps/exports` has benchstat itself read a run.

use model::Cache;

use super::*;
use crate::fixture::{judged, record, twice};

fn text(record: &Record, decided: &Decided) -> String {
    export(record, decided).text.expect("entries")
}

#[test]
fn run_is_a_line_a_counted_sample_below_what_must_be_equal() {
    insta::assert_snapshot!(text(&record(), &judged()));
}

#[test]
fn a_name_begins_with_a_capital_and_every_line_has_four_words() {
    let (mut record, mut decided) = (record(), judged());
    for family in record.trials.iter_mut().map(|trial| &mut trial.family) {
        *family = "über all/\u{1b}x".into();
    }
    decided.rankings[0].family = record.trials[0].family.clone();
    for line in text(&record, &decided).lines().filter(|line| line.starts_with("Benchmark")) {
        assert!(line.starts_with("BenchmarkÜber_all_"), "{line}");
        assert_eq!(line.split(' ').count(), 4, "{line}");
        assert!(!line.contains(char::is_control), "{line}");
    }
}

#[test]
fn contests_under_other_conditions_have_lines_of_their_own() {
    let (record, decided) = twice(|setting| setting.conditions.cache = Some(Cache::Cold));
    let text = text(&record, &decided);
    let lines: Vec<&str> =
        text.lines().filter(|line| line.starts_with("cache") || line.starts_with("pkg")).collect();
    assert_eq!(lines, ["pkg: copy", "cache: warm", "cache: cold"]);
    assert!(!text.contains('#'), "names below other conditions are no repetitions\n{text}");
}

#[test]
fn a_condition_that_does_not_hold_any_more_is_taken_back() {
    let (record, decided) = twice(|setting| *setting = model::Setting::default());
    assert!(text(&record, &decided).contains("\ncache:\ndurability:\nfile-system:\n"));
}

#[test]
fn directories_differ_by_name_and_equal_names_by_a_number() {
    let (mut record, mut decided) = twice(|setting| setting.place.directory = Some("/a b/c".into()));
    let said = text(&record, &decided);
    assert!(said.contains("/directory=_a_b_c/technique=read_write@256K-2 "), "{said}");
    assert!(said.contains("/directory=./technique=read_write@256K-2 "), "{said}");

    let mut limited = record.trials[0].clone();
    limited.setting.conditions.processors = vec![1];
    record.trials = vec![record.trials[0].clone(), limited];
    decided.rankings[1].setting = record.trials[1].setting.clone();
    let said = text(&record, &decided);
    assert!(said.contains("technique=read_write@256K-2 "), "{said}");
    assert!(said.contains("read_write@256K#01-1 "), "{said}");
}

#[test]
fn units_are_those_of_go_and_say_what_is_better() {
    for (metric, expected) in [
        (Metric::WORK, "Unit ns/op better=lower"),
        (Metric::less("handover_p99_ns", "p99"), "Unit handover-p99-ns/op better=lower"),
        (Metric::MEMORY, "Unit peak-memory-B better=lower"),
        (Metric::FAULTS, "Unit faults/op better=lower"),
        (Metric::more("units_per_second", "units"), "Unit units/s better=higher"),
        (Metric::more("bytes_per_second", "bytes"), "Unit B/s better=higher"),
        (Metric::more("moved_bytes_per_second", "bytes"), "Unit moved-B/s better=higher"),
    ] {
        let (mut record, mut decided) = (record(), judged());
        let key = metric.key.to_string();
        record.trials[0].samples.iter_mut().for_each(|sample| {
            sample.values.insert(key.clone(), 2.5);
            sample.usage.minor_faults = Some(3);
        });
        decided.rankings[0].metric = metric;
        let said = text(&record, &decided);
        assert_eq!(said.lines().next(), Some(expected));
        let unit = expected.split(' ').nth(1).unwrap_or_default();
        assert!(said.lines().last().is_some_and(|line| line.ends_with(&format!(" {unit}"))), "{said}");
    }
}
