//! Advice in sentences.

use model::{axis_name, axis_value};

use super::{Advice, Basis, BestLevels, Certainty, Choice, Limit, OverPlain};
use crate::terms::{Number, Terms};
use crate::wording::{at_most, confidence, names, range};

/// So many choices along an axis are told in a sentence.
const FEW: usize = 3;

/// What to do.
pub(super) fn sentence(advice: &Advice) -> String {
    let axis = advice.axis.as_deref().unwrap_or_default();
    if let Some(choice) = &advice.choice {
        let told = point(advice, choice);
        return match (&advice.basis, &advice.best_levels) {
            (Basis::AllLevels { .. }, Some(best)) => format!("{} {told}", of_levels(axis, best)),
            (Basis::AllLevels { from, to }, None) if from < to => {
                format!(
                    "{told} That holds at every {} from {} to {}.",
                    axis_name(axis),
                    axis_value(axis, *from),
                    axis_value(axis, *to)
                )
            }
            _ => told,
        };
    }
    let best = advice.best_levels.as_ref().map_or(String::new(), |best| of_levels(axis, best) + " ");
    let ends = |number: u64| axis_value(axis, number);
    let along = match &advice.stretches[..] {
        few @ [_, .., last] if few.len() <= FEW => {
            let told: Vec<String> = few[..few.len() - 1]
                .iter()
                .map(|one| format!("{} up to {}", one.choice.entry, ends(one.to)))
                .collect();
            format!("Use {}, {} above.", told.join(", "), last.choice.entry)
        }
        many => {
            let (from, to) = (many.first().map_or(0, |one| one.from), many.last().map_or(0, |one| one.to));
            let changes = many.len().saturating_sub(1);
            format!("What to use changes {changes} times from {} to {}.", ends(from), ends(to))
        }
    };
    best + &along
}

fn point(advice: &Advice, choice: &Choice) -> String {
    let terms = Terms::of(&advice.quantity);
    let mut why = match &choice.over_plain {
        _ if choice.is_plain => "it is the plain way".to_owned(),
        Some(over) => beside(&terms, over),
        None => "no technique that was compared was better".to_owned(),
    };
    if let Some(cost) = choice.at_most_slower {
        why = format!("{why}, and {}", terms.costs_at_most("it", cost));
    }
    let sure = choice.confidence.filter(|_| choice.at_most_slower.is_some());
    let sure = sure.map_or(String::new(), |sure| format!(" ({})", confidence(sure)));
    format!("Use {}: {why}{sure}.", choice.entry)
}

fn beside(terms: &Terms, over: &OverPlain) -> String {
    let bound = match (over.factor_low.filter(|low| *low > 1.0), over.factor_high) {
        (Some(low), Some(high)) => range(low, high),
        (Some(low), None) => Terms::least(low).unwrap_or_else(|| format!("about {}", at_most(over.factor))),
        (None, Some(high)) => format!("up to {}", at_most(high)),
        (None, None) => format!("about {}", at_most(over.factor)),
    };
    terms.beside(&format!("{}, the plain way,", over.reference), Number::One, &bound)
}

/// `Choose piece size 16 KiB: avx2 is best from 8 KiB to 32 KiB.`
fn of_levels(axis: &str, best: &BestLevels) -> String {
    let (low, high) = (best.levels.iter().min().copied(), best.levels.iter().max().copied());
    let (Some(low), Some(high)) = (low, high) else { return String::new() };
    let name = axis_name(axis);
    let middle = best.gain.as_ref().map_or(low, |gain| gain.at);
    let also = match low == high {
        true => String::new(),
        false => {
            format!(", where any from {} to {} may be best", axis_value(axis, low), axis_value(axis, high))
        }
    };
    format!("With {}, choose {} {}{also}.", best.entry, name, axis_value(axis, middle))
}

/// What it rests on, and where it stops being true.
pub(super) fn remarks(advice: &Advice) -> Vec<String> {
    let mut remarks = Vec::new();
    let axis = advice.axis.as_deref().unwrap_or_default();
    let value = |number: u64| axis_value(axis, number);
    let name = axis_name(axis);
    match (&advice.basis, advice.at) {
        (Basis::Interpolated { below, above }, Some(at)) => remarks.push(format!(
            "{} was not measured: this is interpolated between {} and {}.",
            value(at),
            value(*below),
            value(*above)
        )),
        (Basis::Nearest { at: nearest }, Some(at)) => remarks.push(format!(
            "{} lies outside of what was measured, and nothing is known of it: this is the answer at the nearest {name}, {}.",
            value(at),
            value(*nearest)
        )),
        (Basis::AllLevels { from, to }, _) if from == to => {
            remarks.push(format!("{} is the only {name} that was measured: nothing is known of others.", value(*from)));
        }
        _ => {}
    }
    let Some(choice) = &advice.choice else { return remarks };
    if choice.certainty == Certainty::Open {
        remarks.push("What it can cost has no limit yet: measure longer to be sure.".to_owned());
    }
    if advice.axis.is_some() {
        let below = choice.below.as_ref().and_then(|limit| told(limit, &value, choice, false));
        let above = choice.above.as_ref().and_then(|limit| told(limit, &value, choice, true));
        remarks.extend(below.into_iter().chain(above));
    }
    remarks
}

/// `small may be fastest up to 32 KiB; from 64 KiB on large is faster (they are equal at about 33 KiB).`
fn told(limit: &Limit, value: &dyn Fn(u64) -> String, choice: &Choice, is_up: bool) -> Option<String> {
    let (beyond, instead) = (limit.beyond?, limit.instead.as_deref()?);
    let about = limit
        .about
        .map_or(String::new(), |about| format!(" (they are equal at about {})", value(about.round() as u64)));
    let entry = &choice.entry;
    let last = value(limit.last);
    let told = names(&[instead]);
    Some(match is_up {
        true => {
            format!("{entry} may be best up to {last}; from {} on {told} is better{about}.", value(beyond))
        }
        false => {
            format!("{entry} may be best from {last} on; up to {} {told} is better{about}.", value(beyond))
        }
    })
}
