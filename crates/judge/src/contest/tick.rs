//! The counters of processor time: what lies below their tick is not known, and cannot be ranked.
//!
//! How a system counts is not reported anywhere: some note the time at every switch, others whose turn it is at every tick of
//! 1 to 16 ms. Where the parts of a time are counted by ticks and the whole is not, a part is 0 or all of it. So the
//! tick is read from the values themselves.

use model::{Source, Unit};

use crate::contest::{Contest, Series};

/// A shorter step is that of the figures, not of the counter.
pub(crate) const COARSE_NS: f64 = 500_000.0;
/// A counter that shows nothing in more than one round of this many does not see the entry.
const NOTHING_IN_ONE_OF: usize = 10;

/// Returns the tick of a metric in nanoseconds: its smallest value or distance of two. `None` where time is read.
pub(crate) fn of(contest: &Contest<'_>) -> Option<f64> {
    if !is_counted(contest) {
        return None;
    }
    let mut all: Vec<f64> = contest.series.iter().flat_map(values).collect();
    all.sort_unstable_by(f64::total_cmp);
    let steps = all.windows(2).map(|pair| pair[1] - pair[0]);
    let steps = steps.chain(all.iter().copied()).filter(|step| *step > 0.0);
    steps.min_by(f64::total_cmp)
}

fn is_counted(contest: &Contest<'_>) -> bool {
    contest.metric.source == Source::Usage && contest.unit == Some(Unit::Nanoseconds)
}

fn values<'a>(series: &'a Series<'_>) -> impl Iterator<Item = f64> + use<'a> {
    series.rounds.values().flatten().map(|timed| timed.value).filter(|value| value.is_finite())
}

/// Returns whether the counter shows nothing of an entry in more than one of ten of its rounds.
pub(crate) fn hides(contest: &Contest<'_>, series: &Series<'_>) -> bool {
    let (all, nothing) = readings(series);
    is_counted(contest) && NOTHING_IN_ONE_OF * nothing > all
}

/// Returns how many values an entry has, and how many of them are 0.
pub(crate) fn readings(series: &Series<'_>) -> (usize, usize) {
    (values(series).count(), values(series).filter(|value| *value == 0.0).count())
}

#[cfg(test)]
mod tests {
    use model::Metric;

    use crate::contest::ranking::{Ranking, State};
    use crate::read::observations::{Observation, Options, rank_observations};

    /// Returns a contest of two over 21 rounds by one metric, whose values are given for each round.
    fn contest(metric: Metric, a: impl Fn(u32) -> f64, b: impl Fn(u32) -> f64) -> Ranking {
        let observations = (0..=20).flat_map(|round| {
            [("a", a(round)), ("b", b(round))].map(|(name, value)| Observation {
                metric: Some(metric.clone()),
                ..Observation::new(round, name, value)
            })
        });
        rank_observations(&observations.collect::<Vec<_>>(), &Options::default()).remove(0)
    }

    #[test]
    fn what_lies_below_the_tick_of_its_counter_cannot_be_ranked() {
        // Accounting by ticks of 4 ms: one round in four shows one for a, and another one for b.
        let seldom = |round: u32| f64::from(round % 4 / 3) * 4e6;
        let found = contest(Metric::USER, seldom, |round| 4e6 + seldom(round + 1));
        assert_eq!(found.state, State::Refused);
        assert_eq!(
            found.sentence,
            "Refused: the user time of a lies below the tick of 4 ms of the system's counter, which shows 0 in 16 of 21 \
             samples of a. Ask for a larger workload, or compare user and system time together (--metric cpu)."
        );
        let a = found.entry("a").expect("an entry");
        assert_eq!((a.median.value(), a.mean_ratio, a.noise.is_none()), (None, None, true));
        assert_eq!(found.leader, None);
        assert!(found.entries.iter().all(|entry| entry.factor.is_none()), "{found:?}");
    }

    #[test]
    fn a_counter_that_shows_nothing_once_counts_one_tick_there() {
        let steps = |round: u32| 2.5e6 + f64::from(round % 3) * 1e5;
        let found = contest(Metric::SYSTEM, |round| if round == 7 { 0.0 } else { 2e6 }, steps);
        assert_eq!((found.state, found.leader.as_deref()), (State::Wins, Some("a")));
        let b = found.entry("b").expect("an entry");
        // The smallest step that is seen is 0.1 ms; 1 ns in its place would be 20,000 times below the others.
        assert!(b.factor.is_some_and(|factor| factor < 1.4), "{b:?}");
        let noise = found.entry("a").and_then(|a| a.noise.as_ref());
        assert!(noise.is_some_and(|noise| noise.max_over_median < 1.1), "{noise:?}");
    }
}
