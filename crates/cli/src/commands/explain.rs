//! `bakeoff explain`: what techniques do, and so why one of them wins.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use families::AnyFamily;
use judge::Why;
use measure::{
    Ending, Explained, ExplainedTask, Explaining, Plan, PlannedTask, Request, ScratchRegister, Selection,
    Untimed, WorkerCommand,
};
use model::{Account, Workload, is_as_expected, parse_assignment, parse_bytes};
use report::{ExplainPage, ExplainedTechnique};
use store::Sqlite;

use crate::arguments::{Common, Format, PresetChoice, parse_budget_ns};
use crate::commands::host::volumes;
use crate::exit::Done;
use crate::leaders::{Leader, last_contest, last_leader};
use crate::measuring::directories;
use crate::paths::{read_store_if_any, typed};
use crate::progress::Progress;
use crate::scratch::clean_register;
use crate::terminal::{print_page, remark};
use crate::{interruption, role, selection};

/// Why one technique is faster than another: system calls, page faults, context switches, bytes at the device
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Families or techniques: copy, copy/presized. Of a family, the last run's leader and the baseline (the runner-up if the
    /// baseline leads); all techniques if no run is kept
    #[arg(value_name = "FAMILY[/TECHNIQUE]", required = true)]
    names: Vec<String>,
    /// All techniques of the families that are named
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    asked: Asked,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The idea of each technique, too
    #[arg(long, short)]
    verbose: bool,
}

/// A day: nothing is left out for want of time.
const ENOUGH_NS: u64 = 86_400_000_000_000;

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let asked = &arguments.asked;
    let store = read_store_if_any(common)?;
    let (mut leaders, mut without) = (BTreeMap::new(), Vec::new());
    let mut selections = selection::select(&arguments.names)?;
    if !arguments.all {
        for one in selections.iter_mut().filter(|one| one.entries.is_none()) {
            let explained = asked.workload(one.family);
            let leader = explained.map(|workload| last_leader(one.family, &workload, store.as_ref()));
            match leader.transpose()?.flatten() {
                Some(leader) => {
                    one.entries = Some(with_the_baseline(one.family, &leader));
                    leaders.insert(one.family.name(), leader);
                }
                None => without.push(one.family.name()),
            }
        }
    }
    let register = clean_register(common)?;
    let plan = asked.plan(selections, &register)?;
    for family in without {
        let said = format!(
            "bakeoff: no run of {family} that is kept has a leader, so all techniques are explained; '{}' finds it",
            typed(&format!("run {family}"), common)
        );
        remark(common, &said);
    }
    let (ending, explained) = carry_out(plan, &register, common)?;
    let compared = explained.into_iter().map(|task| {
        let (family, page) = (task.family, page(task, &leaders));
        let why = why(family, &page, store.as_ref())?;
        Ok(ExplainPage { why, ..page })
    });
    let pages = compared.collect::<Result<Vec<ExplainPage>>>()?;
    print_page(&pages[..], arguments.format, arguments.verbose, common)?;
    Ok(match ending {
        Ending::Interrupted => Done::Interrupted,
        Ending::Complete if pages.iter().flat_map(|page| &page.techniques).all(is_as_it_should_be) => {
            Done::Well
        }
        Ending::Complete => Done::NotHeld,
    })
}

fn is_as_it_should_be(technique: &ExplainedTechnique) -> bool {
    technique.broken.is_empty() && (technique.failure.is_none() || technique.is_missing)
}

fn with_the_baseline(family: &dyn AnyFamily, leader: &Leader) -> Vec<String> {
    let baseline = family.baseline();
    let second = if leader.entry == baseline { leader.next.clone() } else { Some(baseline.to_owned()) };
    std::iter::once(leader.entry.clone()).chain(second).collect()
}

/// Explains why one of two techniques is faster: of more than two, the first of the last contest that compared them, and the
/// baseline or the next one.
fn why(family: &dyn AnyFamily, page: &ExplainPage, store: Option<&Sqlite>) -> Result<Option<Why>> {
    let seen: Vec<(&str, &Account)> =
        page.techniques.iter().filter_map(|one| Some((&*one.name, one.account.as_ref()?))).collect();
    let names: Vec<&str> = seen.iter().map(|(name, _)| *name).collect();
    if names.len() < 2 {
        return Ok(None);
    }
    let contest = last_contest(family, (&page.workload, &page.setting), &names, store)?;
    let contest = contest.as_ref().map(|(run, ranking)| (run.to_string(), ranking));
    let of_contest = || {
        let ranked = contest.as_ref()?.1.entries.iter().map(|entry| &entry.technique);
        let mut ranked = ranked.filter_map(|name| seen.iter().copied().find(|(seen, _)| seen == name));
        let first = ranked.next()?;
        let rest: Vec<(&str, &Account)> = ranked.collect();
        let baseline = rest.iter().copied().find(|(name, _)| *name == family.baseline());
        Some([first, baseline.or_else(|| rest.first().copied())?])
    };
    let pair = if let &[one, other] = &seen[..] { Some([one, other]) } else { of_contest() };
    let Some(pair) = pair else { return Ok(None) };
    let has_processors = std::thread::available_parallelism().is_ok_and(|count| count.get() > 1);
    let contest = contest.as_ref().map(|(run, ranking)| (run.as_str(), *ranking));
    Ok(Some(judge::why(pair[0], pair[1], contest, has_processors)))
}

