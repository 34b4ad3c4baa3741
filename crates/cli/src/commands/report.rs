//! `bakeoff report`: a kept run again.

use std::fs;

use ::report::Context;
use anyhow::{Context as _, Result};
use families::AnyFamily;
use judge::{Decided, compare_by};
use model::{Quantity, Record, RunId, TrialRecord};
use store::Store;

use crate::arguments::{Common, Format, ReportArguments};
use crate::catalogue::catalogue;
use crate::commands::findings::judged_by;
use crate::commands::judge::refuse_unknown;
use crate::commands::run::Shape;
use crate::exit::Done;
use crate::paths::{page_file, read_store, report_command, store_file};
use crate::terminal::{print, remark, style};
use crate::whole_file::write_whole;

pub(crate) fn report(arguments: &ReportArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    if arguments.list {
        let runs = store.runs()?;
        print(&match arguments.format {
            Format::Json => serde_json::to_string_pretty(&runs)?,
            Format::Markdown => ::report::markdown::runs(&runs),
            Format::Html => ::report::html::runs(&runs),
            Format::Text => ::report::text::runs(&runs, &style(common, true)),
        })?;
        return Ok(Done::Well);
    }
    let id = store.resolve(&arguments.run)?;
    let mut record = store.load(&id)?;
    if let Some(name) = &arguments.reference {
        measured_by(&mut record, name);
    }
    let decided = decided_by(&mut record, arguments.metric.as_deref())?;
    refuse_unknown(arguments.reference.as_deref(), &decided.rankings)?;
    match &arguments.html {
        None => {}
        Some(None) => {
            keep_page(&record, &decided, common)?;
            return Ok(Done::Well);
        }
        Some(Some(file)) => {
            let page = html_page(&record, &decided, common)?;
            write_whole(file, &page)
                .with_context(|| format!("--html {} cannot be written", file.display()))?;
            return Ok(Done::Well);
        }
    }
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

/// Prints a kept run and writes its page. A fresh run takes this road too: reports read the store, never memory.
pub(crate) fn show(store: &dyn Store, id: &RunId, shape: &Shape, common: &Common) -> Result<Record> {
    let record = store.load(id)?;
    let decided = ::judge::decide(&record, &catalogue());
    show_record(&record, &decided, shape.format, shape.verbose, common)?;
    if shape.writes_page {
        keep_page(&record, &decided, common)?;
    }
    Ok(record)
}

/// Writes a run's page beside the store and says where it is. The run is kept, and so it does not fail where no page can
/// be written.
fn keep_page(record: &Record, decided: &Decided, common: &Common) -> Result<()> {
    let (page, file) = (html_page(record, decided, common)?, page_file(&record.id, common)?);
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    match folder.map_err(Into::into).and_then(|()| write_whole(&file, &page)) {
        Ok(()) => remark(common, &format!("report: {}", file.display())),
        Err(error) => {
            let (shown, again) = (file.display(), report_command(&record.id, common));
            let told = format!(
                "bakeoff: {shown} cannot be written ({error}); '{again} --html FILE' writes it elsewhere"
            );
            remark(common, &told);
        }
    }
    Ok(())
}

/// A run as an HTML page.
fn html_page(record: &Record, decided: &Decided, common: &Common) -> Result<String> {
    let seen = ::judge::seen(record, decided);
    let findings = judged_by(record, decided)?;
    Ok(::report::html::run(record, decided, &seen, &context(record, common)?, &findings))
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
        Format::Html => html_page(record, decided, common)?,
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
        ideas: catalogue().into_iter().map(|(name, told)| (name, told.idea)).collect(),
        stored_in: Some(store_file(common)?.display().to_string()),
    })
}
