//! What a longer run would bring.

use stats::contest::rounds_for_limit;
use stats::{median, robust_spread};

use crate::contest::Series;
use crate::contest::field::Field;
use crate::contest::ranking::{Further, State};

/// More than this many times the time spent is not worth offering.
const MOST_TIMES_SPENT: f64 = 10.0;
/// Limits that are worth a longer run, as fractions.
const LIMITS: [f64; 6] = [0.2, 0.1, 0.05, 0.03, 0.02, 0.01];

/// How many rounds of the tied entries bring the limit down, and how long they take. `None` where nothing is open, or where it would
/// take too long.
pub(crate) fn further(field: &Field<'_>, state: State) -> Option<Further> {
    let candidates = field.candidates();
    let leader = field.assessment.leader.filter(|_| state == State::Tied)?;
    let nearest = candidates.iter().copied().find(|&entry| entry != leader)?;
    let spread = robust_spread(&field.differences(leader, nearest))
        .filter(|spread| spread.is_finite() && *spread > 0.0)?;
    let limit = field.at_most().map_or(f64::INFINITY, f64::exp_m1);
    let judged = f64::from(field.judged_rounds());
    let offer = |target: f64| {
        let rounds = rounds_for_limit(spread, target.ln_1p());
        let spent_ns = spent_ns(field)?;
        let more_ns = (rounds - judged) * round_ns(field, &candidates)?;
        let is_worth_it = rounds - judged >= 1.0 && more_ns <= MOST_TIMES_SPENT * spent_ns;
        is_worth_it.then_some(Further { rounds: rounds.ceil() as u32, more_ns, at_most_slower: target })
    };
    let worth = LIMITS.into_iter().filter(|&target| target <= limit * 0.67 && target >= field.contest.delta);
    worth.filter_map(offer).next()
}

/// Nanoseconds that all samples took.
fn spent_ns(field: &Field<'_>) -> Option<f64> {
    let of = |series: &Series<'_>| Some(one_ns(series)? * series.rounds.len() as f64);
    let total: f64 = field.contest.series.iter().filter_map(of).sum();
    (total > 0.0).then_some(total)
}

/// Nanoseconds of a round of these entries.
fn round_ns(field: &Field<'_>, entries: &[usize]) -> Option<f64> {
    let of = |&entry: &usize| one_ns(&field.contest.series[entry]);
    let total: f64 = entries.iter().filter_map(of).sum();
    (total > 0.0).then_some(total)
}

/// What one round of an entry takes: its timed stretch.
fn one_ns(series: &Series<'_>) -> Option<f64> {
    let inner = series.samples.iter().map(|sample| sample.inner + 1).max().unwrap_or(1);
    median(&series.stretches()).map(|ns| ns * f64::from(inner))
}
