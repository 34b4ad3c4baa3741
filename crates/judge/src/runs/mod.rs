//! Several runs: side by side, and one host over time.
//!
//! Runs are never paired: rounds of one were never next to rounds of another.

pub(crate) mod across_runs;
pub(crate) mod changed;
pub(crate) mod compare;
pub(crate) mod compare_hosts;
pub(crate) mod compare_levels;
pub(crate) mod history;
mod same_question;
pub(crate) mod side;

use model::Record;

use crate::wording::once;

/// A metric by which no family of a run was measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this run cannot be judged by {name}; it can by {known}")]
pub struct NotMeasured {
    /// The metric that was asked for.
    pub name: String,
    /// The known metrics.
    pub known: String,
}

/// Lets every family that has it be compared by the metric of that name. Entries left the run by what was compared then: one that
/// left has fewer rounds, and may stay among those that may be best.
///
/// # Errors
/// No family of the run has it.
pub fn compare_by(record: &mut Record, name: &str) -> Result<(), NotMeasured> {
    let families = once(record.trials.iter().map(|trial| &trial.family)).into_iter().cloned();
    let (mut found, mut known) = (false, Vec::new());
    for family in families.collect::<Vec<_>>() {
        let mut all = record.metrics_of(&family);
        match all.iter().position(|metric| metric.is_called(name)) {
            None => known.extend(all.iter().map(|metric| metric.name().to_owned())),
            Some(place) => {
                let asked = all.remove(place);
                let declared = record.design.metrics.get(&family);
                all.retain(|other| declared.is_some_and(|declared| declared.contains(other)));
                all.insert(0, asked);
                record.design.metrics.insert(family, all);
                found = true;
            }
        }
    }
    known.sort();
    known.dedup();
    found.then_some(()).ok_or_else(|| NotMeasured { name: name.to_owned(), known: known.join(", ") })
}
