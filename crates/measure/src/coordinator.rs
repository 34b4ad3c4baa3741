//! Walks a plan: one process at a time, everybody once a round, in an order drawn anew each round.

use model::{Design, Failure, FailureKind, Increment, Note, Record};
use sys::clock;
use sys::host::{Pressure, PressureChange};

use crate::calibration;
use crate::canary::Canary;
use crate::cell::Cell;
use crate::folders::Folders;
use crate::order::{order, padding_bytes};
use crate::plan::{Plan, RefusedEntry};
use crate::ports::{Conditions, Ending, Event, MeasureError, Observer, Outlook, Sink};
use crate::runner::{Runner, Slot, Step};

/// How much longer than its budget a run may take before it ends at a look that was not planned as its last.
const OVERRUN: f64 = 1.1;

/// Measures a plan. `record` tells all but the design and the trials.
///
/// # Errors
/// What made the run impossible or ended it. Everything handed to the sink before stays valid.
pub fn run(plan: Plan, mut record: Record, conditions: Conditions<'_>) -> Result<Ending, MeasureError> {
    let before = Pressure::now();
    let Plan { cells, mut design, mut budget_ns, budget_stretches, time_limit_ns, seed, .. } = plan;
    let mut refused = Vec::new();
    let mut folders = Folders::new(conditions.register);
    let mut runner = Runner {
        worker: conditions.worker,
        launcher: conditions.launcher,
        interrupted: conditions.interrupted,
        metric: design.metric,
        from_outside: plan.from_outside,
        seed,
        time_limit_ns,
        cold_doubt: None,
    };
    let mut stage = Vec::new();
    for mut planned in cells {
        conditions.observer.see(&Event::Generating { cell: &planned.workload.name });
        refused.push(std::mem::take(&mut planned.refused));
        stage.push(folders.furnish(planned, seed)?);
    }
    let Some(failures) = calibrate(&mut stage, &mut runner, conditions.observer)? else {
        return Ok(Ending::Interrupted);
    };
    if budget_stretches {
        budget_ns = budget_ns.max(calibration::least_budget_ns(&stage, &design));
    }
    fix(&mut design, &stage, budget_ns)?;
    let begun = begin(&mut record, &design, &mut stage, &refused, failures);
    conditions.sink.begin(&record).map_err(MeasureError::Sink)?;
    conditions.sink.append(&begun).map_err(MeasureError::Sink)?;
    let mut show = Show {
        runner,
        design,
        budget_ns,
        before,
        next_trial: begun.trials.len() as u32,
        sink: conditions.sink,
        observer: conditions.observer,
    };
    show.go_on(&mut stage)
}

/// Who failed before the first round: cell, seat, and how.
type EarlyFailures = Vec<(usize, usize, Failure)>;

/// Everybody runs twice. What fails is out before the first round. `None` when interrupted.
fn calibrate(
    cells: &mut [Cell],
    runner: &mut Runner<'_>,
    observer: &mut dyn Observer,
) -> Result<Option<EarlyFailures>, MeasureError> {
    const PASSES: usize = 2;
    let of = PASSES * cells.iter().map(|cell| cell.seats.len()).sum::<usize>();
    let (mut done, mut failures) = (0, Vec::new());
    for pass in 0..PASSES {
        for (index, cell) in cells.iter_mut().enumerate() {
            for seat in 0..cell.seats.len() {
                let technique = cell.seats[seat].participant.name.clone();
                observer.see(&Event::Calibrating { done, of, technique: &technique });
                done += 1;
                if !cell.seats[seat].live {
                    continue;
                }
                match runner.calibrate(cell, seat, pass)? {
                    Step::Done(()) => {}
                    Step::Failed(failure) => failures.push((index, seat, failure)),
                    Step::Cancelled => return Ok(None),
                }
            }
        }
    }
    cells.iter_mut().for_each(calibration::size_blocks);
    Ok(Some(failures))
}

/// Fixes what must be fixed before the first round: the looks that the budget allows, and the cells.
fn fix(design: &mut Design, cells: &[Cell], budget_ns: u64) -> Result<(), MeasureError> {
    design.cells = cells.iter().map(|cell| cell.groups().len() as u32).sum::<u32>().max(1);
    design.looks = calibration::affordable(cells, design, budget_ns).map_err(|few| {
        let needed_ns = calibration::cost_ns(cells, design, 10);
        let advice_s = (needed_ns * 1.5 / 1e9).ceil();
        MeasureError::Budget {
            budget: model::format_ns(budget_ns as f64),
            affordable: few.affordable_rounds,
            needed: model::format_ns(needed_ns),
            advice: format!("{advice_s}s"),
        }
    })?;
    Ok(())
}

