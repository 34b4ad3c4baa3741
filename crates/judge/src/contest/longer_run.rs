//! The forecast of a longer run.

use stats::contest::rounds_for_limit;
use stats::{median, robust_spread};

use crate::contest::Series;
use crate::contest::field::Field;
use crate::contest::ranking::{Further, State};

/// More than this many times the time spent is not worth offering.
const MOST_TIMES_SPENT: f64 = 10.0;
/// Limits that are worth a longer run, as fractions.
const LIMITS: [f64; 5] = [0.1, 0.05, 0.03, 0.02, 0.01];

/// Of many tied entries, this many are measured longer: the first.
pub const MOST_MEASURED_LONGER: usize = 5;

/// Returns the rounds of the tied entries that bring the limit down. `None` where nothing is open or it would take too long.
pub(crate) fn further(field: &Field<'_>, state: State) -> Option<Further> {
    let mut candidates = field.candidates();
    candidates.truncate(MOST_MEASURED_LONGER);
    let leader = field.assessment.leader.filter(|_| state == State::Tied)?;
    let nearest = candidates.iter().copied().find(|&entry| entry != leader)?;
    let spread = robust_spread(&field.differences(leader, nearest))
        .filter(|spread| spread.is_finite() && *spread > 0.0)?;
    let limit = field.at_most().map_or(f64::INFINITY, f64::exp_m1);
    let judged = f64::from(field.judged_rounds());
    let series = &field.contest.series;
    let spent_ns = series.iter().filter_map(|one| Some(one_ns(one)? * one.rounds.len() as f64)).sum::<f64>();
    let round_ns = candidates.iter().filter_map(|&entry| one_ns(&series[entry])).sum::<f64>();
    let mut worth =
        LIMITS.into_iter().filter(|&target| target <= limit * 0.67 && target >= field.contest.delta);
    worth.find_map(|target| {
        let rounds = rounds_for_limit(spread, target.ln_1p());
        let more_ns = (rounds - judged) * round_ns;
        let is_worth_it = round_ns > 0.0 && rounds - judged >= 1.0 && more_ns <= MOST_TIMES_SPENT * spent_ns;
        is_worth_it.then_some(Further { rounds: rounds.ceil() as u32, more_ns, at_most_slower: target })
    })
}

/// Returns what one round of an entry takes: its timed stretch.
fn one_ns(series: &Series<'_>) -> Option<f64> {
    let inner = series.samples.iter().map(|sample| sample.inner + 1).max().unwrap_or(1);
    median(&series.stretches()).map(|ns| ns * f64::from(inner))
}
