//! What was seen of techniques at one workload and setting: in a kept run, or on a published machine.

use std::collections::{BTreeMap, BTreeSet};

use judge::{Decided, Observation, Options, Ranking, State, rank_observations, spoils_its_round};
use model::{Failure, FailureKind, Kind, Metric, Record, Setting, TrialRecord, Workload};
use stats::Matrix;
use stats::contest::looks_of_rounds;

use crate::finding::{Claim, Finding, MeasuredWith, Processors};
use crate::published::Machine;

/// This many contests are named where none fits.
const SHOWN: usize = 3;

#[derive(Default)]
pub(crate) struct Evidence<'a> {
    pub(crate) tasks: Vec<Task<'a>>,
    /// The size of the second cache, when known.
    pub(crate) cache_bytes: Option<u64>,
    /// True if these are published figures, one for each technique: then there are no rounds.
    pub(crate) is_published: bool,
}

/// The techniques of a family at one workload and setting.
#[derive(Default)]
pub(crate) struct Task<'a> {
    pub(crate) workload: Workload,
    pub(crate) setting: Setting,
    /// The numbers of counted rounds at which something may be said.
    pub(crate) looks: Vec<u32>,
    pub(crate) processors: Option<u64>,
    /// Rounds as they were numbered.
    rounds: Vec<u32>,
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    name: String,
    aliases: Vec<String>,
    /// The reason why nothing may be said of the contest of its class.
    refused: Option<String>,
    source: Source<'a>,
}

enum Source<'a> {
    Trial { trial: &'a TrialRecord, record: &'a Record, wrong: Option<&'a Failure> },
    Figures(BTreeMap<String, f64>),
}

/// The reason why there is nothing to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lack {
    /// It was never asked for.
    NotMeasured(String),
    /// It cannot be had here.
    Unavailable(String),
}

impl<'a> Evidence<'a> {
    /// Gathers what a kept run shows of a family. Contests that were refused stay refused.
    pub(crate) fn of_record(record: &'a Record, decided: &Decided, family: &str) -> Self {
        let mut tasks: Vec<Vec<&TrialRecord>> = Vec::new();
        for trial in record.trials.iter().filter(|trial| trial.family == family) {
            let known = tasks
                .iter()
                .position(|task| task[0].workload == trial.workload && task[0].setting == trial.setting);
            get_or_add(&mut tasks, known, Vec::new).push(trial);
        }
        let caches = &record.host.processor.caches;
        let second = caches.iter().find(|cache| cache.level == 2).or(caches.last());
        Self {
            tasks: tasks.iter().map(|trials| Task::of_trials(record, trials, decided)).collect(),
            cache_bytes: second.map(|cache| cache.bytes),
            is_published: false,
        }
    }

    pub(crate) fn of_machine(machine: &'a Machine, finding: &Finding) -> Self {
        let table = finding.claim.table.as_deref();
        let mut tasks: Vec<Task<'a>> = Vec::new();
        for figure in machine.figures.iter().filter(|figure| Some(figure.table) == table) {
            // Each might use all processors that its machine had.
            let mut workload = figure.whole_workload();
            workload.point.0.remove("processors");
            let known = tasks.iter().position(|task| task.workload == workload);
            let task =
                get_or_add(&mut tasks, known, || Task::published(workload, machine.described.processors));
            let known = task.entries.iter().position(|entry| entry.name == figure.program);
            let entry = get_or_add(&mut task.entries, known, || Entry {
                name: figure.program.clone(),
                aliases: Vec::new(),
                refused: None,
                source: Source::Figures(BTreeMap::new()),
            });
            if let Source::Figures(figures) = &mut entry.source {
                figures.insert(figure.metric.to_owned(), figure.ns);
            }
        }
        Self { tasks, cache_bytes: machine.described.second_cache_bytes, is_published: true }
    }

    /// Explains why none of the tasks is what a claim is about.
    pub(crate) fn unfit(&self, claim: &Claim) -> String {
        let mut others: Vec<String> = self.tasks.iter().map(Task::described).collect();
        others.dedup();
        let others = match others.len() {
            0 => return format!("no contest of its family was measured; it needs {}", claim.needs()),
            more if more > SHOWN => format!("{} and {} more", others[..SHOWN].join("; "), more - SHOWN),
            _ => others.join("; "),
        };
        format!("no contest fits its conditions: it needs {}; measured: {others}", claim.needs())
    }

