//! From a record to its rankings, one for each family, workload, setting and class, and to what holds over several.

use std::collections::BTreeMap;
use std::mem::take;

use model::{
    Class, Design, Failure, FailureKind, Host, Kind, Metric, Record, Sample, SampleNote, Setting,
    TrialRecord, Workload,
};

use crate::choice::choices;
use crate::contest::entries::{entries, failure_lines};
use crate::contest::field::Field;
use crate::contest::flags::flags;
use crate::contest::longer_run::further;
use crate::contest::parameters::best_parameters;
use crate::contest::ranking::{Ranking, Standing, State};
use crate::contest::refusal::state;
use crate::contest::{Contest, Series, Timed, without_empty};
use crate::curve::Curve;
use crate::curve::decide::curves;
use crate::curve::levels::curves_of;
use crate::words::{self, also_measured};

/// The reason to refuse a level when the control of another level of its curve failed.
const LEVEL_REFUSED: &str =
    "Refused: a technique entered twice differed from itself at another level of this curve.";

/// The results of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decided {
    /// The contests, in the order in which they were first entered.
    pub rankings: Vec<Ranking>,
    /// The results over contests that are the levels of an axis.
    pub curves: Vec<Curve>,
}

/// Judges a record: a pure function of its samples. Only the last attempt of a contest counts, but a wrong answer in any disqualifies.
pub fn decide(record: &Record) -> Decided {
    judge_all(contests(record, &record.design))
}

pub(crate) fn contests<'a>(record: &'a Record, design: &Design) -> Vec<Contest<'a>> {
    let seats = seats(&record.trials);
    without_empty(seats.iter().map(|seats| contest(record, design, seats)).collect())
}

/// Returns the contests alone, without the curves.
pub fn rank(record: &Record) -> Vec<Ranking> {
    decide(record).rankings
}

pub(crate) fn judge_all(mut contests: Vec<Contest<'_>>) -> Decided {
    let count = twins_at_most(&contests);
    contests.iter_mut().for_each(|contest| contest.contests = count);
    let mut fields: Vec<Field<'_>> = contests.iter().map(Field::new).collect();
    for curve in curves_of(&fields) {
        let twin = curve.iter().flat_map(|&level| &fields[level].twins).find(|twin| twin.differ);
        let refused = twin.map(|_| LEVEL_REFUSED.to_owned());
        curve.iter().for_each(|&level| fields[level].refused_with.clone_from(&refused));
    }
    let mut rankings: Vec<Ranking> = fields.iter().map(judge).collect();
    rankings.iter_mut().for_each(|ranking| ranking.also_measured.extend(also_measured::on_device(ranking)));
    also_measured::add_gains(&fields, &mut rankings);
    let mut curves = curves(&fields, &rankings);
    fold_alone(&curves, &mut rankings);
    // What to use at a level is what its curve says.
    for ranking in &mut rankings {
        let curve = curves.iter().find(|curve| curve.holds(ranking));
        let level =
            curve.and_then(|curve| curve.levels.iter().find(|level| level.workload == ranking.workload.name));
        if let Some(level) = level {
            ranking.choice.clone_from(&level.choice);
        }
        ranking.sentence = words::contest::sentence(ranking);
        ranking.advice = words::contest::advice(ranking);
    }
    for curve in &mut curves {
        curve.sentence = words::curve::sentence(curve);
    }
    Decided { curves, rankings }
}

/// One entry is no contest: where others do the same work in another class, what it took, or why it did not work, stands with theirs.
fn fold_alone(curves: &[Curve], rankings: &mut Vec<Ranking>) {
    let entries = |ranking: &Ranking| {
        ranking.entries.iter().filter(|entry| entry.standing != Standing::Ceiling).count()
    };
    let (alone, mut held): (Vec<Ranking>, Vec<Ranking>) = take(rankings).into_iter().partition(|one| {
        let is_level = curves.iter().any(|curve| curve.holds(one));
        one.class != Class::MovesBytes && entries(one) < 2 && !is_level
    });
    for one in alone {
        let host = held.iter_mut().filter(|other| entries(other) > 1).find(|other| {
            (&other.family, &other.workload, &other.setting) == (&one.family, &one.workload, &one.setting)
        });
        match host {
            Some(host) => host.take_in(words::contest::alone(&one), one),
            None => held.push(one),
        }
    }
    *rankings = held;
}

