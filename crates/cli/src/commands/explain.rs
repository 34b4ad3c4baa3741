//! `bakeoff explain`: what techniques do, and so why one of them wins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use clap::Args;
use families::AnyFamily;
use judge::{Ranking, Why};
use measure::{Ending, ExplainedTask, Plan, Request, ScratchRegister, Selection, Untimed, WorkerCommand};
use model::{
    Account, Axis, Cache, Class, Conditions, Durability, Preset, Workload, is_as_expected, parse_assignment,
    parse_bytes,
};
use report::{ExplainPage, ExplainedContest, ExplainedTechnique};
use store::Sqlite;

use crate::arguments::{Common, Format, one_of, parse_budget_ns, refuse_other_conditions};
use crate::commands::host::volumes;
use crate::exit::Done;
use crate::leaders::last_contest;
use crate::measuring::directories;
use crate::paths::{read_store_if_any, typed};
use crate::progress::Progress;
use crate::scratch::clean_register;
use crate::terminal::{print_page, remark};
use crate::{interruption, role, selection};

/// Why one technique is faster than another: system calls, page faults, context switches, bytes at the device
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Families or techniques: copy, copy/presized. Of a family, what the answer of its last run is about: the choice and the baseline
    /// (the next one if that is the choice); all techniques if no run is kept
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
    let selections = selection::select(&arguments.names)?;
    let register = clean_register(common)?;
    let (mut plans, mut contests, mut without) = (Vec::new(), BTreeMap::new(), Vec::new());
    for one in &selections {
        let (family, mut one) = (one.family, one.clone());
        let contest = asked.contest(&one, store.as_ref())?;
        if one.entries.is_none() && !arguments.all {
            match &contest {
                Some(of) => {
                    let all = judge::in_question(&of.ranking, |name| family.entry(name).is_ok());
                    one.entries = Some(all.into_iter().take(2).collect());
                }
                None => without.push(family.name()),
            }
        }
        plans.push(asked.plan(one, contest.as_ref(), &selections, &register)?);
        contests.extend(contest.map(|contest| (family.name(), contest)));
    }
    for family in without {
        let said = format!(
            "bakeoff: no run of {family} that is kept has a leader, so all techniques are explained; '{}' finds it",
            typed(&format!("run {family}"), common)
        );
        remark(common, &said);
    }
    let together = plans.into_iter().reduce(|mut all, one| {
        all.tasks.extend(one.tasks);
        all
    });
    let (ending, explained) = carry_out(together.context("nothing is named")?, &register, common)?;
    let pages = explained.into_iter().map(|task| {
        let (family, of) = (task.family, contests.remove(task.family.name()));
        let whole_with = asked.whole_with(family, &task.workload);
        let page = ExplainPage { whole_with, ..page(task, of) };
        ExplainPage { why: why(&page), ..page }
    });
    let pages: Vec<ExplainPage> = pages.collect();
    print_page(&pages[..], arguments.format, arguments.verbose, common)?;
    let mut techniques = pages.iter().flat_map(|page| &page.techniques);
    let is_right =
        |one: &ExplainedTechnique| one.broken.is_empty() && (one.failure.is_none() || one.is_missing);
    Ok(match ending {
        Ending::Interrupted => Done::Interrupted,
        Ending::Complete if techniques.all(is_right) => Done::Well,
        Ending::Complete => Done::NotHeld,
    })
}

/// Explains why one technique is faster than each other: of more than two, those that the answer of the contest is about.
fn why(page: &ExplainPage) -> Vec<Why> {
    /// More are a list of all techniques, in which the choice and the baseline matter.
    const MOST: usize = 4;
    let seen: Vec<(&str, &Account)> =
        page.techniques.iter().filter_map(|one| Some((&*one.name, one.account.as_ref()?))).collect();
    let contest = page.of.as_ref().filter(|of| !of.is_other_work).map(|of| (&*of.run.0, &of.ranking));
    let place = |name: &str| seen.iter().position(|(seen, _)| *seen == name);
    let mut all: Vec<usize> = match contest {
        Some((_, ranking)) if seen.len() > 2 => {
            let names = judge::in_question(ranking, |name| place(name).is_some());
            names.iter().filter_map(|name| place(name)).collect()
        }
        _ if seen.len() == 2 => vec![0, 1],
        _ => Vec::new(),
    };
    all.truncate(if all.len() > MOST { 2 } else { MOST });
    let has_processors = std::thread::available_parallelism().is_ok_and(|count| count.get() > 1);
    all.iter().skip(1).map(|&other| judge::why(seen[all[0]], seen[other], contest, has_processors)).collect()
}

