//! The export is what its documents say, and comes back as it was.

use std::fs;

use findings::{Judged, Known, judge};
use judge::{Decided, Entry, Noise, Ranking, read_run};
use model::{Along, Fact, Failure, Mark, Metric, Record, Shortfall};

use super::schema::{schema, strict};
use super::*;
use crate::page::Page;
use crate::pages::{Context, ListingAxis, RunPage};
use crate::{Format, Style, fixture, render};

fn run(record: &Record, decided: &Decided) -> Value {
    RunPage { record, decided, context: &Context::default(), findings: &[] }.json()
}

fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).expect("the schema is one");
    validator.iter_errors(value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

fn known_host() -> Value {
    json!({
        "fingerprint": "text", "name": "text", "load": [0.1, 0.2, 1e-17], "uptime_s": 9, "clock_source": "text",
        "clock_step_ns": 20, "clock_reading_ns": 21.5,
        "os": { "family": "linux", "name": "text", "kernel": "text", "c_library": "text" },
        "processor": {
            "microcode": "text", "model": "text", "architecture": "x86_64", "logical": 2, "allowed": [0], "cores": 1,
            "sockets": 1, "numa_nodes": 1, "governor": "text", "frequency_max_hz": 3_000_000_000_u64, "turbo": true,
            "hypervisor": "text", "vector_sets": ["text"], "mitigations": [], "caches": [{ "level": 1, "kind": "data", "bytes": 32_768, "shared_by": 2 }],
        },
        "memory": {
            "total_bytes": 1, "available_bytes": 1, "swap_bytes": 0, "page_bytes": 4096, "huge_pages": "text",
            "handed_back_bytes": 2 << 20,
        },
        "limits": {
            "privileged": false, "open_files": 1024, "processes": 1024, "memory_bytes": 1, "processor_quota_millis": 1500,
            "ring_refused": "text", "counters_refused": "text", "control_groups": "text",
        },
    })
}

fn known_volume() -> Value {
    json!({
        "directory": ".", "file_system": "text", "mount_point": "/", "mount_options": "text", "device": "text",
        "rotational": false, "read_ahead_bytes": 3, "scheduler": "text", "total_bytes": 2, "free_bytes": 1, "block_bytes": 4096,
    })
}

/// The keys of the schema that no value here has: a new field has to be filled in above.
fn lacking(schema: &Value, definition: &str, value: &Value) -> Vec<String> {
    let keys = schema["$defs"][definition]["properties"].as_object().expect(definition).keys();
    keys.filter(|key| value.get(key.as_str()).is_none()).map(|key| format!("{definition}: {key}")).collect()
}

/// The fabricated run with every value known that a run can know.
fn known() -> Record {
    let mut record = fixture::record();
    record.host = fixture::known(known_host());
    record.design.baselines.insert("copy".into(), "read_write@256K".into());
    let marks = vec![Mark { at: 49_152, name: "L1".into() }];
    let along =
        Along { axis: "bytes".into(), named: vec!["a".into()], is_spread: true, is_same_work: true, marks };
    record.design.curves.insert("copy".into(), along);
    record.design.questions.insert("logs".into(), "How do I pack a log?".into());
    record.volumes = vec![fixture::known(known_volume())];
    let trial = &mut record.trials[0];
    trial.attempt = 1;
    trial.looks = vec![8, 10];
    trial.variant_of = Some("read_write".into());
    let shortfall = Shortfall { budget_ns: Some(1), needed_ns: Some(2) };
    trial.failures.push(Failure::skipped("the budget was needed for others", shortfall));
    trial.setting.conditions.processors = vec![0, 1];
    trial.setting.conditions.memory_limit_bytes = Some(1 << 28);
    trial.workload.point.set("piece_bytes", 4096);
    trial.workload.point.set("order", "sorted");
    trial.workload.files.push("records".into());
    trial.samples[0].inner = 2;
    trial.samples[0].histograms.insert("handover".into(), "SElT".into());
    record.design.metrics.insert("copy".into(), vec![Metric::PROCESS, Metric::FAULTS]);
    record.facts = vec![
        Fact::number("clock", "step", "tsc", 20.5, "ns"),
        Fact::number("threads", "most", "", 8192.0, ""),
        Fact::words("clock", "source", "", "tsc"),
    ];
    let trial = &mut record.trials[0];
    let usage = &mut trial.samples[0].usage;
    for (nth, part) in (1..).zip(usage.parts_mut()) {
        *part = Some(nth);
    }
    usage.written_bytes = Some(u64::MAX);
    record.trials[3].failures[0].position = Some(4);
    record
}

fn known_decided() -> Decided {
    let by_memory = fixture::curve_by_memory();
    Decided { rankings: known_rankings(), curves: vec![fixture::spread(fixture::curve()), by_memory] }
}

fn known_rankings() -> Vec<Ranking> {
    let mut first = fixture::ranking();
    for entry in &mut first.entries {
        entry.noise = Some(Noise { p99_over_median: Some(1.2), ..Noise::default() });
    }
    let second = fixture::clear();
    let third = fixture::clear_by(Metric::MEMORY);
    let rate = Metric::more("units_per_second", "units per second");
    let speed = Metric::more("moved_bytes_per_second", "throughput");
    let fourth = Ranking { others: vec![Metric::WORK], ..fixture::clear_by(rate) };
    let fifth = fixture::clear_by(speed);
    vec![first, second, third, fourth, fifth, fixture::clear_by(Metric::FAULTS)]
}

/// Compares the schema that the program prints with the types. Asked to, it writes the schema.
#[test]
fn the_docs_are_made_from_the_types_that_are_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema-run-3.json");
    let made = format!("{:#}\n", schema());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(path, &made).expect("the schema is written");
    }
    let kept = fs::read_to_string(path).expect("the schema").replace("\r\n", "\n");
    let differs = made.lines().zip(kept.lines()).position(|(new, old)| new != old);
    assert!(made == kept, "stale from line {differs:?} on: UPDATE_DOCS=1 cargo test -p report docs_are");
}