    /// Returns the tasks that a claim is about. Published figures were taken under the conditions of their table.
    pub(crate) fn fitting(&self, claim: &Claim) -> Vec<&Task<'a>> {
        let fitting = self.tasks.iter().filter(|task| {
            (self.is_published || claim.accepts(&task.setting))
                && (claim.processors != Some(Processors::Several) || task.processors > Some(1))
                && task.has_values(claim, self.is_published)
        });
        match &claim.measured_with {
            Some(with) if !self.is_published => with_same_settings(with, fitting.collect()),
            _ => fitting.collect(),
        }
    }
}

/// Returns the tasks with the settings, reduced or published, that more of them have: tasks of both are not compared.
fn with_same_settings<'e, 'a>(with: &MeasuredWith, all: Vec<&'e Task<'a>>) -> Vec<&'e Task<'a>> {
    let (axis, value, published) = with.axis();
    let [reduced, published] = [value..=value, published].map(|values| {
        let own =
            all.iter().filter(|task| task.workload.number(axis).is_some_and(|own| values.contains(&own)));
        own.copied().collect::<Vec<_>>()
    });
    if reduced.len() > published.len() { reduced } else { published }
}

impl<'a> Task<'a> {
    fn of_trials(record: &'a Record, trials: &[&'a TrialRecord], decided: &Decided) -> Self {
        let first = trials[0];
        let attempt = trials.iter().map(|trial| trial.attempt).max();
        let own = trials.iter().copied();
        let own: Vec<&TrialRecord> =
            own.filter(|trial| Some(trial.attempt) == attempt && trial.kind != Kind::Twin).collect();
        let rounds: BTreeSet<u32> =
            own.iter().flat_map(|trial| trial.samples.iter().map(|sample| sample.round)).collect();
        let looks = own.iter().map(|trial| &trial.looks).find(|looks| !looks.is_empty());
        let looks = looks.unwrap_or(&record.design.looks).clone();
        let counted = (rounds.len() as u32).saturating_sub(1);
        let refused: Vec<&Ranking> = decided
            .rankings
            .iter()
            .filter(|ranking| {
                ranking.state == State::Refused
                    && ranking.family == first.family
                    && ranking.workload == first.workload
                    && ranking.setting == first.setting
            })
            .collect();
        let entries = own.iter().map(|trial| {
            // As in contests, a wrong answer counts in whichever attempt it was given.
            let same = trials.iter().filter(|other| other.technique == trial.technique);
            let mut failures = same.flat_map(|other| &other.failures);
            let wrong = failures.find(|failure| failure.kind == FailureKind::Wrong);
            let refused = refused.iter().find(|ranking| ranking.class == trial.class);
            Entry {
                name: trial.technique.clone(),
                aliases: trial.aliases.clone(),
                refused: refused.map(|ranking| ranking.sentence.clone()),
                source: Source::Trial { trial, record, wrong },
            }
        });
        Self {
            workload: first.workload.clone(),
            setting: first.setting.clone(),
            looks: if looks.is_empty() { looks_of_rounds(counted) } else { looks },
            processors: processors(record, first),
            rounds: rounds.into_iter().collect(),
            entries: entries.collect(),
        }
    }

    fn published(workload: Workload, processors: u32) -> Self {
        Self { workload, processors: Some(u64::from(processors)), rounds: vec![0], ..Self::default() }
    }

    /// Describes it in a few words: workload, cache and processors.
    pub(crate) fn described(&self) -> String {
        let mut words = vec![self.workload.name.clone()];
        words.extend(self.workload.bytes().map(model::format_bytes));
        words.extend(self.setting.conditions.cache.map(|cache| format!("{cache} cache")));
        words.extend(self.setting.conditions.file_system.clone());
        let pinned = self.setting.conditions.processors.len();
        words.extend((pinned > 0).then(|| format!("on {pinned} of the processors")));
        words.extend(self.setting.is_durable().then(|| "flushed".to_owned()));
        words.join(", ")
    }

    /// Returns whether its workload has the values that a claim names; it may lack an axis where `may_lack`.
    fn has_values(&self, claim: &Claim, may_lack: bool) -> bool {
        let is_sized = claim.within.iter().all(|(axis, &[least, most])| {
            self.workload.number(axis).map_or(may_lack, |number| (least..=most).contains(&number))
        }) && claim.without.iter().all(|axis| !self.workload.point.0.contains_key(axis));
        is_sized
            && claim.set.iter().all(|(axis, value)| match self.workload.point.0.get(axis) {
                // Words and numbers look alike in a claim: `processors = "1"` is a word.
                Some(own) => own.to_string() == value.to_string(),
                None => may_lack,
            })
    }

    pub(crate) fn median_ns(&self, name: &str) -> Option<f64> {
        stats::median(&self.times(name).ok()?).filter(|ns| ns.is_finite())
    }

    /// Returns the times of one repetition of an entry in the counted rounds.
    pub(crate) fn times(&self, name: &str) -> Result<Vec<f64>, Lack> {
        let mut matrix = Matrix::new(1);
        self.fill(&mut matrix, 0, name, "work")?;
        Ok(self.counted(&matrix, 0))
    }

    /// Returns the first counted round, as an index: round 0 is never counted where there are others.
    fn first(&self) -> usize {
        usize::from(self.rounds.len() > 1)
    }

    /// Returns the entry that a name means: an entry, a technique or a published program.
    fn entry(&self, name: &str) -> Option<&Entry<'a>> {
        let exact = self.entries.iter().find(|entry| entry.name == name);
        let technique = self.entries.iter().find(|entry| entry.name.split('@').next() == Some(name));
        let alias = self.entries.iter().find(|entry| entry.aliases.iter().any(|alias| alias == name));
        exact.or(technique).or(alias)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.entry(name).is_some_and(|entry| match &entry.source {
            // A sample of round 0 never counts: what was left out, or was not begun when the run was stopped, has no other.
            Source::Trial { trial, wrong, .. } => {
                let has_counted = trial.samples.iter().any(|sample| sample.round > 0);
                has_counted
                    && wrong.is_none()
                    && !trial.failures.iter().any(|failure| failure.kind == FailureKind::Skipped)
            }
            Source::Figures(_) => true,
        })
    }

    /// Returns an error where nothing may be said of the contest of one of them.
    pub(crate) fn not_refused(&self, names: &[&str]) -> Result<(), Lack> {
        let reason = names.iter().find_map(|name| self.entry(name)?.refused.clone());
        reason.map_or(Ok(()), |reason| Err(Lack::NotMeasured(reason)))
    }

    pub(crate) fn lack(&self, name: &str) -> Lack {
        let Some(Entry { source: Source::Trial { trial, wrong, .. }, .. }) = self.entry(name) else {
            return Lack::NotMeasured(format!("{name} took no part in this run"));
        };
        let Some(failure) = wrong.or(trial.failures.first()) else {
            return Lack::NotMeasured(format!("{name} has no counted samples in this run"));
        };
        let reason = &failure.reason;
        match failure.kind {
            FailureKind::Wrong => Lack::NotMeasured(format!("{name} gave a wrong answer: {reason}")),
            FailureKind::Missing => Lack::Unavailable(format!("{name} is not available here: {reason}")),
            FailureKind::Skipped => Lack::NotMeasured(format!("{name} was skipped: {reason}")),
            FailureKind::TenfoldBehind => Lack::NotMeasured(format!("{name} was not tried: {reason}")),
            _ => Lack::NotMeasured(format!("{name} failed: {reason}")),
        }
    }

    /// Adds what an entry took, by round, to a matrix.
    pub(crate) fn fill(
        &self, matrix: &mut Matrix, column: usize, name: &str, metric: &str,
    ) -> Result<(), Lack> {
        let values = match self.entry(name).map(|entry| &entry.source) {
            Some(Source::Trial { trial, record, .. }) => values(record, trial, metric)?,
            Some(Source::Figures(figures)) => {
                figures.get(metric).map(|figure| (0, vec![*figure])).into_iter().collect()
            }
            None => BTreeMap::new(),
        };
        if values.is_empty() {
            return Err(Lack::NotMeasured(format!("{metric} was not measured of {name}")));
        }
        for (index, round) in self.rounds.iter().enumerate() {
            if let Some(values) = values.get(round) {
                matrix.set(column, index, values.clone());
            }
        }
        Ok(())
    }

    /// Returns the differences `ln a - ln b` of the counted rounds that two columns have.
    pub(crate) fn differences(&self, matrix: &Matrix, a: usize, b: usize) -> Vec<f64> {
        matrix.differences_between(b, a, self.first() as u32, self.rounds.len() as u32)
    }

    /// Returns the values of a column in the counted rounds, up to the first gap.
    pub(crate) fn counted(&self, matrix: &Matrix, column: usize) -> Vec<f64> {
        (self.first()..self.rounds.len()).map_while(|round| matrix.value(column, round)).collect()
    }
}

