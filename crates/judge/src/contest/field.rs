//! A contest with its samples in place: what competes, what failed, and what may be said at the last look.

use std::collections::BTreeSet;

use model::{Better, FailureKind, Kind, Metric, Source};
use stats::contest::{
    Assessment, Moved, Row, Rules, assess, assess_with_failed, ratios_that_moved, twin_check, twin_looks,
};
use stats::{Matrix, median};

use crate::contest::tick;
use crate::contest::{Contest, Series, counted, first_counted, whole_rounds};

/// An entry that failed so often is out.
const MOST_FAILURES: usize = 3;
/// With fewer counted rounds nothing is tested.
pub(crate) const LEAST_ROUNDS: u32 = 3;

/// An entry that took part a second time, and what the two showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Twin {
    pub(crate) twin: usize,
    pub(crate) original: usize,
    pub(crate) differ: bool,
    /// The size of the median difference, as a fraction.
    pub(crate) difference: f64,
}

/// A contest with its samples in place.
pub(crate) struct Field<'a> {
    pub(crate) contest: &'a Contest<'a>,
    /// The compared values as costs: less is better.
    pub(crate) matrix: Matrix,
    /// Round numbers in ascending order: column `i` of the matrix is round `rounds[i]`, and column 0 is not counted.
    pub(crate) rounds: Vec<u32>,
    /// Rounds that were dropped whole, because an entry that took part later has no value in them.
    pub(crate) torn: Vec<u32>,
    /// The compared entries, those that failed on the way included.
    pub(crate) entries: Vec<usize>,
    /// Built-in techniques that do not exist here. They are reported as such and have no line.
    pub(crate) missing: Vec<usize>,
    /// Entries that worked and do not have what is compared: they do nothing that it counts.
    pub(crate) without: Vec<usize>,
    pub(crate) skipped: Vec<usize>,
    /// Entries that are out, with the reason.
    pub(crate) failed: Vec<(usize, String)>,
    pub(crate) limits: Vec<usize>,
    pub(crate) twins: Vec<Twin>,
    pub(crate) rules: Rules,
    pub(crate) assessment: Assessment,
    /// The place of each series' row in the assessment.
    rows: Vec<Option<usize>>,
    /// The step of the system's counter, in nanoseconds, where it counts at all.
    pub(crate) tick_ns: Option<f64>,
    /// Entries of which the counter shows too little: nothing can be said of the contest.
    pub(crate) below_tick: Vec<usize>,
    /// Ratios that moved while they were measured: an interval for a ratio that drifts is one for its middle.
    pub(crate) moved: Vec<Moved>,
    /// The baseline and the leader as a contest of two: an entry is compared with whoever leads at the time.
    baseline_over_leader: Option<Row>,
    /// The reason why nothing may be said of it as a level: another level's twin was distinguished from its original.
    pub(crate) refused_with: Option<String>,
}

impl<'a> Field<'a> {
    pub(crate) fn new(contest: &'a Contest<'a>) -> Self {
        let series = &contest.series;
        let (rounds, torn) = whole_rounds(series);
        let tick_ns = tick::of(contest);
        let mut matrix = Matrix::new(series.len());
        for (index, one) in series.iter().enumerate() {
            for (column, round) in rounds.iter().enumerate() {
                if let Some(values) = one.rounds.get(round) {
                    let costs = values.iter().map(|timed| contest.metric.cost(timed.value));
                    // What lies below a tick may be anything up to it.
                    let costs = costs.map(|cost| cost.max(tick_ns.unwrap_or(0.0)));
                    matrix.set(index, column, costs.collect());
                }
            }
        }
        let of_kind = |kind: Kind| (0..series.len()).filter(move |&i| series[i].kind == kind);
        let mut field = Self {
            contest,
            twins: Vec::new(),
            limits: of_kind(Kind::Ceiling).filter(|&index| !series[index].rounds.is_empty()).collect(),
            matrix,
            rounds,
            torn,
            entries: Vec::new(),
            missing: Vec::new(),
            without: Vec::new(),
            skipped: Vec::new(),
            failed: Vec::new(),
            rules: Rules { alpha: contest.alpha, delta: contest.delta, looks: Vec::new(), baseline: None },
            assessment: Assessment::default(),
            rows: Vec::new(),
            tick_ns,
            below_tick: Vec::new(),
            moved: Vec::new(),
            baseline_over_leader: None,
            refused_with: None,
        };
        field.sort_out();
        field.assess();
        field.withdraw_below_tick();
        field.rows = vec![None; series.len()];
        for (place, row) in field.assessment.rows.iter().enumerate() {
            field.rows[row.entry] = Some(place);
        }
        let last_look = field.rules.looks.last().copied().unwrap_or(0);
        let twins = of_kind(Kind::Twin);
        field.twins = twins.filter_map(|twin| compared(contest, &field.matrix, last_look, twin)).collect();
        if field.assessment.look.is_some() {
            field.moved = ratios_that_moved(&field.matrix, &field.assessment, contest.delta);
        }
        field.baseline_over_leader = field.baseline_against_leader();
        field
    }