/// The work that is explained, and how it is done. Without any of the first options it is that of the last kept run.
#[derive(Debug, Default, Args)]
pub(crate) struct Asked {
    /// The first workload of this preset [default: the work of the last run, or quick]
    #[arg(long, value_parser = one_of(Preset::ALL, Preset::word))]
    preset: Option<Preset>,
    /// Another workload of the preset than its first, by its name: 'published'
    #[arg(long, value_name = "NAME", conflicts_with = "size")]
    workload: Option<String>,
    /// Size of the input instead of the preset's
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    size: Option<u64>,
    /// Another value of the workload, e.g. pattern=needle; repeatable. 'bakeoff list FAMILY' names them
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    axes: Vec<(String, String)>,
    /// State of the file cache at the start [default: that of the last run; warm where work is named]
    #[arg(long, value_parser = one_of(Cache::ALL, Cache::word))]
    cache: Option<Cache>,
    /// As in a run whose clock stops when all is on the device
    #[arg(long)]
    durable: bool,
    /// Directory to work in [default: that of the last run where its work is done, or .]
    #[arg(long = "dir", value_name = "DIR")]
    directory: Option<PathBuf>,
    /// A process that runs longer counts as hanging; one whose system calls are traced takes a multiple of the usual time
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_budget_ns)]
    time_limit: u64,
    /// Seed of everything random in the input
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A process that runs longer counts as hanging, traced or not.
pub(crate) const TIME_LIMIT_NS: u64 = 60_000_000_000;

impl Asked {
    /// Asks for the work of the last kept run.
    pub(crate) fn nothing_but(directory: Option<PathBuf>) -> Self {
        Self { directory, time_limit: TIME_LIMIT_NS, seed: 1, ..Self::default() }
    }

    /// Returns where to work: in what was named, else where the contest was.
    pub(crate) fn directory(&self, kept: Option<&Ranking>) -> PathBuf {
        let last = kept.and_then(|of| of.setting.place.directory.clone());
        let last = last.filter(|directory| directory.is_dir());
        self.directory.clone().or(last).unwrap_or(PathBuf::from("."))
    }

    fn end(&self) -> Option<Durability> {
        self.durable.then_some(Durability::Durable)
    }

    /// Returns the contest of the last kept run at the work and under the conditions that were named, or of the last one at all where
    /// nothing was. Where there is none, the last one at other work.
    pub(crate) fn contest(&self, of: &Selection, store: Option<&Sqlite>) -> Result<Option<ExplainedContest>> {
        let family = of.family;
        let usual = self.workload(family)?;
        refuse_other_conditions(family, &usual, self.cache, self.end())?;
        let limit = family.limit().map(|axis| axis.name);
        let point = |of: &Workload| {
            let mut point = of.point.clone();
            point.0.retain(|axis, _| Some(&**axis) != limit);
            point
        };
        let mut own = self.axes.iter().filter(|(name, _)| family.axes().iter().any(|one| one.name == name));
        let is_set = own.any(|(name, _)| Some(&**name) != limit);
        let is_named = is_set || self.preset.is_some() || self.workload.is_some() || self.size.is_some();
        let takes_part = |ranking: &Ranking| {
            let Some(names) = &of.entries else {
                let all = judge::in_question(ranking, |name| family.entry(name).is_ok());
                return ranking.class == Class::MovesBytes && ranking.leader.is_some() && !all.is_empty();
            };
            let is_compared = |name: &&String| ranking.entry(name).is_some_and(judge::is_compared);
            names.iter().filter(is_compared).count() >= names.len().min(2)
        };
        let is_this = |ranking: &Ranking| {
            let (workload, conditions) = (&ranking.workload, &ranking.setting.conditions);
            let has_files = family.works_on_files();
            let usual_cache = family.cache().or(self.cache).unwrap_or_default();
            let usual_end = family.durability(workload).or(self.end()).unwrap_or_default();
            let is_cache = conditions.cache == has_files.then_some(usual_cache);
            let is_end = conditions.durability == has_files.then_some(usual_end);
            takes_part(ranking)
                && (!is_named || point(workload) == point(&usual))
                && (is_cache || self.cache.is_none() && !is_named)
                && (is_end || !self.durable && !is_named)
                && family.check(workload).is_ok()
                && workload.files.iter().all(|file| file.exists())
        };
        let this = last_contest(family, &usual, &is_this, store)?;
        let is_other_work = this.is_none();
        let found = if is_other_work { last_contest(family, &usual, &takes_part, store)? } else { this };
        Ok(found.map(|(run, ranking)| ExplainedContest { run, ranking, is_other_work }))
    }

