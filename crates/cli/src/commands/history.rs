//! `bakeoff history`: this host over time.

use anyhow::{Result, bail};
use judge::{Course, RunMedians, history as follow};
use model::{Fingerprint, Record, RunId};
use store::Store;

use crate::arguments::{Common, Format, HistoryArguments};
use crate::commands::report::{kept, sound};
use crate::exit::Done;
use crate::paths::read_store;
use crate::terminal::{print, remark, style};

/// Chance that any technique that did not change is told to have done so.
const ALPHA: f64 = 0.05;

pub(crate) fn history(arguments: &HistoryArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    let summaries = store.runs()?;
    let is_meant =
        |families: &[String]| arguments.family.as_ref().is_none_or(|family| families.contains(family));
    let mut host: Option<Option<Fingerprint>> = None;
    let mut runs: Vec<RunMedians> = Vec::new();
    // The one that began last first.
    for summary in summaries.iter().filter(|run| run.complete && is_meant(&run.families)) {
        if runs.len() == arguments.runs {
            break;
        }
        let mut record = load(&store, &summary.id, arguments.family.as_deref())?;
        // Without a fingerprint nothing says that two runs are of one host, but for its name.
        let own = record.host.fingerprint.take();
        if *host.get_or_insert_with(|| own.clone()) == own {
            runs.push(RunMedians::of(&record));
        }
    }
    if let (Some(family), true) = (&arguments.family, runs.is_empty()) {
        bail!("no whole run of the family {family} is stored; 'bakeoff report --list' shows the runs");
    }
    runs.reverse();
    let found = follow(&runs, ALPHA);
    print(&match arguments.format {
        Format::Text => report::text::history(&found, &style(common, arguments.verbose)),
        Format::Markdown => report::markdown::history(&found),
        Format::Html => report::html::history(&found),
        Format::Json => serde_json::to_string_pretty(&report::json::history(&found))?,
    })?;
    let Some(limit) = arguments.fail_on_regression else { return Ok(Done::Well) };
    if found.lines.iter().all(|line| line.course == Course::TooFew) {
        remark(common, "bakeoff: too few runs to tell a regression: it takes five before the latest");
    }
    let regressed = found.lines.iter().any(|line| line.course == Course::Slower && line.change > 1.0 + limit);
    Ok(if regressed { Done::NotHeld } else { Done::Well })
}

/// A run, or what of it is about a family.
fn load(store: &dyn Store, id: &RunId, family: Option<&str>) -> Result<Record> {
    match family {
        Some(family) => sound(store.load_family(id, family)?),
        None => kept(store, id),
    }
}
