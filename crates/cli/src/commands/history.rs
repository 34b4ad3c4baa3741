//! `bakeoff history`: this host over time.

use std::iter::from_fn;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, available_parallelism};

use anyhow::{Result, bail};
use clap::Args;
use judge::{Course, History, LEAST_HISTORY, RunMedians, history as follow};
use model::{RunId, TrialRecord, parse_share};
use store::Sqlite;

use crate::arguments::{Common, Format, whole};
use crate::exit::Done;
use crate::paths::{read_store, typed};
use crate::terminal::{print_page, remark};

/// This host over time, and whether something became slower
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only this family, or this technique of a family
    #[arg(value_name = "FAMILY[/TECHNIQUE]")]
    name: Option<String>,
    /// Look at the latest N runs
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<usize>(2, 10_000))]
    runs: usize,
    /// Exit with 1 when a technique is slower than expected, and by more than this; with 2 when fewer than five runs before the
    /// latest leave nothing to check
    #[arg(long, value_name = "LIMIT", value_parser = limit)]
    fail_on_regression: Option<f64>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Also techniques without a verdict
    #[arg(long, short)]
    verbose: bool,
}

/// Chance that any technique that did not change is said to have changed.
const ALPHA: f64 = 0.05;

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
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
        let family = asked.family;
        let Some(technique) = asked.technique else {
            let list = typed("report --list", common);
            bail!(
                "no whole run of the family {family} is stored (a timed command is commands/{family}); '{list}' shows the runs"
            );
        };
        let history = typed(&format!("history {family}"), common);
        bail!("no whole run that is stored measured {family}/{technique}; '{history}' shows what was");
    }
    runs.reverse();
    let mut found = follow(&runs, ALPHA);
    found.technique = asked.filter(|asked| asked.technique.is_some()).and(arguments.name.clone());
    print_page(&found, arguments.format, arguments.verbose, common)?;
    match arguments.fail_on_regression {
        Some(limit) => checked(&found, limit, common),
        None => Ok(Done::Well),
    }
}

/// Checks whether a technique became slower by more than `limit`. Where nothing can be said of any, that is an error: neither a check
/// that was passed nor a regression.
fn checked(found: &History, limit: f64, common: &Common) -> Result<Done> {
    let all = found.lines.len();
    let unchecked = found.lines.iter().filter(|line| line.course == Course::TooFew).count();
    if unchecked == all {
        bail!("--fail-on-regression: nothing could be checked: {}", lack(found));
    }
    if unchecked > 0 {
        let said = format!("{unchecked} of {all} were not checked for a regression");
        let why = format!("fewer than {LEAST_HISTORY} runs before the latest have them");
        remark(common, &format!("bakeoff: {said}: {why}"));
    }
    let regressed = found.lines.iter().any(|line| line.course == Course::Slower && line.change > 1.0 + limit);
    Ok(if regressed { Done::NotHeld } else { Done::Well })
}

/// Explains why nothing can be said of any technique.
fn lack(found: &History) -> String {
    let before = found.lines.iter().map(|line| line.medians.len() - 1).max();
    match (before, found.runs.len()) {
        (None, 0) => "no whole run is stored".to_owned(),
        (None | Some(0), _) => "no run before the latest measured the same".to_owned(),
        (Some(before), _) => {
            format!("it takes {LEAST_HISTORY} runs of the same before the latest, and there are {before}")
        }
    }
}

struct Asked<'a> {
    family: &'a str,
    technique: Option<&'a str>,
}

impl<'a> Asked<'a> {
    fn of(name: &'a str) -> Self {
        let parts = name.split_once('/');
        let (family, technique) = parts.map_or((name, None), |(family, rest)| (family, Some(rest)));
        Self { family, technique }
    }

    /// Returns whether a trial is meant: by its entry, by its technique with any value, or by a published program.
    fn means(&self, trial: &TrialRecord) -> bool {
        trial.family == self.family
            && self.technique.is_none_or(|name| trial.kind.is_called(&trial.technique, &trial.aliases, name))
    }
}

/// This many threads read at once at most: each holds a run.
const READERS_MAX: usize = 8;

/// The medians of the latest runs of the host that ran last, that one first. Of each run only those samples are read that are
/// shown: the latest one decides what is followed.
fn latest(store: &Sqlite, asked: Option<&Asked<'_>>, most: usize) -> Result<Vec<RunMedians>> {
    let has_family =
        |families: &[String]| asked.is_none_or(|asked| families.iter().any(|family| family == asked.family));
    let is_asked = |trial: &TrialRecord| asked.is_none_or(|asked| asked.means(trial));
    // A run without what is followed says nothing of it.
    let is_counted = |medians: &RunMedians| !medians.is_empty();
    let (summaries, hosts) = (store.runs()?, store.hosts()?);
    // The one that began last first.
    let mut runs = summaries.iter().filter(|run| run.complete && has_family(&run.families));
    let first = runs.by_ref().find_map(|run| {
        let record = match store.load_compared(&run.id, &|_, trial| is_asked(trial)) {
            Ok(record) => record,
            Err(error) => return Some(Err(error)),
        };
        let medians = RunMedians::of(&record);
        is_counted(&medians).then_some(Ok((medians, record.host.fingerprint, &run.families)))
    });
    let Some((latest, host, families)) = first.transpose()? else { return Ok(Vec::new()) };
    // Without a fingerprint nothing says that two runs are of one host, but for its name.
    let runs = runs.filter(|run| run.families.iter().any(|family| families.contains(family)));
    let mut ids = runs.map(|run| &run.id).filter(|id| hosts.get(*id) == Some(&host));
    let mut earlier = Vec::new();
    // Never more than are lacking: most of them have the technique.
    while let lacking @ 1.. = most - 1 - earlier.len() {
        let next: Vec<&RunId> = ids.by_ref().take(lacking).collect();
        if next.is_empty() {
            break;
        }
        let read = read_at_once(store, &next, |store, id| {
            let record =
                store.load_compared(id, &|record, trial| is_asked(trial) && latest.follows(record, trial))?;
            Ok(Some(RunMedians::of(&record)).filter(is_counted))
        })?;
        earlier.extend(read.into_iter().flatten());
    }
    Ok([latest].into_iter().chain(earlier).collect())
}

/// Reads runs with a thread for each processor, or as many as may be begun; what it finds stands in the order of the runs.
fn read_at_once<T: Send>(
    store: &Sqlite, ids: &[&RunId], read: impl Fn(&Sqlite, &RunId) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let threads = available_parallelism().map_or(1, NonZero::get).min(READERS_MAX).min(ids.len());
    let begun = AtomicUsize::new(0);
    let read_further = &|store: &Sqlite| {
        from_fn(|| {
            let nth = begun.fetch_add(1, Ordering::Relaxed);
            ids.get(nth).map(|id| Ok((nth, read(store, id)?)))
        })
        .collect::<Result<Vec<_>>>()
    };
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .map_while(|_| {
                let store = store.open_again().ok()?;
                thread::Builder::new().spawn_scoped(scope, move || read_further(&store)).ok()
            })
            .collect();
        let mut found = read_further(store)?;
        for helper in helpers {
            found.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic))?);
        }
        found.sort_by_key(|(nth, _)| *nth);
        Ok(found.into_iter().map(|(_, read)| read).collect())
    })
}

fn limit(text: &str) -> Result<f64, String> {
    let value = parse_share(text)?;
    if value >= 0.0 { Ok(value) } else { Err(format!("{text} is below 0%; for example 5%")) }
}
