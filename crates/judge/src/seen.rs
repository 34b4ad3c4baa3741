//! What plots show next to the rankings: every sample, and how the host and the contests moved over the run.

use std::collections::{BTreeMap, BTreeSet};

use model::{Record, Sample, TrialRecord};
use stats::{median, quantile, robust_spread};

use crate::contest::Timed;
use crate::contest::ranking::{Entry, Ranking};
use crate::decide::{Decided, rounds, seats};

/// What was seen of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// The samples of each contest, in the order of [`Decided::rankings`].
    pub contests: Vec<ContestSeen>,
    /// The fixed work that is the same in every round: of the processor, then of memory. Empty where there was none.
    pub canaries: Vec<Drift>,
}

/// What was seen of a contest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContestSeen {
    /// The samples of each entry, in the order of [`Ranking::entries`].
    pub entries: Vec<Cloud>,
    /// How the entries that may be fastest moved together; `None` with fewer than two rounds.
    pub drift: Option<Drift>,
}

/// All samples of an entry in counted rounds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cloud {
    /// In the order in which they were taken. A round that failed has none.
    pub dots: Vec<Dot>,
    /// The middle half of the values: first and third quartile.
    pub middle: Option<(f64, f64)>,
    /// Where the time of one repetition went.
    pub times: Times,
}

/// What one repetition of an entry took: medians over its counted rounds.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Times {
    /// Real time; that of the process where the process is timed.
    pub real_ns: Option<f64>,
    /// User and system time together; `None` where the system says nothing, or less than a tick of its counter.
    pub cpu_ns: Option<f64>,
    /// User and system time apart; `None` where a timed stretch is shorter than a tick of the system's accounting.
    pub apart_ns: Option<(f64, f64)>,
}

/// One sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dot {
    /// Round in which it was taken.
    pub round: u32,
    /// Its cost over the median cost, in the same round, of those that may be fastest; scaled so that the leader's median
    /// is 1.
    pub ratio: f64,
}

/// How something moved over the rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// Round, and the cost in it over the median of all rounds.
    pub rounds: Vec<(u32, f64)>,
    /// That median, where it is a time: what several entries take together has none.
    pub median_ns: Option<f64>,
    /// 1.4826 x median absolute deviation / median.
    pub spread: f64,
}

/// What was seen of a run: a pure function of its samples.
pub fn seen(record: &Record, decided: &Decided) -> Seen {
    let seats = seats(&record.trials);
    let contest = |ranking: &Ranking| {
        let own = seats.iter().find(|seats| seats.are_of(ranking));
        own.map_or_else(ContestSeen::default, |seats| contest_seen(ranking, &seats.trials))
    };
    let canary = |of: fn(&(u32, u64, u64)) -> u64| {
        drift(record.canaries.iter().map(|canary| (canary.0, of(canary) as f64)).collect(), true)
    };
    Seen {
        contests: decided.rankings.iter().map(contest).collect(),
        canaries: [canary(|canary| canary.1), canary(|canary| canary.2)].into_iter().flatten().collect(),
    }
}

/// Costs by round.
type Costs = BTreeMap<u32, Vec<f64>>;

fn contest_seen(ranking: &Ranking, trials: &[&TrialRecord]) -> ContestSeen {
    let costs_of = |technique: &str| -> Costs {
        let trial = trials.iter().find(|trial| trial.technique == technique);
        trial.map_or_else(Costs::new, |trial| costs(ranking, trial))
    };
    let mut costs: Vec<Costs> = ranking.entries.iter().map(|entry| costs_of(&entry.technique)).collect();
    // The first round is recorded and not counted; of a run that has no other it is all there is.
    let numbers: BTreeSet<u32> = costs.iter().flat_map(|costs| costs.keys().copied()).collect();
    if let (Some(first), true) = (numbers.first(), numbers.len() > 1) {
        let counted = |costs: &Costs| costs.keys().any(|round| round != first);
        costs.iter_mut().filter(|costs| counted(costs)).for_each(|costs| drop(costs.remove(first)));
    }
    let indices = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
        let named = ranking.entries.iter().enumerate().filter(|(_, entry)| wanted(&entry.technique));
        named.map(|(index, _)| index).collect()
    };
    let leads = |name: &str| ranking.leader.as_deref() == Some(name);
    let mut best = indices(&|name| ranking.candidates.iter().any(|one| one == name));
    if best.is_empty() {
        best = indices(&leads);
    }
    if best.is_empty() {
        best = (0..ranking.entries.len()).collect();
    }
    // Where nothing could run there is no entry, and nothing was seen.
    let Some(&first) = best.first() else { return ContestSeen::default() };
    let by_round = by_round(&best, &costs);
    let leader = indices(&leads).first().copied().unwrap_or(first);
    let scale = median(&ratios(&costs[leader], &by_round).map(|dot| dot.ratio).collect::<Vec<_>>());
    let cloud = |(entry, costs): (&Entry, &Costs)| Cloud {
        dots: ratios(costs, &by_round)
            .map(|dot| Dot { ratio: dot.ratio / scale.unwrap_or(1.0), ..dot })
            .filter(|dot| dot.ratio.is_finite() && dot.ratio > 0.0)
            .collect(),
        middle: middle(ranking, costs),
        times: times(entry, trials),
    };
    ContestSeen {
        entries: ranking.entries.iter().zip(&costs).map(cloud).collect(),
        drift: moved(&best, &costs),
    }
}