    fn sort_out(&mut self) {
        let all = self.contest.series.iter().enumerate();
        for (index, one) in all.filter(|(_, one)| one.competes() && !one.is_not_tried()) {
            if is_without(one, &self.contest.metric) {
                self.without.push(index);
            } else if one.skipped().is_some() {
                self.skipped.push(index);
            } else if one.kind == Kind::BuiltIn && one.is_missing() {
                self.missing.push(index);
            } else {
                let reason = disqualified(one, &self.contest.metric).or_else(|| self.gave_up(index));
                self.failed.extend(reason.map(|reason| (index, reason)));
                // An entry that never had a value is no entry: it does not make the others' task harder.
                let metric = &self.contest.metric;
                if one.rounds.values().flatten().any(|timed| metric.cost(timed.value).is_finite()) {
                    self.entries.push(index);
                }
            }
        }
    }

    /// Explains why an entry that failed too often is out, from the start.
    fn gave_up(&self, index: usize) -> Option<String> {
        let rounds = self.matrix.rounds_of(index);
        let values = (0..rounds).filter_map(|round| self.matrix.value(index, round as usize));
        let failures = values.filter(|value| *value == f64::INFINITY).count();
        (failures >= MOST_FAILURES).then(|| format!("it failed in {failures} of {rounds} rounds"))
    }

    fn assess(&mut self) {
        let recorded: Vec<u32> = self.entries.iter().map(|&index| self.matrix.rounds_of(index)).collect();
        self.rules.looks.clone_from(&self.contest.looks);
        if self.contest.may_count_round_0 {
            self.rules.looks = counted_looks(&self.contest.looks, &recorded);
        }
        self.rules.baseline = self.baseline().filter(|index| self.entries.contains(index));
        self.assessment = self.assessed(&self.rules);
        let rounds = self.assessment.rounds;
        if self.assessment.look.is_none() && rounds >= LEAST_ROUNDS {
            // An interruption before the first look: that number of rounds does not depend on what they showed.
            self.rules.looks = vec![rounds];
            self.assessment = self.assessed(&self.rules);
        }
    }

    /// Withdraws the answer where the counter shows too little of an entry: that one may be the best of all.
    fn withdraw_below_tick(&mut self) {
        self.below_tick = self.standing_entries();
        self.below_tick.retain(|&index| tick::hides(self.contest, &self.contest.series[index]));
        if !self.below_tick.is_empty() {
            self.assessment = Assessment { rounds: self.assessment.rounds, ..Assessment::default() };
        }
    }

    fn assessed(&self, rules: &Rules) -> Assessment {
        let mut failed: Vec<usize> = self.failed.iter().map(|(index, _)| *index).collect();
        failed.retain(|index| self.entries.binary_search(index).is_ok());
        assess_with_failed(&self.matrix, &self.entries, &failed, rules)
    }

    pub(crate) fn level(&self) -> Option<u64> {
        self.contest.workload.number(&self.contest.along.as_ref()?.axis)
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        &self.contest.series[index].name
    }

    /// Returns the baseline, where it is among the series: by its name, else by that of its technique or by an alias.
    pub(crate) fn baseline(&self) -> Option<usize> {
        let name = self.contest.baseline.as_deref()?;
        let called = |is: fn(&Series<'_>, &str) -> bool| {
            self.contest.series.iter().position(|series| series.competes() && is(series, name))
        };
        called(|series, name| series.name == name)
            .or_else(|| called(|series, name| series.technique_and_value().0 == name))
            .or_else(|| called(|series, name| series.aliases.iter().any(|alias| alias == name)))
    }

    pub(crate) fn standing_entries(&self) -> Vec<usize> {
        let failed: BTreeSet<usize> = self.failed.iter().map(|(index, _)| *index).collect();
        self.entries.iter().copied().filter(|index| !failed.contains(index)).collect()
    }

