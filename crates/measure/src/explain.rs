//! What techniques do, found out in untimed processes: one that is left alone, and one whose system calls are traced.
//!
//! A trace changes how often a process waits, so that what was used is told by the process that was left alone.

use std::cell::RefCell;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use families::AnyFamily;
use model::{Account, FailureKind, Setting, Workload};
use sys::process::{Ended, Launch};
use sys::trace::{self, Scope, Traced};

use crate::error::MeasureError;
use crate::files::preparation::Inputs;
use crate::plan::planned::{Plan, RefusedEntry};
use crate::ports::{Ending, Event, Launcher, Observer, WorkerCommand};
use crate::request::Untimed;
use crate::rounds::folders::Folders;
use crate::sample::launch;
use crate::sample::outcome::{disproof, of_untimed};
use crate::sample::runner::{FirstTimes, NO_ASSIGNMENT, Runner, Slot, Step};
use crate::scratch::ScratchRegister;
use crate::stop::{LIMIT_NS, check_stop};
use crate::task::Task;
use crate::worker::protocol::{Assignment, Did};

/// Everything outside that is needed.
pub struct Explaining<'a> {
    /// How to start a worker.
    pub worker: WorkerCommand,
    /// Where scratch folders are registered.
    pub register: &'a ScratchRegister,
    /// Starts processes.
    pub launcher: &'a mut dyn Launcher,
    /// Sees what happens.
    pub observer: &'a mut dyn Observer,
    /// Becomes true when the user wants to stop.
    pub interrupted: &'a AtomicBool,
}

/// What the techniques of a family did at one workload.
pub struct ExplainedTask {
    /// The family.
    pub family: &'static dyn AnyFamily,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The entries in the order of the plan.
    pub entries: Vec<Explained>,
    /// Entries that cannot run here, and why.
    pub refused: Vec<RefusedEntry>,
}

/// What an entry did, or why that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explained {
    /// The entry.
    pub name: String,
    /// What it did once; a failure is a sentence.
    pub account: Result<Account, String>,
}

/// Explains all entries of a plan.
///
/// # Errors
/// What made it impossible: no folder, no process.
pub fn explain(
    plan: Plan,
    environment: Explaining<'_>,
) -> Result<(Ending, Vec<ExplainedTask>), MeasureError> {
    let Explaining { worker, register, launcher, observer, interrupted } = environment;
    let mut folders = Folders::new(register);
    let unseen = trace::check().err().map(|refused| refused.to_string());
    let tracing = RefCell::new(Tracing::default());
    let mut switch = Switch { launcher, tracing: &tracing };
    let mut explainer = Explainer {
        runner: runner(&plan, worker, &mut switch, interrupted),
        tracing: &tracing,
        unseen,
        observer: &mut *observer,
    };
    let explained = explainer.all(plan, &mut folders);
    // Who has interrupted it waits for the removal; who interrupts the removal does not.
    let never = AtomicBool::new(false);
    let stop = if interrupted.load(Ordering::Relaxed) { &never } else { interrupted };
    folders.remove(observer, &check_stop(stop, LIMIT_NS));
    explained
}

fn runner<'a>(
    plan: &Plan,
    worker: WorkerCommand,
    launcher: &'a mut dyn Launcher,
    interrupted: &'a AtomicBool,
) -> Runner<'a> {
    Runner {
        worker,
        launcher,
        interrupted,
        from_outside: false,
        seed: plan.seed,
        time_limit_ns: plan.time_limit_ns,
        memory_kills: 0,
        left_ns: u64::MAX,
        is_out_of_time: false,
        inputs: Inputs::default(),
        remade: 0,
        first_times: FirstTimes::new(Untimed::Each(0)),
        cold_doubt: None,
    }
}

/// Which launch is to be traced, and what came of it.
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
    /// Why no calls can be seen here.
    unseen: Option<String>,
    observer: &'a mut dyn Observer,
}

