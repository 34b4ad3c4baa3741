//! The best of levels that do the same work: pieces of memory, numbers of threads.

use super::levels::Levels;
use super::{Asked, BestLevels, KeptAnswers, Question};
use crate::curve::{Curve, Line};

/// The levels that are best for the technique that is best at any of them.
pub(super) fn of(
    question: &Question<'_>,
    asked: &Asked,
    axis: &str,
    levels: &Levels<'_>,
    kept: &[KeptAnswers<'_>],
) -> Option<BestLevels> {
    let is_meant = |curve: &&Curve| {
        curve.family == question.family
            && curve.axis == axis
            && curve.workload == asked.workload.beside(axis)
            && levels.all.iter().any(|level| curve.holds(level.ranking))
    };
    let curve = kept.iter().find_map(|run| run.decided.curves.iter().find(is_meant))?;
    let value = |line: &&Line| {
        let best = line.spread.as_ref().map(|spread| &spread.best[..]).unwrap_or_default();
        let own = line.points.iter().filter(|point| best.contains(&point.at));
        let costs = own.filter_map(|point| point.median.value()).map(|value| curve.quantity.cost(value));
        costs.fold(f64::INFINITY, f64::min)
    };
    let has_best = |line: &&Line| line.spread.as_ref().is_some_and(|spread| !spread.best.is_empty());
    let line = curve.techniques.iter().filter(has_best).min_by(|a, b| value(a).total_cmp(&value(b)))?;
    let spread = line.spread.as_ref()?;
    Some(BestLevels {
        entry: spread.entry.clone(),
        levels: spread.best.clone(),
        chosen: spread.chosen,
        gain: spread.gain.clone(),
    })
}