#[test]
fn every_key_of_the_schema_is_explained() {
    let schema = schema();
    let definitions = schema["$defs"].as_object().expect("definitions");
    for (name, node) in definitions.iter().chain([(&"file".to_owned(), &schema)]) {
        for (key, property) in node["properties"].as_object().into_iter().flatten() {
            let is_explained = property["description"].is_string() || key == "schema";
            assert!(is_explained, "{name}: {key} has no description");
        }
    }
}

#[test]
fn every_finding_is_printed_with_its_source_and_comparisons() {
    let all = findings::all();
    let judged: Vec<Judged> = all.iter().map(|one| judge(one, &[], &Known::new(), None)).collect();
    let (json, text) = (judged[..].json(), render(&judged[..], Format::Text, &Style::default()));
    let printed = json["findings"].as_array().expect("findings");
    assert_eq!(printed.len(), all.len());
    for (finding, printed) in all.iter().zip(printed) {
        let claim = &finding.claim;
        assert!(text.contains(&claim.id), "{}", claim.id);
        for (key, value) in
            [("id", &claim.id), ("family", &finding.family), ("claim", &claim.claim), ("place", &claim.place)]
        {
            assert_eq!(printed[key], value.as_str(), "{}", claim.id);
        }
        let conditions = printed["conditions"].as_str().expect("conditions");
        let is_cold = conditions.starts_with(&claim.conditions) && conditions.contains("a cold file cache");
        assert_eq!(is_cold, claim.cache == Some(model::Cache::Cold), "{conditions}");
        assert_eq!(printed["source"], json!(claim.source));
        assert_eq!(printed.get("figure").and_then(Value::as_str), claim.figure.as_deref());
        let comparisons = printed["comparisons"].as_array().expect("comparisons");
        assert!(comparisons.iter().all(|one| one["what"].is_string()), "{printed}");
        let is_explained = !comparisons.is_empty() || printed["reason"].is_string();
        assert!(is_explained, "{printed}");
    }
}

#[test]
fn every_key_of_an_export_is_documented() {
    let schema = strict(&schema());
    assert_eq!(faults(&schema, &run(&known(), &known_decided())), Vec::<String>::new());
    let host = known_host();
    for (name, value) in [
        ("Host", &host),
        ("OperatingSystem", &host["os"]),
        ("Processor", &host["processor"]),
        ("CacheLevel", &host["processor"]["caches"][0]),
        ("Memory", &host["memory"]),
        ("SystemLimits", &host["limits"]),
        ("Volume", &known_volume()),
    ] {
        assert_eq!(lacking(&schema, name, value), Vec::<String>::new());
    }
    let little = run(&fixture::record(), &Decided::default());
    assert_eq!(faults(&schema, &little), Vec::<String>::new(), "with little known");
}

