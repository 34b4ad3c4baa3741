//! What more rounds would show, and how long they take.

use model::Sample;
use stats::contest::rounds_for_limit;
use stats::{median, robust_spread};

use crate::contest::Series;
use crate::contest::field::Field;
use crate::contest::ranking::State;
use crate::words::answer::View;
use crate::words::wording::{percent, span};

/// More than so many times the time spent is not worth offering.
const MOST_TIMES_SPENT: f64 = 10.0;
/// Limits that are worth a longer run, as fractions.
const LIMITS: [f64; 6] = [0.2, 0.1, 0.05, 0.03, 0.02, 0.01];

/// How many more rounds of the candidates bring the limit down, and how long they take. `None` where nothing is open,
/// or where it would take too long.
pub(crate) fn further(view: &View<'_>, state: State) -> Option<String> {
    let field = view.field;
    if !matches!(state, State::OneTechnique | State::Few | State::Many | State::NoLimit) {
        return None;
    }
    let spread = spread(view)?;
    let limit = field.at_most().map_or(f64::INFINITY, f64::exp_m1);
    let judged = f64::from(field.judged_rounds());
    let delta = field.contest.delta;
    let offer = |target: f64| {
        let more = rounds_for_limit(spread, target.ln_1p()) - judged;
        let spent_ns = spent_ns(field)?;
        let takes_ns = more * round_ns(field, &view.candidates)?;
        (more >= 1.0 && takes_ns <= MOST_TIMES_SPENT * spent_ns).then_some((target, more, takes_ns))
    };
    let worth = LIMITS.into_iter().filter(|&target| target <= limit * 0.67 && target >= delta);
    let (target, more, takes_ns) = worth.filter_map(offer).next()?;
    let (limit, time) = (percent(target), span(takes_ns));
    let rounds = if more == 1.0 { "1 more round".to_owned() } else { format!("{more:.0} more rounds") };
    Some(format!(
        "About {rounds} of those that {} ({time}) would bring what choosing {} can cost to {limit}.",
        view.terms.may_be_best,
        view.name(view.leader)
    ))
}

/// How much the ratio of the leader to the nearest candidate varies from round to round.
fn spread(view: &View<'_>) -> Option<f64> {
    let nearest = view.candidates.iter().copied().find(|&entry| entry != view.leader)?;
    robust_spread(&view.field.differences(view.leader, nearest))
        .filter(|spread| spread.is_finite() && *spread > 0.0)
}

/// Nanoseconds that all samples so far took.
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

/// What one round of an entry takes: its timed stretch. Most of the time beside it is common to all.
fn one_ns(series: &Series<'_>) -> Option<f64> {
    let stretch = |sample: &&Sample| {
        let inside = sample.work_ns.map(|ns| ns as f64 * sample.repetitions.max(1) as f64);
        sample.process_ns.map(|ns| ns as f64).or(inside)
    };
    let all: Vec<f64> = series.samples.iter().filter_map(stretch).collect();
    let inner = series.samples.iter().map(|sample| sample.inner + 1).max().unwrap_or(1);
    median(&all).map(|ns| ns * f64::from(inner))
}
