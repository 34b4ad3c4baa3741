//! A kept run as it is printed, and its page.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context as _, Result};
use findings::{Finding, Judged, KeptRun};
use judge::{Decided, compare_by};
use model::{Record, RunId};
use report::{Context, RunPage};
use store::Sqlite;

use crate::arguments::{Common, Format};
use crate::catalogue::{ideas, known, own};
use crate::paths::{page_file, report_command, store_file, store_option};
use crate::terminal::{print, print_page, remark};
use crate::whole_file::write_whole;

/// The parts of a run that are shown.
pub(crate) struct Shape {
    pub(crate) dry_run: bool,
    pub(crate) format: Format,
    pub(crate) verbose: bool,
    /// Its HTML page is written next to the store.
    pub(crate) writes_page: bool,
}

/// Returns what may be said of a run by the metric of that name, or by what it compares. A family that does not have it has no
/// contest by it.
pub(crate) fn decided_by(record: &mut Record, name: Option<&str>) -> Result<Decided> {
    let Some(name) = name else { return Ok(judge::decide(record)) };
    compare_by(record, name).context("--metric")?;
    let mut decided = judge::decide(record);
    decided.rankings.retain(|ranking| ranking.metric.is_called(name));
    decided.curves.retain(|curve| curve.metric.is_called(name));
    Ok(decided)
}

/// Prints a kept run and writes its page. A fresh run takes this road too: reports read the store, never memory.
pub(crate) fn show(store: &Sqlite, id: &RunId, shape: &Shape, common: &Common) -> Result<Record> {
    let record = store.load(id)?;
    let decided = judge::decide(&record);
    show_record(&record, &decided, shape.format, shape.verbose, common)?;
    if shape.writes_page {
        keep_page(&record, &decided, common)?;
    }
    Ok(record)
}

/// Writes a run's page next to the store and says where it is. The run is kept, and so it does not fail where no page can
/// be written.
pub(crate) fn keep_page(record: &Record, decided: &Decided, common: &Common) -> Result<()> {
    let (page, file) = (html_page(record, decided, common)?, page_file(&record.id, common)?);
    let folder = file.parent().map_or(Ok(()), fs::create_dir_all);
    match folder.map_err(Into::into).and_then(|()| write_whole(&file, &page)) {
        Ok(()) => remark(common, &format!("report: {}", file.display())),
        Err(error) => {
            let (shown, again) = (file.display(), report_command(&record.id, common));
            let said = format!(
                "bakeoff: {shown} cannot be written ({error}); '{again} --html FILE' writes it elsewhere"
            );
            remark(common, &said);
        }
    }
    Ok(())
}

pub(crate) fn html_page(record: &Record, decided: &Decided, common: &Common) -> Result<String> {
    let findings = &judged_by(record, decided)?[..];
    let page = RunPage { record, decided, context: &context(record, common)?, findings };
    Ok(report::render(&page, report::Format::Html, &report::Style::default()))
}

/// Returns the findings about the families of a run, judged by it alone.
fn judged_by(record: &Record, decided: &Decided) -> Result<Vec<Judged>> {
    let families: BTreeSet<&str> = record.trials.iter().map(|trial| trial.family.as_str()).collect();
    let own = findings::all().iter().filter(|finding| families.contains(finding.family.as_str()));
    let own: Vec<Finding> = own.cloned().collect();
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let runs = [KeptRun { record: record.clone(), decided: decided.clone() }];
    let known = known();
    Ok(own.iter().map(|finding| findings::judge(finding, &runs, &known, None)).collect())
}

pub(crate) fn show_record(
    record: &Record, decided: &Decided, format: Format, verbose: bool, common: &Common,
) -> Result<()> {
    if format == Format::Html {
        return print(&html_page(record, decided, common)?);
    }
    let context = &context(record, common)?;
    print_page(&RunPage { record, decided, context, findings: &[] }, format, verbose, common)
}

/// Returns what a page needs next to the record.
fn context(record: &Record, common: &Common) -> Result<Context> {
    let known = families::all().iter().map(|one| (one.name().to_owned(), one.question().to_owned()));
    // What a user's own job asks stands in its record.
    let questions = known.chain(record.design.questions.clone());
    Ok(Context {
        questions: questions.collect(),
        ideas: ideas(),
        own: own(),
        command: record.command.clone(),
        stored_in: Some(store_file(common)?.display().to_string()),
        store_option: store_option(common),
    })
}