#[test]
fn the_schema_refuses_what_does_not_fit() {
    let schema = strict(&schema());
    let good = run(&fixture::record(), &fixture::decided(&[fixture::ranking()]));
    assert_eq!(faults(&schema, &good), Vec::<String>::new());
    for (pointer, value) in [
        ("/schema", json!(2)),
        ("/run/seed", json!(-1)),
        ("/run/preset", json!("huge")),
        ("/trials/0/samples/0/undocumented", json!(1)),
        ("/trials/0/workload/piece_bytes", json!([8])),
        ("/contests/0/entries/0/median_ns", json!(null)),
    ] {
        let mut bad = good.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        bad.pointer_mut(parent).expect(pointer)[key] = value;
        assert_eq!(faults(&schema, &bad).len(), 1, "{pointer}: {:?}", faults(&schema, &bad));
    }
}

#[test]
fn a_run_comes_back_bit_by_bit() {
    for record in [known(), fixture::record()] {
        for text in [
            serde_json::to_string(&run(&record, &known_decided())).expect("text"),
            format!("\u{feff}{:#}", run(&record, &Decided::default())),
        ] {
            assert_eq!(read_run(&text, None).expect("our own export"), record);
        }
    }
}

#[test]
fn what_is_not_known_is_absent_and_never_null() {
    let mut ranking = fixture::ranking();
    ranking.entries[1].factor_high = Some(f64::INFINITY);
    let text = run(&fixture::record(), &fixture::decided(&[ranking])).to_string();
    assert!(!text.contains("null"), "{text}");
    let entry =
        &run(&fixture::record(), &fixture::decided(&[fixture::ranking()]))["contests"][0]["entries"][2];
    assert_eq!(entry.get("factor_low"), None);
    assert_eq!(entry["factor_high"], json!(1.2));
}

#[test]
fn the_unit_of_a_median_stands_in_its_key() {
    let contests = run(&known(), &known_decided())["contests"].clone();
    for (at, metric, median) in [
        (0, "process_ns", "median_ns"),
        (1, "work_ns", "median_ns"),
        (2, "peak_memory_bytes", "median_bytes"),
        (3, "units_per_second", "median_per_second"),
        (4, "moved_bytes_per_second", "median_bytes_per_second"),
        (5, "faults", "median"),
    ] {
        let contest = &contests[at];
        let keys = contest["entries"][0].as_object().expect("an object").keys();
        let medians: Vec<&str> = keys.map(String::as_str).filter(|key| key.starts_with("median")).collect();
        assert_eq!((&contest["metric"]["key"], medians), (&json!(metric), vec![median]));
    }
}

