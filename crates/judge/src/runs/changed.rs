//! What changed about a host, and about the program that measured, between the runs that are followed over time.

use std::path::{Path, PathBuf};

use model::{Record, RunId, Tool};
use serde::Serialize;

use crate::runs::compare_hosts::host_facts;

/// Something that a run knows otherwise than the one before it that knows it at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// The first run with what it is now.
    pub run: RunId,
    /// The fact: `bakeoff` (its version and commit), `kernel`.
    pub fact: String,
    /// The directory, where only what is measured in it is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// The old value.
    pub before: String,
    /// The new value.
    pub now: String,
}

/// `0.1.0 (abc)`.
pub(crate) fn version(tool: &Tool) -> String {
    let commit = tool.commit.as_ref().map_or(String::new(), |commit| format!(" ({commit})"));
    format!("{}{commit}", tool.version)
}

/// The facts of a run about its program and host that may change how long work takes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Facts(Vec<(&'static str, Option<PathBuf>, String)>);

impl Facts {
    pub(crate) fn of(record: &Record) -> Self {
        let program = ("bakeoff", None, version(&record.tool));
        let host = host_facts(record).into_iter().map(|(fact, value)| (fact, None, value));
        let devices = record.volumes.iter().filter_map(|volume| {
            let device = volume.device.clone().filter(|it| !it.is_empty())?;
            Some(("device", Some(volume.directory.clone()), device))
        });
        Self(std::iter::once(program).chain(host).chain(devices).collect())
    }

    fn get(&self, fact: &str, directory: Option<&Path>) -> Option<&str> {
        let known = self.0.iter().find(|(name, place, _)| *name == fact && place.as_deref() == directory);
        known.map(|(.., value)| value.as_str())
    }
}

/// Returns the changes from run to run, the earliest first, each against the latest run before that knows the fact.
pub(crate) fn changed<'a>(runs: impl Iterator<Item = (&'a RunId, &'a Facts)>) -> Vec<Changed> {
    let mut seen: Vec<&Facts> = Vec::new();
    let mut found = Vec::new();
    for (run, facts) in runs {
        for (fact, directory, now) in &facts.0 {
            let known = seen.iter().rev().find_map(|earlier| earlier.get(fact, directory.as_deref()));
            if let Some(before) = known.filter(|before| before != now) {
                found.push(Changed {
                    run: run.clone(),
                    fact: (*fact).to_owned(),
                    directory: directory.clone(),
                    before: before.to_owned(),
                    now: now.clone(),
                });
            }
        }
        seen.push(facts);
    }
    found
}

/// Several changes one after the other as one each; what is in the end as it was has not changed.
pub(crate) fn together<'a>(changes: impl Iterator<Item = &'a Changed>) -> Vec<Changed> {
    let mut found: Vec<Changed> = Vec::new();
    for change in changes {
        match found.iter_mut().find(|one| one.fact == change.fact && one.directory == change.directory) {
            Some(one) => {
                one.now.clone_from(&change.now);
                one.run = change.run.clone();
            }
            None => found.push(change.clone()),
        }
    }
    found.retain(|one| one.before != one.now);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the changes over runs that know these facts.
    fn over(runs: &[&[(&'static str, &str)]]) -> Vec<String> {
        let runs = runs.iter().enumerate().map(|(nth, facts)| {
            let facts = facts.iter().map(|(fact, value)| (*fact, None, (*value).to_owned()));
            (RunId(nth.to_string()), Facts(facts.collect()))
        });
        let runs: Vec<(RunId, Facts)> = runs.collect();
        let said = changed(runs.iter().map(|(id, facts)| (id, facts)));
        said.iter().map(|one| format!("{}: {} {} -> {}", one.run, one.fact, one.before, one.now)).collect()
    }

    #[test]
    fn a_change_belongs_to_the_first_run_that_knows_it() {
        let one: &[_] = &[("bakeoff", "1 (a)"), ("kernel", "6.1")];
        let other: &[_] = &[("bakeoff", "1 (b)"), ("kernel", "6.1")];
        assert_eq!(over(&[one, one, other, other]), ["2: bakeoff 1 (a) -> 1 (b)"]);
        assert_eq!(over(&[one, other, one]), ["1: bakeoff 1 (a) -> 1 (b)", "2: bakeoff 1 (b) -> 1 (a)"]);
        assert!(over(&[one]).is_empty() && over(&[]).is_empty());
    }

    #[test]
    fn what_a_run_does_not_know_has_not_changed() {
        let known = |kernel| [("bakeoff", "1"), ("kernel", kernel)];
        let unknown: &[_] = &[("bakeoff", "1")];
        assert!(over(&[unknown, &known("6.1"), unknown, &known("6.1")]).is_empty());
        assert_eq!(over(&[&known("6.1"), unknown, &known("6.2")]), ["2: kernel 6.1 -> 6.2"]);
    }

    #[test]
    fn a_change_there_and_back_is_none() {
        let change = |run: &str, before: &str, now: &str| Changed {
            run: RunId(run.to_owned()),
            fact: "kernel".to_owned(),
            directory: None,
            before: before.to_owned(),
            now: now.to_owned(),
        };
        let (there, back) = (change("1", "6.1", "6.2"), change("2", "6.2", "6.1"));
        assert_eq!(together([&there].into_iter()), std::slice::from_ref(&there));
        assert!(together([&there, &back].into_iter()).is_empty());
        let further = change("2", "6.2", "6.3");
        assert_eq!(together([&there, &further].into_iter()), [change("2", "6.1", "6.3")]);
    }
}
