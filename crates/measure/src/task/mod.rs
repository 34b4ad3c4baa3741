//! One workload in one setting while it is measured: which entries take part, and what is known so far. A [`Task`] keeps the values
//! of its rounds, `contest.rs` says what they show. A task neither starts processes nor knows how much time is left.

pub(crate) mod contest;

use std::path::PathBuf;

use families::AnyFamily;
use model::{
    Design, Failure, Kind, Metric, Proof, Sample, Setting, Source, Trial, TrialRecord, Unit, Workload,
};
use stats::Matrix;
use stats::contest::{twin_check, twin_looks};

use crate::plan::estimate;
use crate::plan::estimate::LONG_NS;
use crate::plan::planned::{Participant, PlannedTask, units};
use contest::{Contest, Twin, by_class};

/// After this many failures an entry leaves: a hang takes long.
const MOST_FAILURES: u32 = 3;
/// In a short contest, entries that are far behind leave after this round.
pub(crate) const FAR_BEHIND_ROUND: u32 = 3;
const SHORT: u32 = 6;
/// At this look at the latest the leader is entered a second time.
const LATEST_TWIN: u32 = 13;
/// A twin says something from this many rounds on.
const FIRST_LOOK_OF_TWIN: usize = 8;
/// An entry that took at most this many times as long as the fastest at a level may lead at others, too.
const NEAR_THE_FASTEST: f64 = 1.1;
/// This many of a class at a level join the levels with few entries.
const MOST_RIVALS: usize = 3;
/// Inner rounds of the sessions from which their number is planned.
pub(crate) const PILOT_INNER_ROUNDS: u32 = 5;

#[derive(Default)]
pub(crate) struct Entrant {
    pub(crate) participant: Participant,
    pub(crate) trial: u32,
    pub(crate) live: bool,
    /// It did not fail before round 1, and the budget pays for it.
    pub(crate) takes_part: bool,
    /// The reason why it is not tried here: it was far behind at a lower level of the curve.
    pub(crate) not_tried: Option<Failure>,
    failures: u32,
    /// It is out for good: a result was wrong, or it took a session down.
    disqualified: bool,
    /// Time of one repetition in nanoseconds, as the trial or round 0 saw it.
    pub(crate) calibrated_ns: Option<f64>,
    /// The shorter one of both, once both were taken: one of them may have been disturbed.
    pub(crate) least_ns: Option<f64>,
    /// Mean time of a turn in nanoseconds, everything included; 0 while none was measured.
    pub(crate) cost_ns: f64,
    turns: u32,
    /// The same before one was measured.
    pub(crate) guess_ns: f64,
}

impl Entrant {
    fn new(participant: Participant, guess_ns: f64) -> Self {
        Self { participant, live: true, takes_part: true, guess_ns, ..Self::default() }
    }

    pub(crate) fn was_measured(&self) -> bool {
        self.turns > 0
    }

    /// Returns what a turn costs as far as anything was measured, in this run or in an earlier one.
    pub(crate) fn known_ns(&self) -> Option<f64> {
        (self.cost_ns > 0.0 || self.participant.estimate.from_earlier).then(|| self.expected_ns())
    }

    pub(crate) fn expected_ns(&self) -> f64 {
        if self.cost_ns > 0.0 { self.cost_ns } else { self.guess_ns }
    }

    pub(crate) fn may_still_run(&self) -> bool {
        self.takes_part && !self.disqualified && self.failures < MOST_FAILURES
    }

    pub(crate) fn observe_cost(&mut self, elapsed_ns: f64) {
        // A trial may have left a first value; it was no whole sample.
        let known_ns = if self.turns == 0 { 0.0 } else { self.cost_ns * f64::from(self.turns) };
        self.turns += 1;
        self.cost_ns = (known_ns + elapsed_ns) / f64::from(self.turns);
    }

    /// Expects samples that do the work more or less often from now on.
    pub(crate) fn change_cost(&mut self, difference_ns: f64) {
        self.cost_ns = (self.cost_ns + difference_ns).max(1.0);
        self.turns = self.turns.min(1);
    }
}