/// Counts the twins of a run, at least one for each contest: they share the chance of distinguishing one from its original. The
/// levels of a curve have one together, or as many as followed each other.
fn twins_at_most(contests: &[Contest<'_>]) -> u32 {
    let mut curves: Vec<(&str, &Setting, Workload)> = Vec::new();
    let mut count = 0;
    for contest in contests {
        let Some(along) = &contest.along else {
            count += 1;
            continue;
        };
        let key = (contest.family.as_str(), &contest.setting, contest.workload.without_axis(&along.axis));
        if !curves.contains(&key) {
            let levels = contests.iter().filter(|other| {
                other.family == contest.family
                    && other.setting == contest.setting
                    && other.workload.without_axis(&along.axis) == key.2
            });
            let twins = levels.filter(|level| level.series.iter().any(|one| one.kind == Kind::Twin)).count();
            count += twins.max(1) as u32;
            curves.push(key);
        }
    }
    count
}

pub(crate) struct Seats<'a> {
    pub(crate) family: &'a str,
    pub(crate) workload: &'a Workload,
    pub(crate) setting: &'a Setting,
    pub(crate) class: Class,
    attempt: u32,
    pub(crate) trials: Vec<&'a TrialRecord>,
    /// Wrong answers of earlier attempts.
    earlier: Vec<(&'a str, &'a Failure)>,
}

impl Seats<'_> {
    pub(crate) fn are_of(&self, ranking: &Ranking) -> bool {
        self.class == ranking.class
            && self.family == ranking.family
            && *self.workload == ranking.workload
            && *self.setting == ranking.setting
    }
}

/// Returns the last attempt at each contest, in the order in which they were first entered.
pub(crate) fn seats(trials: &[TrialRecord]) -> Vec<Seats<'_>> {
    let mut contests: Vec<Seats<'_>> = Vec::new();
    for trial in trials {
        let TrialRecord { family, workload, setting, .. } = trial;
        let point = || {
            let of_work =
                trials.iter().filter(|other| other.family == *family && other.workload == *workload);
            of_work.filter(|other| other.setting == *setting)
        };
        let attempt = point().map(|other| other.attempt).max().unwrap_or(0);
        if trial.attempt != attempt {
            continue;
        }
        let class = class_of(trial, point());
        let known = contests.iter_mut().find(|seats| {
            (seats.class, seats.family, seats.workload, seats.setting)
                == (class, family.as_str(), workload, setting)
        });
        if let Some(seats) = known {
            seats.trials.push(trial);
            continue;
        }
        let earlier = point().filter(|other| other.attempt < attempt).filter_map(|other| {
            let wrong = other.failures.iter().find(|failure| failure.kind == FailureKind::Wrong)?;
            Some((other.technique.as_str(), wrong))
        });
        contests.push(Seats {
            family,
            workload,
            setting,
            class,
            attempt,
            trials: vec![trial],
            earlier: earlier.collect(),
        });
    }
    contests
}

/// Returns the declared class, unless a sample says that extents were shared. A twin is of the class of what it repeats.
fn class_of<'a>(trial: &'a TrialRecord, mut point: impl Iterator<Item = &'a TrialRecord>) -> Class {
    let name = trial.twin_of.as_ref();
    let original =
        name.and_then(|name| point.find(|other| &other.technique == name && other.attempt == trial.attempt));
    let trial = original.unwrap_or(trial);
    let shares = trial.samples.iter().any(|sample| sample.notes.contains(&SampleNote::Reflinked));
    if shares { Class::SharesExtents } else { trial.class }
}

pub(crate) fn contest<'a>(record: &'a Record, design: &Design, seats: &Seats<'a>) -> Contest<'a> {
    let own = seats.trials.iter().map(|trial| &trial.looks).find(|looks| !looks.is_empty());
    let metric = design.compared(seats.family).clone();
    let declared = design.metrics.get(seats.family).into_iter().flatten();
    let others = declared.filter(|other| other.key != metric.key);
    let along = design.curves.get(seats.family);
    Contest {
        family: seats.family.to_owned(),
        workload: seats.workload.clone(),
        setting: seats.setting.clone(),
        class: seats.class,
        unit: Some(metric.unit()),
        others: others.cloned().collect(),
        alpha: design.contest_alpha(),
        delta: design.delta,
        looks: own.unwrap_or(&design.looks).clone(),
        may_count_round_0: own.is_none(),
        baseline: design.baseline(seats.family, seats.class).cloned(),
        attempt: seats.attempt,
        series: seats.trials.iter().map(|trial| series(trial, seats, &metric)).collect(),
        metric,
        processors: processors(&record.host, seats.setting),
        threads: threads(record, seats),
        clock_step_ns: record.host.clock_step_ns,
        clock_reading_ns: record.host.clock_reading_ns,
        canaries: &record.canaries,
        notes: &record.notes,
        along: along.filter(|along| seats.workload.number(&along.axis).is_some()).cloned(),
        ..Contest::default()
    }
}

