//! One cell as the judge sees it, wherever its samples came from.

use std::collections::BTreeMap;

use model::{Class, Failure, FailureKind, Kind, Metric, Note, Sample, Setting, Workload};
use stats::{Assessment, Matrix, Rules, TwinOutcome, assess, effective_delta, twins_differ};

/// After so many failures the coordinator gives a technique up.
const MOST_FAILURES: usize = 3;

/// What the values are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Nanoseconds,
    Bytes,
    /// Somebody's own samples: smaller is better, and that is all that is known.
    Unknown,
}

/// One value, with its place in the order of the round where that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timed {
    pub(crate) inner: u32,
    pub(crate) position: Option<u32>,
    pub(crate) value: f64,
}

/// One technique with all that was seen of it.
#[derive(Debug, Clone)]
pub(crate) struct Entry<'a> {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) kind: Kind,
    pub(crate) twin_of: Option<String>,
    /// By round, as it was numbered.
    pub(crate) rounds: BTreeMap<u32, Vec<Timed>>,
    pub(crate) samples: Vec<&'a Sample>,
    pub(crate) failures: Vec<Failure>,
}

/// One cell: the techniques of one class at one workload and setting, and the rules of the contest.
#[derive(Debug, Clone)]
pub(crate) struct Contest<'a> {
    pub(crate) family: String,
    pub(crate) workload: Workload,
    pub(crate) setting: Setting,
    pub(crate) class: Class,
    pub(crate) metric: Metric,
    pub(crate) unit: Unit,
    /// Chance of a false verdict in this cell.
    pub(crate) alpha: f64,
    /// Chance of a false verdict that the reader asked for: what "95 %" is said by.
    pub(crate) asked_alpha: f64,
    pub(crate) delta: f64,
    pub(crate) looks: Vec<u32>,
    pub(crate) attempt: u32,
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) processors: Option<u64>,
    pub(crate) clock_step_ns: Option<u64>,
    pub(crate) canaries: &'a [(u32, u64, u64)],
    pub(crate) notes: &'a [Note],
    /// Why nothing may be said, when that is known before anything is computed.
    pub(crate) refused: Option<String>,
}

impl Entry<'_> {
    /// Whether it never began because it does not exist here: that is no failure of its own.
    pub(crate) fn is_missing(&self) -> bool {
        let before = |failure: &Failure| failure.kind == FailureKind::Missing && failure.round.is_none();
        self.rounds.is_empty()
            && self.samples.is_empty()
            && !self.failures.is_empty()
            && self.failures.iter().all(before)
    }

    fn competes(&self) -> bool {
        matches!(self.kind, Kind::BuiltIn | Kind::Contender)
    }
}

/// The contests in which somebody competes. Where every technique of a class is missing here there is no contest: they
/// join the one that is held at the same workload and setting, so that they are told there as not available.
pub(crate) fn gathered(mut contests: Vec<Contest<'_>>) -> Vec<Contest<'_>> {
    contests.retain(|contest| contest.entries.iter().any(Entry::competes));
    let empty =
        |contest: &Contest<'_>| contest.entries.iter().filter(|e| e.competes()).all(Entry::is_missing);
    let mut joins: Vec<(usize, usize)> = Vec::new();
    for (from, contest) in contests.iter().enumerate().filter(|(_, contest)| empty(contest)) {
        let here = |other: &Contest<'_>| {
            other.family == contest.family
                && other.workload == contest.workload
                && other.setting == contest.setting
        };
        let hosts = contests.iter().enumerate().filter(|(_, other)| here(other));
        let host = hosts.min_by_key(|(_, other)| (empty(other), other.class)).map(|(index, _)| index);
        joins.extend(host.filter(|&host| host != from).map(|host| (from, host)));
    }
    for &(from, host) in &joins {
        let entries = std::mem::take(&mut contests[from].entries);
        contests[host].entries.extend(entries.into_iter().filter(Entry::competes));
    }
    contests.retain(|contest| !contest.entries.is_empty());
    contests
}

/// A contest with its samples in place: who competes, who failed, and what may be said at the last look.
pub(crate) struct Field<'a> {
    pub(crate) contest: &'a Contest<'a>,
    pub(crate) matrix: Matrix,
    /// Round numbers in ascending order: column `i` of the matrix is round `rounds[i]`.
    pub(crate) rounds: Vec<u32>,
    /// Rounds that were dropped whole, because a technique that took part later has no value in them.
    pub(crate) torn: Vec<u32>,
    pub(crate) competitors: Vec<usize>,
    /// Built-in techniques that do not exist here. They are told as such and have no line.
    pub(crate) missing: Vec<usize>,
    /// Entries that are out, with the reason.
    pub(crate) failed: Vec<(usize, String)>,
    pub(crate) ceilings: Vec<usize>,
    /// A twin with the entry that it repeats, and what the two showed.
    pub(crate) twins: Vec<(usize, usize, TwinOutcome)>,
    pub(crate) rules: Rules,
    pub(crate) assessment: Assessment,
}