pub(crate) struct Task {
    pub(crate) family: &'static dyn AnyFamily,
    pub(crate) workload: Workload,
    pub(crate) setting: Setting,
    pub(crate) folder: PathBuf,
    pub(crate) expected: Proof,
    pub(crate) entrants: Vec<Entrant>,
    /// Entries that join before round 0 if they lead at another level of the curve.
    reserve: Vec<Participant>,
    /// The number of repetitions must be found by a trial.
    pub(crate) is_small: bool,
    /// Repetitions in a timed stretch, one number for all.
    pub(crate) repetitions: u64,
    /// Timed stretches in a sample, one odd number for all.
    pub(crate) stretches: u32,
    pub(crate) inner_rounds: u32,
    /// 0, or 1 when it is measured again because twins differed.
    pub(crate) attempt: u32,
    /// Whole rounds of this attempt, round 0 among them; the number of the next round.
    pub(crate) rounds: u32,
    pub(crate) curve: Option<usize>,
    pub(crate) renews_inputs: bool,
    precision: Option<f64>,
    /// Inputs of different numbers differ.
    pub(crate) nth_input: u64,
    pub(crate) looks: Vec<u32>,
    /// Empty until round 0 is over.
    pub(crate) contests: Vec<Contest>,
    /// It takes part in no round until round 0 of the levels with all entries is over.
    pub(crate) waits: bool,
    pub(crate) matrix: Matrix,
    /// The metric that decides who leaves and when it ends.
    metric: Metric,
    /// Costs of the round under way, per entrant: less is better.
    pending: Vec<Vec<f64>>,
}

impl Task {
    pub(crate) fn new(
        planned: PlannedTask, metric: Metric, folder: PathBuf, expected: Proof, from_outside: bool,
    ) -> Self {
        let is_small = estimate::is_small(&planned, from_outside);
        let guesses_ns: Vec<f64> =
            planned.participants.iter().map(|one| estimate::turn_ns(&planned, one)).collect();
        let entrants = planned.participants.into_iter().zip(guesses_ns);
        let entrants: Vec<Entrant> = entrants.map(|(one, guess_ns)| Entrant::new(one, guess_ns)).collect();
        Self {
            family: planned.family,
            workload: planned.workload,
            setting: planned.setting,
            folder,
            expected,
            matrix: Matrix::new(entrants.len()),
            metric,
            pending: vec![Vec::new(); entrants.len()],
            entrants,
            reserve: planned.reserve,
            is_small,
            repetitions: 1,
            stretches: 1,
            inner_rounds: 1,
            attempt: 0,
            rounds: 0,
            curve: planned.curve,
            renews_inputs: planned.renews_inputs,
            precision: planned.precision,
            nth_input: 0,
            looks: Vec::new(),
            contests: Vec::new(),
            waits: planned.is_extra,
        }
    }

    pub(crate) fn trial(&self, entrant: usize, seed: u64) -> Trial {
        let participant = &self.entrants[entrant].participant;
        Trial {
            family: self.family.name().to_owned(),
            technique: participant.twin_of.clone().unwrap_or_else(|| participant.name.clone()),
            workload: self.workload.clone(),
            setting: self.setting.clone(),
            scratch: self.folder.clone(),
            seed,
        }
    }

    pub(crate) fn rows(&self) -> Vec<TrialRecord> {
        self.entrants.iter().map(|entrant| self.row(&entrant.participant)).collect()
    }

    /// Returns why entrants are not tried here, each with the number of its trial.
    pub(crate) fn not_tried(&self) -> impl Iterator<Item = (u32, Failure)> {
        self.entrants.iter().filter_map(|entrant| Some((entrant.trial, entrant.not_tried.clone()?)))
    }

    pub(crate) fn row(&self, participant: &Participant) -> TrialRecord {
        TrialRecord {
            family: self.family.name().to_owned(),
            technique: participant.name.clone(),
            aliases: participant.aliases.clone(),
            kind: participant.kind,
            twin_of: participant.twin_of.clone(),
            variant_of: participant.variant_of.clone(),
            class: participant.class,
            command: participant.command.as_ref().map(|one| one.words.clone()).unwrap_or_default(),
            workload: self.workload.clone(),
            setting: self.setting.clone(),
            attempt: self.attempt,
            looks: self.looks.clone(),
            samples: Vec::new(),
            failures: Vec::new(),
        }
    }

    pub(crate) fn forget_pending(&mut self) {
        self.pending.iter_mut().for_each(Vec::clear);
    }

    pub(crate) fn live(&self) -> Vec<usize> {
        (0..self.entrants.len()).filter(|&entrant| self.entrants[entrant].live).collect()
    }

