//! The metric and the baseline of each family of a run.

use std::collections::BTreeMap;

use families::{AnyFamily, Entry};
use model::{Kind, Metric, Source};

use crate::plan::planned::PlannedTask;
use crate::request::{Refusal, Request};

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Compared {
    /// In families that declare nothing.
    pub(crate) metric: Metric,
    /// In those that do: the first is compared.
    pub(crate) metrics: BTreeMap<String, Vec<Metric>>,
}

pub(crate) fn metrics(request: &Request) -> Result<Compared, Refusal> {
    let mut all = Compared::default();
    for selection in &request.selections {
        let family = selection.family;
        let compared = of_family(request, family)?;
        if family.metrics().is_empty() {
            all.metric = compared;
            continue;
        }
        let others = family.metrics().iter().filter(|other| other.key != compared.key).cloned();
        let declared = std::iter::once(compared.clone()).chain(others).collect();
        all.metrics.insert(family.name().to_owned(), declared);
    }
    Ok(all)
}

fn of_family(request: &Request, family: &dyn AnyFamily) -> Result<Metric, Refusal> {
    let declared = family.metrics();
    let commands = request.has_commands();
    let Some(name) = &request.metric else {
        return Ok(match declared.first() {
            _ if commands => Metric::PROCESS,
            Some(first) => first.clone(),
            None => Metric::WORK,
        });
    };
    let found = declared.iter().find(|one| one.is_called(name)).cloned().or_else(|| Metric::built_in(name));
    match found {
        Some(inside) if commands && matches!(inside.source, Source::Work | Source::Value) => {
            Err(Refusal(format!(
                "commands can be compared by process, cpu, user, system, memory, faults or switches, not by {}: what \
                 happens inside a command cannot be seen",
                inside.name()
            )))
        }
        Some(metric) => Ok(metric),
        None => Err(Refusal(format!(
            "--metric {name}: {} is compared by {}",
            family.name(),
            names(declared.iter().chain(&Metric::BUILT_IN))
        ))),
    }
}

/// Returns `work, process or cpu`, each once.
fn names<'a>(metrics: impl Iterator<Item = &'a Metric>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for metric in metrics {
        if !names.contains(&metric.name()) {
            names.push(metric.name());
        }
    }
    match names.as_slice() {
        [some @ .., last] if !some.is_empty() => format!("{} or {last}", some.join(", ")),
        _ => names.concat(),
    }
}

pub(crate) fn is_baseline(request: &Request, entry: &Entry) -> bool {
    request.baseline.as_ref().is_some_and(|name| Kind::BuiltIn.is_called(&entry.name, &entry.aliases, name))
}

/// Returns the entries of each family that all are compared with: the one that the user named, else the family's baseline and those of
/// its classes.
pub(crate) fn baselines(
    request: &Request, tasks: &[PlannedTask],
) -> Result<BTreeMap<String, String>, Refusal> {
    let mut baselines = BTreeMap::new();
    let mut found = false;
    for task in tasks {
        let entries: Vec<_> = task.participants.iter().filter(|one| one.competes()).collect();
        let named = request.baseline.as_ref();
        let named = named
            .and_then(|name| entries.iter().find(|one| one.kind.is_called(&one.name, &one.aliases, name)));
        found |= named.is_some();
        let (family, usual, is_named) = (task.family.name(), task.family.baseline(), named.is_some());
        if let Some(baseline) = named.or_else(|| entries.iter().find(|one| one.name == usual)) {
            baselines.insert(family.to_owned(), baseline.name.clone());
        }
        let of_classes = task.family.class_baselines();
        for one in entries.iter().filter(|one| !is_named && of_classes.contains(&&*one.name)) {
            baselines.insert(format!("{family}/{}", one.class), one.name.clone());
        }
    }
    match &request.baseline {
        Some(name) if !found => Err(Refusal(format!(
            "--baseline {name}: no family of this run has a technique or command of this name that can run here; \
             'bakeoff list FAMILY' names the techniques"
        ))),
        _ => Ok(baselines),
    }
}