fn series<'a>(trial: &'a TrialRecord, seats: &Seats<'a>, metric: &Metric) -> Series<'a> {
    let earlier = seats.earlier.iter().filter(|(technique, _)| *technique == trial.technique);
    let failures: Vec<Failure> =
        earlier.map(|(_, failure)| (*failure).clone()).chain(trial.failures.iter().cloned()).collect();
    Series {
        name: trial.technique.clone(),
        aliases: trial.aliases.clone(),
        kind: trial.kind,
        twin_of: trial.twin_of.clone(),
        variant_of: trial.variant_of.clone(),
        rounds: rounds(&trial.samples, &trial.failures, metric),
        samples: trial.samples.iter().collect(),
        failures,
    }
}

/// Returns the values by round. A round with a failure is infinitely slow as a whole, whatever the session did before.
pub(crate) fn rounds(samples: &[Sample], failures: &[Failure], metric: &Metric) -> BTreeMap<u32, Vec<Timed>> {
    let mut rounds: BTreeMap<u32, Vec<Timed>> = BTreeMap::new();
    for sample in samples {
        if let Some(value) = metric.of(sample) {
            let value = if *metric == Metric::MEMORY { value.max(1.0) } else { value };
            let timed = Timed { inner: sample.inner, position: Some(sample.position), value };
            rounds.entry(sample.round).or_default().push(timed);
        }
    }
    for values in rounds.values_mut() {
        values.sort_by_key(|timed| timed.inner);
    }
    for failure in failures.iter().filter(|failure| spoils_its_round(failure.kind)) {
        let timed = Timed { inner: 0, position: failure.position, value: f64::INFINITY };
        rounds.extend(failure.round.map(|round| (round, vec![timed])));
    }
    rounds
}

/// Returns whether a failure spoils its round: a wrong answer disqualifies anyway; what is missing or left out did not fail.
pub fn spoils_its_round(kind: FailureKind) -> bool {
    !matches!(kind, FailureKind::Wrong | FailureKind::Missing) && !kind.is_by_plan()
}

/// Threads that a workload starts: what its family says; in records of earlier versions, the number of that name.
fn threads(record: &Record, seats: &Seats<'_>) -> Option<u64> {
    let of_family = record.design.threads.get(seats.family);
    let declared = of_family.and_then(|workloads| workloads.get(&seats.workload.name)).copied();
    declared.or_else(|| seats.workload.number("threads"))
}

/// Processors that a trial may use: those of its setting, else those the tool may use, and never more than a quota.
fn processors(host: &Host, setting: &Setting) -> Option<u64> {
    let [pinned, allowed] = [&setting.conditions.processors, &host.processor.allowed]
        .map(|list| Some(list.len() as u64).filter(|&count| count > 0));
    let all = pinned.or(allowed).or(host.processor.logical.map(u64::from));
    let quota = host.limits.processor_quota_millis.map(|millis| millis.div_ceil(1000).max(1));
    all.into_iter().chain(quota).min()
}

fn judge(field: &Field<'_>) -> Ranking {
    let contest = field.contest;
    let (state, reason) = state(field);
    let entries = entries(field, state);
    let refused = state == State::Refused;
    let judged = state.is_judged();
    let named = |index: usize| field.name(index).to_owned();
    let mut failures = failure_lines(field);
    let kinds = [FailureKind::Skipped, FailureKind::Missing, FailureKind::TenfoldBehind];
    let [skipped, not_available, not_tried] =
        kinds.map(|kind| failures.extract_if(.., |line| line.kind == kind).collect());
    let mut ranking = Ranking {
        family: contest.family.clone(),
        workload: contest.workload.clone(),
        setting: contest.setting.clone(),
        class: contest.class,
        metric: contest.metric.clone(),
        unit_is_known: contest.unit.is_some(),
        first_counted: field.first_counted(),
        others: contest.others.clone(),
        state,
        leader: field.assessment.leader.filter(|_| !refused).map(named),
        candidates: if judged { field.candidates().into_iter().map(named).collect() } else { Vec::new() },
        at_most_slower: field.at_most().filter(|_| judged).map(f64::exp_m1),
        at_most_slower_proved: field.assessment.at_most_proved.filter(|_| judged).map(f64::exp_m1),
        confidence: (judged && state != State::Alone).then(|| field.rules.confidence()),
        rounds: field.judged_rounds(),
        delta: contest.delta,
        alpha: contest.alpha,
        baseline: field.baseline().map(named),
        twin_difference: field.twin_difference(),
        entries,
        failures,
        skipped,
        not_available,
        not_tried,
        without_metric: field.without.iter().copied().map(named).collect(),
        flags: flags(field, refused),
        best_parameters: if judged { best_parameters(field) } else { Vec::new() },
        further: further(field, state),
        also_measured: Vec::new(),
        alone: Vec::new(),
        choice: None,
        reason,
        advice: None,
        sentence: String::new(),
    };
    ranking.choice = choices(&[&ranking], &[]).pop().flatten();
    ranking
}
