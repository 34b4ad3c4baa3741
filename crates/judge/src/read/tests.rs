use std::path::Path;

use model::{Class, FailureKind, Kind, Quantity};

use super::*;

fn read(text: &str) -> Vec<Observation> {
    read_samples(text, None).expect("readable samples")
}

fn refusal(text: &str, hint: &str) -> String {
    read_samples(text, Some(Path::new(hint))).expect_err("a refusal").to_string()
}

#[test]
fn a_table_with_the_four_columns_is_read() {
    let observations = read("round,position,technique,value\n0,0,a,12.5\n0,1,b,1e3\n1,0,b,inf\n");
    assert_eq!(observations.len(), 3);
    assert_eq!((observations[0].technique.as_str(), observations[0].value), ("a", 12.5));
    assert_eq!((observations[1].position, observations[1].value), (Some(1), 1000.0));
    assert_eq!((observations[2].round, observations[2].value), (Some(1), f64::INFINITY));
    assert_eq!(
        (observations[0].family.as_str(), observations[0].workload.name.as_str()),
        ("samples", "samples")
    );
}

#[test]
fn columns_may_stand_in_any_order_beside_others() {
    let text = "\u{feff}Value, technique ,host,inner,workload,family,round\n3,\"a, b\",x,2,1 GiB,copy,7\n";
    let observation = &read(text)[0];
    assert_eq!((observation.round, observation.inner, observation.position), (Some(7), 2, None));
    assert_eq!((observation.family.as_str(), observation.workload.name.as_str()), ("copy", "1 GiB"));
    assert_eq!((observation.technique.as_str(), observation.value), ("a, b", 3.0));
}

#[test]
fn an_empty_value_is_an_unknown_one_and_a_failure_needs_none() {
    let text = "round,technique,value,failure,reason\n0,a,1,,\n0,b,,,\n1,b,,hang,no end\n,c,,missing,\n";
    let observations = read(text);
    let told: Vec<_> = observations.iter().map(|o| (o.technique.as_str(), o.round, o.failure)).collect();
    assert_eq!(
        told,
        [
            ("a", Some(0), None),
            ("b", Some(1), Some(FailureKind::Hang)),
            ("c", None, Some(FailureKind::Missing))
        ]
    );
    assert_eq!((observations[1].value, observations[1].reason.as_deref()), (f64::INFINITY, Some("no end")));
}

#[test]
fn controls_classes_and_settings_of_a_table_are_kept_apart() {
    let text = "round,technique,value,kind,twin_of,class,setting,notes,attempt\n\
        0,a,1,built-in,,moves-bytes,warm,,\n0,a#2,1,twin,a,,warm,,\n0,m,1,ceiling,,,warm,,\n\
        0,c,1,,,shares-extents,warm,,\n0,d,1,,,,warm,fell back; reflinked,\n0,a,1,,,,cold,,\n\
        0,a,7,,,,cold,,1\n0,b,1,,,,,,\n";
    let read = read(text);
    assert_eq!(
        (read[1].kind, read[1].twin_of.as_deref(), read[2].kind),
        (Kind::Twin, Some("a"), Kind::Ceiling)
    );
    assert_eq!((read[3].class, read[4].class), (Class::SharesExtents, Class::SharesExtents));
    let workloads: Vec<&str> = read[4..].iter().map(|o| o.workload.name.as_str()).collect();
    assert_eq!(workloads, ["samples, warm", "samples, cold", "samples"]);
    assert_eq!((read[5].value, read[5].attempt), (7.0, 1), "only the last attempt counts");
}

#[test]
fn a_strange_word_in_a_known_column_is_refused() {
    for (column, word, expected) in [
        (
            "failure",
            "bang",
            "'bang' is none of crash, hang, wrong, refused, disk-full, too-many-files, missing, left-out",
        ),
        ("kind", "triplet", "'triplet' is none of built-in, contender, twin, ceiling"),
        (
            "looks",
            "20 10",
            "'20 10' is no list of looks: they must ascend from 1, each once, at most 1000 of them and none above 10000000, like 10 15 20",
        ),
    ] {
        let refused = refusal(&format!("round,technique,value,{column}\n0,a,1,{word}\n"), "s.csv");
        assert_eq!(refused, format!("s.csv, line 2, column 4 ({column}): {expected}"));
    }
}

