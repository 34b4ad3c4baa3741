//! Walks a plan: one process at a time, every live entry once a round, in an order drawn again each round.

use std::collections::BTreeMap;
use std::mem::take;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{Design, Failure, FailureKind, Increment, Note, Proof, Record, Topic, TrialRecord};
use sys::host::Pressure;

use crate::error::{End, MeasureError};
use crate::order::{order, padding_bytes};
use crate::plan::estimate;
use crate::plan::planned::{Participant, Plan};
use crate::ports::{Answers, Ending, Environment, Event, Observer, Sink};
use crate::rounds::canary::Canary;
use crate::rounds::folders::{Absent, Folders};
use crate::rounds::{facts, folders, free_memory};
use crate::sample::launch::Slot;
use crate::sample::runner::Runner;
use crate::stop::{LIMIT_NS, check_stop};
use crate::task::{Task, differing_twins, enter_rivals, enter_twins, turns};
use crate::time::budget::Budget;
use crate::time::questions::Questions;
use crate::time::schedule;
use crate::time::{not_tried, time_left, turns};

/// No process is killed sooner because the budget ends: on a busy host its start alone may take seconds.
const SHORTEST_LIMIT_NS: f64 = 5e9;
/// No process runs on when the budget is over by this much.
const LATEST: f64 = 1.08;
/// Rounds that an entry gets which was skipped, if there is time for all: round 0 and those of a first look.
const ROUNDS_OF_SKIPPED: f64 = 9.0;
const ATTEMPTS: u32 = 2;

/// Measures a plan. `record` lacks design and trials. What was handed to the sink before an error stays valid.
pub fn run(mut plan: Plan, record: Record, mut environment: Environment<'_>) -> Result<Ending, MeasureError> {
    let interrupted = environment.interrupted;
    let _kept = free_memory::keep(&mut plan, &record.host.memory, &mut environment);
    let mut folders = Folders::new(environment.register);
    let ending = Ending::of(measure(plan, record, &mut environment, &mut folders));
    // Who has interrupted the run waits for the removal; who interrupts the removal does not.
    let never = AtomicBool::new(false);
    let stop = if interrupted.load(Ordering::Relaxed) { &never } else { interrupted };
    folders::clean_up(&folders.cleanups, &mut *environment.launcher, &mut *environment.observer, stop);
    folders.remove(environment.observer, &check_stop(stop, LIMIT_NS));
    ending
}

fn measure(
    mut plan: Plan, mut record: Record, environment: &mut Environment<'_>, folders: &mut Folders<'_>,
) -> Result<(), End> {
    let before = Pressure::now();
    let canary = Canary::new()
        .map_err(MeasureError::io("there is too little memory for a run; 'ulimit -v' shows its limit"))?;
    let budget =
        Budget::new(environment.now_ns, environment.start_ns, plan.budget_ns, plan.request.budget_stretches);
    let mut host_notes = take(&mut plan.notes);
    let mut runner =
        Runner::new(&plan, environment.worker.clone(), &mut *environment.launcher, environment.interrupted);
    let (facts, found) = facts::find(&mut runner, &plan.tasks)?;
    record.facts = facts;
    let planned = take(&mut plan.tasks);
    let (mut tasks, absent) =
        folders.prepare_all(planned, &plan.design, &mut runner, &mut *environment.observer)?;
    host_notes.extend(facts::shell_note(&mut runner, &tasks)?);
    let mut run = Run {
        runner,
        design: plan.design,
        rounds: plan.request.rounds,
        least_rounds: plan.request.least_rounds,
        budget,
        pass: 0,
        between_ns: 0.0,
        canary,
        early: Vec::new(),
        next_trial: 0,
        notes: host_notes.into_iter().chain(found).collect(),
        questions: Questions::of(&plan.questions, &tasks),
        answers: environment.answers.as_mut().map(|answers| &mut **answers as _),
        sink: Kept { sink: &mut *environment.sink, keeps: !plan.questions.is_empty(), record: None },
        observer: &mut *environment.observer,
    };
    run.try_small_work(&mut tasks)?;
    run.round_0(&mut tasks, record, absent)?;
    let ending = Ending::of(run.further_rounds(&mut tasks))?;
    run.report_what_was_not_begun(&tasks)?;
    run.close(&before, ending)?;
    if ending == Ending::Interrupted { Err(End::Interrupted) } else { Ok(()) }
}

