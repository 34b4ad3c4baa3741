use std::path::Path;

use model::{Class, FailureKind, Kind};

use super::*;

fn read(text: &str) -> Vec<Observation> {
    plain(read_samples(text, None, None).expect("readable samples"))
}

fn plain(samples: Samples) -> Vec<Observation> {
    let Samples::Plain(observations) = samples else { panic!("{samples:?}") };
    observations
}

fn run(text: &str, by: Option<&str>) -> Record {
    let Ok(Samples::Run(run)) = read_samples(text, None, by) else { panic!("{text}") };
    *run
}

fn refusal(text: &str, hint: &str) -> String {
    read_samples(text, Some(Path::new(hint)), None).expect_err("a refusal").to_string()
}

#[test]
fn a_table_with_the_four_columns_is_read() {
    let observations = read("round,position,technique,value\n0,0,a,12.5\n0,1,b,1e3\n1,0,b,inf\n");
    assert_eq!(observations.len(), 3);
    assert_eq!((observations[0].technique.as_str(), observations[0].value), ("a", 12.5));
    assert_eq!((observations[1].position, observations[1].value), (Some(1), 1000.0));
    assert_eq!((observations[2].round, observations[2].value), (Some(1), f64::INFINITY));
    assert_eq!((&*observations[0].family, &*observations[0].workload.name), ("samples", "samples"));
    // Columns may stand in any order among others.
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
    let found: Vec<_> = observations.iter().map(|o| (&*o.technique, o.round, o.failure)).collect();
    let (hang, missing) = (Some(FailureKind::Hang), Some(FailureKind::Missing));
    assert_eq!(found, [("a", Some(0), None), ("b", Some(1), hang), ("c", None, missing)]);
    assert_eq!((observations[1].value, observations[1].reason.as_deref()), (f64::INFINITY, Some("no end")));
}

#[test]
fn controls_classes_and_settings_of_a_table_are_kept_apart() {
    let text = "round,technique,value,kind,twin_of,class,setting,notes,attempt\n\
        0,a,1,built-in,,moves-bytes,warm,,\n0,a#2,1,twin,a,,warm,,\n0,m,1,ceiling,,,warm,,\n\
        0,c,1,,,shares-extents,warm,,\n0,d,1,,,,warm,fell back; reflinked,\n0,a,1,,,,cold,,\n\
        0,a,7,,,,cold,,1\n0,b,1,,,,,,\n";
    let read = read(text);
    let [twin, ceiling] = [&read[1], &read[2]];
    assert_eq!((twin.kind, twin.twin_of.as_deref(), ceiling.kind), (Kind::Twin, Some("a"), Kind::Ceiling));
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
            "'bang' is none of crash, hang, wrong, refused, disk-full, too-many-files, missing, skipped, tenfold-behind",
        ),
        ("kind", "triplet", "'triplet' is none of built-in, command, twin, ceiling"),
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

const METRIC: &str = r#"{"key": "process_ns", "what": "time", "better": "less", "source": "process"}"#;

/// Returns the export of a run of schema 2 with these trials, and with these looks and what else is fixed in its design.
fn run_of(design: &str, trials: &[String]) -> String {
    format!(
        r#"{{"schema": 2, "tool": {{"name": "bakeoff", "version": "1"}}, "host": {{}}, "run": {{"id": "r", "started": "2026-11-21T10:00:00Z",
        "seed": 1, "preset": "quick", "complete": true, "command": [], "design": {{"quantity": {METRIC}, "alpha": 0.05,
        "shared_by": 1, "delta": 0.02, {design}}}}}, "trials": [{}]}}"#,
        trials.join(",\n")
    )
}

/// Returns a trial with these samples, failures and whatever else.
fn trial(technique: &str, further: &str, samples: &[&str], failures: &str) -> String {
    let sample =
        |one: &&str| format!(r#"{{"repetitions": 1, "proof": {{"bytes": 0, "digest": ""}}, {one}}}"#);
    let samples: Vec<String> = samples.iter().map(sample).collect();
    format!(
        r#"{{"family": "copy", "technique": "{technique}", {further} "class": "moves-bytes", "workload": {{"name": "w"}},
        "setting": {{"cache": "warm", "durability": "returned", "directory": "."}}, "samples": [{}], "failures": [{failures}]}}"#,
        samples.join(", ")
    )
}

const LOOKS: &str = r#""looks": [8]"#;
const BUILT_IN: &str = r#""kind": "built-in","#;