    pub(crate) fn note_sample(&mut self, entrant: usize, sample: &Sample) {
        let metric = &self.metric;
        // A tick of zero is "less than a tick": it takes part as the smallest value there is.
        let least = f64::from(u8::from(metric.unit() == Unit::Nanoseconds && metric.source != Source::Value));
        let cost = metric.of(sample).map_or(f64::INFINITY, |value| metric.cost(value).max(least));
        self.pending[entrant].push(cost);
    }

    /// Keeps a failure: order statistics tolerate an infinite value, and dropping it would flatter.
    pub(crate) fn note_failure(&mut self, entrant: usize, disqualifies: bool) {
        self.pending[entrant].push(f64::INFINITY);
        self.entrants[entrant].failures += 1;
        self.entrants[entrant].live &= self.entrants[entrant].failures < MOST_FAILURES;
        if disqualifies {
            self.expel(entrant);
        }
    }

    pub(crate) fn expel(&mut self, entrant: usize) {
        self.entrants[entrant].disqualified = true;
        self.entrants[entrant].live = false;
    }

    /// Takes out an entry in round 0: it failed there, or the budget does not pay for it.
    pub(crate) fn leave_out(&mut self, entrant: usize) {
        self.pending[entrant].clear();
        self.entrants[entrant].live = false;
        self.entrants[entrant].takes_part = false;
    }

    /// Ends a round: whole, it counts; else it is dropped whole.
    pub(crate) fn end_round(&mut self, whole: bool) {
        let values: Vec<Vec<f64>> = self.pending.iter_mut().map(std::mem::take).collect();
        if whole {
            self.matrix.push_round(values);
            self.rounds += 1;
        }
    }

    /// Returns the value of an entrant in round 0; a failure is infinite.
    pub(crate) fn first_value(&self, entrant: usize) -> f64 {
        self.matrix.value(entrant, 0).unwrap_or(f64::INFINITY)
    }

    /// Returns whether some entries have all rounds, whatever the looks say.
    pub(crate) fn has_all_rounds(&self) -> bool {
        self.entrants.iter().any(|entrant| entrant.participant.stays)
    }

