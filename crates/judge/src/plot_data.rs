//! The data of plots, next to the rankings: every sample, and how the host and the contests moved over the run.

use std::collections::BTreeMap;

use model::{Record, TrialRecord};
use stats::{median, robust_spread};

use crate::contest::counted;
use crate::contest::entries::{median_of, of_one};
use crate::contest::ranking::{Entry, Ranking};
use crate::decide::{Decided, rounds, seats};

/// The samples and drift of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Seen {
    /// The samples of each contest, in the order of [`Decided::rankings`].
    pub contests: Vec<ContestSeen>,
    /// The fixed work that is the same in every round: of the processor, then of memory. Empty where there was none.
    pub canaries: Vec<Drift>,
}

/// The samples and drift of a contest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContestSeen {
    /// The samples of each entry, in the order of [`Ranking::entries`].
    pub entries: Vec<Cloud>,
    /// The common drift of the entries that may be fastest; `None` with fewer than two rounds.
    pub drift: Option<Drift>,
}

/// All samples of an entry in counted rounds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cloud {
    /// In the order in which they were taken. A round that failed has none.
    pub dots: Vec<Dot>,
    /// The parts of the time of one repetition.
    pub times: Times,
}

/// The times of one repetition of an entry: medians over its counted rounds.
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
    /// Its cost over the median cost of those that may be fastest in the same round; scaled so that the leader's median is 1.
    pub ratio: f64,
}

/// The drift of something over the rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// Round, and the cost in it over the median of all rounds.
    pub rounds: Vec<(u32, f64)>,
    /// That median, where it is a time: what several entries take together has none.
    pub median_ns: Option<f64>,
    /// 1.4826 x median absolute deviation / median.
    pub spread: f64,
}

/// Gathers the samples and drift of a run: a pure function of its samples.
pub fn seen(record: &Record, decided: &Decided) -> Seen {
    let seats = seats(&record.trials);
    let contests = decided.rankings.iter().map(|ranking| {
        let own = seats.iter().find(|seats| seats.are_of(ranking));
        own.map_or_else(ContestSeen::default, |seats| contest_seen(ranking, &seats.trials))
    });
    let canaries = record.canaries.iter();
    let processor = canaries.clone().map(|canary| (canary.0, canary.1 as f64)).collect();
    let memory = canaries.map(|canary| (canary.0, canary.2 as f64)).collect();
    let canaries = [processor, memory].into_iter().filter_map(|rounds| drift(rounds, true));
    Seen { contests: contests.collect(), canaries: canaries.collect() }
}

type Costs = BTreeMap<u32, Vec<f64>>;

fn contest_seen(ranking: &Ranking, trials: &[&TrialRecord]) -> ContestSeen {
    let costs = ranking.entries.iter().map(|entry| {
        let trial = trials.iter().find(|trial| trial.technique == entry.technique);
        trial.map_or_else(Costs::new, |trial| costs(ranking, trial))
    });
    let costs: Vec<Costs> = costs.collect();
    let names: Vec<&String> = ranking.entries.iter().map(|entry| &entry.technique).collect();
    let all = 0..names.len();
    let tied: Vec<usize> = all.clone().filter(|&at| ranking.candidates.contains(names[at])).collect();
    let leading: Vec<usize> = all.clone().filter(|&at| Some(names[at]) == ranking.leader.as_ref()).collect();
    let everyone: Vec<usize> = all.collect();
    let best = [&tied, &leading, &everyone].into_iter().find(|some| !some.is_empty());
    // Where nothing could run there is no entry, and nothing was seen.
    let Some(best) = best else { return ContestSeen::default() };
    let by_round = by_round(best, &costs);
    let of_leader = ratios(&costs[*leading.first().unwrap_or(&best[0])], &by_round);
    let scale = median(&of_leader.map(|dot| dot.ratio).collect::<Vec<_>>()).unwrap_or(1.0);
    let clouds = ranking.entries.iter().zip(&costs).map(|(entry, costs)| {
        let dots = ratios(costs, &by_round).map(|dot| Dot { ratio: dot.ratio / scale, ..dot });
        let dots = dots.filter(|dot| dot.ratio.is_finite() && dot.ratio > 0.0).collect();
        Cloud { dots, times: times(entry, ranking, trials) }
    });
    ContestSeen { entries: clouds.collect(), drift: moved(best, &costs) }
}

fn costs(ranking: &Ranking, trial: &TrialRecord) -> Costs {
    let rounds = rounds(&trial.samples, &trial.failures, &ranking.metric);
    let costs = rounds.into_iter().map(|(round, values)| {
        let costs = values.iter().map(|timed| ranking.metric.cost(timed.value));
        (round, costs.filter(|cost| cost.is_finite()).collect::<Vec<f64>>())
    });
    let costs: Costs = costs.filter(|(_, costs)| !costs.is_empty()).collect();
    counted(costs.into_iter(), ranking.first_counted, |(round, _)| *round).into_iter().collect()
}

/// Returns the median of the named entries in each round in which one of them took part.
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

/// Returns the times of an entry. A sample counts what all its repetitions used, and its work time is that of one.
fn times(entry: &Entry, ranking: &Ranking, trials: &[&TrialRecord]) -> Times {
    let Some(trial) = trials.iter().find(|trial| trial.technique == entry.technique) else {
        return Times::default();
    };
    let counted = counted(trial.samples.iter(), ranking.first_counted, |sample| sample.round);
    Times {
        real_ns: median_of(&counted, |one| of_one(one, one.process_ns).or(one.work_ns.map(|ns| ns as f64))),
        cpu_ns: entry.cpu_ns,
        apart_ns: entry.user_ns.zip(entry.system_ns),
    }
}

/// Returns the common drift: the median, in each round, of the costs over their own medians.
fn moved(named: &[usize], costs: &[Costs]) -> Option<Drift> {
    let relative = named.iter().map(|&index| {
        let medians = costs[index].iter().filter_map(|(round, costs)| Some((*round, median(costs)?)));
        let medians: Vec<(u32, f64)> = medians.collect();
        let typical = median(&medians.iter().map(|(_, cost)| *cost).collect::<Vec<_>>());
        let typical = typical.filter(|typical| *typical > 0.0);
        medians.into_iter().filter_map(|(round, cost)| Some((round, vec![cost / typical?]))).collect()
    });
    let relative: Vec<Costs> = relative.collect();
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