#[test]
fn looks_are_refused_alike_in_every_form() {
    let rule = "must ascend from 1, each once, at most 1000 of them and none above 10000000";
    for looks in ["[5, 5]", "[0, 8]", "[8, 4000000000]"] {
        let named = format!(r#""kind": "built-in", "looks": {looks},"#);
        let of_trial = run_of(LOOKS, &[trial("a", BUILT_IN, &[], ""), trial("b", &named, &[], "")]);
        assert_eq!(refusal(&of_trial, "s.json"), format!("s.json, trial 2, key looks: the looks {rule}"));
        let of_run = run_of(&format!(r#""looks": {looks}"#), &[trial("a", BUILT_IN, &[], "")]);
        assert_eq!(refusal(&of_run, "s.json"), format!("s.json, run, design, key looks: the looks {rule}"));
        let words = looks.replace([',', '[', ']'], "");
        let refused = refusal(&format!("round,technique,value,looks\n0,a,1,{words}\n"), "s.csv");
        assert!(refused.contains(rule) && refused.contains("line 2, column 4"), "{refused}");
    }
}

#[test]
fn an_apostrophe_before_a_formula_is_taken_away_once() {
    let text = "round,technique,value\n0,'=a,1\n0,''=a,1\n0,'a,1\n0,\"'\ta\",1\n0,'-5,1\n";
    let names: Vec<String> = read(text).into_iter().map(|o| o.technique).collect();
    assert_eq!(names, ["=a", "'=a", "'a", "\ta", "-5"]);
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
    let quoting = run_of(LOOKS, &[trial("a", r#""kind": "a kind at line 7","#, &[], "")]);
    assert!(refusal(&quoting, "s.json").contains("`a kind at line 7`"), "{}", refusal(&quoting, "s.json"));
    let cut = run_of(LOOKS, &[trial("a", BUILT_IN, &[], "")]).replace(r#""technique": "a","#, "");
    let refused = refusal(&cut, "s.json");
    let (place, problem) = ("s.json, line 4, column ", "missing field `technique`");
    assert!(refused.starts_with(place) && refused.ends_with(problem), "{refused}");
    let unmarked = run_of(LOOKS, &[]).replace(r#""schema": 2, "#, "");
    assert!(refusal(&unmarked, "s.json").starts_with("s.json: this JSON has no number 'schema'"));
    let negative = r#"[{"round": 0, "technique": "a", "value": -1}]"#;
    assert!(refusal(negative, "s.json").starts_with("s.json, sample 1, key value: '-1' is no value"));
}

#[test]
fn the_export_of_a_run_is_read_with_its_controls_and_failures() {
    let crash = r#"{"round": 1, "kind": "crash", "reason": "signal 11"}"#;
    let first = trial("a", BUILT_IN, &[r#""round": 0, "position": 0, "work_ns": 1, "process_ns": 7"#], "");
    let twin = r#""kind": "twin", "twin_of": "a","#;
    let twin = trial("a#2", twin, &[r#""round": 0, "position": 1, "work_ns": 1, "process_ns": 8"#], crash);
    let text = run_of(LOOKS, &[first, twin]);
    // Schema 1 named what is compared by a word, and counted the contests.
    let earlier = text.replace(r#""schema": 2"#, r#""schema": 1"#).replace(
        &format!(r#""quantity": {METRIC}"#),
        r#""metric": "process", "per_cell": false, "cells": 3"#,
    );
    let earlier = earlier.replace(r#""shared_by": 1,"#, "");
    for (text, shared_by) in [(text, 1), (earlier, 3)] {
        let Record { trials, design, .. } = run(&text, None);
        let values: Vec<_> = trials.iter().map(|trial| trial.samples[0].process_ns).collect();
        assert_eq!(values, [Some(7), Some(8)]);
        assert_eq!((trials[1].kind, trials[1].twin_of.as_deref()), (Kind::Twin, Some("a")));
        assert_eq!(trials[1].failures[0].kind, FailureKind::Crash);
        assert_eq!(&*design.compared("copy").key, "process_ns");
        assert_eq!((design.shared_by, design.looks), (shared_by, vec![8]));
    }
    let newer = run_of(LOOKS, &[]).replace(r#""schema": 2"#, r#""schema": 4"#);
    let refused = refusal(&newer, "s.json");
    let said = "s.json: this is a run of schema 4, and this bakeoff reads schema 3";
    assert!(refused.starts_with(said), "{refused}");
}

#[test]
fn a_metric_of_an_export_is_read_where_its_key_says() {
    let text = run_of(LOOKS, &[]);
    for (key, better, source, expected) in [
        ("procecs_ns", "less", "process", "'procecs_ns' cannot have the source 'process', only 'value'"),
        (
            "process_ns",
            "more",
            "process",
            r#"'process_ns' must have "source": "process" and "better": "less""#,
        ),
        ("process_ns", "less", "value", r#"'process_ns' must have "source": "process" and "better": "less""#),
        ("Process", "less", "value", "'Process' is not the name of a metric, like work_ns"),
    ] {
        let other =
            format!(r#"{{"key": "{key}", "what": "time", "better": "{better}", "source": "{source}"}}"#);
        let strange = text.replace(METRIC, &other);
        assert_ne!(strange, text);
        assert_eq!(refusal(&strange, "s.json"), format!("s.json, run, design: {expected}"));
    }
    // In whatever words: those of another version of the program may be others.
    let trial = trial("a", BUILT_IN, &[r#""round": 0, "position": 0, "process_ns": 7"#], "");
    assert_eq!(run(&run_of(LOOKS, &[trial]), None).trials[0].samples[0].process_ns, Some(7));
}

#[test]
fn only_the_last_attempt_of_an_export_counts() {
    let first = trial("a", BUILT_IN, &[r#""round": 0, "position": 0, "process_ns": 1"#], "");
    let second = r#""kind": "built-in", "attempt": 1,"#;
    let second = trial("a", second, &[r#""round": 0, "position": 0, "process_ns": 2"#], "");
    let text = run_of(LOOKS, &[first, second]);
    let decided = Samples::Run(Box::new(run(&text, None))).decide(&Options::default());
    let [ranking] = &decided.rankings[..] else { panic!("{decided:?}") };
    assert_eq!(ranking.entries[0].median.value(), Some(2.0));
}

/// Returns the values by the metric of that name.
fn by(text: &str, name: &str) -> Result<Vec<f64>, String> {
    let read = read_samples(text, Some(Path::new("s")), Some(name)).map_err(|refused| refused.to_string());
    Ok(match read? {
        Samples::Plain(all) => all.iter().map(|observation| observation.value).collect(),
        Samples::Run(run) => {
            let samples = run.trials.iter().flat_map(|trial| &trial.samples);
            samples.filter_map(|sample| run.design.compared("copy").of(sample)).collect()
        }
    })
}

#[test]
fn samples_are_judged_by_any_metric_that_a_file_holds() {
    let told = r#""round": 0, "position": 0, "process_ns": 9, "user_ns": 1, "system_ns": 2, "values": {"read_ns": 5}"#;
    let run = run_of(LOOKS, &[trial("a", BUILT_IN, &[told], "")]);
    let table = "round,technique,value,metric,user_ns,system_ns,minor_faults,values,seeks\n\
                 0,a,9,process_ns,1,2,4,open_ns=3; read_ns=5,6\n0,b,,process_ns,,,,,\n";
    for (name, value) in [("process", 9.0), ("user_ns", 1.0), ("cpu", 3.0), ("read_ns", 5.0)] {
        assert_eq!(by(&run, name), Ok(vec![value]), "{name}");
        assert_eq!(by(table, name), Ok(vec![value]), "{name}");
    }
    assert_eq!((by(table, "faults"), by(table, "seeks")), (Ok(vec![4.0]), Ok(vec![6.0])));
    assert_eq!(
        by(&run, "miles"),
        Err("s: this run cannot be judged by miles; it can by cpu, process, read_ns, system, user".to_owned())
    );
    let refused = by(table, "miles").expect_err("not there");
    assert!(refused.starts_with("s: no row has a value of miles"), "{refused}");
    let refused = by(r#"[{"round": 0, "technique": "a", "value": 1}]"#, "miles").expect_err("not there");
    assert!(refused.contains("not called miles"), "{refused}");
    let refused = by(&table.replace(",6\n", ",many\n"), "seeks").expect_err("no number");
    assert!(refused.contains("(seeks): 'many'"), "{refused}");
}

#[test]
fn a_level_of_a_curve_stands_in_two_columns() {
    let read = read("round,technique,value,curve,level\n0,a,1,bytes,4096\n0,b,1,bytes,8192\n0,c,1,,\n");
    let levels: Vec<_> = read.iter().map(|one| (&*one.workload.name, one.workload.bytes())).collect();
    assert_eq!(levels, [("4 KiB", Some(4096)), ("8 KiB", Some(8192)), ("samples", None)]);
    let axes: Vec<_> = read.iter().map(|one| one.along.as_ref().map(|along| along.axis.as_str())).collect();
    assert_eq!(axes, [Some("bytes"), Some("bytes"), None]);
    assert!(read.iter().all(|one| one.curves_are_reported), "what is not reported as a level is none");
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
