//! One workload in one setting while it is measured: who is still in, and what is known so far.

use std::path::PathBuf;

use families::{Entry, Exhibit};
use model::{Class, Design, Kind, Metric, Proof, Sample, Setting, Trial, TrialRecord, Workload};
use stats::{
    Assessment, Matrix, Rules, TwinOutcome, assess, boundaries, effective_delta, leavers, twins_differ,
};

use crate::plan::{Participant, PlannedCell};

/// After so many failures a participant leaves: the point is made, and a hang is dear.
const MOST_FAILURES: u32 = 3;

/// One participant of a cell.
pub(crate) struct Seat {
    pub(crate) participant: Participant,
    /// Index of its trial in the record.
    pub(crate) trial: u32,
    /// Whether it runs in the next round.
    pub(crate) live: bool,
    pub(crate) failures: u32,
    /// Time of one repetition in nanoseconds, as calibration saw it.
    pub(crate) calibrated_ns: Option<f64>,
    /// Time of a whole process in nanoseconds, as calibration saw it: what a round costs.
    pub(crate) cost_ns: f64,
}

/// One workload in one setting.
pub(crate) struct Cell {
    pub(crate) exhibit: &'static dyn Exhibit,
    pub(crate) workload: Workload,
    pub(crate) setting: Setting,
    /// Where its inputs and outputs are.
    pub(crate) folder: PathBuf,
    pub(crate) expected: Proof,
    pub(crate) seats: Vec<Seat>,
    /// Repetitions in a timed stretch, one number for all.
    pub(crate) repetitions: u64,
    /// Inner rounds of a session.
    pub(crate) inner_rounds: u32,
    /// No further round is needed.
    pub(crate) decided: bool,
    matrix: Matrix,
    /// Values in nanoseconds of the round under way, per seat.
    pending: Vec<Vec<f64>>,
}

impl Cell {
    pub(crate) fn new(planned: PlannedCell, folder: PathBuf, expected: Proof) -> Self {
        let seats = planned.participants.into_iter().map(|participant| Seat {
            participant,
            trial: 0,
            live: true,
            failures: 0,
            calibrated_ns: None,
            cost_ns: 0.0,
        });
        let seats: Vec<Seat> = seats.collect();
        Self {
            exhibit: planned.exhibit,
            workload: planned.workload,
            setting: planned.setting,
            folder,
            expected,
            matrix: Matrix::new(seats.len()),
            pending: vec![Vec::new(); seats.len()],
            seats,
            repetitions: 1,
            inner_rounds: 1,
            decided: false,
        }
    }

    /// What a worker must know to run a seat's technique.
    pub(crate) fn trial(&self, seat: usize, seed: u64) -> Trial {
        let participant = &self.seats[seat].participant;
        Trial {
            family: self.exhibit.name().to_owned(),
            technique: participant.twin_of.clone().unwrap_or_else(|| participant.name.clone()),
            workload: self.workload.clone(),
            setting: self.setting.clone(),
            scratch: self.folder.clone(),
            seed,
        }
    }

    /// An empty record row for each seat.
    pub(crate) fn rows(&self, attempt: u32) -> Vec<TrialRecord> {
        let row = |seat: &Seat| TrialRecord {
            family: self.exhibit.name().to_owned(),
            technique: seat.participant.name.clone(),
            aliases: seat.participant.aliases.clone(),
            kind: seat.participant.kind,
            twin_of: seat.participant.twin_of.clone(),
            class: seat.participant.class,
            command: seat.participant.contender.as_ref().map(|one| one.words.clone()).unwrap_or_default(),
            workload: self.workload.clone(),
            setting: self.setting.clone(),
            attempt,
            samples: Vec::new(),
            failures: Vec::new(),
        };
        self.seats.iter().map(row).collect()
    }