fn costs(ranking: &Ranking, trial: &TrialRecord) -> Costs {
    let metric = &ranking.metric;
    let costs = |values: Vec<Timed>| -> Vec<f64> {
        let costs = values.iter().map(|timed| metric.cost(timed.value));
        costs.filter(|cost| cost.is_finite()).collect()
    };
    let rounds = rounds(&trial.samples, &trial.failures, metric).into_iter();
    rounds.map(|(round, values)| (round, costs(values))).filter(|(_, costs)| !costs.is_empty()).collect()
}

/// The median of the named entries in each round in which one of them took part.
fn by_round(named: &[usize], costs: &[Costs]) -> BTreeMap<u32, f64> {
    let mut rounds: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for &index in named {
        for (&round, costs) in &costs[index] {
            rounds.entry(round).or_default().extend(median(costs));
        }
    }
    rounds.into_iter().filter_map(|(round, costs)| Some((round, median(&costs)?))).collect()
}

fn ratios<'a>(costs: &'a Costs, best: &'a BTreeMap<u32, f64>) -> impl Iterator<Item = Dot> + 'a {
    costs.iter().flat_map(move |(&round, costs)| {
        let best = best.get(&round).copied().filter(|best| *best > 0.0);
        costs.iter().filter_map(move |cost| Some(Dot { round, ratio: cost / best? }))
    })
}

/// First and third quartile of the values, as they were measured.
fn middle(ranking: &Ranking, costs: &Costs) -> Option<(f64, f64)> {
    // Cost and value are each other's inverse, or equal: the way back is the same.
    let values: Vec<f64> = costs.values().flatten().map(|&cost| ranking.metric.cost(cost)).collect();
    Some((quantile(&values, 0.25)?, quantile(&values, 0.75)?)).filter(|_| values.len() > 2)
}

/// Where the time of an entry went. A sample counts what all its repetitions used, and its work time is that of one.
fn times(entry: &Entry, trials: &[&TrialRecord]) -> Times {
    let Some(trial) = trials.iter().find(|trial| trial.technique == entry.technique) else {
        return Times::default();
    };
    let first = trial.samples.iter().map(|sample| sample.round).min();
    let has_others = trial.samples.iter().any(|sample| Some(sample.round) != first);
    let counts = |sample: &&Sample| !has_others || Some(sample.round) != first;
    let typical = |of: &dyn Fn(&Sample) -> Option<f64>| {
        median(&trial.samples.iter().filter(counts).filter_map(of).collect::<Vec<f64>>())
    };
    let of_one = |sample: &Sample, ns: Option<u64>| Some(ns? as f64 / sample.repetitions.max(1) as f64);
    let real = |sample: &Sample| of_one(sample, sample.process_ns).or(sample.work_ns.map(|ns| ns as f64));
    let apart = || {
        let (Some(_), Some(_)) = (entry.user_ns, entry.system_ns) else { return None };
        let user = typical(&|sample| of_one(sample, sample.usage.user_ns))?;
        Some((user, typical(&|sample| of_one(sample, sample.usage.system_ns))?))
    };
    Times {
        real_ns: typical(&real),
        cpu_ns: entry.cpu_ns.and_then(|_| typical(&|sample| of_one(sample, sample.usage.cpu_ns()))),
        apart_ns: apart(),
    }
}

/// How those that may be fastest moved together: the median, in each round, of their costs over their own medians.
fn moved(named: &[usize], costs: &[Costs]) -> Option<Drift> {
    let own = |index: &usize| -> Costs {
        let typical: Vec<f64> = costs[*index].values().filter_map(|costs| median(costs)).collect();
        let typical = median(&typical).filter(|typical| *typical > 0.0);
        let relative = |(&round, costs): (&u32, &Vec<f64>)| Some((round, vec![median(costs)? / typical?]));
        costs[*index].iter().filter_map(relative).collect()
    };
    let relative: Vec<Costs> = named.iter().map(own).collect();
    let all: Vec<usize> = (0..relative.len()).collect();
    drift(by_round(&all, &relative).into_iter().collect(), false)
}

fn drift(rounds: Vec<(u32, f64)>, is_time: bool) -> Option<Drift> {
    let values: Vec<f64> = rounds.iter().map(|(_, value)| *value).collect();
    let typical = median(&values).filter(|typical| *typical > 0.0 && values.len() > 1)?;
    let rounds = rounds.into_iter().map(|(round, value)| (round, value / typical)).collect();
    let median_ns = is_time.then_some(typical);
    Some(Drift { rounds, median_ns, spread: robust_spread(&values)? / typical })
}

#[cfg(test)]
mod tests;
