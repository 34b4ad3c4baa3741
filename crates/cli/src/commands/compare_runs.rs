//! `bakeoff compare`: runs side by side, of this host, of others, and of published machines.

use anyhow::{Context, Result, anyhow, bail};
use judge::{Decided, Side, compare_sides};
use model::Record;
use store::Store;

use crate::arguments::{Common, CompareArguments, Format};
use crate::catalogue::catalogue;
use crate::exit::Done;
use crate::paths::read_store;
use crate::terminal::{print, style};
use crate::whole_file::write_whole;

/// In front of the name of a published machine.
const PUBLISHED: &str = "published:";

pub(crate) fn compare(arguments: &CompareArguments, common: &Common) -> Result<Done> {
    let mut runs: Vec<(String, Record, Decided)> = Vec::new();
    if arguments.runs.len() + arguments.against.len() < 2 {
        bail!(
            "one run does not compare; 2 or more are needed, for example: bakeoff compare {} last",
            arguments.runs[0]
        );
    }
    for name in arguments.runs.iter().chain(&arguments.against) {
        let record = record(name, common)?;
        let shown = record.id.to_string();
        if runs.iter().any(|(known, _, _)| *known == shown) {
            bail!("{name} is named twice: a run does not differ from itself");
        }
        let decided = ::judge::decide(&record, &catalogue());
        runs.push((shown, record, decided));
    }
    let sides: Vec<Side<'_>> =
        runs.iter().map(|(name, record, decided)| Side { name: name.clone(), record, decided }).collect();
    let first = (!arguments.against.is_empty()).then_some(arguments.runs.len());
    let compared = compare_sides(&sides, first);
    if let Some(file) = &arguments.html {
        write_whole(file, &report::html::compare(&compared))
            .with_context(|| format!("--html {} cannot be written", file.display()))?;
        return Ok(Done::Well);
    }
    print(&match arguments.format {
        Format::Text => report::text::compare(&compared, &style(common, arguments.verbose)),
        Format::Markdown => report::markdown::compare(&compared),
        Format::Html => report::html::compare(&compared),
        Format::Json => serde_json::to_string_pretty(&report::json::compare(&compared))?,
    })?;
    Ok(Done::Well)
}

/// A kept run, or a published machine.
fn record(name: &str, common: &Common) -> Result<Record> {
    if let Some(machine) = name.strip_prefix(PUBLISHED) {
        let machine = findings::published::machine(machine).map_err(|reason| anyhow!("{name}: {reason}"))?;
        return Ok(findings::published::record(&machine));
    }
    let store = read_store(common)?;
    let id = store.resolve(name)?;
    Ok(store.load(&id)?)
}