    fn workload(&self, family: &dyn AnyFamily) -> Result<Workload> {
        let (name, mut all) = (family.name(), family.workloads(self.preset.unwrap_or_default()));
        let chosen = match (self.size, &self.workload) {
            (Some(bytes), _) => family.workload_of_bytes(bytes).with_context(|| {
                format!("the family {name} has no size to choose; leave --size out or name another family")
            })?,
            (None, None) => all.swap_remove(0),
            (None, Some(chosen)) => {
                all.iter().find(|one| one.name == *chosen).cloned().with_context(|| {
                    let known = all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ");
                    format!("--workload {chosen}: {name} has no such workload in this preset; it has {known}")
                })?
            }
        };
        self.set(family, chosen, family.axes())
    }

    /// Returns a workload with what was set on these axes.
    fn set(
        &self, family: &dyn AnyFamily, mut workload: Workload, axes: impl IntoIterator<Item = &'static Axis>,
    ) -> Result<Workload> {
        for axis in axes {
            let texts = self.axes.iter().filter(|(name, _)| name == axis.name).map(|(_, text)| text.as_str());
            let texts: Vec<&str> = texts.collect();
            let refused = |reason| anyhow!("--set {}={}: {reason}", axis.name, texts.join(","));
            let values = texts.iter().map(|text| axis.parse_several(text)).collect::<Result<Vec<_>, _>>();
            let values = values.map_err(refused)?.concat();
            let Some(first) = values.first() else { continue };
            let shown = axis.show(first);
            if values.iter().any(|value| value != first) {
                let reason = "one workload is done at a time; name one value";
                return Err(refused(format!("{reason}: --set {}={shown}", axis.name)));
            }
            workload = measure::set(family, &workload, axis.name, &shown)?;
        }
        family.check(&workload).map_err(Error::msg)?;
        Ok(workload)
    }

    /// Plans the work of a contest, or what the options name. `all` are the families that an axis may be meant for.
    pub(crate) fn plan(
        &self, one: Selection, contest: Option<&ExplainedContest>, all: &[Selection],
        register: &ScratchRegister,
    ) -> Result<Plan> {
        let family = one.family;
        let kept = contest.filter(|of| !of.is_other_work).map(|of| &of.ranking);
        let (workload, conditions) = match kept {
            Some(of) => {
                (self.set(family, of.workload.clone(), family.limit())?, of.setting.conditions.clone())
            }
            None => (self.workload(family)?, Conditions::default()),
        };
        let is_known =
            |name: &str| all.iter().flat_map(|one| one.family.axes()).any(|axis| axis.name == name);
        let unknown = self.axes.iter().filter(|(name, _)| !is_known(name));
        let request = Request {
            workloads: vec![workload],
            axes: unknown.cloned().collect(),
            caches: vec![conditions.cache.or(self.cache).unwrap_or_default()],
            durabilities: vec![conditions.durability.or(self.end()).unwrap_or_default()],
            processors: conditions.processors,
            memory_limit_bytes: conditions.memory_limit_bytes,
            ..untimed(one, &self.directory(kept), self.time_limit, self.seed)?
        };
        planned(&request, register)
    }

