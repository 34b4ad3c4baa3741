//! Advice in sentences.

use model::{axis_counted, axis_kind, axis_name, axis_value};

use super::{Advice, Basis, BestLevels};
use crate::contest::ranking::{Choice, Ranking};
use crate::wording::{best, better, between, worse};
use crate::words::contest::{behind, cost_at_most, factor};
use crate::words::curve::Along;

/// Says what to do, where only `among` can be chosen, if any; `open` is the contest of a level without an answer, `there` the choice at
/// the nearest level.
pub(super) fn sentence(
    advice: &Advice, among: &[String], open: Option<&Ranking>, there: Option<&Choice>,
) -> String {
    let axis = advice.axis.as_deref().unwrap_or_default();
    let along = along(advice);
    match (advice.basis, &advice.choice, advice.at) {
        (_, Some(choice), _) => {
            let nothing = if among.is_empty() { "nothing" } else { "none of the others named" };
            point(advice, choice, nothing)
        }
        (Basis::AllLevels { .. }, None, _) => {
            let best = advice.best_levels.as_ref().map_or(String::new(), |best| of_levels(axis, best) + " ");
            best + &along.answer(&advice.ranges.iter().map(|one| one.range.clone()).collect::<Vec<_>>())
        }
        (Basis::Outside { nearest }, None, Some(at)) => {
            let is = if at > nearest { "largest" } else { "smallest" };
            let (kind, at, near) = (axis_kind(axis), axis_value(axis, at), axis_value(axis, nearest));
            let there =
                there.map_or(String::new(), |choice| format!("; there {}", one_choice(advice, choice)));
            format!("No answer for {at}: the {is} {kind} that was measured is {near}{there}.")
        }
        (Basis::Between { below, above }, None, Some(at)) => {
            let [below, above] = [below, above].map(|level| {
                let mut ranges = advice.ranges.iter().map(|one| &one.range);
                let range = ranges.find(|range| (range.from..=range.to).contains(&level));
                let entry = range.map_or("no answer", |range| &*range.choice.entry);
                format!("{entry} at {}", axis_value(axis, level))
            });
            let at = axis_value(axis, at);
            format!("No answer for {at}: {below}, {above}, and nothing was measured between.")
        }
        _ if open.is_some() => open.map_or(String::new(), |one| format!("No answer. {}", one.sentence)),
        _ => match &advice.baseline {
            Some(baseline) => {
                format!("No answer: the others were not compared with {baseline}, the baseline.")
            }
            None => "No answer: too little was measured.".to_owned(),
        },
    }
}

fn along(advice: &Advice) -> Along<'_> {
    Along {
        axis: advice.axis.as_deref().unwrap_or_default(),
        levels: &advice.levels,
        baseline: advice.baseline.as_deref(),
        metric: &advice.metric,
    }
}

fn one_choice(advice: &Advice, choice: &Choice) -> String {
    match (&choice.baseline, advice.baseline.as_deref()) {
        (Some(ratio), Some(baseline)) => {
            format!("{baseline} is {} than {} by {}", worse(&advice.metric), choice.entry, factor(ratio))
        }
        _ => format!("{} is the choice", choice.entry),
    }
}

fn point(advice: &Advice, choice: &Choice, nothing: &str) -> String {
    let entry = &choice.entry;
    let cost = choice.at_most_slower.filter(|cost| *cost > 0.0 && !choice.is_baseline);
    let cost = cost.map_or(String::new(), |cost| {
        format!(" {entry} is within {} of {}.", cost_at_most(cost), best(&advice.metric))
    });
    let shown = format!("{nothing} is shown to be {}", better(&advice.metric));
    if choice.is_baseline {
        return format!("Use {entry}, the baseline: {shown}.");
    }
    let why = behind(choice, advice.baseline.as_deref(), &advice.metric).unwrap_or(shown);
    format!("Use {entry}: {why}.{cost}")
}

/// `With avx2, choose piece size 16 KiB; not shown to be worse: 8 KiB, 32 KiB.`
fn of_levels(axis: &str, best: &BestLevels) -> String {
    let (kind, name) = (axis_kind(axis), axis_name(axis));
    let choose = if kind == name {
        format!("{name} {}", axis_value(axis, best.chosen))
    } else {
        axis_counted(axis, best.chosen)
    };
    let others = best.levels.iter().filter(|level| **level != best.chosen);
    let others: Vec<String> = others.map(|level| axis_value(axis, *level)).collect();
    let tied = if others.is_empty() {
        String::new()
    } else {
        format!("; not shown to be worse: {}", others.join(", "))
    };
    format!("With {}, choose {choose}{tied}.", best.entry)
}

pub(super) fn remarks(advice: &Advice) -> Vec<String> {
    let mut remarks = Vec::new();
    let axis = advice.axis.as_deref().unwrap_or_default();
    let kind = axis_kind(axis);
    match (advice.basis, advice.at) {
        (Basis::Between { below, above }, Some(at)) if advice.choice.is_some() => {
            let [at, below, above] = [at, below, above].map(|level| axis_value(axis, level));
            let ends = between(&below, &above).replace(" to ", " and ");
            remarks.push(format!("{at} lies between {ends}, which were measured."));
        }
        (Basis::AllLevels { from, to }, _) if from == to => {
            remarks.push(format!("{} is the only {kind} that was measured.", axis_value(axis, from)));
        }
        _ => {}
    }
    let here = advice.at.filter(|_| advice.choice.is_some() && advice.ranges.len() > 1);
    let place = here
        .and_then(|at| advice.ranges.iter().position(|one| (one.range.from..=one.range.to).contains(&at)));
    let Some(place) = place else { return remarks };
    let along = along(advice);
    remarks.push(format!("It holds {}.", along.place(&advice.ranges[place].range)));
    let neighbors = [place.checked_sub(1), Some(place + 1)].into_iter().flatten();
    let neighbors = neighbors.filter_map(|nth| advice.ranges.get(nth));
    let others = neighbors.map(|one| format!("{} {}", one.range.choice.entry, along.place(&one.range)));
    remarks.push(format!("Next to that: {}.", others.collect::<Vec<_>>().join("; ")));
    remarks
}