/// Completes the record and numbers the trials.
fn begin(
    record: &mut Record,
    design: &Design,
    cells: &mut [Cell],
    refused: &[Vec<RefusedEntry>],
    failures: EarlyFailures,
) -> Increment {
    record.design = design.clone();
    let mut increment = Increment::default();
    for cell in cells.iter_mut() {
        for (seat, row) in cell.rows(0).into_iter().enumerate() {
            cell.seats[seat].trial = increment.trials.len() as u32;
            increment.trials.push(row);
        }
    }
    for (index, seat, failure) in failures {
        increment.failures.push((cells[index].seats[seat].trial, failure));
    }
    for (cell, refused) in cells.iter().zip(refused) {
        for one in refused {
            let failure = Failure {
                round: None,
                position: None,
                kind: FailureKind::Missing,
                reason: one.reason.clone(),
            };
            increment.failures.push((increment.trials.len() as u32, failure));
            increment.trials.push(cell.refused_row(&one.entry));
        }
    }
    increment
}

/// The rounds.
struct Show<'a> {
    runner: Runner<'a>,
    design: Design,
    budget_ns: u64,
    before: Pressure,
    next_trial: u32,
    sink: &'a mut dyn Sink,
    observer: &'a mut dyn Observer,
}

impl Show<'_> {
    fn go_on(&mut self, cells: &mut [Cell]) -> Result<Ending, MeasureError> {
        const ATTEMPTS: u32 = 2;
        for attempt in 0..ATTEMPTS {
            if self.rounds(cells, attempt)? == Ending::Interrupted {
                self.close(Some(note(
                    "interrupted",
                    "the run was interrupted; whole rounds until then count",
                )))?;
                return Ok(Ending::Interrupted);
            }
            let looks = &self.design.looks;
            let mut failed: Vec<&mut Cell> =
                cells.iter_mut().filter(|cell| cell.twins_differ(looks)).collect();
            if failed.is_empty() || attempt + 1 == ATTEMPTS {
                break;
            }
            self.observer.see(&Event::Again { reason: "the instrument told a technique from its twin" });
            let mut increment = Increment::default();
            for cell in &mut failed {
                cell.restart();
                for (seat, row) in cell.rows(attempt + 1).into_iter().enumerate() {
                    cell.seats[seat].trial = self.next_trial;
                    self.next_trial += 1;
                    increment.trials.push(row);
                }
            }
            self.sink.append(&increment).map_err(MeasureError::Sink)?;
        }
        self.close(None)?;
        Ok(Ending::Complete)
    }

    /// One attempt: rounds until every cell is decided, the looks are over, or the budget is.
    fn rounds(&mut self, cells: &mut [Cell], attempt: u32) -> Result<Ending, MeasureError> {
        let (first, last) = (self.design.looks[0], self.design.looks[self.design.looks.len() - 1]);
        if attempt == 0 {
            let trials = cells.iter().map(|cell| cell.live().len()).sum();
            let cost = |rounds| calibration::cost_ns(cells, &self.design, rounds);
            let outlook = Outlook { trials, rounds: (first, last), elapsed_ns: (cost(first), cost(last)) };
            self.observer.see(&Event::Planned(outlook));
        }
        let mut canary = Canary::new();
        let start_ns = clock::now_ns();
        for round in 0..last {
            let (processor_ns, memory_ns) = canary.sing();
            let mut increment =
                Increment { canaries: vec![(round, processor_ns, memory_ns)], ..Increment::default() };
            let ending = self.round(cells, attempt, round, &mut increment);
            // Even a broken round's rows are kept: they happened.
            self.sink.append(&increment).map_err(MeasureError::Sink)?;
            if ending? == Ending::Interrupted {
                return Ok(Ending::Interrupted);
            }
            let elapsed_ns = (clock::now_ns() - start_ns) as f64;
            if self.design.looks.contains(&(round + 1)) {
                cells.iter_mut().filter(|cell| !cell.decided).for_each(|cell| cell.look(&self.design));
                if cells.iter().all(|cell| cell.decided) || elapsed_ns > OVERRUN * self.budget_ns as f64 {
                    break;
                }
            }
            let remaining_ns = calibration::remaining_ns(cells, &self.design, round + 1);
            self.observer.see(&Event::RoundOver { rounds: round + 1, of: last, remaining_ns });
        }
        Ok(Ending::Complete)
    }

    fn round(
        &mut self,
        cells: &mut [Cell],
        attempt: u32,
        round: u32,
        increment: &mut Increment,
    ) -> Result<Ending, MeasureError> {
        let turns = turns(cells);
        let paddings = padding_bytes(self.runner.seed, attempt, round, turns.len());
        let mut broken = vec![false; cells.len()];
        let mut ending = Ok(Ending::Complete);
        for (position, index) in order(self.runner.seed, attempt, round, turns.len()).into_iter().enumerate()
        {
            let (cell, seat) = turns[index];
            let technique =
                seat.map_or("session", |seat| &cells[cell].seats[seat].participant.name).to_owned();
            self.observer.see(&Event::Sampling { round, position, of: turns.len(), technique: &technique });
            let padding_bytes = paddings[position];
            let slot = Slot { attempt, round, position: position as u32, padding_bytes };
            match self.runner.turn(&mut cells[cell], seat, slot, increment) {
                Ok(Step::Done(())) => {}
                // A session that broke leaves its cell without the values of this round.
                Ok(Step::Failed(())) => broken[cell] = true,
                Ok(Step::Cancelled) => ending = Ok(Ending::Interrupted),
                Err(error) => ending = Err(error),
            }
            if !matches!(ending, Ok(Ending::Complete)) {
                broken.fill(true);
                break;
            }
        }
        for (cell, broken) in cells.iter_mut().zip(broken) {
            if !cell.decided {
                cell.end_round(!broken);
            }
        }
        ending
    }

    /// Notes what the machine did meanwhile.
    fn close(&mut self, last: Option<Note>) -> Result<(), MeasureError> {
        let change = Pressure::now().since(&self.before);
        let mut notes: Vec<Note> = last.into_iter().collect();
        if let Some(doubt) = &self.runner.cold_doubt {
            let text = format!(
                "not every cold sample was proven cold, and such a run does not mix with others: {doubt}"
            );
            notes.push(note("cold-not-proven", &text));
        }
        if let Some(share) = change.steal_share.filter(|share| *share > 0.01) {
            let text = format!(
                "the hypervisor took {:.1} % of the processors' time for others; the comparison is paired and \
                 stands, absolute times are longer than on an idle host",
                share * 100.0
            );
            notes.push(note("steal", &text));
        }
        let throttles = change.thermal_throttles.unwrap_or(0) + change.quota_throttles.unwrap_or(0);
        if throttles > 0 {
            notes.push(note(
                "throttle",
                &format!("the processor was throttled {throttles} times during the run"),
            ));
        }
        notes.extend(memory_shortage(&change));
        self.sink.append(&Increment { notes, ..Increment::default() }).map_err(MeasureError::Sink)
    }
}