    /// Returns the names of those of the standing entries that `is_meant`.
    pub(crate) fn standing_names(&self, is_meant: impl Fn(usize) -> bool) -> Vec<&str> {
        let meant = self.standing_entries().into_iter().filter(|&index| is_meant(index));
        meant.map(|index| self.name(index)).collect()
    }

    pub(crate) fn row(&self, index: usize) -> Option<&Row> {
        self.assessment.rows.get((*self.rows.get(index)?)?)
    }

    /// Returns the tied entries, the leader first: those that may be fastest, are within the tolerance or were withdrawn.
    pub(crate) fn candidates(&self) -> Vec<usize> {
        let mut candidates = self.assessment.candidates.clone();
        let others = self.standing_entries().into_iter();
        let tied = others.filter(|&entry| self.is_withdrawn(entry) || self.is_within_tolerance(entry));
        candidates.extend(tied.filter(|entry| !self.assessment.candidates.contains(entry)));
        candidates
    }

    /// Returns whether an entry is out and not distinguished: it turned round, or it is the baseline and only others beat it.
    pub(crate) fn is_withdrawn(&self, entry: usize) -> bool {
        self.turned_round(entry) || self.over_leader(entry).is_some_and(|row| row.standing.is_candidate())
    }

    /// Returns whether an entry was faster than the leader in the end: what was claimed of the two does not hold.
    pub(crate) fn turned_round(&self, entry: usize) -> bool {
        let claimed = !self.row(entry).is_some_and(|row| row.standing.is_candidate());
        claimed && self.moved.iter().any(|moved| moved.entry == entry && moved.late < 0.0)
    }

    /// Returns the lower end of an entry's factor, as a logarithm: that of the baseline holds over the leader too, whoever is fastest.
    pub(crate) fn low(&self, row: &Row) -> f64 {
        self.over_leader(row.entry).map_or(row.low, |pair| row.low.min(pair.low))
    }

    fn over_leader(&self, entry: usize) -> Option<&Row> {
        self.baseline_over_leader.as_ref().filter(|_| self.rules.baseline == Some(entry))
    }

    fn baseline_against_leader(&self) -> Option<Row> {
        use stats::contest::Standing::{Behind, Slower};
        let row = self.row(self.rules.baseline?).filter(|row| matches!(row.standing, Slower | Behind))?;
        self.pair(self.assessment.leader?, row.entry).row(1).copied()
    }

    /// Returns whether an entry is shown to be slower than the fastest by no more than the tolerance.
    pub(crate) fn is_within_tolerance(&self, entry: usize) -> bool {
        let limit = self.contest.delta.ln_1p();
        // Where a ratio moved, the bounds of its looks may contradict each other, and its typical value.
        self.row(entry).is_some_and(|row| row.low.max(row.estimate.unwrap_or(0.0)).max(row.high) <= limit)
    }

    /// Returns the most that choosing the leader costs, as the logarithm of a ratio.
    pub(crate) fn at_most(&self) -> Option<f64> {
        let holds = self.moved.iter().all(|moved| !self.turned_round(moved.entry));
        self.assessment.at_most.filter(|limit| limit.is_finite() && holds)
    }

    pub(crate) fn twin_difference(&self) -> Option<f64> {
        self.twins.iter().map(|twin| twin.difference).filter(|size| size.is_finite()).reduce(f64::max)
    }

    pub(crate) fn first_counted(&self) -> Option<u32> {
        first_counted(&self.rounds)
    }

    /// Returns the values of an entry in counted rounds without failures, in order; that of round 0 where it has no other.
    pub(crate) fn values(&self, index: usize) -> Vec<f64> {
        self.of_counted(index, |column| match self.contest.metric.better {
            Better::Less => self.matrix.value(index, column),
            // As they were measured: turning a cost back would not give the very same number.
            Better::More => {
                let timed = self.contest.series[index].rounds.get(self.rounds.get(column)?)?;
                median(&timed.iter().map(|timed| timed.value).collect::<Vec<_>>())
            }
        })
    }

    /// Returns the same values as costs, of which less is better.
    pub(crate) fn costs(&self, index: usize) -> Vec<f64> {
        self.of_counted(index, |column| self.matrix.value(index, column))
    }

    fn of_counted(&self, index: usize, of_column: impl Fn(usize) -> Option<f64>) -> Vec<f64> {
        let is_known = |column: &usize| self.matrix.value(index, *column).is_some_and(f64::is_finite);
        let columns = (0..self.rounds.len()).filter(is_known);
        let columns = counted(columns, self.first_counted(), |column| self.rounds[*column]);
        columns.into_iter().filter_map(of_column).collect()
    }