    /// The row of an entry that cannot take part.
    pub(crate) fn refused_row(&self, entry: &Entry) -> TrialRecord {
        TrialRecord {
            family: self.exhibit.name().to_owned(),
            technique: entry.name.clone(),
            aliases: entry.aliases.clone(),
            kind: if entry.ceiling { Kind::Ceiling } else { Kind::BuiltIn },
            twin_of: None,
            class: entry.class,
            command: Vec::new(),
            workload: self.workload.clone(),
            setting: self.setting.clone(),
            attempt: 0,
            samples: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// Forgets what the round under way has brought so far.
    pub(crate) fn forget_pending(&mut self) {
        self.pending.iter_mut().for_each(Vec::clear);
    }

    /// Begins anew with the same participants: those that failed for good stay out.
    pub(crate) fn restart(&mut self) {
        self.matrix = Matrix::new(self.seats.len());
        self.decided = false;
        for seat in &mut self.seats {
            seat.live = seat.failures < MOST_FAILURES && seat.calibrated_ns.is_some();
        }
    }

    pub(crate) fn live(&self) -> Vec<usize> {
        (0..self.seats.len()).filter(|&seat| self.seats[seat].live).collect()
    }

    /// Keeps the value of a sample for the round under way.
    pub(crate) fn note_sample(&mut self, seat: usize, sample: &Sample, metric: Metric) {
        // A tick of zero is "less than a tick": it takes part as the smallest value there is.
        let value = metric.of(sample).map_or(f64::INFINITY, |value| value.max(1) as f64);
        self.pending[seat].push(value);
    }

    /// Keeps a failure: order statistics tolerate an infinite value, and dropping it would flatter.
    pub(crate) fn note_failure(&mut self, seat: usize, disqualifies: bool) {
        self.pending[seat].push(f64::INFINITY);
        self.seats[seat].failures += 1;
        if disqualifies || self.seats[seat].failures >= MOST_FAILURES {
            self.expel(seat);
        }
    }

    /// Takes a participant out for good.
    pub(crate) fn expel(&mut self, seat: usize) {
        self.seats[seat].failures = MOST_FAILURES;
        self.seats[seat].live = false;
    }

    /// Ends a round: whole, it counts; else it is dropped whole.
    pub(crate) fn end_round(&mut self, whole: bool) {
        let values: Vec<Vec<f64>> = self.pending.iter_mut().map(std::mem::take).collect();
        if whole {
            self.matrix.push_round(values);
        }
    }

    /// The contests: the competitors of each class that has at least two of them.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        Class::ALL.into_iter().map(|class| self.competitors(class)).filter(|group| group.len() >= 2).collect()
    }

    fn competitors(&self, class: Class) -> Vec<usize> {
        let fits = |seat: &Seat| {
            seat.participant.competes()
                && seat.participant.class == class
                && seat.failures < MOST_FAILURES
                && seat.calibrated_ns.is_some()
        };
        (0..self.seats.len()).filter(|&index| fits(&self.seats[index])).collect()
    }

    /// Looks at what is known: decides, and lets those leave who are far behind.
    pub(crate) fn look(&mut self, design: &Design) {
        let floor = self.twins(&design.looks).map(|outcome| outcome.floor);
        let rules = Rules {
            alpha: design.cell_alpha(),
            delta: effective_delta(design.delta, floor),
            looks: design.looks.clone(),
        };
        let mut decided = true;
        for group in self.groups() {
            let assessment = assess(&self.matrix, &group, &rules);
            decided &= assessment.decided;
            self.dismiss(&assessment);
        }
        self.decided = decided;
        self.dismiss_idle();
    }

    fn dismiss(&mut self, assessment: &Assessment) {
        let twins: Vec<String> =
            self.seats.iter().filter_map(|seat| seat.participant.twin_of.clone()).collect();
        for leaver in leavers(assessment) {
            // Both twins stay to the end: they watch the instrument, not the ranking.
            let watched = twins.contains(&self.seats[leaver].participant.name);
            self.seats[leaver].live &= watched;
        }
    }

    /// The limit is known well enough by now.
    fn dismiss_idle(&mut self) {
        for seat in &mut self.seats {
            if seat.participant.kind == Kind::Ceiling {
                seat.live = false;
            }
        }
    }

    /// Whether the instrument told a technique from itself.
    pub(crate) fn twins_differ(&self, looks: &[u32]) -> bool {
        self.twins(looks).is_some_and(|outcome| outcome.differ)
    }

    fn twins(&self, looks: &[u32]) -> Option<TwinOutcome> {
        let twin = self.seats.iter().position(|seat| seat.participant.kind == Kind::Twin)?;
        let of = self.seats[twin].participant.twin_of.as_deref();
        let original = self.seats.iter().position(|seat| Some(seat.participant.name.as_str()) == of)?;
        twins_differ(&self.matrix, original, twin, looks)
    }

    /// The first look at which somebody may be far enough behind to leave.
    pub(crate) fn first_departure(&self, design: &Design) -> u32 {
        let most = self.groups().iter().map(Vec::len).max().unwrap_or(0);
        let pairs = (most * most.saturating_sub(1) / 2).max(1);
        let claims = boundaries(design.cell_alpha() / pairs as f64, &design.looks);
        let first = claims.iter().position(Option::is_some);
        first.map_or(u32::MAX, |look| design.looks[look])
    }

    /// Inner values of a seat's rounds so far: what the number of inner rounds is planned from.
    pub(crate) fn matrix(&self) -> &Matrix {
        &self.matrix
    }
}