/// Returns the element at a known place; else a new one, added at the end.
pub(crate) fn get_or_add<T>(all: &mut Vec<T>, known: Option<usize>, new: impl FnOnce() -> T) -> &mut T {
    let place = known.unwrap_or(all.len());
    if place == all.len() {
        all.push(new());
    }
    &mut all[place]
}

/// Processors that a trial might use: those of its setting, or as many of them as its workload takes.
fn processors(record: &Record, trial: &TrialRecord) -> Option<u64> {
    let taken = trial.workload.word("processors").and_then(|word| word.parse().ok());
    let [pinned, allowed] = [&trial.setting.conditions.processors, &record.host.processor.allowed]
        .map(|list| Some(list.len() as u64).filter(|count| *count > 0));
    taken.or(pinned).or(allowed).or(record.host.processor.logical.map(u64::from))
}

/// Returns the values of a trial by round, as costs of which less is better. A round with a failure is infinitely slow.
fn values(record: &Record, trial: &TrialRecord, metric: &str) -> Result<BTreeMap<u32, Vec<f64>>, Lack> {
    let design = &record.design;
    let declared = design.metrics.get(&trial.family).into_iter().flatten();
    let known = [design.compared(&trial.family)].into_iter().chain(declared);
    let known = known.chain(&Metric::BUILT_IN).find(|known| known.is_called(metric)).cloned();
    let metric = known.unwrap_or_else(|| Metric::undeclared(metric));
    let mut values: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    // What a process used is for all repetitions of the sample; its time is that of one.
    let adds_up = metric.source == model::Source::Usage && metric != Metric::MEMORY;
    for sample in &trial.samples {
        let repetitions = if adds_up { sample.repetitions.max(1) as f64 } else { 1.0 };
        if let Some(value) = metric.of(sample) {
            values.entry(sample.round).or_default().push(metric.cost(value / repetitions));
        }
    }
    if values.is_empty() {
        return Ok(values);
    }
    if adds_up && is_below_a_tick(&values, &metric) {
        let (what, name) = (&metric.what, &trial.technique);
        return Err(Lack::Unavailable(format!(
            "the {what} of {name} is less than a tick of the system's counter"
        )));
    }
    for failure in trial.failures.iter().filter(|failure| spoils_its_round(failure.kind)) {
        values.extend(failure.round.map(|round| (round, vec![f64::INFINITY])));
    }
    Ok(values)
}

/// Returns whether a contest by this metric would show no figure, since the system's counter does not see the entry.
fn is_below_a_tick(values: &BTreeMap<u32, Vec<f64>>, metric: &Metric) -> bool {
    let all = values.iter().flat_map(|(round, values)| values.iter().map(|value| (*round, *value)));
    let seen = all.map(|(round, value)| Observation {
        metric: Some(metric.clone()),
        ..Observation::new(round, "entry", value)
    });
    let ranked = rank_observations(&seen.collect::<Vec<_>>(), &Options::default());
    ranked.iter().flat_map(|ranking| &ranking.entries).any(|entry| entry.median.value().is_none())
}