    /// Returns how many counted rounds there are up to the last look; all of them before the first.
    pub(crate) fn judged_rounds(&self) -> u32 {
        self.assessment.look.unwrap_or(self.assessment.rounds)
    }

    /// Returns the differences `ln other - ln base` over the judged rounds that both took part in, without round 0.
    pub(crate) fn differences(&self, base: usize, other: usize) -> Vec<f64> {
        let all = self.matrix.differences_between(base, other, 0, self.judged_rounds() + 1);
        all.into_iter().skip(1).collect()
    }

    /// Judges two entries as a contest of their own, by the rounds that both took part in.
    pub(crate) fn pair(&self, one: usize, other: usize) -> Assessment {
        let common = self.matrix.rounds_of(one).min(self.matrix.rounds_of(other));
        let mut matrix = Matrix::new(2);
        for round in 0..common.min(self.judged_rounds() + 1) as usize {
            matrix.set(0, round, self.matrix.times(one, round).to_vec());
            matrix.set(1, round, self.matrix.times(other, round).to_vec());
        }
        assess(&matrix, &[0, 1], &Rules { baseline: None, ..self.rules.clone() })
    }
}

/// Returns the looks in counted rounds. Earlier versions counted round 0 too: then more entries end at a look with round 0 than
/// without.
fn counted_looks(looks: &[u32], recorded: &[u32]) -> Vec<u32> {
    let [all, but_one] = [0, 1].map(|uncounted| {
        let counted = recorded.iter().map(|rounds| rounds.saturating_sub(uncounted));
        counted.filter(|rounds| looks.binary_search(rounds).is_ok()).count()
    });
    if all <= but_one {
        return looks.to_vec();
    }
    looks.iter().filter(|look| **look > 1).map(|look| look - 1).collect()
}

/// Compares a twin with its original, by the rounds since the twin entered. `None` where it took no part.
fn compared(contest: &Contest<'_>, matrix: &Matrix, last_look: u32, twin: usize) -> Option<Twin> {
    let series = &contest.series;
    let original = series.iter().position(|one| series[twin].twin_of.as_ref() == Some(&one.name))?;
    let first = (0..matrix.rounds()).find(|&round| matrix.value(twin, round as usize).is_some())?;
    let looks = twin_looks(last_look.saturating_sub(first.saturating_sub(1)));
    let check = twin_check(matrix, original, twin, &looks, contest.contests as usize)?;
    Some(Twin { twin, original, differ: check.differ, difference: check.difference.abs().exp_m1() })
}

/// Returns whether it worked and none of its samples has the metric: it counts no such thing.
fn is_without(series: &Series<'_>, metric: &Metric) -> bool {
    metric.source == Source::Value
        && series.failures.iter().all(|failure| failure.kind.is_by_plan())
        && !series.samples.is_empty()
        && !series.samples.iter().any(|sample| sample.values.contains_key(&*metric.key))
}

fn disqualified(series: &Series<'_>, metric: &Metric) -> Option<String> {
    let wrong = series.failures.iter().find(|failure| failure.kind == FailureKind::Wrong);
    if let Some(wrong) = wrong {
        return Some(format!("wrong answer: {}", wrong.reason));
    }
    let mut values = series.rounds.values().flatten().map(|timed| timed.value);
    if values.clone().any(|value| value == 0.0) && matches!(metric.source, Source::Work | Source::Process) {
        return Some("it took no time, so it did no work".to_owned());
    }
    if values.clone().any(|value| metric.cost(value).is_finite()) {
        return None;
    }
    Some(match series.failures.first() {
        Some(failure) => failure.reason.clone(),
        None if series.samples.is_empty() && series.rounds.is_empty() => "it was never measured".to_owned(),
        None if series.samples.is_empty() => "it failed in every round".to_owned(),
        None if values.any(|value| value == 0.0) => format!("{} was 0 in every round", metric.what),
        None => format!("the metric '{metric}' was not measured for it"),
    })
}

#[cfg(test)]
mod tests {
    use super::counted_looks;

    #[test]
    fn looks_of_earlier_versions_counted_round_0() {
        assert_eq!(counted_looks(&[8, 10, 13], &[11, 9]), [8, 10, 13]);
        assert_eq!(counted_looks(&[10, 15, 20], &[15, 10]), [9, 14, 19]);
        assert_eq!(counted_looks(&[10, 15, 20], &[17]), [10, 15, 20]);
        assert_eq!(counted_looks(&[5, 6, 8], &[6]), [5, 6, 8]);
    }
}