#[test]
fn looks_are_refused_alike_in_every_form() {
    let rule = "must ascend from 1, each once, at most 1000 of them and none above 10000000";
    for looks in ["[5, 5]", "[0, 8]", "[8, 4000000000]"] {
        let trial = r#"{"family": "f", "technique": "a", "kind": "built-in", "workload": {"name": "w"}"#;
        let of_trial = format!(r#"{{"trials": [{trial}}}, {trial}, "looks": {looks}}}]}}"#);
        assert_eq!(refusal(&of_trial, "s.json"), format!("s.json, trial 2, key looks: the looks {rule}"));
        let of_run = format!(r#"{{"run": {{"design": {{"looks": {looks}}}}}, "trials": [{trial}}}]}}"#);
        assert_eq!(refusal(&of_run, "s.json"), format!("s.json, run, design, key looks: the looks {rule}"));
        let words = looks.replace([',', '[', ']'], "");
        let refused = refusal(&format!("round,technique,value,looks\n0,a,1,{words}\n"), "s.csv");
        assert!(refused.contains(rule) && refused.contains("line 2, column 4"), "{refused}");
    }
}

#[test]
fn an_apostrophe_before_a_formula_is_taken_away_once() {
    let names = |text: &str| read(text).into_iter().map(|o| o.technique).collect::<Vec<_>>();
    let text = "round,technique,value\n0,'=a,1\n0,''=a,1\n0,'a,1\n0,\"'\ta\",1\n0,'-5,1\n";
    assert_eq!(names(text), ["=a", "'=a", "'a", "\ta", "-5"]);
}

#[test]
fn a_bad_table_is_refused_with_line_and_column() {
    let header = "round,position,technique,value\n";
    for (rest, expected) in [
        ("0,0,a,1\n0,1,b,fast\n", "s.csv, line 3, column 4 (value): 'fast' is no number, like 12.5"),
        (
            "0,0,a,-1\n",
            "s.csv, line 2, column 4 (value): '-1' is no value: write a number from 0 on, or inf for a crash or a time-out",
        ),
        ("x,0,a,1\n", "s.csv, line 2, column 1 (round): 'x' is no count: write a whole number from 0 on"),
        ("0,0,,1\n", "s.csv, line 2, column 3 (technique): '' is no name of a technique"),
        ("0,0,a\n", "s.csv, line 2: the line has 3 columns, the header has 4"),
        ("", "s.csv: it holds no samples"),
    ] {
        assert_eq!(refusal(&format!("{header}{rest}"), "s.csv"), expected);
    }
    assert!(refusal(&format!("{header}0,0,a,NaN\n"), "s.csv").contains("'NaN' is no value"));
}

#[test]
fn a_table_without_its_header_is_refused_with_an_example() {
    assert_eq!(
        refusal("0,0,a,1\n0,1,b,2\n", "s.csv"),
        "s.csv, line 1: the header has no column 'round'; it must be a line like round,position,technique,value"
    );
    assert!(refusal("", "s.csv").contains("has no column 'round'"));
}

#[test]
fn an_array_of_objects_is_read() {
    let text = r#"[{"round": 0, "position": 1, "technique": "a", "value": 1.5},
        {"round": 0, "technique": "b", "value": 2, "family": "copy", "workload": "big", "inner": 3},
        {"round": 1, "technique": "b", "value": 2, "workload": {"name": "w", "bytes": 5}}]"#;
    let observations = read(text);
    assert_eq!((observations[0].position, observations[0].value), (Some(1), 1.5));
    assert_eq!((observations[1].inner, observations[1].workload.name.as_str()), (3, "big"));
    assert_eq!(observations[2].workload.bytes(), Some(5));
}

#[test]
fn bad_json_is_refused_with_line_and_column() {
    assert_eq!(
        refusal("[\n {\"round\": 0, \"technique\": \"a\"}\n]", "s.json"),
        "s.json, line 2, column 31: missing field `value`"
    );
    assert_eq!(refusal("[1, 2", "s.json"), "s.json, line 1, column 5: EOF while parsing a list");
    assert!(refusal("{\"a\": 1}", "s.json").contains("neither an array of samples"));
    assert!(refusal("round,technique,value\n", "s.json").starts_with("s.json, line 1, column 1"));
    let quoting = r#"{"trials": [{"family": "f", "technique": "a", "kind": "a kind at line 7"}]}"#;
    assert!(refusal(quoting, "s.json").contains("`a kind at line 7`"), "{}", refusal(quoting, "s.json"));
    let negative = r#"[{"round": 0, "technique": "a", "value": -1}]"#;
    assert!(refusal(negative, "s.json").starts_with("s.json, sample 1, key value: '-1' is no value"));
}

#[test]
fn the_export_of_a_run_is_read_with_its_controls_and_failures() {
    let text = r#"{"schema": 1, "rankings": [{"metric": "process_ns"}], "trials": [
        {"family": "copy", "technique": "a", "kind": "built-in", "workload": {"name": "w"},
         "samples": [{"round": 0, "position": 0, "work_ns": 1, "process_ns": 7}]},
        {"family": "copy", "technique": "a#2", "kind": "twin", "twin_of": "a", "workload": {"name": "w"},
         "samples": [{"round": 0, "position": 1, "work_ns": 1, "process_ns": 8}],
         "failures": [{"round": 1, "kind": "crash", "reason": "signal 11"}]}]}"#;
    let observations = read(text);
    assert_eq!(observations.iter().map(|o| o.value).collect::<Vec<_>>(), [7.0, 8.0, f64::INFINITY]);
    assert_eq!(observations[1].kind, Kind::Twin);
    assert_eq!(observations[1].twin_of.as_deref(), Some("a"));
    assert_eq!(observations[2].failure, Some(FailureKind::Crash));
    assert_eq!(observations[0].quantity, Some(Quantity::PROCESS));
}

#[test]
fn only_the_last_attempt_of_an_export_counts() {
    let text = r#"{"trials": [
        {"family": "f", "technique": "a", "kind": "built-in", "workload": {"name": "w"}, "samples": [{"round": 0, "work_ns": 1}]},
        {"family": "f", "technique": "a", "kind": "built-in", "workload": {"name": "w"}, "attempt": 1,
         "samples": [{"round": 0, "work_ns": 2}]}]}"#;
    assert_eq!(read(text).iter().map(|o| o.value).collect::<Vec<_>>(), [2.0]);
}

#[test]
fn hyperfines_export_is_read_and_marked_as_taken_in_blocks() {
    let text = r#"{"results": [{"command": "cp", "mean": 1.0, "times": [0.5, 0.25]}, {"command": "cp", "times": [1.0]}]}"#;
    let observations = read(text);
    assert!(observations.iter().all(|observation| !observation.interleaved));
    assert_eq!(observations[1].round, Some(1));
    assert_eq!(observations[1].value, 0.25e9);
    assert_eq!(observations[2].technique, "cp (2)");
}
