//! Starts one process after the other, and limits the time of each.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{Failure, FailureKind, Increment, SampleNote};
use sys::process::{Ended, Launch, Status};

use crate::error::{End, Failed, Halt, MeasureError, Step};
use crate::files;
use crate::plan::planned::{Plan, program};
use crate::ports::{Launcher, WorkerCommand};
use crate::request::Untimed;
use crate::sample::launch::Slot;
use crate::task::Task;

/// A process may take this many times what calibration saw before it counts as hanging...
const PATIENCE: f64 = 50.0;
/// ... but never less than this.
const LEAST_PATIENCE_NS: u64 = 10_000_000_000;

pub(crate) struct FirstTimes {
    untimed: Untimed,
    programs: BTreeSet<String>,
    /// Untimed processes in the last turn.
    pub(super) done: u32,
}

impl FirstTimes {
    /// Returns the number of untimed processes before a timed one.
    pub(super) fn processes(&mut self, task: &Task, entrant: usize, round: u32) -> u32 {
        let program = program(task.family, &task.entrants[entrant].participant);
        let is_new = self.programs.insert(program.to_owned());
        match self.untimed {
            _ if round > 0 || task.setting.is_cold() => 0,
            Untimed::Each(processes) => processes,
            Untimed::OfEachProgram => u32::from(is_new),
        }
    }
}

pub(crate) struct Runner<'a> {
    pub(crate) worker: WorkerCommand,
    pub(crate) launcher: &'a mut dyn Launcher,
    pub(crate) interrupted: &'a AtomicBool,
    pub(crate) from_outside: bool,
    pub(crate) waits_for_children: bool,
    pub(crate) seed: u64,
    /// After this long an entry's turn counts as hanging.
    pub(crate) time_limit_ns: u64,
    /// Time until the budget is over for good: no process may outlast it.
    pub(crate) left_ns: u64,
    pub(crate) is_out_of_time: bool,
    /// The last process that failed had not ended when the budget was over.
    pub(crate) was_by_budget: bool,
    pub(crate) inputs: files::Inputs,
    pub(crate) remade: u32,
    pub(crate) first_times: FirstTimes,
    /// Processes that were killed because a limit that this run had set was spent.
    pub(crate) memory_kills: u64,
    pub(crate) cold_doubt: Option<SampleNote>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(
        plan: &Plan, worker: WorkerCommand, launcher: &'a mut dyn Launcher, interrupted: &'a AtomicBool,
    ) -> Self {
        Self {
            worker,
            launcher,
            interrupted,
            from_outside: plan.request.is_timed_from_outside(),
            waits_for_children: plan.request.waits_for_children,
            seed: plan.request.seed,
            time_limit_ns: plan.request.time_limit_ns,
            left_ns: u64::MAX,
            is_out_of_time: false,
            was_by_budget: false,
            inputs: files::Inputs::default(),
            remade: 0,
            first_times: FirstTimes { untimed: plan.request.untimed, programs: BTreeSet::new(), done: 0 },
            memory_kills: 0,
            cold_doubt: None,
        }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Returns the slot with the time that one process of an entrant may take.
    pub(crate) fn limited(&self, task: &Task, entrant: usize, slot: Slot) -> Slot {
        self.limited_for(task.entrants[entrant].cost_ns, 1, slot)
    }

    /// Returns the slot with the time for a process of this many entries that is expected to take `expected_ns`; 0 is unknown.
    pub(crate) fn limited_for(&self, expected_ns: f64, entries: u64, slot: Slot) -> Slot {
        Slot { time_limit_ns: self.own_limit_ns(expected_ns, entries).min(self.left_ns), ..slot }
    }

    /// Returns how long a process may take for its own sake, however much of the budget is left.
    fn own_limit_ns(&self, expected_ns: f64, entries: u64) -> u64 {
        let patience_ns = ((PATIENCE * expected_ns) as u64).max(LEAST_PATIENCE_NS);
        let patience_ns = if expected_ns > 0.0 { patience_ns } else { u64::MAX };
        patience_ns.min(self.time_limit_ns.saturating_mul(entries))
    }

    /// Returns whether a process did not end in time in a counted round because the budget was over. That ends the round, and is no
    /// failure of a technique. In the trial and in round 0 such an entry is left out.
    pub(crate) fn was_stopped_by_the_budget(
        &mut self, kind: FailureKind, expected_ns: f64, entries: u64, slot: Slot,
    ) -> bool {
        self.was_by_budget =
            kind == FailureKind::Hang && self.left_ns < self.own_limit_ns(expected_ns, entries);
        self.is_out_of_time |= self.was_by_budget && slot.round > 0;
        self.is_out_of_time
    }

    pub(crate) fn launch(&mut self, launch: &Launch) -> io::Result<Ended> {
        if self.is_interrupted() {
            return Ok(Ended::new(Status::Cancelled));
        }
        let ended = self.launcher.run(launch, self.interrupted)?;
        if let Status::MemorySpent { kills, .. } = ended.status {
            self.memory_kills += kills;
        }
        // What interrupts us may reach the process as well: no other end than a good one is its own fault then.
        let is_in_doubt = ended.status != Status::Exit(0) && self.is_interrupted();
        Ok(if is_in_doubt { Ended::new(Status::Cancelled) } else { ended })
    }

    /// Launches it as a step. What could not be started has failed; without the launcher the run ends.
    pub(crate) fn start(&mut self, launch: &Launch) -> Step<Ended> {
        match self.launch(launch) {
            Ok(ended) if ended.status == Status::Cancelled => Err(End::Interrupted.into()),
            Ok(ended) => Ok(ended),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::BrokenPipe => {
                    MeasureError::io("no process can be started any more")(error).into()
                }
                io::ErrorKind::NotFound => Halt::Failed(FailureKind::Missing, error.to_string()),
                _ => Halt::Failed(sys::failure::kind_of(&error), error.to_string()),
            }),
        }
    }
}

pub(crate) fn fail(task: &mut Task, entrant: usize, failed: Failed, slot: Slot, increment: &mut Increment) {
    let (kind, reason) = failed;
    increment.failures.push((task.entrants[entrant].trial, failure(slot, kind, &reason)));
    task.note_failure(entrant, kind == FailureKind::Wrong);
}

pub(crate) fn failure(slot: Slot, kind: FailureKind, reason: &str) -> Failure {
    let (round, position) = (Some(slot.round), Some(slot.position));
    Failure { round, position, ..Failure::before_the_rounds(kind, reason) }
}