    /// Returns the options with which the limit of a family is ten times as long, and that of a process.
    fn whole_with(&self, family: &dyn AnyFamily, workload: &Workload) -> Option<String> {
        let axis = family.limit()?;
        let most = family.range(axis.name).map_or(u64::MAX, |range| *range.end());
        let limit = workload.number(axis.name)?.saturating_mul(10).min(most);
        let [limit, process] = [limit, self.time_limit.saturating_mul(10)].map(|ns| axis.show(&ns.into()));
        Some(format!("--set {}={limit} --time-limit {process}", axis.name))
    }
}

/// Returns the request of a family's work, once and untimed.
pub(crate) fn untimed(one: Selection, directory: &Path, time_limit_ns: u64, seed: u64) -> Result<Request> {
    Ok(Request {
        directories: directories(&[directory.to_owned()])?,
        rounds: 3,
        untimed: Untimed::Each(0),
        budget_ns: ENOUGH_NS,
        budget_stretches: true,
        time_limit_ns,
        ..Request::usual(vec![one], seed)
    })
}

/// Plans the workload of a request for one family.
pub(crate) fn planned(request: &Request, register: &ScratchRegister) -> Result<Plan> {
    let (host, volumes) = (sys::host::describe(), volumes(&request.directories)?);
    let mut plan = measure::plan(request, &host, &volumes, &measure::never_measured, Some(register))?;
    // All of a family that was named as a whole; else in this order, without what limits them, which a plan takes too.
    for (task, names) in plan.tasks.iter_mut().zip(&request.selections[0].entries) {
        task.participants.retain(|one| names.contains(&one.name));
        task.participants.sort_by_key(|one| names.iter().position(|name| *name == one.name));
    }
    Ok(plan)
}

/// Does all the work of a plan, untimed.
pub(crate) fn carry_out(
    plan: Plan, register: &ScratchRegister, common: &Common,
) -> Result<(Ending, Vec<ExplainedTask>)> {
    sys::limits::raise_open_files();
    let interrupted = interruption::watch(Some(register.clone()))?;
    let (program, mut supervisor) = role::supervisor()?;
    let mut progress = Progress::new(common.quiet);
    let worker = WorkerCommand { program, arguments: vec![role::WORKER.into()] };
    let explained = measure::explain(plan, worker, register, &mut supervisor, &mut progress, &interrupted);
    progress.finish();
    Ok(explained?)
}

pub(crate) fn page(task: ExplainedTask, of: Option<ExplainedContest>) -> ExplainPage {
    let ExplainedTask { family, workload, setting, entries, refused } = task;
    let ranking = of.as_ref().map(|of| &of.ranking);
    let baseline = ranking.and_then(|ranking| ranking.baseline.as_deref()).unwrap_or(family.baseline());
    let done = entries.into_iter().map(|(name, account)| (name, account, false));
    let missing = refused.into_iter().map(|one| (one.entry.name, Err(one.reason), true));
    let techniques = done.chain(missing).map(|(name, account, is_missing)| {
        let expected = family.calls(&name, &workload);
        ExplainedTechnique {
            idea: family.entry(&name).map(|entry| entry.idea).unwrap_or_default(),
            is_leader: ranking.is_some_and(|ranking| ranking.leader.as_ref() == Some(&name)),
            is_baseline: baseline == name,
            broken: account.as_ref().map(|account| broken(&expected, account)).unwrap_or_default(),
            failure: account.as_ref().err().cloned(),
            account: account.ok(),
            is_missing,
            expected,
            name,
        }
    });
    ExplainPage {
        family: family.name().to_owned(),
        question: family.question().to_owned(),
        techniques: techniques.collect(),
        ends_before_the_flush: setting.is_durable() && family.durability(&workload).is_none(),
        workload,
        setting,
        of,
        ..ExplainPage::default()
    }
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