/// The workload that is explained, and how it is done.
#[derive(Debug, Args)]
pub(crate) struct Asked {
    /// The preset whose first workload is taken
    #[arg(long, value_enum, default_value = "quick")]
    pub(crate) preset: PresetChoice,
    /// Another workload of the preset than its first, by its name: 'published'
    #[arg(long, value_name = "NAME", conflicts_with = "size")]
    pub(crate) workload: Option<String>,
    /// Size of the input instead of the preset's
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) size: Option<u64>,
    /// Another value of the workload, e.g. pattern=needle; repeatable. 'bakeoff list FAMILY' names them
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    pub(crate) axes: Vec<(String, String)>,
    /// Directory to work in
    #[arg(long = "dir", value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// A process that runs longer counts as hanging; one whose system calls are traced takes a multiple of the usual time
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_budget_ns)]
    pub(crate) time_limit: u64,
    /// Seed of everything random in the input
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl Asked {
    /// Returns the workload of a family that is explained, before it is planned: what a leader is looked up by. A value that is
    /// none is refused later.
    fn workload(&self, family: &dyn AnyFamily) -> Option<Workload> {
        let mut all = family.workloads(self.preset.into()).into_iter();
        let sized = self.size.and_then(|bytes| family.workload_of_bytes(bytes));
        let chosen = all.find(|one| self.workload.as_ref().is_none_or(|name| *name == one.name));
        let mut workload = sized.or(chosen)?;
        for (axis, text) in &self.axes {
            let _ = family.set(&mut workload, axis, text);
        }
        Some(workload)
    }

    /// Plans one workload of each family: the first of those asked for.
    pub(crate) fn plan(&self, selections: Vec<Selection>, register: &ScratchRegister) -> Result<Plan> {
        for axis in selections.iter().flat_map(|one| one.family.axes()) {
            let texts = self.axes.iter().filter(|(name, _)| name == axis.name).map(|(_, text)| text.as_str());
            let texts: Vec<&str> = texts.collect();
            // A value that is none is refused in the plan.
            let values: Vec<_> = texts.iter().flat_map(|text| axis.parse_several(text)).flatten().collect();
            if let Some(first) = values.first().filter(|first| values.iter().any(|value| value != *first)) {
                bail!(
                    "--set {0}={1}: one workload is done at a time; name one value: --set {0}={2}",
                    axis.name,
                    texts.join(","),
                    axis.show(first)
                );
            }
        }
        let directories = directories(std::slice::from_ref(&self.directory))?;
        let volumes = volumes(&directories)?;
        let request = Request {
            preset: self.preset.into(),
            sizes_bytes: self.size.into_iter().collect(),
            axes: self.axes.clone(),
            directories,
            rounds: 3,
            untimed: Untimed::Each(0),
            budget_ns: ENOUGH_NS,
            budget_stretches: true,
            time_limit_ns: self.time_limit,
            ..Request::usual(selections.clone(), self.seed)
        };
        let host = sys::host::describe();
        let mut plan = measure::plan(&request, &host, &volumes, &measure::never_measured, Some(register))?;
        keep_one_workload(&mut plan.tasks, self.workload.as_deref())?;
        for task in &mut plan.tasks {
            let family = task.family.name();
            let own = selections.iter().filter(|one| one.family.name() == family);
            // All of a family that was named as a whole.
            let names: Option<Vec<_>> = own.map(|one| one.entries.as_ref()).collect();
            if let Some(names) = names.as_ref().and_then(|names| names.first()) {
                keep(task, names);
            }
        }
        Ok(plan)
    }
}

/// Returns whether a task is at the workload that was named, if one was. What was set stands behind the name.
fn is_chosen(task: &PlannedTask, chosen: Option<&str>) -> bool {
    let Some(name) = chosen else { return true };
    let rest = task.workload.name.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' ') && rest.contains('='))
}

/// Keeps of each family the first task, or the first at the workload that was named.
fn keep_one_workload(tasks: &mut Vec<PlannedTask>, chosen: Option<&str>) -> Result<()> {
    let families: Vec<&'static dyn AnyFamily> = tasks.iter().map(|task| task.family).collect();
    tasks.retain(|task| !task.is_extra);
    for family in families {
        let own: Vec<_> = tasks.iter().filter(|task| task.family.name() == family.name()).collect();
        if let Some(name) = chosen.filter(|_| !own.iter().any(|task| is_chosen(task, chosen))) {
            let known: Vec<&str> = own.iter().map(|task| task.workload.name.as_str()).collect();
            let (family, known) = (family.name(), known.join(", "));
            bail!("--workload {name}: {family} has no such workload in this preset; it has {known}");
        }
    }
    let mut known: Vec<&str> = Vec::new();
    tasks.retain(|task| {
        let is_first = is_chosen(task, chosen) && !known.contains(&task.family.name());
        known.extend(is_first.then(|| task.family.name()));
        is_first
    });
    Ok(())
}