    /// Returns the entries that still take part, by class; a class with one entry is no contest.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        let entrants = &self.entrants;
        let all = 0..entrants.len();
        let entries = all.filter(|&one| entrants[one].takes_part && entrants[one].participant.competes());
        by_class(&entries.collect::<Vec<_>>(), |entrant| entrants[entrant].participant.class)
    }

    /// Returns the names of the fastest of round 0 in each class, and of those that took hardly longer.
    fn leaders(&self) -> Vec<String> {
        let mut leaders = Vec::new();
        for mut group in self.groups() {
            group.sort_by(|&a, &b| self.first_value(a).total_cmp(&self.first_value(b)));
            let most = NEAR_THE_FASTEST * self.first_value(group[0]);
            let near = group.iter().take(MOST_RIVALS).filter(|&&entrant| self.first_value(entrant) <= most);
            leaders.extend(near.map(|&entrant| self.entrants[entrant].participant.name.clone()));
        }
        leaders
    }

    fn enter_reserve(&mut self, names: &[String]) {
        let guess_ns = self.entrants.iter().map(|one| one.guess_ns).fold(0.0, f64::max);
        for one in self.reserve.extract_if(.., |one| names.contains(&one.name)) {
            self.entrants.push(Entrant::new(one, guess_ns));
        }
        self.pending = vec![Vec::new(); self.entrants.len()];
        self.matrix = Matrix::new(self.entrants.len());
    }

    pub(crate) fn form_contests(&mut self, design: &Design) {
        let family = self.family.name();
        let contests = self.groups().into_iter().map(|group| {
            let is_baseline = |at: &usize| design.is_baseline(family, &self.entrants[*at].participant.name);
            let baseline = group.iter().copied().find(is_baseline);
            Contest::new(group, design, &self.looks, baseline, self.precision)
        });
        self.contests = contests.collect();
    }

    /// Returns the entries: a ceiling is nothing to compare with.
    pub(crate) fn competing(&self) -> impl Iterator<Item = &Entrant> {
        self.entrants.iter().filter(|entrant| entrant.participant.competes())
    }

    pub(crate) fn counted(&self) -> u32 {
        self.rounds.saturating_sub(1)
    }

    pub(crate) fn has_counted(&self, entrant: usize) -> bool {
        (1..self.rounds as usize).any(|round| self.matrix.value(entrant, round).is_some())
    }

    pub(crate) fn next_look(&self) -> u32 {
        self.looks.iter().copied().find(|&look| look > self.counted()).unwrap_or_else(|| self.counted())
    }

    pub(crate) fn last_look(&self) -> u32 {
        self.looks.last().copied().unwrap_or(0)
    }

    pub(crate) fn is_at_look(&self) -> bool {
        self.looks.contains(&self.counted())
    }

    pub(crate) fn runs(&self) -> bool {
        !self.waits && !self.is_over()
    }

    pub(crate) fn is_over(&self) -> bool {
        !self.entrants.iter().any(|entrant| entrant.live)
    }

    /// Looks at the contests where a look is due; says whether one was. Those that may leave are no longer live.
    pub(crate) fn look(&mut self) -> bool {
        let counted = self.counted();
        let first = self.looks.first().copied().unwrap_or(0);
        let early = counted == FAR_BEHIND_ROUND && first <= SHORT;
        if counted == 0 || !(early || self.is_at_look()) {
            return false;
        }
        let failed: Vec<usize> =
            (0..self.entrants.len()).filter(|&entrant| self.entrants[entrant].disqualified).collect();
        for contest in self.contests.iter_mut().filter(|contest| !contest.is_over()) {
            contest.look(&self.matrix, &failed);
            for leaver in contest.assessment.leavers() {
                let is_original = contest.twin.is_some_and(|twin| twin.original == leaver);
                let entrant = &mut self.entrants[leaver];
                entrant.live &= is_original && !contest.closed
                    || contest.kept.contains(&leaver)
                    || entrant.participant.stays && !contest.closed;
            }
        }
        if self.is_at_look() {
            self.dismiss_idle();
        }
        self.is_at_look()
    }

    /// Stops ceilings and entries without a rival, which are known well enough after the first look.
    fn dismiss_idle(&mut self) {
        let contests = &self.contests;
        for (index, entrant) in self.entrants.iter_mut().enumerate() {
            let rivals = contests.iter().any(|contest| contest.entries.contains(&index));
            entrant.live &= rivals || entrant.participant.kind == Kind::Twin;
        }
    }

    /// Lets exactly those entrants of contests run that are still needed after the looks and after the time was dealt out.
    pub(crate) fn settle(&mut self) {
        for contest in &self.contests {
            let needed = [contest.candidates(), contest.outsiders(|_| true)].concat();
            for &entrant in contest.entries.iter().chain(contest.twin.iter().map(|twin| &twin.entrant)) {
                self.entrants[entrant].live &= needed.contains(&entrant);
            }
        }
    }

    pub(crate) fn due_for_twins(&self) -> Vec<usize> {
        let open = self.contests.iter().enumerate().filter(|(_, one)| one.twin.is_none() && !one.closed);
        let due = open.filter(|(_, contest)| {
            let departed = contest.entries.iter().any(|&entrant| !self.entrants[entrant].live);
            self.counted() >= LATEST_TWIN || departed && !contest.is_coarse()
        });
        due.map(|(index, _)| index).collect()
    }

    /// Enters the leader of a contest a second time; the new entrant. `None` while there is no leader.
    pub(crate) fn enter_twin(&mut self, contest: usize) -> Option<usize> {
        let original = self.contests[contest].assessment.leader?;
        let of = &self.entrants[original];
        let entrant = Entrant {
            calibrated_ns: of.calibrated_ns,
            ..Entrant::new(of.participant.twin(), of.expected_ns())
        };
        let (place, joined_after) = (self.entrants.len(), self.counted());
        self.contests[contest].twin = Some(Twin { entrant: place, original, joined_after });
        self.entrants.push(entrant);
        self.pending.push(Vec::new());
        self.matrix.widen(self.entrants.len());
        Some(place)
    }

    /// Returns whether a contest has a twin that is still measured, or has been measured long enough to be looked at.
    pub(crate) fn has_twin(&self) -> bool {
        self.contests.iter().filter_map(|contest| Some((contest, contest.twin?))).any(|(contest, twin)| {
            let rounds = 0..self.rounds as usize;
            let seen = rounds.filter(|&round| self.matrix.value(twin.entrant, round).is_some());
            !contest.closed || seen.count() >= FIRST_LOOK_OF_TWIN
        })
    }

    /// Returns whether the instrument distinguished an entry from itself. This many contests of the run have a twin.
    pub(crate) fn twins_differ(&self, contests: usize) -> bool {
        self.contests.iter().filter_map(|contest| contest.twin.as_ref()).any(|twin| {
            let looks = twin_looks(self.last_look().saturating_sub(twin.joined_after));
            twin_check(&self.matrix, twin.original, twin.entrant, &looks, contests)
                .is_some_and(|check| check.differ)
        })
    }

    /// Begins again with the same entries: those that failed for good or were left out stay out.
    pub(crate) fn restart(&mut self) {
        self.entrants.retain(|entrant| entrant.participant.kind != Kind::Twin);
        self.pending = vec![Vec::new(); self.entrants.len()];
        self.matrix = Matrix::new(self.entrants.len());
        self.contests.clear();
        self.attempt += 1;
        self.rounds = 0;
        for entrant in &mut self.entrants {
            entrant.live = entrant.may_still_run();
            entrant.takes_part = entrant.live;
        }
    }
}

