//! `bakeoff show`: one technique, its code included.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use families::{AnyFamily, technique_in};
use measure::{Ending, Request, Selection};
use model::{Availability, Preset, Values, Workload};
use report::{Code, ExplainPage, ExplainedContest, ShowPage, Stood};
use store::Sqlite;

use crate::arguments::{Common, Format};
use crate::commands::explain::{Asked, TIME_LIMIT_NS, carry_out, page, planned, untimed};
use crate::exit::Done;
use crate::leaders::decided;
use crate::paths::read_store_if_any;
use crate::scratch::{clean_register, tried_in};
use crate::selection;
use crate::terminal::print_page;

/// One technique: how it works, its system calls, its code, where it won
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The technique, by its name or that of a published program: copy/presized, copy/cpW
    #[arg(value_name = "FAMILY/TECHNIQUE")]
    technique: String,
    /// The whole code, that which it shares with other techniques included
    #[arg(long)]
    all: bool,
    /// Directory to try it in [default: that of its last run where its work is done, or .]
    #[arg(long = "dir", value_name = "DIR")]
    directory: Option<PathBuf>,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// This many contests are listed.
const MOST_CONTESTS: usize = 12;

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let (family, names) = technique(&arguments.technique)?;
    let technique = technique_in(&names[0]).to_owned();
    let Some(source) = families::source_of(family.name(), &technique) else {
        bail!("the code of {}/{technique} is not carried in this build", family.name());
    };
    let store = read_store_if_any(common)?;
    let (contests, further_contests) = contests(family, &technique, store.as_ref())?;
    // Of several values, the one that did best in its last contest.
    let best = contests.first().map(|stood| &stood.entry).filter(|best| names.contains(best));
    let entry = family.entry(best.unwrap_or(&names[0])).map_err(anyhow::Error::msg)?;
    let one = Selection { family, entries: Some(vec![entry.name.clone()]) };
    let asked = Asked::nothing_but(arguments.directory.clone());
    let last = asked.contest(&one, store.as_ref())?.filter(|of| !of.is_other_work);
    let directory = asked.directory(last.as_ref().map(|of| &of.ranking));
    let missing = missing(family, &entry.name, &directory, common)?;
    let (explained, not_explained) = match &missing {
        Some(_) => (None, Some("it cannot run here".to_owned())),
        None => match explained(&asked, one, last.as_ref(), &directory, common) {
            Ok(None) => return Ok(Done::Interrupted),
            Ok(explained) => (explained, None),
            Err(error) => (None, Some(crate::exit::one_line(&error))),
        },
    };
    let all = family.entries().into_iter().filter(|one| one.technique() == technique);
    let shown = ShowPage {
        family: family.name().to_owned(),
        question: family.question().to_owned(),
        technique: technique.clone(),
        aliases: entry.aliases,
        idea: entry.idea,
        source: entry.source,
        variant_of: entry.variant_of.map(str::to_owned),
        only_for: only_for(family, &entry.name, source.path),
        parameters: entry.parameters.iter().map(|&name| name.to_owned()).collect(),
        entries: all.map(|one| one.name).collect(),
        is_baseline: technique_in(family.baseline()) == technique,
        is_ceiling: entry.ceiling,
        needs: needs(entry.needs, source.path),
        missing,
        expected: expected(family, &entry.name, explained.as_ref()),
        explained,
        not_explained,
        contests,
        further_contests,
        file: source.path.to_owned(),
        code: source.text.to_owned(),
        further: source
            .further
            .iter()
            .map(|&(file, code)| Code { file: file.to_owned(), code: code.to_owned() })
            .collect(),
    };
    print_page(&shown, arguments.format, arguments.all, common)?;
    Ok(Done::Well)
}

/// Returns what a host must have. `path` is that of its source.
fn needs(declared: Option<String>, path: &str) -> String {
    let folders: Vec<&str> = path.split('/').collect();
    let is_windows = folders.contains(&"windows") || std::env::consts::OS == "windows";
    declared.unwrap_or_else(|| match (folders.contains(&"linux"), is_windows) {
        (true, _) => "nothing but the C library of Linux".to_owned(),
        (_, true) => "nothing but Windows".to_owned(),
        _ => "nothing but the C library".to_owned(),
    })
}

/// Returns the entries that are meant, at least one: several of a technique that is named without a value.
fn technique(name: &str) -> Result<(&'static dyn AnyFamily, Vec<String>)> {
    let Some((family, technique)) = name.split_once('/') else {
        let family = selection::family(name)?.name();
        bail!("name one technique of {family}: {family}/TECHNIQUE; 'bakeoff list {family}' names them all");
    };
    let selection = selection::select(&[name.to_owned()])?.remove(0);
    match selection.entries {
        Some(entries) if !entries.is_empty() => Ok((selection.family, entries)),
        _ => bail!("'{technique}' is not a technique of {family}; 'bakeoff list {family}' names them all"),
    }
}

