//! `bakeoff history`: this host over time.

use anyhow::{Result, bail};
use judge::{Course, RunMedians, history as follow};
use model::{Fingerprint, Record, TrialRecord};
use store::Store;

use crate::arguments::{Common, Format, HistoryArguments};
use crate::exit::Done;
use crate::paths::{read_store, typed};
use crate::terminal::{print, remark, style};

/// Chance that any technique that did not change is told to have done so.
const ALPHA: f64 = 0.05;

pub(crate) fn history(arguments: &HistoryArguments, common: &Common) -> Result<Done> {
    let store = read_store(common)?;
    let asked = arguments.name.as_deref().map(Asked::of);
    let mut runs = latest(&store, asked.as_ref(), arguments.runs)?;
    if let (Some(asked), true) = (&asked, runs.is_empty()) {
        match asked.technique {
            None => bail!(
                "no whole run of the family {} is stored; '{}' shows the runs",
                asked.family,
                typed("report --list", common)
            ),
            Some(technique) => bail!(
                "no whole run that is stored measured {family}/{technique}; '{}' shows what was",
                typed(&format!("history {}", asked.family), common),
                family = asked.family
            ),
        }
    }
    runs.reverse();
    let mut found = follow(&runs, ALPHA);
    found.technique = asked.filter(|asked| asked.technique.is_some()).and(arguments.name.clone());
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

/// A family, or one of its techniques.
struct Asked<'a> {
    family: &'a str,
    technique: Option<&'a str>,
}

impl<'a> Asked<'a> {
    fn of(name: &'a str) -> Self {
        match name.split_once('/') {
            Some((family, technique)) => Self { family, technique: Some(technique) },
            None => Self { family: name, technique: None },
        }
    }

    /// Whether a trial is meant: by its entry, by its technique with any value, or by a published program.
    fn means(&self, trial: &TrialRecord) -> bool {
        let is_called = |name: &str| {
            trial.technique == name
                || trial.kind.technique_and_value(&trial.technique).0 == name
                || trial.aliases.iter().any(|alias| alias == name)
        };
        trial.family == self.family && self.technique.is_none_or(is_called)
    }
}

/// The medians of the latest runs of the host that ran last, that one first. Of each run only those samples are read that are
/// shown: the latest one decides what is followed.
fn latest(store: &dyn Store, asked: Option<&Asked<'_>>, most: usize) -> Result<Vec<RunMedians>> {
    let mut host: Option<Option<Fingerprint>> = None;
    let mut runs: Vec<RunMedians> = Vec::new();
    let summaries = store.runs()?;
    let has_family =
        |families: &[String]| asked.is_none_or(|asked| families.iter().any(|family| family == asked.family));
    // The one that began last first.
    for summary in summaries.iter().filter(|run| run.complete && has_family(&run.families)) {
        if runs.len() == most {
            break;
        }
        let is_meant = |record: &Record, trial: &TrialRecord| {
            host.as_ref().is_none_or(|host| *host == record.host.fingerprint)
                && asked.is_none_or(|asked| asked.means(trial))
                && runs.first().is_none_or(|latest| latest.follows(record, trial))
        };
        let record = store.load_some(&summary.id, &is_meant)?;
        let medians = RunMedians::of(&record);
        // A run that has not the technique tells nothing of it.
        if asked.is_some_and(|asked| asked.technique.is_some()) && medians.is_empty() {
            continue;
        }
        // Without a fingerprint nothing says that two runs are of one host, but for its name.
        if *host.get_or_insert_with(|| record.host.fingerprint.clone()) == record.host.fingerprint {
            runs.push(medians);
        }
    }
    Ok(runs)
}
