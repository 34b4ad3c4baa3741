//! `bakeoff findings`: what was published, and what is true here.

mod answers;
mod asked;

use std::collections::{BTreeMap, BTreeSet};

use ::findings::{Finding, Judged, KeptRun, Known, judge, read_all};
use ::judge::Decided;
use anyhow::{Result, bail};
use measure::Ending;
use model::{Record, RunId, Summary, Volume};
use store::Store;

use answers::Judging;

use crate::arguments::{Common, FindingsArguments, Format};
use crate::catalogue::catalogue;
use crate::commands::run::{Asked, directories, measured};
use crate::exit::Done;
use crate::paths::read_store;
use crate::selection;
use crate::terminal::{print, style};

/// So many of the latest runs of a family are looked at: a finding about two hosts needs three of each.
const MOST_RUNS: usize = 12;

pub(crate) fn findings(arguments: &FindingsArguments, common: &Common) -> Result<Done> {
    let all = chosen(arguments)?;
    let known = known();
    let ending = match arguments.measure {
        true => match measure_for(&all, &known, arguments, common)? {
            Some(ending) => ending,
            // Only the plan was asked for.
            None => return Ok(Done::Well),
        },
        false => Ending::Complete,
    };
    let runs = match &arguments.run {
        Some(run) => {
            let store = read_store(common)?;
            let id = store.resolve(run)?;
            vec![kept_run(&store, &id)?]
        }
        // Nothing was ever kept: then everything is yet to be measured.
        None => read_store(common).ok().map_or(Ok(Vec::new()), |store| latest(&store, &all))?,
    };
    let judged: Vec<Judged> = all.iter().map(|finding| judge(finding, &runs, &known)).collect();
    print(&match arguments.format {
        Format::Text => report::text::findings(&judged, &style(common, arguments.verbose)),
        Format::Markdown => report::markdown::findings(&judged),
        Format::Html => report::html::findings(&judged),
        Format::Json => serde_json::to_string_pretty(&report::json::findings(&judged))?,
    })?;
    Ok(match ending {
        Ending::Complete => Done::Well,
        Ending::Interrupted => Done::Interrupted,
    })
}

/// Measures in one run what the findings need; `None` where only the plan was asked for.
fn measure_for(
    all: &[Finding],
    known: &Known,
    arguments: &FindingsArguments,
    common: &Common,
) -> Result<Option<Ending>> {
    let start_ns = sys::clock::now_ns();
    let host = sys::host::describe();
    let directories = directories(&arguments.directories)?;
    let volumes = directories.iter().map(|directory| Ok(sys::host::volume(directory)?));
    let volumes = volumes.collect::<Result<Vec<Volume>>>()?;
    let seed = arguments.seed.unwrap_or_else(sys::random::draw);
    let requests = asked::requests(all, known, &host.os.family, &directories, arguments.budget, seed)?;
    let mut judging = Judging { all, known };
    let asked = Asked { request: &requests[0], further: &requests[1..], dry_run: arguments.dry_run };
    let measured = measured(&asked, Some(&mut judging), host, volumes, start_ns, common)?;
    Ok(measured.map(|(_, _, ending)| ending))
}

/// The findings of the families that were named, or all.
fn chosen(arguments: &FindingsArguments) -> Result<Vec<Finding>> {
    let all = read_all()?;
    let families: BTreeSet<&str> = all.iter().map(|finding| finding.family.as_str()).collect();
    if let Some(unknown) = arguments.families.iter().find(|name| !families.contains(name.as_str())) {
        let known = families.into_iter().collect::<Vec<_>>().join(", ");
        bail!("--family {unknown}: no finding is about it; there are findings about {known}");
    }
    let is_meant =
        |finding: &Finding| arguments.families.is_empty() || arguments.families.contains(&finding.family);
    Ok(all.into_iter().filter(is_meant).collect())
}

/// The latest runs that have any of these families.
fn latest(store: &dyn Store, all: &[Finding]) -> Result<Vec<KeptRun>> {
    let families: BTreeSet<&str> = all.iter().map(|finding| finding.family.as_str()).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut runs = Vec::new();
    for Summary { id, families: own, .. } in store.runs()? {
        let wanted: Vec<String> = own
            .into_iter()
            .filter(|name| families.contains(name.as_str()))
            .filter(|name| counts.get(name).copied().unwrap_or(0) < MOST_RUNS)
            .collect();
        if !wanted.is_empty() {
            wanted.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
            runs.push(kept_run(store, &id)?);
        }
    }
    Ok(runs)
}

fn kept_run(store: &dyn Store, id: &RunId) -> Result<KeptRun> {
    let record = store.load(id)?;
    let decided = ::judge::decide(&record, &catalogue());
    Ok(KeptRun { record, decided })
}

/// The findings about the families of a run, judged by it alone.
pub(crate) fn judged_by(record: &Record, decided: &Decided) -> Result<Vec<Judged>> {
    let families: BTreeSet<&str> = record.trials.iter().map(|trial| trial.family.as_str()).collect();
    let own = read_all()?.into_iter().filter(|finding| families.contains(finding.family.as_str()));
    let own: Vec<Finding> = own.collect();
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let runs = [KeptRun { record: record.clone(), decided: decided.clone() }];
    let known = known();
    Ok(own.iter().map(|finding| judge(finding, &runs, &known)).collect())
}

/// What this version can measure on this system.
fn known() -> Known {
    let mut known = Known::new();
    for family in selection::shown() {
        let names: &mut BTreeSet<String> = known.entry(family.name().to_owned()).or_default();
        for entry in family.entries() {
            names.insert(entry.technique().to_owned());
            names.extend(entry.aliases.iter().cloned());
            names.insert(entry.name);
        }
    }
    known
}
