//! What a curve says whose levels do the same work: which of them are best, and what the highest costs. Where the levels are
//! numbers of workers, the scalability law too.

use stats::contest::{Row, Rules, assess, interval};
use stats::{Matrix, fit_usl, median};

use crate::contest::ranking::Ratio;
use crate::curve::levels::Levels;
use crate::curve::{Gain, Overhead, ScalabilityLaw, Spread};

/// The seed of the resampling for the law's intervals: the same at every look at a run.
const SEED: u64 = 1;

/// A level belongs to the best until it is known to cost more than this share. Two runs differ by more than levels of one plateau do.
const LITTLE: f64 = 0.05;

/// Of one technique, by its entry that took part in most levels; `None` where the levels do other work, or have no rounds in common.
pub(crate) fn spread(levels: &Levels<'_>, technique: &str) -> Option<Spread> {
    let of_workers = levels.along.is_spread;
    if !of_workers && !levels.along.is_same_work {
        return None;
    }
    let entry = levels.entry_of_most_levels(technique)?;
    let (at, matrix) = levels.column_by_level(entry);
    let looks = levels.looks();
    // Round 0 is never counted.
    let rounds = matrix.rounds().min((0..at.len()).map(|level| matrix.rounds_of(level)).min()?);
    if at.len() < 2 || rounds < 2 {
        return None;
    }
    let rules = Rules { looks, baseline: None, ..levels.fields[0].rules.clone() };
    let counted = (1..rounds as usize)
        .map(|round| (0..at.len()).map(|level| matrix.value(level, round)).collect::<Option<Vec<f64>>>());
    let counted = counted.collect::<Option<Vec<_>>>()?;
    let (mut best, shown, rows) = plateau(&matrix, &at, &rules);
    let processors = processors(levels).filter(|_| of_workers);
    let overhead = overhead(&at, &counted, &rules, processors);
    // What is known to cost more than another level by more than a little is none of the best.
    let costly = overhead.as_ref().filter(|one| one.ratio.low.is_some_and(|low| low.ln() > limit(&rules)));
    best.retain(|level| costly.is_none_or(|one| one.at != *level));
    // Where no level is shown to be worse than another one, none is best.
    if best.len() == at.len() {
        best.clear();
    }
    // What is not shown to cost more and seems to is undecided.
    let seems_costly =
        |row: &Row| row.estimate.is_some_and(|estimate| estimate > limit(&rules)) && row.high > limit(&rules);
    best.retain(|level| !rows.iter().any(|row| at[row.entry] == *level && seems_costly(row)));
    let shown: Vec<u64> = shown.into_iter().filter(|level| best.contains(level)).collect();
    let chosen = if of_workers { shown.first().copied() } else { middle(&shown) };
    Some(Spread {
        entry: entry.to_owned(),
        gain: chosen.filter(|_| !of_workers).and_then(|chosen| gain(&at, (chosen, &best), &rows, &counted)),
        chosen,
        best,
        overhead,
        law: law(&at, &counted, processors),
    })
}

/// Processors that the work may use: those of the trial, or as many of them as the workload takes.
fn processors(levels: &Levels<'_>) -> Option<u64> {
    let contest = levels.fields[0].contest;
    let taken = contest.workload.point.word("processors").and_then(|word| word.parse().ok());
    taken.or(contest.processors)
}

/// Returns the logarithm of what is little.
fn limit(rules: &Rules) -> f64 {
    rules.delta.max(LITTLE).ln_1p()
}

/// Returns the levels not shown to cost more than a little over the best, those shown to cost at most that, and the rows.
fn plateau(matrix: &Matrix, at: &[u64], rules: &Rules) -> (Vec<u64>, Vec<u64>, Vec<Row>) {
    let assessment = assess(matrix, &(0..at.len()).collect::<Vec<_>>(), rules);
    if assessment.look.is_none() {
        return Default::default();
    }
    let (rows, limit) = (assessment.rows, limit(rules));
    let mut best: Vec<u64> = rows.iter().filter(|row| row.low <= limit).map(|row| at[row.entry]).collect();
    let mut shown: Vec<u64> = rows.iter().filter(|row| row.high <= limit).map(|row| at[row.entry]).collect();
    best.sort_unstable();
    shown.sort_unstable();
    (best, shown, rows)
}

