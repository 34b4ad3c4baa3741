//! `bakeoff findings`: what was published, and what is true here.

mod asked;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ::findings::{Compared, Finding, Here, Judged, KeptRun, Known, Outcome, judge};
use anyhow::{Result, bail};
use clap::Args;
use measure::{Answers, Ending, Heard};
use model::{Fingerprint, Record, RunId};
use store::Sqlite;

use crate::arguments::{Common, Format, parse_budget_ns, whole};
use crate::catalogue::known;
use crate::commands::host::volumes;
use crate::exit::Done;
use crate::measuring::{Asked, directories, measured};
use crate::paths::{read_store, read_store_if_any};
use crate::terminal::print_page;

/// What was published about these jobs, and whether it holds here
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A run to judge them by: its identity, the beginning of it, or 'last' [default: for each finding the latest that fits]
    #[arg(conflicts_with = "measure")]
    run: Option<String>,
    /// Only those about this family; repeatable
    #[arg(long = "family", value_name = "FAMILY")]
    families: Vec<String>,
    /// Measure first what they need, in one run of the techniques that they compare
    #[arg(long)]
    measure: bool,
    /// Directory to measure in; repeatable: a finding compares two file systems [default: .]
    #[arg(long = "dir", value_name = "DIR", requires = "measure")]
    directories: Vec<PathBuf>,
    /// Time that the run may take, everything included
    #[arg(long, value_name = "DURATION", default_value = "690s", requires = "measure", value_parser = parse_budget_ns)]
    budget: u64,
    /// Seed of everything random [default: from the operating system]
    #[arg(long, value_name = "N", requires = "measure", value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// Print the plan of what would be measured, and stop
    #[arg(long, requires = "measure", conflicts_with_all = ["format", "verbose"])]
    dry_run: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// All comparisons of each finding
    #[arg(long, short)]
    verbose: bool,
}

/// This many of the latest runs of a family on this host are looked at.
const MOST_RUNS: usize = 12;
/// This many of each other host, for findings about two hosts: these need three of each with the same work.
const MOST_RUNS_ELSEWHERE: usize = 6;

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let all = chosen(arguments)?;
    let known = known();
    let mut ending = Ending::Complete;
    if arguments.measure {
        // Only the plan was asked for.
        let Some(measured) = measure_for(&all, &known, arguments, common)? else { return Ok(Done::Well) };
        ending = measured;
    }
    let host = sys::host::describe();
    let here = Here { fingerprint: host.fingerprint, system: host.os.family };
    let (runs, here) = match &arguments.run {
        Some(run) => {
            let store = read_store(common)?;
            (vec![kept_run(&store, &store.resolve(run)?)?], None)
        }
        None => match read_store_if_any(common)? {
            Some(store) => (latest(&store, &all, here.fingerprint.as_ref())?, Some(here)),
            // Then everything is yet to be measured.
            None => (Vec::new(), Some(here)),
        },
    };
    let judged: Vec<Judged> =
        all.iter().map(|finding| judge(finding, &runs, &known, here.as_ref())).collect();
    print_page(&judged[..], arguments.format, arguments.verbose, common)?;
    Ok(match ending {
        Ending::Complete => Done::Well,
        Ending::Interrupted => Done::Interrupted,
    })
}

/// Measures in one run what the findings need; `None` where only the plan was asked for.
fn measure_for(
    all: &[Finding], known: &Known, arguments: &Arguments, common: &Common,
) -> Result<Option<Ending>> {
    let start_ns = sys::clock::now_ns();
    let host = sys::host::describe();
    let directories = directories(&arguments.directories)?;
    let volumes = volumes(&directories)?;
    let seed = arguments.seed.unwrap_or_else(sys::random::draw);
    let requests = asked::requests(all, known, &host.os.family, &directories, arguments.budget, seed)?;
    let mut judging = Judging { all, known };
    let asked = Asked { request: &requests[0], further: &requests[1..], dry_run: arguments.dry_run };
    let measured = measured(&asked, Some(&mut judging), host, volumes, start_ns, common)?;
    Ok(measured.map(|(_, _, ending)| ending))
}

/// Judges findings by what a run has found so far.
struct Judging<'a> {
    all: &'a [Finding],
    known: &'a Known,
}

impl Answers for Judging<'_> {
    fn ask(&mut self, record: &Record, questions: &[&str]) -> Vec<Heard> {
        let decided = ::judge::decide(record);
        let runs = [KeptRun { record: record.clone(), decided }];
        let findings = questions.iter().map(|name| self.all.iter().find(|one| one.claim.id == **name));
        findings
            .map(|finding| finding.map_or(Heard::Answered, |finding| heard(finding, &runs, self.known)))
            .collect()
    }
}

