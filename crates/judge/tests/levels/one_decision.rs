//! A ranking, its curve and the advice from the same samples say one thing.

use judge::{Entry, Ranking, Standing, State, decide};
use model::{Along, Better, Failure, FailureKind, Metric, Record, Shortfall, TrialRecord};

use super::*;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Compared {
    Time,
    Rate,
    Memory,
}

impl Compared {
    fn metric(self) -> Metric {
        match self {
            Self::Time => Metric::WORK,
            Self::Rate => Metric::more("units_per_second", "units per second"),
            Self::Memory => Metric::MEMORY,
        }
    }
}

/// A run of the family `copy` at some sizes; `plain` is the baseline.
pub(crate) struct Run {
    pub(crate) record: Record,
    metric: Compared,
}

impl Run {
    fn new() -> Self {
        Self::by(Compared::Time)
    }

    pub(crate) fn by(metric: Compared) -> Self {
        let mut record = testkit::record("r");
        let design = &mut record.design;
        design.baselines.insert("copy".into(), "plain".into());
        design.curves.insert("copy".into(), Along { axis: "bytes".into(), ..Along::default() });
        match metric {
            Compared::Time => {}
            Compared::Rate => design.metrics = [("copy".to_owned(), vec![metric.metric()])].into(),
            Compared::Memory => design.metric = metric.metric(),
        }
        Self { record, metric }
    }

    fn trial(&mut self, bytes: u64, name: &str) -> &mut TrialRecord {
        let mut trial = testkit::trial(name);
        trial.workload = Workload::of_bytes(format!("{bytes}B"), bytes);
        self.record.trials.push(trial);
        self.record.trials.last_mut().expect("just added")
    }

    /// Adds an entry that costs this many times a million in each round up to the last.
    pub(crate) fn entry(
        &mut self, bytes: u64, name: &str, last: u32, cost: impl Fn(u32) -> f64,
    ) -> &mut Self {
        let metric = self.metric;
        let trial = self.trial(bytes, name);
        for round in 0..=last {
            let value = cost(round) * 1e6;
            let mut sample = testkit::sample(round, 0, value as u64);
            sample.usage.peak_memory_bytes = Some(value as u64);
            if metric == Compared::Rate {
                sample.values.insert("units_per_second".to_owned(), 1e12 / value);
            }
            trial.samples.push(sample);
        }
        self
    }

    /// Adds an entry that takes this many milliseconds, a thousandth more or less.
    fn with(&mut self, bytes: u64, name: &str, ms: f64) -> &mut Self {
        let place = self.record.trials.len() as u32;
        self.entry(bytes, name, ROUNDS, |round| ms * (1.0 + 1e-3 * f64::from((round * 7 + place * 3) % 5)))
    }

    /// Adds an entry that varies so much that it is tied with what is a little faster.
    fn noisy(&mut self, bytes: u64, name: &str, ms: f64) -> &mut Self {
        let place = self.record.trials.len() as u32;
        let is_high = |round: u32| (round + place).is_multiple_of(2);
        self.entry(bytes, name, ROUNDS, |round| if is_high(round) { ms * 1.1 } else { ms / 1.1 })
    }

    /// Adds an entry that was skipped for time after one round.
    pub(crate) fn skipped(&mut self, bytes: u64, name: &str, ms: f64) -> &mut Self {
        self.entry(bytes, name, 0, |_| ms);
        let trial = self.record.trials.last_mut().expect("just added");
        trial.failures.push(Failure::skipped("the budget pays for others", Shortfall::default()));
        self
    }

    /// Adds an entry that was not tried, because it was far slower at a smaller size.
    pub(crate) fn not_tried(&mut self, bytes: u64, name: &str) -> &mut Self {
        let failure = Failure::before_the_rounds(FailureKind::TenfoldBehind, "far slower at 1 KiB");
        self.trial(bytes, name).failures.push(failure);
        self
    }

    pub(crate) fn decided(&self) -> Decided {
        decide(&self.record)
    }

