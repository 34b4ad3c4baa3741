//! A family that is made up, with all that a family can declare: two metrics, one of which is a rate, latencies, facts. It is
//! measured by the worker's own code, kept, judged, exported, reported and read again.

mod pipes;
mod world;

use judge::{Decided, Ranking, compare_by, decide, rank, read_run, read_samples};
use model::{Better, Fact, Metric, Record};
use report::{Context, Format, RunPage, Style, render};

use world::{Facts, measured, planned};

/// The ring at its best point.
const RING: &str = "ring@depth=100,timeout=25ms,wake=one";

fn by(record: &Record, name: &str) -> Ranking {
    let mut record = record.clone();
    compare_by(&mut record, name).expect(name);
    rank(&record).remove(0)
}

fn page(record: &Record, decided: &Decided, format: Format) -> String {
    let page = RunPage { record, decided, context: &Context::default(), findings: &[] };
    render(&page, format, &Style { width: 120, ..Style::default() })
}

#[test]
fn what_a_family_declares_is_measured_kept_and_judged() {
    let record = measured(Facts::Found);
    let declared = &record.design.metrics["pipes"];
    let keys: Vec<&str> = declared.iter().map(|metric| &*metric.key).collect();
    assert_eq!(keys, ["units_per_second", "handover_p99_ns"]);
    assert_eq!(record.facts, pipes::facts());
    let sample = &record.trials[0].samples[0];
    assert!(sample.histograms.contains_key("handover"), "{sample:?}");
    assert!(sample.values["handover_max_ns"] >= sample.values["handover_p50_ns"], "{sample:?}");

    let by_rate = &rank(&record)[0];
    assert_eq!((by_rate.leader.as_deref(), by_rate.metric.better), (Some(RING), Better::More));
    let wins = format!("{RING} wins by units per second; 2 others are worse, ");
    assert!(by_rate.sentence.starts_with(&wins), "{}", by_rate.sentence);
    let by_latency = by(&record, "handover_p99_ns");
    assert_eq!(by_latency.leader.as_deref(), Some("pipe"), "{}", by_latency.sentence);
    assert_eq!(by(&record, "work").metric, Metric::WORK);
    assert_eq!(
        by(&record, "handover_max_ns").leader.as_deref(),
        Some("pipe"),
        "not declared, but in the samples"
    );
}

#[test]
fn what_a_family_declares_is_exported_read_again_and_reported() {
    let record = measured(Facts::Found);
    let decided = decide(&record);
    let rankings = &decided.rankings;
    let json = page(&record, &decided, Format::Json);
    assert_eq!(read_run(&json, None).expect("our own export"), record);
    let csv = report::csv::samples(&record, rankings);
    for (name, text) in [("run.json", &json), ("run.csv", &csv)] {
        let samples = read_samples(text, Some(name.as_ref()), None).expect(name);
        let again = &samples.decide(&judge::Options::default()).rankings[0];
        assert_eq!((&again.sentence, &again.leader), (&rankings[0].sentence, &rankings[0].leader), "{name}");
    }
    for page in [page(&record, &decided, Format::Text), page(&record, &decided, Format::Markdown)] {
        for words in [
            "by units per second",
            "99th percentile of the hand-over",
            "Facts that pipes found out",
            "most threads",
            "8192 threads",
            "20.5 ns",
            "a futex",
            "'--metric handover_p99_ns' of 'report' judges by it",
            "worse by",
        ] {
            assert!(page.contains(words), "{words}:\n{page}");
        }
    }
}

#[test]
fn facts_that_cannot_be_found_out_are_a_note() {
    for (facts, reason) in [
        (Facts::Crash, "was killed by signal 11 (SIGSEGV)"),
        (Facts::Hang, "did not end within 1 s"),
        (Facts::Silence, "ended without an answer"),
    ] {
        let record = measured(facts);
        assert_eq!(record.facts, Vec::<Fact>::new());
        let note = record.notes.iter().find(|note| note.topic == model::Topic::Facts).expect("a note");
        assert!(note.text.starts_with("the facts of pipes are not known: "), "{}", note.text);
        assert!(note.text.contains(reason), "{}", note.text);
        assert!(record.trials[0].samples.len() > 3);
    }
}

#[test]
fn an_unknown_metric_is_refused_with_the_known_ones() {
    let refused = planned(Some("miles")).err().expect("refused").to_string();
    assert_eq!(
        refused,
        "--metric miles: pipes is compared by units_per_second, handover_p99_ns, work, process, cpu, user, system, \
         memory, faults or switches"
    );
    let by_latency = planned(Some("handover_p99_ns")).expect("declared").design;
    assert_eq!(by_latency.compared("pipes").key, "handover_p99_ns");
    assert_eq!(by_latency.metrics["pipes"].len(), 2, "the other one stays declared");
    let by_faults = planned(Some("faults")).expect("of every sample").design;
    assert_eq!((by_faults.compared("pipes"), by_faults.metrics["pipes"].len()), (&Metric::FAULTS, 3));
}