/// What the run must be refused for, and the few pages of others that every host swaps in now and then.
fn memory_shortage(change: &PressureChange) -> Vec<Note> {
    const FEW_PAGES: u64 = 256;
    let mut notes = Vec::new();
    if let Some(kills) = change.memory_kills.filter(|kills| *kills > 0) {
        let text = format!("memory ran out during the run and the kernel killed {kills} processes");
        notes.push(note("out-of-memory", &text));
    }
    match change.swap_in_pages.unwrap_or(0) {
        0 => {}
        pages @ 1..=FEW_PAGES => {
            notes.push(note("swap-few", &format!("{pages} pages were swapped in during the run")));
        }
        pages => {
            let text = format!("{pages} pages were swapped in during the run: memory is short");
            notes.push(note("swap", &text));
        }
    }
    notes
}

fn note(topic: &str, text: &str) -> Note {
    Note { topic: topic.to_owned(), text: text.to_owned() }
}

/// Who has a turn in the round: every live seat, or the whole cell where it runs as a session.
fn turns(cells: &[Cell]) -> Vec<(usize, Option<usize>)> {
    let mut turns = Vec::new();
    for (index, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.decided) {
        match cell.exhibit.mode() {
            families::Mode::Process => turns.extend(cell.live().into_iter().map(|seat| (index, Some(seat)))),
            families::Mode::Session => turns.push((index, None)),
        }
    }
    turns
}
