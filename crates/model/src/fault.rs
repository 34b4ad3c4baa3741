//! Faults of records: what no bakeoff writes, although the types would take it. Every reader of records asks for them.

use std::fmt::Debug;

use crate::metric::{Metric, Source, is_key};
use crate::record::{Record, RunId, second};

/// A fault of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The key of the exported JSON that holds it: `run, design, key looks`.
    pub place: String,
    /// The fault in words: `'' is not the identity of a run`.
    pub problem: String,
}

impl Fault {
    fn at(place: &str, problem: String) -> Self {
        Self { place: place.to_owned(), problem }
    }
}

impl Record {
    /// Returns the first thing in it that no run can have; `None` for what bakeoff writes.
    pub fn fault(&self) -> Option<Fault> {
        if !is_id(&self.id) {
            let problem = format!("'{}' is not the identity of a run", self.id.0.escape_default());
            return Some(Fault::at("run, key id", problem));
        }
        if second(&self.started).is_none() {
            let started = self.started.escape_default();
            let rule = "is not a time like 2026-11-21T10:00:00+01:00, at which the run began";
            return Some(Fault::at("run, key started", format!("'{started}' {rule}")));
        }
        let design = &self.design;
        let mut metrics = std::iter::once(&design.metric).chain(design.metrics.values().flatten());
        if let Some(problem) = metrics.find_map(fault_of_metric) {
            return Some(Fault::at("run, design", problem));
        }
        let problem = format!("the looks {LOOKS_RULE}");
        if !are_looks(&design.looks) {
            return Some(Fault::at("run, design, key looks", problem));
        }
        let trial = self.trials.iter().position(|trial| !are_looks(&trial.looks))?;
        Some(Fault::at(&format!("trial {}, key looks", trial + 1), problem))
    }
}

/// No plan has more looks.
const MOST_LOOKS: usize = 1000;
/// No plan goes on for longer.
const LAST_LOOK: u32 = 10_000_000;

/// The rule for a list of looks, in words that follow its name.
pub const LOOKS_RULE: &str = "must ascend from 1, each once, at most 1000 of them and none above 10000000";

/// Returns whether these numbers of counted rounds can be looks. An empty list names none, which is no mistake.
pub fn are_looks(looks: &[u32]) -> bool {
    let ascend = looks.first() != Some(&0) && looks.windows(2).all(|pair| pair[0] < pair[1]);
    ascend && looks.len() <= MOST_LOOKS && looks.last().is_none_or(|&last| last <= LAST_LOOK)
}

/// Returns whether it can be an identity: those of other programs may be longer, and a word that means another run is none.
fn is_id(id: &RunId) -> bool {
    (1..=64).contains(&id.0.len())
        && id.0.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
        && !RunId::LAST.contains(&id.0.as_str())
}

/// Returns the fault of a metric: those of every sample have a fixed source, and any other one is a value of the samples.
fn fault_of_metric(metric: &Metric) -> Option<String> {
    let key = metric.key.escape_default();
    match Metric::BUILT_IN.into_iter().find(|known| known.key == metric.key) {
        Some(known) if (known.source, known.better) == (metric.source, metric.better) => None,
        Some(known) => {
            let (source, better) = (word(&known.source), word(&known.better));
            Some(format!(r#"'{key}' must have "source": "{source}" and "better": "{better}""#))
        }
        None if !is_key(&metric.key) => Some(format!("'{key}' is not the name of a metric, like work_ns")),
        None if metric.source != Source::Value => {
            let source = word(&metric.source);
            Some(format!("'{key}' cannot have the source '{source}', only 'value'"))
        }
        None => None,
    }
}

/// Returns the word that files have for it.
fn word(value: &impl Debug) -> String {
    format!("{value:?}").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Better;

    #[test]
    fn looks_ascend_are_not_many_and_end_within_reason() {
        assert!(are_looks(&[]) && are_looks(&[1]) && are_looks(&[8, 10, 10_000_000]));
        assert!(are_looks(&(1..=1000).collect::<Vec<_>>()));
        let refused: [&[u32]; 5] = [&[0, 1], &[10, 5], &[5, 5], &[8, 4_000_000_000], &[10_000_001]];
        assert!(refused.iter().all(|looks| !are_looks(looks)));
        assert!(!are_looks(&(1..=1001).collect::<Vec<_>>()));
        assert!(LOOKS_RULE.contains(&MOST_LOOKS.to_string()) && LOOKS_RULE.contains(&LAST_LOOK.to_string()));
    }

    #[test]
    fn an_identity_can_be_the_name_of_a_file_anywhere() {
        for (id, expected) in [
            ("20261121T100000-aa", true),
            ("a_b.c", true),
            ("", false),
            ("../etc", false),
            ("a b", false),
            ("last", false),
            ("latest", false),
            ("\u{1b}[2J", false),
        ] {
            assert_eq!(is_id(&RunId(id.to_owned())), expected, "{id:?}");
        }
        assert!(is_id(&RunId("a".repeat(64))) && !is_id(&RunId("a".repeat(65))));
    }

    #[test]
    fn a_metric_stands_where_its_key_says() {
        for known in Metric::BUILT_IN {
            assert_eq!(fault_of_metric(&known), None);
            // Words may change from version to version.
            assert_eq!(fault_of_metric(&Metric { what: "anything".into(), ..known.clone() }), None);
            let turned = Metric { better: Better::More, ..known.clone() };
            let problem = fault_of_metric(&turned).expect("more of it is not better");
            assert!(problem.contains(r#""better": "less""#), "{problem}");
            assert!(fault_of_metric(&Metric { source: Source::Value, ..known.clone() }).is_some());
            assert!(fault_of_metric(&Metric { key: "other_ns".into(), ..known }).is_some());
        }
        assert_eq!(fault_of_metric(&Metric::more("units_per_second", "units a second")), None);
        assert!(fault_of_metric(&Metric::less("Not A Key", "nothing")).is_some());
    }
}