fn heard(finding: &Finding, runs: &[KeptRun], known: &Known) -> Heard {
    // The other host is not here: this one has done its part.
    if finding.is_of_hosts() {
        return Heard::Answered;
    }
    let judged = judge(finding, runs, known, None);
    let open: Vec<&Compared> =
        judged.comparisons.iter().filter(|one| one.outcome == Outcome::Undecided).collect();
    match judged.outcome {
        Outcome::Undecided => Heard::Open(judged.further_rounds.or(judged.least_rounds)),
        // Some of its comparisons are yet to be begun: those that were go on.
        Outcome::NotMeasured if !open.is_empty() => {
            Heard::Open(open.iter().filter_map(|one| one.further_rounds.or(one.least_rounds)).max())
        }
        _ => Heard::Answered,
    }
}

/// Returns the findings of the families that were named, or all.
fn chosen(arguments: &Arguments) -> Result<Vec<Finding>> {
    let all = findings::all();
    let families: BTreeSet<&str> = all.iter().map(|finding| finding.family.as_str()).collect();
    if let Some(unknown) = arguments.families.iter().find(|name| !families.contains(name.as_str())) {
        let known = families.into_iter().collect::<Vec<_>>().join(", ");
        bail!("--family {unknown}: no finding is about it; there are findings about {known}");
    }
    let named = &arguments.families;
    Ok(all.iter().filter(|one| named.is_empty() || named.contains(&one.family)).cloned().collect())
}

/// Returns the latest runs of this host that have any of these families, and those of other hosts where a finding is about two.
/// Each host has its own count: many runs of one do not hide the few of another.
fn latest(store: &Sqlite, all: &[Finding], here: Option<&Fingerprint>) -> Result<Vec<KeptRun>> {
    let families: BTreeSet<&str> = all.iter().map(|finding| finding.family.as_str()).collect();
    let of_hosts: BTreeSet<&str> =
        all.iter().filter(|finding| finding.is_of_hosts()).map(|finding| finding.family.as_str()).collect();
    let hosts = store.hosts()?;
    let mut counts: BTreeMap<(String, Option<Fingerprint>), usize> = BTreeMap::new();
    let mut runs = Vec::new();
    for summary in store.runs()? {
        let host = hosts.get(&summary.id).cloned().flatten();
        let is_here = host.is_some() && host.as_ref() == here;
        let (meant, most) = if is_here { (&families, MOST_RUNS) } else { (&of_hosts, MOST_RUNS_ELSEWHERE) };
        let mut is_wanted = false;
        for family in summary.families.into_iter().filter(|name| meant.contains(name.as_str())) {
            let count = counts.entry((family, host.clone())).or_default();
            is_wanted |= *count < most;
            *count += 1;
        }
        if is_wanted {
            runs.push(kept_run(store, &summary.id)?);
        }
    }
    Ok(runs)
}

fn kept_run(store: &Sqlite, id: &RunId) -> Result<KeptRun> {
    let record = store.load(id)?;
    let decided = ::judge::decide(&record);
    Ok(KeptRun { record, decided })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a store of one run on a server, and after it this many of this host.
    fn kept(here: usize) -> Sqlite {
        let server = ::findings::published::machine("windows-2000").expect("published");
        let mut store = Sqlite::in_memory().expect("memory");
        let here = (0..here).map(|nth| (format!("here-{nth:02}"), "here"));
        for (name, host) in [("server".to_owned(), "there")].into_iter().chain(here) {
            let mut run = ::findings::published::record(server, &[]);
            run.id = RunId(name);
            run.started = "2026-11-21T10:00:00+01:00".to_owned();
            run.host.fingerprint = Some(Fingerprint(host.to_owned()));
            store.begin(&run).expect("new");
        }
        store
    }

    #[test]
    fn many_runs_of_this_host_do_not_hide_the_few_of_another() {
        let all = findings::all();
        let runs = latest(&kept(20), all, Some(&Fingerprint("here".to_owned()))).expect("readable");
        let ids: Vec<&str> = runs.iter().map(|run| run.record.id.0.as_str()).collect();
        assert_eq!((ids.len(), ids[0], ids[11]), (13, "here-19", "here-08"), "{ids:?}");
        assert_eq!(ids.last(), Some(&"server"));
    }

    #[test]
    fn runs_of_another_host_are_read_only_for_findings_about_two() {
        let mut all = findings::all().to_vec();
        all.retain(|finding| finding.family == "clock" && !finding.is_of_hosts());
        let runs = latest(&kept(1), &all, Some(&Fingerprint("here".to_owned()))).expect("readable");
        assert_eq!(runs.len(), 1);
    }
}