/// Keeps the entries of a task that were named, in this order: a plan also takes what limits the others.
fn keep(task: &mut PlannedTask, names: &[String]) {
    task.participants.retain(|one| names.contains(&one.name));
    task.participants.sort_by_key(|one| names.iter().position(|name| *name == one.name));
}

/// Does all the work of a plan, untimed.
pub(crate) fn carry_out(
    plan: Plan, register: &ScratchRegister, common: &Common,
) -> Result<(Ending, Vec<ExplainedTask>)> {
    sys::limits::raise_open_files();
    let interrupted = interruption::watch(Some(register.clone()))?;
    let (program, mut supervisor) = role::supervisor()?;
    let mut progress = Progress::new(common.quiet);
    let explained = measure::explain(
        plan,
        Explaining {
            worker: WorkerCommand { program, arguments: vec![role::WORKER.into()] },
            register,
            launcher: &mut supervisor,
            observer: &mut progress,
            interrupted: &interrupted,
        },
    );
    progress.finish();
    Ok(explained?)
}

pub(crate) fn page(task: ExplainedTask, leaders: &BTreeMap<&str, Leader>) -> ExplainPage {
    let family = task.family;
    let leader = leaders.get(family.name());
    let workload = &task.workload;
    let done = task.entries.into_iter().map(|one| explained(family, one, workload, leader));
    let missing = task.refused.into_iter().map(|refused| ExplainedTechnique {
        failure: Some(refused.reason),
        is_missing: true,
        ..technique(family, &refused.entry.name, workload, leader)
    });
    let techniques = done.chain(missing).collect();
    ExplainPage {
        family: family.name().to_owned(),
        question: family.question().to_owned(),
        workload: task.workload,
        setting: task.setting,
        techniques,
        leader_of: leader
            .map(|leader| format!("{} led in the run {} at {}", leader.entry, leader.run, leader.workload)),
        why: None,
    }
}

fn technique(
    family: &dyn AnyFamily, name: &str, workload: &Workload, leader: Option<&Leader>,
) -> ExplainedTechnique {
    let entry = family.entry(name).ok();
    ExplainedTechnique {
        name: name.to_owned(),
        idea: entry.as_ref().map(|entry| entry.idea.clone()).unwrap_or_default(),
        is_leader: leader.is_some_and(|leader| leader.entry == name),
        is_baseline: family.baseline() == name,
        expected: family.calls(name, workload),
        ..ExplainedTechnique::default()
    }
}

fn explained(
    family: &dyn AnyFamily, one: Explained, workload: &Workload, leader: Option<&Leader>,
) -> ExplainedTechnique {
    let mut technique = technique(family, &one.name, workload, leader);
    match one.account {
        Ok(account) => {
            technique.broken = broken(&technique.expected, &account);
            technique.account = Some(account);
        }
        Err(reason) => technique.failure = Some(reason),
    }
    technique
}

/// Returns the expected calls that were not made as expected; none where the technique says that it fell back to another way.
fn broken(expected: &[String], account: &Account) -> Vec<String> {
    let Some(calls) = &account.calls else { return Vec::new() };
    if account.notes.iter().any(|note| note.starts_with("fell back")) {
        return Vec::new();
    }
    expected.iter().filter(|call| !is_as_expected(call, calls)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use model::SystemCall;

    use super::*;

    fn read_only(notes: &[&str]) -> Account {
        let read = SystemCall { name: "read".to_owned(), calls: 3, ..SystemCall::default() };
        let notes = notes.iter().map(|&note| note.to_owned()).collect();
        Account { calls: Some(vec![read]), notes, ..Account::default() }
    }

    #[test]
    fn a_buffered_direct_copy_and_a_reading_ring_break_their_word() {
        let direct = ["open O_DIRECT|openat O_DIRECT".to_owned()];
        assert_eq!(broken(&direct, &read_only(&[])), direct);
        let ring = ["io_uring_enter".to_owned(), "!read".to_owned()];
        assert_eq!(broken(&ring, &read_only(&[])), ring);
        assert!(broken(&["read".to_owned()], &read_only(&[])).is_empty());
    }

    #[test]
    fn who_says_that_it_fell_back_and_who_was_not_seen_break_none() {
        let direct = ["openat O_DIRECT".to_owned()];
        assert!(broken(&direct, &read_only(&["fell back: no direct I/O here"])).is_empty());
        assert!(broken(&direct, &Account::default()).is_empty());
    }
}