    fn curve(&self) -> Curve {
        self.decided().curves.remove(0)
    }

    fn at(&self, bytes: u64) -> Ranking {
        let mut all = self.decided().rankings.into_iter();
        all.find(|ranking| ranking.workload.bytes() == Some(bytes)).expect("a contest of that size")
    }

    fn advice(&self, bytes: Option<u64>) -> Option<Advice> {
        advice(&self.decided(), bytes)
    }
}

pub(crate) fn advice(decided: &Decided, bytes: Option<u64>) -> Option<Advice> {
    let conditions = &decided.rankings[0].setting.conditions;
    // As a command asks: along the axis, and for want of that at the workload alone.
    let along = asked(bytes);
    let alone = Asked { axis: None, is_level: false, ..along.clone() };
    answer(std::slice::from_ref(decided), &[along, alone], conditions, &[])
}

pub(crate) fn entry<'a>(ranking: &'a Ranking, name: &str) -> &'a Entry {
    ranking.entry(name).expect("an entry")
}

// A. The same question, one answer.

#[test]
fn advised_thread_count_is_shown_to_be_best() {
    let mut run = Run::new();
    for (threads, ms) in [(1, 2.5), (2, 1.41), (4, 1.40), (8, 5.0)] {
        run.with(threads, "pool", ms).with(threads, "plain", 3.0 * ms);
    }
    for trial in &mut run.record.trials {
        trial.workload.point.set("threads", trial.workload.bytes().expect("a level"));
        trial.workload.point.0.remove("bytes");
    }
    let along = Along { axis: "threads".into(), is_spread: true, ..Along::default() };
    run.record.design.curves.insert("copy".into(), along);
    let decided = run.decided();
    let line = decided.curves[0].techniques.iter().find(|line| line.technique == "pool").expect("a line");
    let spread = line.spread.as_ref().expect("the same work");
    assert_eq!((&spread.best[..], spread.chosen), (&[2, 4][..], Some(2)));
    let medians: Vec<f64> = line.points.iter().filter_map(|point| point.median.value()).collect();
    assert!(medians[1] <= 1.05 * medians[2] && medians[0] > 1.05 * medians[2], "{medians:?}");
}

#[test]
fn advice_and_curve_have_the_same_ranges() {
    let mut run = Run::new();
    for (bytes, a, b) in [(KIB, 1.0, 2.0), (4 * KIB, 1.0, 1.5), (16 * KIB, 2.0, 1.0), (64 * KIB, 3.0, 1.0)] {
        run.with(bytes, "a", a).with(bytes, "b", b).with(bytes, "plain", 4.0);
    }
    let curve = run.curve();
    assert_eq!(ranges(&curve), [(KIB, 4 * KIB, "a"), (16 * KIB, 64 * KIB, "b")]);
    let advice = run.advice(None).expect("measured");
    assert_eq!(advice.ranges.iter().map(|one| one.range.clone()).collect::<Vec<_>>(), curve.ranges);
    assert_eq!(advice.sentence, curve.sentence);
    run.with(16 * KIB, "c", 0.5);
    let rival = "Not measured: c at 1 KiB, 4 KiB and 64 KiB (ahead elsewhere).";
    assert!(run.curve().sentence.ends_with(rival), "{}", run.curve().sentence);
    let there = "Not measured: c at 1 KiB (ahead elsewhere).";
    for (level, rival) in [(None, Some(rival)), (Some(KIB), Some(there)), (Some(16 * KIB), None)] {
        let remarks = run.advice(level).expect("measured").remarks;
        let last = remarks.iter().map(String::as_str).find(|remark| remark.contains("ahead elsewhere"));
        assert_eq!(last, rival, "{remarks:?}");
    }
}

