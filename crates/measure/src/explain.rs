//! Finds out what techniques do, in two untimed processes. One is traced. The other is left alone and reports usage: a trace
//! changes how often a process waits.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use families::AnyFamily;
use model::{Account, CallCounters, FailureKind, SampleNote, Setting, Workload};
use sys::process::{Ended, Launch};
use sys::trace::{self, Scope, Traced};

use crate::error::{End, Halt, MeasureError, Step};
use crate::plan::planned::{Plan, RefusedEntry};
use crate::ports::{Ending, Event, Launcher, Observer, WorkerCommand};
use crate::rounds::folders::Folders;
use crate::sample::launch::{self, Slot};
use crate::sample::outcome::{disproof, of_untimed};
use crate::sample::runner::Runner;
use crate::scratch::ScratchRegister;
use crate::stop::{LIMIT_NS, check_stop};
use crate::task::Task;
use crate::worker::protocol::{Assignment, Did};

/// The work that each entry did once, or the reason why that is unknown, in the order of the plan.
pub type Accounts = Vec<(String, Result<Account, String>)>;

/// The work of a family's techniques at one workload.
pub struct ExplainedTask {
    /// The family.
    pub family: &'static dyn AnyFamily,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The entries.
    pub entries: Accounts,
    /// Entries that cannot run here, and why.
    pub refused: Vec<RefusedEntry>,
}

/// Explains all entries of a plan, until `interrupted` becomes true.
pub fn explain(
    plan: Plan, worker: WorkerCommand, register: &ScratchRegister, launcher: &mut dyn Launcher,
    observer: &mut dyn Observer, interrupted: &AtomicBool,
) -> Result<(Ending, Vec<ExplainedTask>), MeasureError> {
    let mut folders = Folders::new(register);
    let unseen = trace::check().err().map(|refused| refused.to_string());
    let tracing = RefCell::new(Tracing::default());
    let mut switch = Switch { launcher, tracing: &tracing };
    let mut explainer = Explainer {
        runner: Runner::new(&plan, worker, &mut switch, interrupted),
        tracing: &tracing,
        unseen,
        observer: &mut *observer,
    };
    let mut explained = Vec::new();
    let ended = explainer.all(plan, &mut folders, &mut explained);
    // Who has interrupted it waits for the removal; who interrupts the removal does not.
    let never = AtomicBool::new(false);
    let stop = if interrupted.load(Ordering::Relaxed) { &never } else { interrupted };
    folders.remove(observer, &check_stop(stop, LIMIT_NS));
    Ok((Ending::of(ended)?, explained))
}

#[derive(Default)]
struct Tracing {
    wanted: Option<Launch>,
    traced: Option<Traced>,
}

/// Traces one launch, and hands all others on.
struct Switch<'a> {
    launcher: &'a mut dyn Launcher,
    tracing: &'a RefCell<Tracing>,
}

impl Launcher for Switch<'_> {
    fn run(&mut self, launch: &Launch, interrupted: &AtomicBool) -> io::Result<Ended> {
        if self.tracing.borrow().wanted.as_ref() != Some(launch) {
            return self.launcher.run(launch, interrupted);
        }
        let traced = trace::run(launch, Scope::Marked, interrupted)?;
        let ended = traced.ended.clone();
        self.tracing.borrow_mut().traced = Some(traced);
        Ok(ended)
    }
}

struct Explainer<'a> {
    runner: Runner<'a>,
    tracing: &'a RefCell<Tracing>,
    unseen: Option<String>,
    observer: &'a mut dyn Observer,
}

impl Explainer<'_> {
    fn all(
        &mut self, plan: Plan, folders: &mut Folders<'_>, explained: &mut Vec<ExplainedTask>,
    ) -> Result<(), End> {
        for mut planned in plan.tasks {
            self.observer.see(&Event::Generating { task: &planned.workload.name });
            let refused = std::mem::take(&mut planned.refused);
            let task = folders.prepare(planned, &plan.design, &mut self.runner)?;
            let entries = self.entries(&task)?;
            explained.push(ExplainedTask {
                family: task.family,
                workload: task.workload,
                setting: task.setting,
                entries,
                refused,
            });
        }
        Ok(())
    }

    fn entries(&mut self, task: &Task) -> Result<Accounts, End> {
        let (mut explained, of) = (Vec::new(), task.entrants.len());
        for (done, entrant) in task.entrants.iter().enumerate() {
            let name = entrant.participant.name.clone();
            self.observer.see(&Event::Trying { done, of, technique: &name });
            let account = match self.account(task, done) {
                Ok(account) => Ok(account),
                Err(Halt::Failed(_, reason)) => Err(reason),
                Err(Halt::End(end)) => return Err(end),
            };
            explained.push((name, account));
        }
        Ok(explained)
    }

    fn account(&mut self, task: &Task, entrant: usize) -> Step<Account> {
        let is_cut = |did: &Did| did.notes.iter().any(|note| matches!(note, SampleNote::Extrapolated(_)));
        let did = self.work(task, entrant, false)?;
        let mut account = Account {
            usage: did.usage,
            counters: did.counters,
            is_cut: is_cut(&did),
            notes: did.notes.iter().map(ToString::to_string).collect(),
            unseen: self.unseen.clone().or_else(|| too_many_to_trace(&did.counters)),
            ..Account::default()
        };
        if account.unseen.is_some() {
            return Ok(account);
        }
        match self.work(task, entrant, true) {
            Ok(did) => match self.tracing.borrow_mut().traced.take().filter(|traced| traced.is_marked) {
                Some(Traced { calls, processes, threads, .. }) => {
                    (account.calls, account.processes) = (Some(calls), Some(processes));
                    account.threads = Some(threads);
                    // A trace slows the work down: less of it fits into a limit.
                    account.is_cut |= is_cut(&did);
                }
                None => account.unseen = Some("the process did not mark its work".to_owned()),
            },
            // What could be seen without a trace stays known.
            Err(Halt::Failed(kind, reason)) => account.unseen = Some(untraceable(kind, &reason)),
            Err(end) => return Err(end),
        }
        Ok(account)
    }

    fn work(&mut self, task: &Task, entrant: usize, is_traced: bool) -> Step<Did> {
        let assignment = Assignment::Explain { trial: task.trial(entrant, self.runner.seed) };
        let slot = self.runner.limited(task, entrant, Slot::default());
        let launch = launch::worker(&self.runner.worker, &assignment, task, slot)?;
        *self.tracing.borrow_mut() =
            Tracing { wanted: is_traced.then(|| launch.clone()), ..Tracing::default() };
        let (observed, ended) = self.runner.carry_out(task, None, &launch, false)?;
        let mut did = of_untimed(&ended)?;
        if let Some(failure) = disproof(&task.expected, &did.proof) {
            return Err(failure.into());
        }
        did.notes.extend(observed.notes());
        Ok(did)
    }
}

/// Returns why the system counts the calls of long work: each takes about ten microseconds more under a trace.
fn too_many_to_trace(counters: &CallCounters) -> Option<String> {
    const MOST_CALLS: u64 = 1_000_000;
    let calls = counters.read_calls.unwrap_or(0) + counters.write_calls.unwrap_or(0);
    let said =
        || format!("{calls} calls would take minutes under a trace; less work is traced, as with --size");
    (calls > MOST_CALLS).then(said)
}

/// A trace makes every call take a multiple of its time: what waits in a loop may then not end.
fn untraceable(kind: FailureKind, reason: &str) -> String {
    match kind {
        FailureKind::Hang => format!("under the trace it {reason}; --time-limit gives it longer"),
        _ => format!("under the trace it failed: {reason}"),
    }
}