/// Returns the systems and workloads that a technique is for, where these are not all. `path` is that of its source.
fn only_for(family: &dyn AnyFamily, entry: &str, path: &str) -> Vec<String> {
    let systems = [("linux", "Linux"), ("windows", "Windows")].into_iter();
    let systems = systems.filter(|(folder, _)| path.split('/').any(|part| part == *folder));
    let mut all: Vec<String> = systems.map(|(_, name)| name.to_owned()).collect();
    for workload in every_workload(family) {
        let Availability::Missing(reason) = family.suits(entry, &workload) else { continue };
        let said = match reason.strip_prefix("for ") {
            Some(what) => what.to_owned(),
            None => format!("workloads other than '{}' ({reason})", workload.name),
        };
        // Several workloads may be left out for one reason: the first is an example of them.
        if !all.iter().any(|known| *known == said || known.ends_with(&format!("({reason})"))) {
            all.push(said);
        }
    }
    all
}

fn every_workload(family: &dyn AnyFamily) -> Vec<Workload> {
    let mut all: Vec<Workload> = of_presets(family).collect();
    let Some(first) = all.first().cloned() else { return all };
    for axis in family.axes() {
        let Values::Words(words) = axis.values else { continue };
        for word in words {
            let mut workload = first.clone();
            if family.set(&mut workload, axis.name, word).and_then(|()| family.check(&workload)).is_ok() {
                workload.name = format!("{}={word}", axis.name);
                all.push(workload);
            }
        }
    }
    all
}

/// Returns the system calls that the idea of a technique names, at the workload at which it was seen.
fn expected(family: &dyn AnyFamily, entry: &str, explained: Option<&ExplainPage>) -> Vec<String> {
    let explained = explained.map(|page| page.workload.clone());
    let workload = explained.or_else(|| workload(family, entry));
    workload.map(|workload| family.calls(entry, &workload)).unwrap_or_default()
}

/// Returns why a technique cannot run here; `None` if it can.
fn missing(family: &dyn AnyFamily, entry: &str, directory: &Path, common: &Common) -> Result<Option<String>> {
    let host = sys::host::describe();
    let (_probes, setting) = tried_in(directory, common)?;
    Ok(match family.probe(entry, &host, &setting) {
        Availability::Ready => None,
        Availability::Missing(reason) => Some(reason),
    })
}

/// Returns the first workload of a preset that it is for. At a smaller size it might fall back to what another technique does.
fn workload(family: &dyn AnyFamily, entry: &str) -> Option<Workload> {
    let mut all = of_presets(family);
    all.find(|workload| family.suits(entry, workload).is_ready())
}

fn of_presets(family: &dyn AnyFamily) -> impl Iterator<Item = Workload> {
    Preset::ALL.into_iter().flat_map(|preset| family.workloads(preset))
}

/// Returns what a technique does at the work of its last contest, else at a preset's; `None` where it was interrupted.
fn explained(
    asked: &Asked, one: Selection, last: Option<&ExplainedContest>, directory: &Path, common: &Common,
) -> Result<Option<ExplainPage>> {
    let register = clean_register(common)?;
    let plan = if last.is_some() {
        asked.plan(one, last, &[], &register)?
    } else {
        let entry = one.entries.iter().flatten().next();
        let workload = entry.and_then(|entry| workload(one.family, entry));
        let workloads = vec![workload.context("it is for no workload of a preset")?];
        planned(&Request { workloads, ..untimed(one, directory, TIME_LIMIT_NS, 1)? }, &register)?
    };
    let (ending, tasks) = carry_out(plan, &register, common)?;
    match (ending, tasks.into_iter().next()) {
        (Ending::Interrupted, _) => Ok(None),
        (Ending::Complete, Some(task)) => Ok(Some(page(task, None))),
        (Ending::Complete, None) => bail!("its family has no work to do here"),
    }
}

/// Returns the last contests in which it took part, and how many more there are in the runs that were looked at.
fn contests(family: &dyn AnyFamily, technique: &str, store: Option<&Sqlite>) -> Result<(Vec<Stood>, u64)> {
    let mut all = Vec::new();
    for kept in decided(family, store)? {
        let (record, decided) = kept?;
        for ranking in decided.rankings.into_iter().filter(|ranking| ranking.family == family.name()) {
            let mut built_in = ranking.entries.iter().filter(|entry| entry.kind == model::Kind::BuiltIn);
            // The entries stand in the order of their factors.
            let best = built_in.find(|entry| technique_in(&entry.technique) == technique);
            if let Some(entry) = best.map(|entry| entry.technique.clone()) {
                let (run, started) = (record.id.to_string(), record.started.clone());
                all.push(Stood { run, started, ranking, entry });
            }
        }
    }
    let further = all.len().saturating_sub(MOST_CONTESTS) as u64;
    all.truncate(MOST_CONTESTS);
    Ok((all, further))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_is_for_a_workload_of_a_preset() {
        for family in families::all() {
            for entry in family.entries() {
                let (workload, quick) = (workload(*family, &entry.name), family.workloads(Preset::Quick));
                let is_usual = family.suits(&entry.name, &quick[0]).is_ready();
                let workload = workload.expect("a workload");
                assert!(quick.contains(&workload) || !is_usual, "{}: {}", entry.name, workload.name);
            }
        }
    }
}
