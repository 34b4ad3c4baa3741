//! The entries of a run's contests with their samples, for formats that file samples under a name: pyperf's, benchstat's,
//! Bencher's.
//!
//! Each holds the entries as they were judged: by the metric of their contest, without round 0, of the last attempt, and without
//! twins and entries that failed.

pub mod benchstat;
pub mod bmf;
pub mod csv;
pub mod hyperfine;
pub mod pyperf;

use std::collections::BTreeSet;

use judge::{Decided, Entry, Ranking, Standing};
use model::{Conditions, Kind, Metric, Record, Sample, TrialRecord};

use crate::text::layout::plain;
use crate::words::phrase;

/// A run in a format of another program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    /// The text; `None` where the format can hold nothing of the run.
    pub text: Option<String>,
    /// The parts of the run that the format cannot hold, in sentences without a full stop.
    pub skipped: Vec<String>,
}

pub(crate) struct Exported<'a> {
    /// Unique inside the run, and the same in every run of the same work.
    pub(crate) name: String,
    pub(crate) ranking: &'a Ranking,
    pub(crate) trial: &'a TrialRecord,
    /// Samples before the first counted round, each with its value.
    pub(crate) uncounted: Vec<(&'a Sample, f64)>,
    /// Those of the counted rounds: never empty.
    pub(crate) counted: Vec<(&'a Sample, f64)>,
}

impl Exported<'_> {
    pub(crate) fn metric(&self) -> &Metric {
        &self.ranking.metric
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        self.counted.iter().map(|(_, value)| *value)
    }
}

/// Returns what another program can hold of a run's entries, and sentences about the others. `why_not` is the reason for an entry that the
/// format cannot hold.
pub(crate) fn exported<'a>(
    record: &'a Record, decided: &'a Decided, why_not: impl Fn(&Exported<'_>) -> Option<String>,
) -> (Vec<Exported<'a>>, Vec<String>) {
    let ranked =
        decided.rankings.iter().flat_map(|ranking| ranking.entries.iter().map(move |entry| (ranking, entry)));
    let mut all: Vec<Exported<'a>> =
        ranked.filter_map(|(ranking, entry)| of_entry(record, ranking, entry)).collect();
    name(&mut all);
    let mut skipped: Vec<String> = Vec::new();
    if all.is_empty() {
        skipped.push("no technique of this run has a sample".to_owned());
    }
    skipped.extend(alone(record, decided));
    all.retain(|entry| {
        let Some(reason) = why_not(entry) else { return true };
        if !skipped.contains(&reason) {
            skipped.push(reason);
        }
        false
    });
    skipped.extend(curves_skipped(decided).filter(|_| !all.is_empty()));
    (all, skipped)
}

/// Names the entries that worked and stand in no contest.
fn alone<'a>(record: &'a Record, decided: &'a Decided) -> impl Iterator<Item = String> + 'a {
    let hosts = decided.rankings.iter().filter(|ranking| !ranking.alone.is_empty());
    hosts.flat_map(|host| {
        let all = record.trials.iter().filter(|trial| is_of(trial, host) && trial.twin_of.is_none());
        let others = all.filter(|trial| {
            let mut contests = decided.rankings.iter().filter(|one| is_of(trial, one));
            let is_known = contests.any(|one| one.entry(&trial.technique).is_some());
            !is_known && trial.samples.iter().any(|sample| host.metric.of(sample).is_some())
        });
        let names: BTreeSet<&String> = others.map(|trial| &trial.technique).collect();
        names.into_iter().map(|name| format!("{name} is skipped: alone in its class"))
    })
}

/// Says what a format loses that holds entries alone.
pub(crate) fn curves_skipped(decided: &Decided) -> Option<String> {
    let sentence = "the format holds no curves: where techniques change places is left out";
    (!decided.curves.is_empty()).then(|| sentence.to_owned())
}

/// Returns true if a trial took part in a contest, or in an earlier attempt of it.
pub(crate) fn is_of(trial: &TrialRecord, ranking: &Ranking) -> bool {
    trial.family == ranking.family && trial.workload == ranking.workload && trial.setting == ranking.setting
}

fn of_entry<'a>(record: &'a Record, ranking: &'a Ranking, entry: &'a Entry) -> Option<Exported<'a>> {
    if entry.standing == Standing::Failed || entry.kind == Kind::Twin {
        return None;
    }
    let trials = record.trials.iter().filter(|trial| is_of(trial, ranking));
    let trials = trials.filter(|trial| trial.technique == entry.technique);
    let trial = trials.max_by_key(|trial| trial.attempt)?;
    let first_counted = ranking.first_counted.unwrap_or_default();
    let valued = trial.samples.iter().filter_map(|sample| Some((sample, ranking.metric.of(sample)?)));
    let (mut counted, mut uncounted): (Vec<_>, Vec<_>) =
        valued.partition(|(sample, _)| sample.round >= first_counted);
    if counted.is_empty() {
        counted.append(&mut uncounted);
    }
    let is_known = !counted.is_empty();
    is_known.then(|| Exported { name: String::new(), ranking, trial, uncounted, counted })
}

/// Gives every entry a name of its own: what distinguishes two of one name stands behind both.
fn name(all: &mut [Exported<'_>]) {
    for entry in all.iter_mut() {
        entry.name = plain(&name_of(entry.trial));
    }
    let twice = repeated(all);
    for entry in all.iter_mut().filter(|entry| twice.contains(&entry.name)) {
        let further = plain(&phrase::setting(&entry.trial.setting, true));
        if !further.is_empty() {
            entry.name = format!("{} ({further})", entry.name);
        }
    }
    let mut known = BTreeSet::new();
    for entry in all.iter_mut() {
        entry.name = numbered(&entry.name, &mut known);
    }
}

/// Returns the name under which services file the figures.
pub(crate) fn name_of(trial: &TrialRecord) -> String {
    let TrialRecord { family, technique, workload, setting, .. } = trial;
    // A command that was timed as it was given has no other name.
    if workload.is_as_given() && trial.kind != Kind::BuiltIn {
        return technique.clone();
    }
    let Conditions { cache, durability, .. } = &setting.conditions;
    let mut name = format!("{family}/{technique} {}", workload.name);
    name.extend(cache.map(|cache| format!(" {cache}")));
    name.extend(durability.map(|durability| format!(" {durability}")));
    name
}

fn repeated(all: &[Exported<'_>]) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    all.iter().filter(|entry| !known.insert(&entry.name)).map(|entry| entry.name.clone()).collect()
}

/// Returns the name, with a number behind it where it is known already, as Go's tests have it: `a#01`.
pub(crate) fn numbered(name: &str, known: &mut BTreeSet<String>) -> String {
    let numbered = (1..).map(|nth| format!("{name}#{nth:02}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| known.insert(name.clone())).unwrap_or_default()
}

/// Returns the mean of the middle two, or the middle one; `None` where there is none.
pub(crate) fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    Some(if sorted.len().is_multiple_of(2) { (sorted[middle - 1] + upper) / 2.0 } else { upper })
}

#[cfg(test)]
mod tests;
