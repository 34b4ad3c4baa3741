//! Samples of any program, as `bakeoff judge` reads them: CSV and JSON.

use std::collections::BTreeMap;
use std::path::Path;

use judge::{Observation, Options, Samples, read_samples};
use model::{Metric, Source};
use report::{Format, Style, render};

use crate::assert_says_why;

pub(crate) fn check(input: &[u8], name: &str) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match read_samples(text, Some(Path::new(name)), None) {
        Ok(Samples::Run(run)) => judge(&Samples::Run(run)),
        Ok(Samples::Plain(observations)) => {
            if observations.iter().all(has_a_form_in_csv) {
                let written = written(&observations);
                let observations = observations.clone().into_iter();
                let observations: Vec<Observation> =
                    observations.map(|one| Observation { curves_are_reported: true, ..one }).collect();
                let again = read_samples(&written, Some(Path::new("again.csv")), None);
                assert_eq!(again, Ok(Samples::Plain(observations)), "{written}");
            }
            judge(&Samples::Plain(observations));
        }
        Err(refused) => {
            assert_says_why(&refused.to_string(), input);
            assert!(refused.place.starts_with(name), "no place: {refused}");
        }
    }
}

/// Judging is a pure function, and every page can be laid out.
fn judge(samples: &Samples) {
    let options = Options::default();
    let decided = samples.decide(&options);
    assert_eq!(decided, samples.decide(&options));
    for width in [20, 120] {
        render(&decided, Format::Text, &Style { width, verbose: true, ..Style::default() });
    }
    render(&decided, Format::Markdown, &Style::default());
    render(&decided, Format::Json, &Style::default());
}

/// Returns whether CSV can hold it: a cell is trimmed, an empty one is absent, and some of what JSON holds has no column.
fn has_a_form_in_csv(observation: &Observation) -> bool {
    let plain = |text: &str| !text.is_empty() && text.trim() == text && !text.starts_with('\'');
    let maybe = |text: &Option<String>| text.as_deref().is_none_or(plain);
    let workload = &observation.workload;
    let metric = observation.metric.as_ref();
    observation.interleaved
        && observation.along.as_ref().is_none_or(|along| plain(&along.axis))
        && [&observation.family, &observation.technique, &workload.name].into_iter().all(|name| plain(name))
        && workload.files.is_empty()
        && workload.point.0.keys().all(|name| plain(name) && !name.contains(['=', ';']))
        && maybe(&observation.setting.conditions.file_system)
        && observation.setting.directory().is_none_or(|directory| directory.to_str().is_some_and(plain))
        // A metric of every sample has one name in words, whatever an export calls it.
        && metric.is_none_or(|one| one.source == Source::Value || Metric::BUILT_IN.contains(one))
        && [&observation.twin_of, &observation.reason, &observation.baseline].into_iter().all(maybe)
        // A failure has no value, and only a failure may lack a round.
        && (observation.failure.is_none() || observation.value.is_infinite())
        && (observation.failure.is_some() || observation.round.is_some())
}

const HEADER: &str = "curve,round,technique,value,inner,position,family,workload,workload_numbers,workload_shape,class,kind,twin_of,\
                      failure,reason,attempt,metric,better,what,looks,shared_by,baseline,cache,durability,directory,\
                      file_system,processors,memory_limit_bytes";

fn written(observations: &[Observation]) -> String {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(HEADER.split(',')).expect("memory takes it");
    for observation in observations {
        table.write_record(cells(observation)).expect("memory takes it");
    }
    String::from_utf8(table.into_inner().expect("memory takes it")).expect("text was written")
}

fn cells(observation: &Observation) -> Vec<String> {
    let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let maybe = |text: &Option<String>| guarded(text.as_deref().unwrap_or(""));
    let Observation { workload, setting, failure, .. } = observation;
    let metric = observation.metric.as_ref();
    let numbers: Vec<String> =
        workload.point.numbers().map(|(name, number)| format!("{name}={number}")).collect();
    let words: BTreeMap<&str, &str> = workload.point.words().collect();
    let conditions = &setting.conditions;
    vec![
        maybe(&observation.along.as_ref().map(|along| along.axis.clone())),
        number(observation.round),
        guarded(&observation.technique),
        if failure.is_some() { String::new() } else { observation.value.to_string() },
        observation.inner.to_string(),
        number(observation.position),
        guarded(&observation.family),
        guarded(&workload.name),
        guarded(&numbers.join(";")),
        serde_json::to_string(&words).expect("plain data"),
        word(Some(&observation.class)),
        word(Some(&observation.kind)),
        maybe(&observation.twin_of),
        word(failure.as_ref()),
        maybe(&observation.reason),
        observation.attempt.to_string(),
        maybe(&metric.map(|metric| metric.key.to_string())),
        word(metric.map(|metric| &metric.better)),
        maybe(&metric.map(|metric| metric.what.to_string())),
        list(&observation.looks),
        number(observation.shared_by),
        maybe(&observation.baseline),
        word(conditions.cache.as_ref()),
        word(conditions.durability.as_ref()),
        maybe(&setting.directory().map(|directory| directory.to_string_lossy().into_owned())),
        maybe(&conditions.file_system),
        list(&conditions.processors),
        conditions.memory_limit_bytes.map_or(String::new(), |bytes| bytes.to_string()),
    ]
}

fn word(value: Option<&impl serde::Serialize>) -> String {
    let json = value.map(|value| serde_json::to_string(value).expect("plain data")).unwrap_or_default();
    json.trim_matches('"').to_owned()
}

/// Guards a cell that a spreadsheet would take for a formula, as the export does.
fn guarded(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{cell}") } else { cell.to_owned() }
}
