//! The values of arguments: families, techniques, axes, metrics and kept runs.

use std::env;
use std::ffi::OsStr;
use std::fmt::Display;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use clap::ColorChoice;
use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};
use families::AnyFamily;
use model::{Metric, RunId, Summary};

use crate::arguments::Common;
use crate::paths::read_store;
use crate::selection::shown;

type Candidates = Vec<CompletionCandidate>;

/// The most runs that are offered; the latest come first.
const MOST_RUNS: usize = 50;
/// Longest wait for the store: another process may hold it.
const PATIENCE: Duration = Duration::from_secs(1);

fn candidate(value: impl Display, help: impl Display) -> CompletionCandidate {
    CompletionCandidate::new(value.to_string()).help(Some(help.to_string().into()))
}

/// Returns the families whose names begin like this.
pub(super) fn families(current: &str) -> Candidates {
    let all = families::all().iter().filter(|family| family.name().starts_with(current));
    all.map(|family| candidate(family.name(), family.question()).hide(family.is_control())).collect()
}

/// Returns families, or behind a slash the techniques of one, or behind an `@` the values of a technique. The way from one to the
/// next is offered where only one is left.
pub(super) fn techniques(current: &str) -> Candidates {
    if let Some((family, rest)) = current.split_once('/') {
        let found = families::find(family).map(|family| techniques_of(family, rest)).unwrap_or_default();
        return found.into_iter().map(|one| one.add_prefix(format!("{family}/"))).collect();
    }
    let mut found = families(current);
    let names: Vec<String> = found.iter().map(|one| one.get_value().to_string_lossy().into_owned()).collect();
    found.extend(
        names
            .iter()
            .filter(|name| names.len() == 1 || *name == current)
            .map(|name| candidate(format!("{name}/"), "one of its techniques")),
    );
    found
}

fn techniques_of(family: &dyn AnyFamily, current: &str) -> Candidates {
    let mut entries = family.entries();
    if current.contains('@') {
        entries.retain(|entry| entry.name.starts_with(current));
        return entries.iter().map(|entry| candidate(&entry.name, &entry.idea)).collect();
    }
    entries.dedup_by(|one, before| one.technique() == before.technique());
    let of_programs = entries.iter().flat_map(|entry| {
        entry.aliases.iter().map(|alias| candidate(alias, format!("as {}", entry.technique())).hide(true))
    });
    let mut found: Candidates = of_programs.filter(|one| begins(one, current)).collect();
    entries.retain(|entry| entry.technique().starts_with(current));
    found.extend(entries.iter().map(|entry| candidate(entry.technique(), &entry.idea)));
    let is_alone = entries.len() == 1;
    entries.retain(|entry| !entry.parameters.is_empty() && (is_alone || entry.technique() == current));
    found.extend(
        entries.iter().map(|entry| candidate(format!("{}@", entry.technique()), "one of its values")),
    );
    found
}

/// Returns the same, or files where no family begins like this.
pub(super) fn techniques_or_jobs(current: &str) -> Candidates {
    let found = techniques(current);
    if !found.is_empty() {
        return found;
    }
    let jobs = PathCompleter::any().filter(|path| path.extension().is_some_and(|kind| kind == "toml"));
    jobs.complete(OsStr::new(current))
}

/// Returns the names of axes, or behind an equals sign values of one; of the families on the line if there are any.
pub(super) fn axes(current: &str) -> Candidates {
    let families = named_families();
    let all = families.iter().flat_map(|family| family.axes());
    let mut found: Candidates = match current.split_once('=') {
        None => all.map(|axis| candidate(format!("{}=", axis.name), axis.meaning)).collect(),
        Some((name, _)) => all
            .filter(|axis| axis.name == name)
            .flat_map(|axis| axis.defaults().into_iter().map(|value| axis.show(&value)))
            .map(|value| CompletionCandidate::new(format!("{name}={value}")))
            .collect(),
    };
    found.retain(|one| begins(one, current));
    each_once(found)
}

/// Returns the techniques of the families on the line, with their values behind an `@`.
pub(super) fn own_techniques(current: &str) -> Candidates {
    each_once(named_families().into_iter().flat_map(|family| techniques_of(family, current)).collect())
}

/// Returns what is known of every sample, and what the families on the line measure.
pub(super) fn metrics(current: &str) -> Candidates {
    let families = named_families();
    let declared = families.iter().flat_map(|family| family.metrics());
    let all = Metric::BUILT_IN.into_iter().chain(declared.cloned());
    let mut found: Candidates = all.map(|metric| candidate(metric.name(), &metric.what)).collect();
    found.retain(|one| begins(one, current));
    each_once(found)
}

pub(super) fn runs(current: &str) -> Candidates {
    let kept = kept_runs();
    let last = kept.first().map(|run| candidate(RunId::LAST[0], &run.id));
    let named =
        kept.iter().map(|run| candidate(&run.id, format!("{} {}", run.families.join(" "), run.started)));
    let begins_so = last.into_iter().chain(named).filter(|one| begins(one, current));
    begins_so.take(MOST_RUNS).collect()
}

/// Returns the kept runs and families, of which the last run is meant.
pub(super) fn runs_or_families(current: &str) -> Candidates {
    runs(current).into_iter().chain(families(current)).collect()
}

pub(super) fn runs_or_machines(current: &str) -> Candidates {
    let machines = findings::published::machines().iter();
    let machines =
        machines.map(|machine| candidate(format!("published:{}", machine.name), "a published machine"));
    runs(current).into_iter().chain(machines.filter(|one| begins(one, current))).collect()
}

/// Reads the store that is named on the line, or the user's. One that is absent or cannot be read has no runs.
fn kept_runs() -> Vec<Summary> {
    let words = words();
    let behind = words.iter().skip_while(|word| *word != "--store").nth(1);
    let named = words.iter().find_map(|word| word.strip_prefix("--store=")).or(behind.map(String::as_str));
    let common = Common { store: named.map(Into::into), color: ColorChoice::Never, quiet: true };
    let (sender, receiver) = mpsc::channel();
    let reader = thread::Builder::new()
        .spawn(move || sender.send(read_store(&common).and_then(|store| Ok(store.runs()?))));
    if reader.is_err() {
        return Vec::new();
    }
    receiver.recv_timeout(PATIENCE).ok().and_then(Result::ok).unwrap_or_default()
}

/// Returns the families on the line, or all that `run` takes.
fn named_families() -> Vec<&'static dyn AnyFamily> {
    let words = words();
    let names = words.iter().skip(1).filter_map(|word| word.split('/').next());
    let named: Vec<_> = names.filter_map(families::find).collect();
    if named.is_empty() { shown().collect() } else { named }
}

/// Returns the words of the line that is completed; the program was called with them behind `--`.
fn words() -> Vec<String> {
    let words = env::args_os().skip_while(|word| word != "--").skip(1);
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

fn begins(candidate: &CompletionCandidate, current: &str) -> bool {
    candidate.get_value().as_encoded_bytes().starts_with(current.as_bytes())
}

/// Drops what has the same name as something before it, as axes of several families may have.
fn each_once(mut candidates: Candidates) -> Candidates {
    let mut known = std::collections::HashSet::new();
    candidates.retain(|one| known.insert(one.get_value().to_owned()));
    candidates
}