#[test]
fn what_is_not_shown_to_be_faster_is_not_chosen() {
    let mut run = Run::new();
    for bytes in [KIB, 4 * KIB] {
        run.noisy(bytes, "a", 1.0).with(bytes, "plain", 1.02);
    }
    let ranking = run.at(KIB);
    assert_eq!(entry(&ranking, "plain").standing, Standing::Tied);
    let choice = ranking.choice.as_ref().expect("a choice");
    assert!(choice.is_baseline && choice.baseline.is_none(), "{choice:?}");
    let advice = ranking.advice.as_deref().unwrap_or_default();
    let words = "Use plain, the baseline: nothing is shown to be faster.";
    assert!(advice.starts_with(words), "{advice}");
    assert_eq!(ranges(&run.curve()), [(KIB, 4 * KIB, "plain")]);
}

#[test]
fn what_the_baseline_costs_has_one_figure() {
    let mut run = Run::new();
    for bytes in [KIB, 4 * KIB] {
        run.with(bytes, "a", 1.0).with(bytes, "plain", 1.5);
    }
    let ranking = run.at(KIB);
    let row = entry(&ranking, "plain");
    let over = ranking.choice.as_ref().and_then(|choice| choice.baseline).expect("it took part");
    assert_eq!((Some(over.factor), over.low, over.high), (row.factor, row.factor_low, row.factor_high));
    let advised = run.advice(Some(KIB)).and_then(|advice| advice.choice);
    assert_eq!((&advised, &run.curve().levels[0].choice), (&ranking.choice, &ranking.choice));
}

#[test]
fn what_is_near_the_best_of_those_named_may_be_chosen() {
    let mut run = Run::new();
    for bytes in [KIB, 4 * KIB] {
        run.noisy(bytes, "a", 1.0).noisy(bytes, "c", 1.07).with(bytes, "plain", 3.0);
    }
    run.noisy(KIB, "b", 1.03).with(4 * KIB, "b", 2.0);
    let decided = run.decided();
    assert!(decided.curves[0].levels[0].tied.len() == 3, "{:?}", decided.curves[0].levels);
    let among = ["b", "c", "plain"].map(str::to_owned);
    let conditions = &decided.rankings[0].setting.conditions;
    let advice = answer(std::slice::from_ref(&decided), &[asked(None)], conditions, &among);
    let ranges = advice.expect("measured").ranges;
    let chosen: Vec<(u64, &str)> =
        ranges.iter().map(|one| (one.range.to, &*one.range.choice.entry)).collect();
    assert_eq!(chosen, [(4 * KIB, "c")], "it is 4 % slower than b, and does at both levels");
}

#[test]
fn intervals_of_rates_hold_their_values() {
    let mut run = Run::by(Compared::Rate);
    for bytes in [KIB, 4 * KIB] {
        run.with(bytes, "a", 1.0).with(bytes, "plain", 2.0);
    }
    let curve = run.curve();
    let [leader, other] = ["a", "plain"].map(|name| {
        let line = curve.techniques.iter().find(|line| line.technique == name).expect(name);
        let mut point = line.points[0].clone();
        point.factor_high = Some(4.0);
        (point.median.value().expect("a value"), point.range(&curve.metric).expect("an interval"))
    });
    let (leads, (low, high)) = (leader.0, other.1);
    assert!((low / (leads / 4.0) - 1.0).abs() < 1e-9, "{low} {leads}");
    assert!(other.0 < high && high < 1.1 * other.0, "{other:?}");
}

#[test]
fn commands_keep_what_stands_behind_an_at() {
    let mut run = Run::new();
    for bytes in [KIB, 4 * KIB] {
        run.with(bytes, "ssh me@host@level=1", 1.0).with(bytes, "ssh me@host@level=2", 1.3);
        run.with(bytes, "ssh me@other@level=1", 1.5).with(bytes, "plain", 2.0);
    }
    run.record.trials.iter_mut().for_each(|trial| trial.kind = model::Kind::Command);
    let curve = run.curve();
    let points = |technique: &str| {
        let line = curve.techniques.iter().find(|line| line.technique == technique).expect(technique);
        line.points.iter().map(|point| point.entry.clone()).collect::<Vec<_>>()
    };
    assert_eq!(points("ssh me@host"), ["ssh me@host@level=1"; 2]);
    assert_eq!(points("ssh me@other"), ["ssh me@other@level=1"; 2]);
}

