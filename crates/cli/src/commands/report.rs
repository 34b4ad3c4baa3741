//! `bakeoff report`: a kept run again.

use ::report::Context;
use anyhow::{Context as _, Result, bail};
use families::AnyFamily;
use judge::{LOOKS_RULE, Ranking, Sweep, are_looks, compare_by};
use model::{Record, RunId, Topic, TrialRecord};
use store::Store;

use crate::arguments::{Common, Format, ReportArguments};
use crate::catalogue::catalogue;
use crate::commands::judge::refuse_unknown;
use crate::exit::Done;
use crate::paths::{read_store, store_file};
use crate::terminal::{print, style};

pub(crate) fn report(arguments: &ReportArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    if arguments.list {
        let runs = store.runs()?;
        print(&match arguments.format {
            Format::Json => serde_json::to_string_pretty(&runs)?,
            Format::Markdown => ::report::markdown::runs(&runs),
            Format::Text => ::report::text::runs(&runs, &style(common, true)),
        })?;
        return Ok(Done::Well);
    }
    let id = store.resolve(&arguments.run)?;
    let mut record = kept(&store, &id)?;
    if let Some(name) = &arguments.reference {
        measured_by(&mut record, name);
    }
    if let Some(name) = &arguments.metric {
        compare_by(&mut record, name).context("--metric")?;
    }
    let mut rankings = ::judge::rank_with(&record, &catalogue());
    // A family that does not have it has no contest by it.
    rankings.retain(|ranking| arguments.metric.as_ref().is_none_or(|name| ranking.quantity.is_called(name)));
    refuse_unknown(arguments.reference.as_deref(), &rankings)?;
    show_record(&record, &rankings, arguments.format, arguments.verbose, common)?;
    Ok(Done::Well)
}

/// Prints a kept run. A fresh run takes this road too: reports read the store, never memory.
pub(crate) fn show(
    store: &dyn Store,
    id: &RunId,
    format: Format,
    verbose: bool,
    common: &Common,
) -> Result<Record> {
    let record = kept(store, id)?;
    let rankings = ::judge::rank_with(&record, &catalogue());
    show_record(&record, &rankings, format, verbose, common)?;
    Ok(record)
}

/// A kept run. What stands in a store may be no plan that a run can have had.
pub(crate) fn kept(store: &dyn Store, id: &RunId) -> Result<Record> {
    let record = store.load(id)?;
    let of_trials = record.trials.iter().all(|trial| are_looks(&trial.looks));
    match of_trials && are_looks(&record.design.looks) {
        true => Ok(record),
        false => {
            bail!("run {id} is damaged in the store: its looks {LOOKS_RULE}; restore the store from a copy")
        }
    }
}

fn show_record(
    record: &Record,
    rankings: &[Ranking],
    format: Format,
    verbose: bool,
    common: &Common,
) -> Result<()> {
    print(&match format {
        Format::Text => {
            let context = context(record, rankings, common)?;
            ::report::text::rankings_in(record, rankings, &context, &style(common, verbose))
        }
        Format::Markdown => {
            ::report::markdown::rankings_in(record, rankings, &context(record, rankings, common)?)
        }
        Format::Json => serde_json::to_string_pretty(&::report::json::run(record, rankings))?,
    })
}

/// Every family is measured by the technique of that name, where it takes part.
fn measured_by(record: &mut Record, name: &str) {
    let is_it = |trial: &&TrialRecord| {
        let technique = trial.technique.split('@').next();
        trial.technique == name || technique == Some(name) || trial.aliases.iter().any(|alias| alias == name)
    };
    let families: Vec<String> =
        record.trials.iter().filter(is_it).map(|trial| trial.family.clone()).collect();
    for family in families {
        record.design.references.insert(family, name.to_owned());
    }
}

/// What a page needs beside the record.
fn context(record: &Record, rankings: &[Ranking], common: &Common) -> Result<Context> {
    let question = |family: &&dyn AnyFamily| (family.name().to_owned(), family.question().to_owned());
    // What a user's own job asks stands in its record.
    let own = record.notes.iter().filter(|note| note.topic == Topic::Question);
    let own = own.filter_map(|note| note.text.split_once(": "));
    let own = own.map(|(family, question)| (family.to_owned(), question.to_owned()));
    Ok(Context {
        questions: families::all().iter().map(question).chain(own).collect(),
        stored_in: Some(store_file(common)?.display().to_string()),
        break_evens: break_evens(rankings),
    })
}

/// From which size on one technique is faster than another, where the run varied that size.
fn break_evens(rankings: &[Ranking]) -> Vec<String> {
    let sweeps = families::all().iter().flat_map(|family| {
        family.sweeps().iter().map(|sweep| Sweep {
            family: family.name().to_owned(),
            measure: sweep.measure.to_owned(),
            what: sweep.what.to_owned(),
            base: sweep.base.to_owned(),
            rival: sweep.rival.to_owned(),
        })
    });
    sweeps.flat_map(|sweep| ::judge::break_evens(rankings, &sweep)).collect()
}