/// Ends the wait of the levels that families ask for, and returns them. What led elsewhere in round 0 joins.
pub(crate) fn enter_rivals(tasks: &mut [Task]) -> Vec<usize> {
    let waiting: Vec<usize> = (0..tasks.len()).filter(|&index| tasks[index].waits).collect();
    for &index in &waiting {
        let (family, setting) = (tasks[index].family.name(), &tasks[index].setting);
        let measured = tasks.iter().filter(|task| !task.waits && task.setting == *setting);
        let own = measured.filter(|task| task.family.name() == family);
        let leaders: Vec<String> = own.flat_map(Task::leaders).collect();
        tasks[index].enter_reserve(&leaders);
    }
    waiting.iter().for_each(|&index| tasks[index].waits = false);
    waiting
}

/// Returns the turns of a round: every live entrant, or the whole task where it runs as a session.
pub(crate) fn turns(tasks: &[Task]) -> Vec<(usize, Option<usize>)> {
    let mut turns = Vec::new();
    for (index, task) in tasks.iter().enumerate().filter(|(_, task)| task.runs()) {
        match task.family.isolation() {
            families::Isolation::Sample => {
                turns.extend(task.live().into_iter().map(|entrant| (index, Some(entrant))))
            }
            families::Isolation::Session => turns.push((index, None)),
        }
    }
    turns
}

/// Returns whether an untimed repetition comes first in a worker that times itself: it takes the cost of a first time from a sample
/// of many short repetitions. A single long one is a first time for every technique, and only round 0 has it, unless the entry was
/// tried and is long. A cold sample must be the first.
pub(crate) fn untimed_first(task: &Task, entrant: usize, round: u32) -> bool {
    let is_short = task.entrants[entrant].calibrated_ns.is_none_or(|once_ns| once_ns < LONG_NS);
    untimed_later(task) || (round == 0 && !task.setting.is_cold() && is_short)
}

/// Returns whether an untimed repetition comes first in the rounds after round 0.
pub(crate) fn untimed_later(task: &Task) -> bool {
    (task.repetitions > 1 || task.stretches > 1) && !task.setting.is_cold()
}

/// Enters the leaders that are due: task and entrant of each. A curve has one twin, at the level that is measured longest.
pub(crate) fn enter_twins(tasks: &mut [Task]) -> Vec<(usize, usize)> {
    let mut entered = Vec::new();
    for unit in units(tasks.iter().map(|task| task.curve)) {
        let mut due: Vec<(usize, usize)> = unit
            .iter()
            .flat_map(|&task| tasks[task].due_for_twins().into_iter().map(move |one| (task, one)))
            .collect();
        if unit.len() > 1 {
            let is_watched = unit.iter().any(|&task| tasks[task].has_twin());
            let unwatched = due.into_iter().filter(|_| !is_watched);
            let widest =
                unwatched.max_by_key(|&(task, one)| tasks[task].contests[one].assessment.candidates.len());
            due = Vec::from_iter(widest);
        }
        for (task, contest) in due {
            entered.extend(tasks[task].enter_twin(contest).map(|entrant| (task, entrant)));
        }
    }
    entered
}

/// Returns the tasks, and the curves with all their levels, in which a leader was distinguished from itself.
pub(crate) fn differing_twins(tasks: &[Task]) -> Vec<Vec<usize>> {
    let units = units(tasks.iter().map(|task| task.curve));
    let contests = units.iter().map(|unit| match unit.as_slice() {
        [one] => tasks[*one].contests.len(),
        // A twin that ended early may have been followed by another.
        levels => {
            let contests = levels.iter().flat_map(|&level| &tasks[level].contests);
            contests.filter(|one| one.twin.is_some()).count().max(1)
        }
    });
    let count = contests.sum();
    units.into_iter().filter(|unit| unit.iter().any(|&task| tasks[task].twins_differ(count))).collect()
}
