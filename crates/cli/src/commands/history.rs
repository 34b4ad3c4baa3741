//! `bakeoff history`: this host over time.

use anyhow::{Result, bail};
use judge::{Course, History, LEAST_HISTORY, RunMedians, history as follow};
use model::{Fingerprint, Record, TrialRecord};
use store::Store;

use crate::arguments::{Common, Format, HistoryArguments};
use crate::exit::Done;
use crate::paths::{read_store, typed};
use crate::terminal::{print, remark, style};

/// Chance that any technique that did not change is told to have done so.
const ALPHA: f64 = 0.05;

pub(crate) fn history(arguments: &HistoryArguments, common: &Common) -> Result<Done> {
    if arguments.fail_on_regression.is_some() && arguments.runs <= LEAST_HISTORY {
        bail!(
            "--runs {}: --fail-on-regression takes {} or more, the latest and {LEAST_HISTORY} before it",
            arguments.runs,
            LEAST_HISTORY + 1
        );
    }
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
    match arguments.fail_on_regression {
        Some(limit) => checked(&found, limit, common),
        None => Ok(Done::Well),
    }
}

/// Whether a technique became slower by more than this. Where of none that can be told, that is no answer: a check that could not be
/// made must not look like one that was passed, nor like a regression.
fn checked(found: &History, limit: f64, common: &Common) -> Result<Done> {
    let told = found.lines.iter().filter(|line| line.course != Course::TooFew).count();
    if told == 0 {
        bail!("--fail-on-regression: nothing could be checked: {}", lack(found));
    }
    if told < found.lines.len() {
        remark(
            common,
            &format!(
                "bakeoff: {} of {} were not checked for a regression: fewer than {LEAST_HISTORY} runs before the latest have them",
                found.lines.len() - told,
                found.lines.len()
            ),
        );
    }
    let regressed = found.lines.iter().any(|line| line.course == Course::Slower && line.change > 1.0 + limit);
    Ok(if regressed { Done::NotHeld } else { Done::Well })
}

/// Why of no technique it can be told whether it became slower.
fn lack(found: &History) -> String {
    let before = found.lines.iter().map(|line| line.medians.len() - 1).max();
    match (before, found.runs.len()) {
        (None, 0) => "no whole run is stored".to_owned(),
        (None, 1) => "only one whole run of this host is stored, and none before it".to_owned(),
        (None, _) => "no run before the latest measured the same".to_owned(),
        (Some(before), _) => {
            format!("it takes {LEAST_HISTORY} runs of the same before the latest, and there are {before}")
        }
    }
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