#[test]
fn the_baseline_is_kept_where_the_leader_does_not_beat_it() {
    let mut run = Run::new();
    run.record.design.looks = vec![10, 60];
    run.entry(KIB, "early", 60, |round| if round <= 10 { 1.0 } else { 1.5 });
    run.entry(KIB, "late", 60, |round| match round {
        ..=10 if round.is_multiple_of(2) => 0.9,
        ..=10 => 1.4,
        _ => 0.9,
    });
    run.entry(KIB, "plain", 10, |_| 1.3);
    let ranking = run.at(KIB);
    assert_eq!((ranking.leader.as_deref(), ranking.state), (Some("late"), State::Tied));
    assert_eq!(entry(&ranking, "plain").standing, Standing::Tied);
    assert!(ranking.choice.is_some_and(|choice| choice.is_baseline), "{:?}", ranking.advice);
    let advice = ranking.advice.as_deref().unwrap_or_default();
    assert!(advice.starts_with("Use plain, the baseline: nothing is shown to be faster."), "{advice}");
}

#[test]
fn ends_that_differ_have_different_choices() {
    let mut run = Run::new();
    for (bytes, pool, other) in [(KIB, 1.4, 1.5), (4 * KIB, 1.4, 185.0)] {
        run.noisy(bytes, "pool", pool).noisy(bytes, "other", other).with(bytes, "plain", 400.0);
    }
    let curve = run.curve();
    assert_eq!(curve.levels[1].tied, ["pool"]);
    assert_eq!(ranges(&curve), [(KIB, 4 * KIB, "pool")]);
}

#[test]
fn a_range_has_no_open_level() {
    let mut run = Run::new();
    for bytes in [KIB, 4 * KIB, 16 * KIB] {
        run.with(bytes, "a", 1.0).with(bytes, "plain", 2.0);
    }
    let trials = run.record.trials.iter_mut();
    let middle = trials.filter(|trial| trial.workload.bytes() == Some(4 * KIB));
    middle.for_each(|trial| trial.samples.truncate(2));
    let curve = run.curve();
    assert_eq!(ranges(&curve), [(KIB, KIB, "a"), (16 * KIB, 16 * KIB, "a")]);
    assert!(curve.sentence.ends_with(" No answer at 4 KiB."), "{}", curve.sentence);
    let advice = run.advice(Some(4 * KIB)).expect("something is known nearby");
    assert_eq!(advice.choice, None);
    assert_eq!(advice.sentence, "No answer. a led in 1 round; measure longer to know.");
    assert_eq!(run.advice(Some(8 * KIB)).expect("nearby").choice, None, "one neighbour has no answer");
}

// B. Two columns of one row.

#[test]
fn rows_have_one_order_in_every_column() {
    for metric in [Compared::Time, Compared::Rate, Compared::Memory] {
        let mut run = Run::by(metric);
        // The machine slows down after round 8, where `early` has left: its own median is the smallest.
        let slow = |round: u32| if round > 8 { 2.0 } else { 1.0 };
        run.entry(KIB, "a", ROUNDS, |round| slow(round) + 1e-3 * f64::from(round % 3));
        run.entry(KIB, "plain", ROUNDS, |round| 1.5 * slow(round));
        run.entry(KIB, "early", 8, |_| 1.3);
        in_one_order(&run.at(KIB), metric);
    }
}

#[test]
fn as_good_means_within_the_tolerance() {
    let mut run = Run::new();
    run.noisy(KIB, "p@4K", 1.0).noisy(KIB, "p@64K", 1.01).with(KIB, "p@1M", 1.2);
    run.with(KIB, "plain", 2.0);
    let ranking = run.at(KIB);
    let best = &ranking.best_parameters[0];
    assert_eq!(best.as_good.len(), 1, "tied is not as good: {best:?}");
    let mut run = Run::new();
    run.with(KIB, "p@4K", 1.0).with(KIB, "p@64K", 1.005).with(KIB, "p@1M", 1.2).with(KIB, "plain", 2.0);
    assert_eq!(run.at(KIB).best_parameters[0].as_good, ["4K", "64K"]);
}