struct Run<'a> {
    runner: Runner<'a>,
    design: Design,
    rounds: u32,
    least_rounds: u32,
    budget: Budget,
    /// Passes over all tasks so far. A task that is measured again counts its own rounds again.
    pass: u32,
    /// Time of a pass outside its turns.
    between_ns: f64,
    canary: Canary,
    /// Task, entrant and failure of entries that left before round 1.
    early: Vec<(usize, usize, Failure)>,
    next_trial: u32,
    notes: Vec<Note>,
    questions: Option<Questions>,
    answers: Option<&'a mut dyn Answers>,
    sink: Kept<'a>,
    observer: &'a mut dyn Observer,
}

impl Run<'_> {
    /// Runs every technique whose work is so short that the repetitions in a sample must be found first.
    fn try_small_work(&mut self, tasks: &mut [Task]) -> Result<(), End> {
        let mut small: Vec<usize> = (0..tasks.len()).filter(|&index| tasks[index].is_small).collect();
        small.sort_by_key(|&index| not_tried::place_of_first_turn(&tasks[index], &self.design));
        let (mut done, of) = (0, small.iter().map(|&index| tasks[index].entrants.len()).sum());
        for index in small {
            for entrant in 0..tasks[index].entrants.len() {
                done += 1;
                let is_over = !self.budget.stretches && self.budget.left_ns() <= 0.0;
                if not_tried::leave_out(tasks, index, entrant, &self.design)
                    || self.is_too_late(tasks, index, Some(entrant))
                    || is_over && !self.is_paid(tasks, index, Some(entrant))
                {
                    continue;
                }
                let task = &mut tasks[index];
                let technique = task.entrants[entrant].participant.name.clone();
                self.observer.see(&Event::Trying { done: done - 1, of, technique: &technique });
                let start_ns = self.budget.now_ns();
                self.limit_time();
                match self.runner.calibrate(task, entrant)? {
                    None => task.entrants[entrant].cost_ns = (self.budget.now_ns() - start_ns) as f64,
                    Some(_) if self.runner.was_by_budget => self.leave_out(task, index, entrant),
                    Some(failure) => {
                        task.leave_out(entrant);
                        self.early.push((index, entrant, failure));
                    }
                }
            }
            turns::choose_after_trial(&mut tasks[index]);
        }
        Ok(())
    }

    /// Takes round 0, which shows what a turn of each entry costs and who leads first; then fixes the plan and begins the record.
    fn round_0(&mut self, tasks: &mut [Task], mut record: Record, absent: Vec<Absent>) -> Result<(), End> {
        let mut taken = Increment::default();
        // Levels with few entries wait until it is known who leads at those with all.
        self.number(tasks.iter_mut().filter(|task| !task.waits));
        self.first_passes(tasks, &mut taken)?;
        let waited = enter_rivals(tasks);
        let later = tasks.iter_mut().enumerate().filter(|(index, _)| waited.contains(index));
        self.number(later.map(|(_, task)| task));
        self.first_passes(tasks, &mut taken)?;
        for task in tasks.iter_mut() {
            turns::expect_later_rounds(task);
            turns::choose_after_round_0(task, self.runner.from_outside);
        }
        let unpaid = match &mut self.questions {
            Some(questions) => {
                questions.fix(tasks, &self.early, &self.budget, self.rounds);
                Vec::new()
            }
            None => schedule::fix(tasks, &self.design, &mut self.budget, (self.least_rounds, self.rounds)),
        };
        let absent_ns = absent.iter().flat_map(|(_, skipped)| skipped).map(estimate::known_process_ns);
        let early = self.early.iter().filter(|(_, _, failure)| failure.kind == FailureKind::Skipped);
        let early_ns = early.map(|&(task, entrant, _)| {
            let one = &tasks[task].entrants[entrant];
            (one.cost_ns > 0.0 || one.participant.estimate.work_ns.is_some()).then(|| one.expected_ns())
        });
        let skipped_ns = absent_ns.chain(early_ns).sum::<Option<f64>>();
        self.budget.needed_ns =
            self.budget.needed_ns.zip(skipped_ns).map(|(ns, more_ns)| ns + ROUNDS_OF_SKIPPED * more_ns);
        let contests = tasks.iter().map(|task| task.contests.len() as u32).sum::<u32>().max(1);
        if self.design.shared_by > 1 {
            self.design.shared_by = contests;
            tasks.iter_mut().for_each(|task| task.form_contests(&self.design));
        }
        let (least, budget) = (self.least_rounds, model::format_ns(self.budget.total_ns()));
        let first = tasks.iter().filter_map(|task| task.looks.first().copied()).min();
        if let Some(paid) = first.filter(|paid| *paid < least && self.questions.is_none()) {
            let text = format!("the budget of {budget} pays for about {paid} rounds, fewer than {least}");
            record.notes.push(Note { topic: Topic::FewerRounds, text });
        }
        let longest = tasks.iter().map(|task| &task.looks).max_by_key(|looks| looks.len());
        self.design.looks = longest.cloned().unwrap_or_default();
        record.design = self.design.clone();
        self.sink.begin(&record)?;
        let begun = self.begun(tasks, absent, unpaid);
        self.sink.append(&begun)?;
        self.sink.append(&taken)?;
        Ok(())
    }

    fn first_passes(&mut self, tasks: &mut [Task], taken: &mut Increment) -> Result<(), End> {
        // A session that broke is taken again, without the technique that took it down.
        while tasks.iter().any(|task| task.rounds == 0 && task.runs()) {
            self.pass(tasks, taken)?;
        }
        Ok(())
    }

    fn number<'c>(&mut self, tasks: impl Iterator<Item = &'c mut Task>) {
        for entrant in tasks.flat_map(|task| &mut task.entrants) {
            entrant.trial = self.next_trial;
            self.next_trial += 1;
        }
    }

    /// Returns all trials, and why some of them will not be in the contests.
    fn begun(&mut self, tasks: &[Task], absent: Vec<Absent>, unpaid: Vec<(usize, usize)>) -> Increment {
        let trials = tasks.iter().flat_map(|task| task.entrants.iter().map(|one| one.trial).zip(task.rows()));
        let trials: BTreeMap<u32, TrialRecord> = trials.collect();
        let mut begun = Increment { trials: trials.into_values().collect(), ..Increment::default() };
        begun.failures.extend(tasks.iter().flat_map(Task::not_tried));
        let skipped = unpaid.into_iter().map(|(task, entrant)| (task, entrant, self.budget.skipped()));
        for (task, entrant, failure) in take(&mut self.early).into_iter().chain(skipped) {
            // What was skipped in round 0 could not know yet what all entries take.
            let failure = if failure.kind == FailureKind::Skipped { self.budget.skipped() } else { failure };
            begun.failures.push((tasks[task].entrants[entrant].trial, failure));
        }
        for (task, (refused, skipped)) in tasks.iter().zip(absent) {
            let refused = refused.into_iter().map(|one| {
                (Participant::from(one.entry), Failure::before_the_rounds(FailureKind::Missing, one.reason))
            });
            let skipped = skipped.into_iter().map(|participant| (participant, self.budget.skipped()));
            for (participant, failure) in refused.chain(skipped) {
                begun.failures.push((begun.trials.len() as u32, failure));
                begun.trials.push(task.row(&participant));
            }
        }
        self.next_trial = begun.trials.len() as u32;
        begun
    }

    fn further_rounds(&mut self, tasks: &mut [Task]) -> Result<(), End> {
        loop {
            let goes_on = match &mut self.questions {
                Some(questions) => questions.goes_on(tasks, &self.budget, self.between_ns),
                None => time_left::goes_on(tasks, &self.budget, self.between_ns),
            };
            if !goes_on || self.runner.is_out_of_time {
                return Ok(());
            }
            let mut taken = Increment::default();
            let ended = self.pass(tasks, &mut taken);
            // Even a broken round's rows are kept: they happened.
            self.sink.append(&taken)?;
            ended?;
            self.after_round(tasks)?;
        }
    }

    /// Looks at the contests that are due, deals out the time, enters twins, and begins a contest again when they differ.
    fn after_round(&mut self, tasks: &mut [Task]) -> Result<(), MeasureError> {
        if let Some((questions, record)) = self.questions.as_mut().zip(self.sink.record.as_ref()) {
            questions.look(tasks, record, &mut self.answers, &self.budget);
            return Ok(());
        }
        for task in tasks.iter_mut().filter(|task| task.rounds == 1 && task.attempt > 0) {
            task.form_contests(&self.design);
        }
        let looked: Vec<bool> = tasks.iter_mut().map(Task::look).collect();
        if looked.contains(&true) {
            time_left::deal(tasks, self.budget.left_ns());
        }
        let mut increment = Increment::default();
        for (task, entrant) in enter_twins(tasks) {
            let task = &mut tasks[task];
            task.entrants[entrant].trial = self.next_trial;
            self.next_trial += 1;
            increment.trials.push(task.row(&task.entrants[entrant].participant));
        }
        for unit in differing_twins(tasks) {
            let is_last = unit.iter().any(|&task| tasks[task].attempt + 1 >= ATTEMPTS);
            if is_last || !schedule::pays_for_another(tasks, &unit, &self.budget) {
                continue;
            }
            self.observer.see(&Event::Again);
            for task in unit {
                tasks[task].restart();
                self.number(std::iter::once(&mut tasks[task]));
                increment.trials.extend(tasks[task].rows());
                increment.failures.extend(tasks[task].not_tried());
            }
        }
        if increment != Increment::default() {
            self.sink.append(&increment)?;
        }
        Ok(())
    }

    fn report_what_was_not_begun(&mut self, tasks: &[Task]) -> Result<(), MeasureError> {
        let Some(questions) = &self.questions else { return Ok(()) };
        let missing = questions.not_begun(tasks, &self.budget).into_iter();
        let missing = missing.map(|((task, one), failure)| (tasks[task].entrants[one].trial, failure));
        let failures: Vec<(u32, Failure)> = missing.collect();
        if failures.is_empty() {
            return Ok(());
        }
        self.sink.append(&Increment { failures, ..Increment::default() })
    }

    /// Takes one round of every task, in one drawn order.
    fn pass(&mut self, tasks: &mut [Task], increment: &mut Increment) -> Result<(), End> {
        let start_ns = self.budget.now_ns();
        let pass = self.pass;
        self.pass += 1;
        let (processor_ns, memory_ns) = self.canary.time();
        increment.canaries.push((pass, processor_ns, memory_ns));
        self.renew_inputs(tasks)?;
        let turns = turns(tasks);
        let paddings = padding_bytes(self.runner.seed, pass, turns.len());
        let mut broken = vec![false; tasks.len()];
        let (mut ended, mut turns_ns) = (Ok(()), 0);
        let mut drawn = order(self.runner.seed, pass, turns.len());
        // Stable: the turns of a level stay in the order that was drawn, but those come first that are measured in any case.
        drawn.sort_by_key(|&index| {
            let (task, entrant) = (&tasks[turns[index].0], turns[index].1);
            let stays = entrant.is_some_and(|entrant| task.entrants[entrant].participant.stays);
            let waits = task.rounds == 0 && task.has_all_rounds() && !stays;
            (waits, not_tried::place_of_first_turn(task, &self.design))
        });
        for (position, index) in drawn.into_iter().enumerate() {
            let (task, entrant) = turns[index];
            if self.is_far_behind(tasks, task, entrant)
                || self.is_too_late(tasks, task, entrant)
                || !self.is_paid(tasks, task, entrant)
            {
                continue;
            }
            self.announce(&tasks[task], entrant);
            let slot = Slot {
                round: tasks[task].rounds,
                position: position as u32,
                padding_bytes: paddings[position],
                ..Slot::default()
            };
            let turn_ns = self.budget.now_ns();
            self.limit_time();
            let step = self.runner.turn(&mut tasks[task], entrant, slot, increment);
            let cost_ns = self.budget.now_ns() - turn_ns;
            turns_ns += cost_ns;
            self.settle_failures(&mut tasks[task], task, increment);
            match step {
                Ok(true) => {
                    let task = &mut tasks[task];
                    let untimed = entrant.map_or(0, |entrant| self.runner.untimed_more(task, entrant));
                    turns::learn(task, entrant, (cost_ns as f64, untimed), increment);
                }
                // A session that broke leaves its task without the values of this round.
                Ok(false) => broken[task] = true,
                Err(end) => ended = Err(end),
            }
            if ended.is_err() || self.runner.is_out_of_time {
                broken.fill(true);
                break;
            }
        }
        for (task, broken) in tasks.iter_mut().zip(broken) {
            if task.runs() || task.rounds == 0 && !task.waits {
                task.end_round(!broken);
            }
        }
        self.between_ns = (self.budget.now_ns() - start_ns - turns_ns) as f64;
        ended
    }

    /// Makes the inputs of a round where each has its own. Tasks that share them get the same.
    fn renew_inputs(&mut self, tasks: &mut [Task]) -> Result<(), End> {
        let mut renewed: Vec<(PathBuf, u64, Proof)> = Vec::new();
        for task in tasks.iter_mut().filter(|task| task.renews_inputs && task.rounds > 0 && task.runs()) {
            let known = renewed.iter().find(|(folder, ..)| *folder == task.folder);
            if let Some((_, nth, expected)) = known {
                (task.nth_input, task.expected) = (*nth, expected.clone());
                continue;
            }
            self.observer.see(&Event::Generating { task: &task.workload.name });
            task.nth_input += 1;
            task.expected = self.runner.make_inputs(task)?;
            renewed.push((task.folder.clone(), task.nth_input, task.expected.clone()));
        }
        Ok(())
    }

    fn announce(&mut self, task: &Task, entrant: Option<usize>) {
        let technique = entrant.map_or("session", |entrant| &task.entrants[entrant].participant.name);
        self.observer.see(&Event::Sampling {
            round: self.pass - 1,
            family: task.family.name(),
            technique,
            elapsed_ns: self.budget.elapsed_ns(),
            budget_ns: self.budget.total_ns(),
        });
    }

    /// Keeps a process from outlasting the budget by far.
    fn limit_time(&mut self) {
        if !self.budget.stretches {
            let left_ns = LATEST * self.budget.total_ns() - self.budget.elapsed_ns();
            self.runner.left_ns = left_ns.max(SHORTEST_LIMIT_NS) as u64;
        }
    }

    /// Leaves out in round 0 an entry that was far behind at a lower level of the curve; returns whether it was.
    fn is_far_behind(&self, tasks: &mut [Task], task: usize, entrant: Option<usize>) -> bool {
        let is_first = tasks[task].rounds == 0 && tasks[task].attempt == 0;
        entrant.is_some_and(|entrant| is_first && not_tried::leave_out(tasks, task, entrant, &self.design))
    }

    /// Returns whether there is time for an entry's first sample in round 0; else leaves it out.
    fn is_paid(&mut self, tasks: &mut [Task], task: usize, entrant: Option<usize>) -> bool {
        // Measuring a contest again was paid for as a whole.
        let is_first = tasks[task].rounds == 0 && tasks[task].attempt == 0;
        let Some(entrant) = entrant.filter(|_| is_first && !self.budget.stretches) else {
            return true;
        };
        if schedule::pays_for_first(tasks, task, entrant, &self.budget) {
            return true;
        }
        self.leave_out(&mut tasks[task], task, entrant);
        false
    }

    /// Returns whether the time is over before questions are begun; then leaves out what was to run. A contest needs two entries
    /// whatever they take; a question that cannot be begun needs none.
    fn is_too_late(&mut self, tasks: &mut [Task], task: usize, entrant: Option<usize>) -> bool {
        let is_late = self.questions.is_some() && tasks[task].rounds == 0 && self.budget.left_ns() <= 0.0;
        if is_late {
            let late = entrant.map_or_else(|| tasks[task].live(), |entrant| vec![entrant]);
            late.into_iter().for_each(|entrant| self.leave_out(&mut tasks[task], task, entrant));
        }
        is_late
    }

    fn leave_out(&mut self, task: &mut Task, index: usize, entrant: usize) {
        task.leave_out(entrant);
        self.early.push((index, entrant, self.budget.skipped()));
    }

    /// Takes what failed in round 0 out of its contest. Its failure stands before the first round.
    fn settle_failures(&mut self, task: &mut Task, index: usize, increment: &mut Increment) {
        if task.rounds > 0 {
            return;
        }
        for entrant in 0..task.entrants.len() {
            let trial = task.entrants[entrant].trial;
            let own =
                increment.failures.extract_if(.., |(of, failure)| *of == trial && failure.round.is_some());
            let Some((_, failure)) = own.last() else { continue };
            // The whole session is taken again: an input had vanished, which no technique is to blame for.
            if task.family.isolation() == families::Isolation::Session && task.entrants[entrant].live {
                continue;
            }
            task.leave_out(entrant);
            let failure = match failure.kind {
                FailureKind::Hang if self.runner.was_by_budget => self.budget.skipped(),
                kind => Failure::before_the_rounds(kind, failure.reason),
            };
            match task.attempt {
                0 => self.early.push((index, entrant, failure)),
                _ => increment.failures.push((trial, failure)),
            }
        }
    }

    fn close(&mut self, before: &Pressure, ending: Ending) -> Result<(), MeasureError> {
        let mut notes = take(&mut self.notes);
        let mut change = Pressure::now().since(before);
        // Those are failures of the techniques, and no shortage of the host's.
        change.memory_kills = change.memory_kills.map(|kills| kills.saturating_sub(self.runner.memory_kills));
        notes.extend(facts::of_host(&change));
        if ending == Ending::Interrupted {
            notes.insert(0, facts::interrupted());
        }
        notes.extend(self.runner.cold_doubt.as_ref().map(facts::cold_not_proven));
        self.sink.append(&Increment { notes, ..Increment::default() })
    }
}

/// A sink, and what went into it where questions are asked of it.
struct Kept<'a> {
    sink: &'a mut dyn Sink,
    keeps: bool,
    record: Option<Record>,
}

impl Kept<'_> {
    fn begin(&mut self, record: &Record) -> Result<(), MeasureError> {
        self.record = self.keeps.then(|| record.clone());
        self.sink.begin(record).map_err(MeasureError::Sink)
    }

    fn append(&mut self, increment: &Increment) -> Result<(), MeasureError> {
        if let Some(record) = &mut self.record {
            record.apply(increment);
        }
        self.sink.append(increment).map_err(MeasureError::Sink)
    }
}