impl Explainer<'_> {
    fn all(
        &mut self,
        plan: Plan,
        folders: &mut Folders<'_>,
    ) -> Result<(Ending, Vec<ExplainedTask>), MeasureError> {
        let mut explained = Vec::new();
        for mut planned in plan.tasks {
            self.observer.see(&Event::Generating { task: &planned.workload.name });
            let refused = std::mem::take(&mut planned.refused);
            let task = match folders.prepare(planned, &plan.design, &mut self.runner)? {
                Step::Done(task) => task,
                Step::Failed(_) | Step::Cancelled => return Ok((Ending::Interrupted, explained)),
            };
            let Some(entries) = self.entries(&task)? else { return Ok((Ending::Interrupted, explained)) };
            explained.push(ExplainedTask {
                family: task.family,
                workload: task.workload,
                setting: task.setting,
                entries,
                refused,
            });
        }
        Ok((Ending::Complete, explained))
    }

    /// `None` when it was interrupted.
    fn entries(&mut self, task: &Task) -> Result<Option<Vec<Explained>>, MeasureError> {
        let (mut explained, of) = (Vec::new(), task.entrants.len());
        for (done, entrant) in task.entrants.iter().enumerate() {
            let name = entrant.participant.name.clone();
            self.observer.see(&Event::Trying { done, of, technique: &name });
            let account = match self.account(task, done)? {
                Step::Done(account) => Ok(account),
                Step::Failed((_, reason)) => Err(reason),
                Step::Cancelled => return Ok(None),
            };
            explained.push(Explained { name, account });
        }
        Ok(Some(explained))
    }

    fn account(&mut self, task: &Task, entrant: usize) -> Result<Step<Account>, MeasureError> {
        let left_alone = self.work(task, entrant, false)?;
        left_alone.and_then(|did| {
            let account = Account {
                usage: did.usage,
                counters: did.counters,
                notes: did.notes.iter().map(ToString::to_string).collect(),
                ..Account::default()
            };
            if let Some(unseen) = &self.unseen {
                return Ok(Step::Done(Account { unseen: Some(unseen.clone()), ..account }));
            }
            let traced = match self.work(task, entrant, true)? {
                Step::Done(_) => self.tracing.borrow_mut().traced.take(),
                // What could be seen without a trace stays known.
                Step::Failed((kind, reason)) => {
                    let unseen = Some(untraceable(kind, &reason));
                    return Ok(Step::Done(Account { unseen, ..account }));
                }
                Step::Cancelled => return Ok(Step::Cancelled),
            };
            Ok(Step::Done(match traced.filter(|traced| traced.is_marked) {
                Some(traced) => Account {
                    calls: Some(traced.calls),
                    processes: Some(traced.processes),
                    threads: Some(traced.threads),
                    ..account
                },
                None => Account { unseen: Some("the process did not mark its work".to_owned()), ..account },
            }))
        })
    }

    /// One process that does the work once.
    fn work(&mut self, task: &Task, entrant: usize, is_traced: bool) -> Result<Step<Did>, MeasureError> {
        let slot = Slot { attempt: 0, round: 0, position: 0, padding_bytes: 0 };
        let assignment = Assignment::Explain { trial: task.trial(entrant, self.runner.seed) };
        let slot = self.runner.slot(task, entrant, slot);
        let launch = launch::worker(&self.runner.worker, &assignment, task, slot)
            .map_err(MeasureError::io(NO_ASSIGNMENT))?;
        *self.tracing.borrow_mut() =
            Tracing { wanted: is_traced.then(|| launch.clone()), ..Tracing::default() };
        self.runner.carry_out(task, None, &launch, false)?.and_then(|(observed, ended)| {
            Ok(match of_untimed(&ended) {
                Ok(mut did) => match disproof(&task.expected, &did.proof) {
                    Some(failure) => Step::Failed(failure),
                    None => {
                        did.notes.extend(observed.notes());
                        Step::Done(did)
                    }
                },
                Err(failure) => Step::Failed(failure),
            })
        })
    }
}

/// A trace makes every call take a multiple of its time: what waits in a loop may then not end.
fn untraceable(kind: FailureKind, reason: &str) -> String {
    match kind {
        FailureKind::Hang => format!("under the trace it {reason}; --time-limit gives it longer"),
        _ => format!("under the trace it failed: {reason}"),
    }
}