#[test]
fn entries_within_the_tolerance_are_tied() {
    let mut run = Run::new();
    run.with(KIB, "rdtsc", 1.0).with(KIB, "quanta", 1.01).with(KIB, "plain", 2.0);
    let ranking = run.at(KIB);
    assert_eq!(entry(&ranking, "quanta").standing, Standing::Tied);
    assert_eq!(ranking.candidates, ["rdtsc", "quanta"]);
    // A tied row has no lower end above 1.
    let mut run = Run::new();
    run.noisy(KIB, "a", 1.0).noisy(KIB, "b", 1.05).with(KIB, "plain", 2.0);
    for row in run.at(KIB).entries.iter().filter(|row| row.standing.is_candidate()) {
        assert_eq!(row.factor_low, Some(1.0), "{row:?}");
    }
}

// C. Sentence and table.

#[test]
fn every_other_entry_is_tied_or_slower() {
    let mut run = Run::new();
    run.noisy(KIB, "a", 1.0).noisy(KIB, "b", 1.0).with(KIB, "c", 1.5).with(KIB, "plain", 2.0);
    run.skipped(KIB, "d", 3.0).skipped(KIB, "e", 4.0);
    let ranking = run.at(KIB);
    for standing in [Standing::Tied, Standing::Slower, Standing::Skipped] {
        assert_eq!(ranking.entries.iter().filter(|entry| entry.standing == standing).count(), 2);
    }
    assert!(ranking.sentence.contains(" 2 others are slower, c by 1.5x"), "{}", ranking.sentence);
    assert!(ranking.sentence.ends_with(" 2 others were skipped for time."), "{}", ranking.sentence);
}

#[test]
fn an_entry_skipped_everywhere_is_no_rival() {
    let mut run = Run::new();
    for bytes in [KIB, 4 * KIB] {
        run.with(bytes, "a", 1.0).with(bytes, "plain", 2.0);
    }
    run.skipped(4 * KIB, "b", 3.0);
    let curve = run.curve();
    assert_eq!(curve.sentence, "Use a at every size (plain is slower by 2.0x, 1.9-2.1x, or more).");
    assert!(curve.levels.iter().all(|level| level.not_compared == ["b"]), "{:?}", curve.levels);
}

#[test]
fn single_entry_is_no_contest() {
    let mut run = Run::new();
    run.with(KIB, "a", 1.0);
    let ranking = run.at(KIB);
    assert_eq!((ranking.state, &ranking.choice), (State::Alone, &None));
    assert_eq!(run.advice(Some(KIB)), None);
}

pub(crate) fn in_one_order(ranking: &Ranking, metric: Compared) {
    let mut rows: Vec<&Entry> = ranking.entries.iter().filter(|row| row.factor.is_some()).collect();
    rows.retain(|row| matches!(row.standing, Standing::Wins | Standing::Tied | Standing::Slower));
    for pair in rows.windows(2) {
        assert!(pair[0].factor <= pair[1].factor, "{pair:?}");
        let [one, other] = [pair[0], pair[1]].map(|row| row.median.value().expect("a value"));
        let is_sorted = match metric.metric().better {
            Better::Less => one <= other * (1.0 + 1e-9),
            Better::More => one >= other * (1.0 - 1e-9),
        };
        assert!(is_sorted, "{pair:?}");
    }
    assert!(rows.iter().all(|row| row.factor.is_some_and(|factor| factor >= 1.0)), "{rows:?}");
    for row in rows {
        let (low, factor, high) = (row.factor_low, row.factor, row.factor_high);
        assert!(low.is_none() || low <= factor, "{row:?}");
        assert!(high.is_none() || row.factor_high >= factor, "{row:?}");
        // What is tied may be as fast, and what is slower is so by all that is known.
        assert!(low.is_none_or(|low| row.standing.is_candidate() == (low == 1.0)), "{row:?}");
    }
}