impl<'a> Field<'a> {
    pub(crate) fn new(contest: &'a Contest<'a>) -> Self {
        let entries = &contest.entries;
        let (rounds, torn) = whole_rounds(entries);
        let mut matrix = Matrix::new(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            for (column, round) in rounds.iter().enumerate() {
                if let Some(values) = entry.rounds.get(round) {
                    matrix.set(index, column, values.iter().map(|timed| timed.value).collect());
                }
            }
        }
        let of_kind = |kind: Kind| (0..entries.len()).filter(move |&i| entries[i].kind == kind);
        let twins: Vec<(usize, usize, TwinOutcome)> = of_kind(Kind::Twin)
            .filter_map(|twin| {
                let original =
                    entries.iter().position(|entry| entries[twin].twin_of.as_ref() == Some(&entry.name))?;
                Some((twin, original, twins_differ(&matrix, original, twin, &contest.looks)?))
            })
            .collect();
        let floor = twins.iter().map(|(_, _, twin)| twin.floor).reduce(f64::max);
        let rules = Rules {
            alpha: contest.alpha,
            delta: effective_delta(contest.delta, floor),
            looks: contest.looks.clone(),
        };
        let missing: Vec<usize> =
            of_kind(Kind::BuiltIn).filter(|&index| entries[index].is_missing()).collect();
        let (mut competitors, mut failed) = (Vec::new(), Vec::new());
        let here = of_kind(Kind::BuiltIn).filter(|index| !missing.contains(index));
        for index in here.chain(of_kind(Kind::Contender)) {
            match disqualified(&entries[index], contest.metric) {
                None => competitors.push(index),
                Some(reason) => failed.push((index, reason)),
            }
        }
        competitors.sort_unstable();
        let ceilings = of_kind(Kind::Ceiling).filter(|&index| !entries[index].rounds.is_empty()).collect();
        let assessment = assess(&matrix, &competitors, &rules);
        let mut field = Self {
            contest,
            matrix,
            rounds,
            torn,
            competitors,
            missing,
            failed,
            ceilings,
            twins,
            rules,
            assessment,
        };
        field.drop_those_that_gave_up();
        field
    }

    /// A technique whose rounds end early in failures was given up, and holds nobody up. One that left because it was
    /// far behind is no such case.
    fn drop_those_that_gave_up(&mut self) {
        let most = self.competitors.iter().map(|&index| self.matrix.rounds_of(index)).max().unwrap_or(0);
        let given_up = |&index: &usize| {
            let own = self.matrix.rounds_of(index);
            let left = self.assessment.row(index).is_some_and(|row| row.left.is_some());
            let last = (own as usize).checked_sub(1).and_then(|last| self.matrix.value(index, last));
            let failures = &self.contest.entries[index].failures;
            let enough = failures.iter().filter(|failure| failure.round.is_some()).count() >= MOST_FAILURES;
            let ended = own + 1 < most || (own < most && enough);
            // A crash that broke a session has a row, and its round counts for nobody.
            let broke = failures.iter().any(|failure| failure.round.is_some_and(|round| round >= own));
            ended && !left && (last == Some(f64::INFINITY) || broke)
        };
        let gone: Vec<usize> = self.competitors.iter().copied().filter(given_up).collect();
        if gone.is_empty() {
            return;
        }
        self.competitors.retain(|index| !gone.contains(index));
        for index in gone {
            let reason = format!("given up after round {}: it kept failing", self.matrix.rounds_of(index));
            self.failed.push((index, reason));
        }
        self.assessment = assess(&self.matrix, &self.competitors, &self.rules);
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        &self.contest.entries[index].name
    }

    /// The twin's measured floor, as a fraction.
    pub(crate) fn floor(&self) -> Option<f64> {
        self.twins.iter().map(|(_, _, twin)| twin.floor).filter(|floor| floor.is_finite()).reduce(f64::max)
    }

    /// All finite values of an entry, one for each round, in the order of the rounds.
    pub(crate) fn values(&self, index: usize) -> Vec<f64> {
        let rounds = 0..self.rounds.len();
        rounds.filter_map(|round| self.matrix.value(index, round)).filter(|value| value.is_finite()).collect()
    }

    /// Rounds up to the last look; all whole rounds before the first.
    pub(crate) fn judged_rounds(&self) -> u32 {
        self.assessment.look.unwrap_or(self.assessment.rounds)
    }

    /// Differences `ln other - ln base` over the judged rounds that both took part in.
    pub(crate) fn differences(&self, base: usize, other: usize) -> Vec<f64> {
        self.matrix.differences(base, other, self.judged_rounds())
    }
}

/// Rounds in which everybody took part who was still in, and those that lack somebody. A technique is in up to its last
/// round; the limits may come and go.
pub(crate) fn whole_rounds(entries: &[Entry<'_>]) -> (Vec<u32>, Vec<u32>) {
    let mut rounds: Vec<u32> = entries.iter().flat_map(|entry| entry.rounds.keys().copied()).collect();
    rounds.sort_unstable();
    rounds.dedup();
    let in_it = |entry: &&Entry<'_>, round: u32| {
        entry.kind != Kind::Ceiling && entry.rounds.keys().next_back().is_some_and(|&last| last >= round)
    };
    rounds.into_iter().partition(|round| {
        entries.iter().filter(|entry| in_it(entry, *round)).all(|entry| entry.rounds.contains_key(round))
    })
}

/// Why an entry is out of the contest.
fn disqualified(entry: &Entry<'_>, metric: Metric) -> Option<String> {
    let wrong = entry.failures.iter().find(|failure| failure.kind == FailureKind::Wrong);
    if let Some(wrong) = wrong {
        return Some(format!("disqualified, wrong answer: {}", wrong.reason));
    }
    let mut values = entry.rounds.values().flatten().map(|timed| timed.value);
    if values.clone().any(|value| value == 0.0) && matches!(metric, Metric::Work | Metric::Process) {
        return Some("disqualified: a time of 0 is no work".to_owned());
    }
    if values.any(f64::is_finite) {
        return None;
    }
    Some(match entry.failures.first() {
        Some(failure) => failure.reason.clone(),
        None if entry.samples.is_empty() && entry.rounds.is_empty() => "it was never measured".to_owned(),
        None if entry.samples.is_empty() => "it failed in every round".to_owned(),
        None => format!("the metric '{metric}' was not measured for it"),
    })
}
