//! `bakeoff report`: a kept run again.

use ::report::Context;
use anyhow::{Context as _, Result, bail};
use families::AnyFamily;
use judge::{Decided, LOOKS_RULE, are_looks, compare_by};
use model::{Quantity, Record, RunId, TrialRecord};
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
    let decided = decided_by(&mut record, arguments.metric.as_deref())?;
    refuse_unknown(arguments.reference.as_deref(), &decided.rankings)?;
    show_record(&record, &decided, arguments.format, arguments.verbose, common)?;
    Ok(Done::Well)
}

/// What may be said of a run by the quantity of that name, or by what it compares. A family that does not have it has no
/// contest by it.
pub(crate) fn decided_by(record: &mut Record, metric: Option<&str>) -> Result<Decided> {
    if let Some(name) = metric {
        compare_by(record, name).context("--metric")?;
    }
    let mut decided = ::judge::decide(record, &catalogue());
    let is_meant = |quantity: &Quantity| metric.is_none_or(|name| quantity.is_called(name));
    decided.rankings.retain(|ranking| is_meant(&ranking.quantity));
    decided.curves.retain(|curve| is_meant(&curve.quantity));
    Ok(decided)
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
    let decided = ::judge::decide(&record, &catalogue());
    show_record(&record, &decided, format, verbose, common)?;
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
    decided: &Decided,
    format: Format,
    verbose: bool,
    common: &Common,
) -> Result<()> {
    print(&match format {
        Format::Text => {
            ::report::text::run(record, decided, &context(record, common)?, &style(common, verbose))
        }
        Format::Markdown => ::report::markdown::run(record, decided, &context(record, common)?),
        Format::Json => serde_json::to_string_pretty(&::report::json::run(record, decided))?,
    })
}

/// Every family is measured by the technique of that name, where it takes part.
fn measured_by(record: &mut Record, name: &str) {
    let is_it = |trial: &&TrialRecord| {
        let technique = trial.kind.technique_and_value(&trial.technique).0;
        trial.technique == name || technique == name || trial.aliases.iter().any(|alias| alias == name)
    };
    let families: Vec<String> =
        record.trials.iter().filter(is_it).map(|trial| trial.family.clone()).collect();
    for family in families {
        record.design.references.insert(family, name.to_owned());
    }
}

/// What a page needs beside the record.
fn context(record: &Record, common: &Common) -> Result<Context> {
    let question = |family: &&dyn AnyFamily| (family.name().to_owned(), family.question().to_owned());
    // What a user's own job asks stands in its record.
    let own = record.design.questions.clone();
    Ok(Context {
        questions: families::all().iter().map(question).chain(own).collect(),
        stored_in: Some(store_file(common)?.display().to_string()),
    })
}