#[test]
fn other_files_are_refused_with_a_sentence() {
    let good = run(&fixture::record(), &Decided::default());
    let [mut newer, mut cut, mut nameless, mut strange] = std::array::from_fn(|_| good.clone());
    newer["schema"] = json!(4);
    cut["trials"][0].as_object_mut().expect("a trial").remove("technique");
    nameless["run"]["id"] = json!("../../etc");
    strange["run"]["design"]["metric"]["key"] = json!("=miles");
    for (text, expected) in [
        ("{\"schema\": 1,".to_owned(), "run, line 1, column 13: EOF while parsing"),
        (String::new(), "run, line 1, column 0: EOF while parsing"),
        ("[1]".to_owned(), "no number 'schema'"),
        ("{\"results\": []}".to_owned(), "no number 'schema'"),
        (newer.to_string(), "a run of schema 4, and this bakeoff reads schema 3"),
        (cut.to_string(), "missing field `technique`"),
        (nameless.to_string(), "is not the identity of a run"),
        (strange.to_string(), "'=miles' is not the name of a metric, like work_ns"),
    ] {
        let refused = read_run(&text, None).expect_err(expected).to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}

/// The export of a run as an earlier schema had it: contests and curves were others, trials were not.
fn as_of_schema(schema: u64) -> String {
    let mut earlier = run(&fixture::record(), &Decided::default());
    earlier["schema"] = json!(schema);
    earlier["contests"] = json!([{"family": "copy", "state": "few", "fastest": ["sendfile"]}]);
    if schema == 1 {
        let design = earlier["run"]["design"].as_object_mut().expect("a design");
        design.remove("metric");
        design.remove("shared_by");
        design.insert("metric".into(), json!("process"));
        design.insert("cells".into(), json!(1));
    }
    earlier.to_string()
}

#[test]
fn every_schema_is_read_and_unknown_keys_are_skipped() {
    for schema in 1..=SCHEMA {
        let read = read_run(&as_of_schema(schema), None).unwrap_or_else(|error| panic!("{schema}: {error}"));
        assert_eq!(read, fixture::record(), "{schema}");
    }
    // Keys that it does not know are skipped.
    let mut later = run(&fixture::record(), &Decided::default());
    later["trials"][0]["samples"][0]["energy_uj"] = json!(5);
    later["colour"] = json!("red");
    assert_eq!(read_run(&later.to_string(), None).expect("still schema 3"), fixture::record());
}

#[test]
fn a_host_and_a_listing_have_a_form_for_programs() {
    let host = host(&fixture::host(), &[fixture::volume()]);
    assert_eq!(host["host"]["processor"]["hypervisor"], json!("KVM"));
    assert_eq!(host["advice"][0]["topic"], json!("virtual"));
    let order = ListingAxis {
        name: "order".into(),
        meaning: "how the input lies".into(),
        example: "sorted".into(),
        ..ListingAxis::default()
    };
    let metrics = vec![("units_per_second".into(), "units per second".into())];
    let listing = Listing { size: Some("25.6MB".into()), axes: vec![order], metrics, ..fixture::listing() };
    let expected = json!({"schema": 3, "families": [{"family": "copy", "question": "How?", "size": "25.6MB", "techniques": [
        {"name": "a|b", "aliases": ["cpW"], "idea": "read | write <all>", "source": "a page", "available": false,
         "reason": "no _ring_", "variant_of": "c|d"}],
        "axes": [{"name": "order", "meaning": "how the input lies", "example": "sorted"}],
        "metrics": [{"key": "units_per_second", "what": "units per second"}]}]});
    assert_eq!(list(&[listing]), expected);
}

#[test]
fn times_and_noise_have_a_form_for_programs() {
    let unknown = crate::TimePage { system_ns: None, ..fixture::timed() };
    let value = unknown.json();
    assert_eq!((&value["schema"], &value["real_ns"]), (&json!(3), &json!(1_050_000_000)));
    assert_eq!(value.get("system_ns"), None, "what is not known is absent");
    let value = fixture::noise().json();
    assert_eq!(value["rows"][1]["smallest"], json!(0.034));
    assert_eq!(value["rows"][0].get("smallest"), None);
    assert_eq!((&value["schema"], &value["alpha"]), (&json!(3), &json!(0.01)));
}

#[test]
fn tied_entries_and_the_choice_are_in_the_json() {
    let contest = run(&fixture::record(), &fixture::decided(&[fixture::ranking()]))["contests"][0].clone();
    assert_eq!(contest["fastest"], json!(["copy_file_range", "sendfile"]));
    assert_eq!((&contest["leader"], &contest["at_most_slower"]), (&json!("copy_file_range"), &json!(0.066)));
    assert_eq!(contest["state"], json!("tied"));
    let choice = json!({"entry": "copy_file_range", "baseline": {"factor": 1.68, "low": 1.53, "high": 2.04}, "at_most_slower": 0.066});
    assert_eq!(contest["choice"], choice);
    let open = judge::Ranking { at_most_slower: None, ..fixture::ranking() };
    let judged = fixture::decided(&[open]).json();
    assert_eq!(judged["contests"][0].get("at_most_slower"), None, "absent is: no limit");
    assert_eq!((&judged["schema"], judged.get("curves")), (&json!(3), None));
    let entry: &Entry = &fixture::ranking().entries[0];
    assert_eq!(contest["entries"][0]["median_ns"], json!(entry.median.value()));
    assert_eq!(contest["entries"][0]["noise"]["robust_spread"], json!(0.012));
}