/// Returns the level in the middle of some on a logarithmic scale.
fn middle(best: &[u64]) -> Option<u64> {
    // The level 0 has no logarithm. That to the base 2 is exact for most levels, and of two as near the lower is taken.
    let log = |level: u64| (level as f64).max(0.5).log2();
    let centre = (log(*best.first()?) + log(*best.last()?)) / 2.0;
    let distances = best.iter().map(|&level| ((log(level) - centre).abs(), level));
    distances.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, level)| level)
}

/// Returns the gain of the chosen level over the highest; `None` where that is the highest. It rests on the bounds of the best
/// levels, so a level among the best is not said to cost more.
fn gain(at: &[u64], (chosen, best): (u64, &[u64]), rows: &[Row], rounds: &[Vec<f64>]) -> Option<Gain> {
    let place = at.iter().position(|&level| level == chosen)?;
    let last = at.len() - 1;
    if place == last || best.contains(&at[last]) {
        return None;
    }
    let [of_chosen, of_last] = [place, last].map(|level| rows.iter().find(|row| row.entry == level));
    let (of_chosen, of_last) = of_chosen.zip(of_last)?;
    // The last level costs at least this much over the best, and the chosen one at most this much.
    let low = of_last.low - of_chosen.high.max(0.0);
    if !low.is_finite() || low <= 0.0 {
        return None;
    }
    let estimate = median(&ratios(rounds, last, place))?.clamp(low, of_last.high.max(low));
    Some(Gain {
        at: chosen,
        over: at[last],
        ratio: Ratio {
            factor: estimate.exp(),
            low: Some(low.exp()),
            high: Some(of_last.high.exp()).filter(|high| high.is_finite()),
        },
    })
}

/// Returns the logarithms of what one level costs over another, round by round.
fn ratios(rounds: &[Vec<f64>], level: usize, base: usize) -> Vec<f64> {
    rounds.iter().map(|round| (round[level] / round[base]).ln()).collect()
}

/// Returns the highest level over that of one worker a processor, or the nearest below.
fn overhead(at: &[u64], rounds: &[Vec<f64>], rules: &Rules, processors: Option<u64>) -> Option<Overhead> {
    let processors = processors?;
    let base = at.iter().rposition(|&level| level <= processors)?;
    let last = at.len() - 1;
    if base == last {
        return None;
    }
    let found = interval(&ratios(rounds, last, base), rules.alpha, &rules.looks)?;
    let [low, high] =
        [found.low.exp(), found.high.exp()].map(|end| Some(end).filter(|end| end.is_finite() && *end > 0.0));
    let ratio = Ratio { factor: found.estimate.exp(), low, high };
    Some(Overhead { at: at[last], base: at[base], processors, ratio })
}

/// Returns the law where it fits: within the processors, else beyond them.
fn law(at: &[u64], rounds: &[Vec<f64>], processors: Option<u64>) -> Option<ScalabilityLaw> {
    let threads: Vec<u32> = at.iter().map(|&level| u32::try_from(level).ok()).collect::<Option<_>>()?;
    let processors = u32::try_from(processors?).ok()?;
    let throughput: Vec<Vec<f64>> =
        rounds.iter().map(|round| round.iter().map(|cost| cost.recip()).collect()).collect();
    let (law, is_oversubscribed) = fit_usl(&threads, &throughput, processors, SEED)?;
    Some(ScalabilityLaw {
        is_oversubscribed,
        contention: law.alpha,
        contention_low: law.alpha_range.0,
        contention_high: law.alpha_range.1,
        coherence: law.beta,
        coherence_low: law.beta_range.0,
        coherence_high: law.beta_range.1,
        peak: law.peak,
        worst_residual: law.worst_residual,
    })
}
