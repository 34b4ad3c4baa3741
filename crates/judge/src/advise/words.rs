//! Advice in sentences.

use model::{axis_counted, axis_kind, axis_name, axis_value};

use super::{Advice, Basis, BestLevels, Certainty, Choice, Limit, OverPlain};
use crate::words::terms::{Number, Terms};
use crate::words::wording::{at_most, confidence, names, range};

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
                let (kind, from, to) = (axis_kind(axis), advice.level(*from), advice.level(*to));
                format!("{told} That holds at every {kind} from {from} to {to}.")
            }
            _ => told,
        };
    }
    let best = advice.best_levels.as_ref().map_or(String::new(), |best| of_levels(axis, best) + " ");
    let ends = |number: u64| advice.level(number);
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
    let who = format!("{}, the plain way,", over.reference);
    let bound = match (over.factor_low, over.factor_high) {
        (Some(low), Some(high)) if low > 1.0 || high < 1.0 => range(low, high),
        (Some(low), None) if low > 1.0 => {
            Terms::least(low).unwrap_or_else(|| format!("about {}", at_most(over.factor)))
        }
        (_, Some(high)) => format!("up to {}", at_most(high)),
        (_, None) => format!("about {}", at_most(over.factor)),
    };
    match matches!(bound.as_str(), "1.00" | "up to 1.00" | "about 1.00") {
        true => terms.alike(&who),
        false => terms.beside(&who, Number::One, &bound),
    }
}

/// `Choose piece size 16 KiB: avx2 is best from 8 KiB to 32 KiB.`
fn of_levels(axis: &str, best: &BestLevels) -> String {
    let (low, high) = (best.levels.iter().min().copied(), best.levels.iter().max().copied());
    let (Some(low), Some(high)) = (low, high) else { return String::new() };
    // Of numbers of workers, the fewest: others may need the processors too.
    let chosen = best.chosen.unwrap_or(low);
    let counted = axis_counted(axis, chosen);
    let choose = match axis_kind(axis) == axis_name(axis) {
        true => format!("{} {}", axis_name(axis), axis_value(axis, chosen)),
        false => counted,
    };
    let also = match low == high {
        true => String::new(),
        false => {
            format!(", where any from {} to {} may be best", axis_value(axis, low), axis_value(axis, high))
        }
    };
    format!("With {}, choose {choose}{also}.", best.entry)
}

/// What it rests on, and where it stops being true.
pub(super) fn remarks(advice: &Advice) -> Vec<String> {
    let mut remarks = Vec::new();
    let axis = advice.axis.as_deref().unwrap_or_default();
    let value = |number: u64| advice.level(number);
    let kind = axis_kind(axis);
    match (&advice.basis, advice.at) {
        (Basis::Interpolated { below, above }, Some(at)) => remarks.push(format!(
            "{} was not measured: this is interpolated between {} and {}.",
            axis_value(axis, at),
            value(*below),
            value(*above)
        )),
        (Basis::Nearest { at: nearest }, Some(at)) => remarks.push(format!(
            "{} lies outside of what was measured, and nothing is known of it: this is the answer at the nearest {kind}, {}.",
            axis_value(axis, at),
            value(*nearest)
        )),
        (Basis::AllLevels { from, to }, _) if from == to => {
            remarks.push(format!("{} is the only {kind} that was measured: nothing is known of others.", value(*from)));
        }
        _ => {}
    }
    let Some(choice) = &advice.choice else { return remarks };
    remarks.extend(beside_plain(choice));
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

/// Why the plain way is chosen without a comparison, or another technique though that is not known to be better.
fn beside_plain(choice: &Choice) -> Option<String> {
    match (&choice.over_plain, choice.plain_was_compared) {
        (_, false) if choice.is_plain => Some(
            "The plain way was not compared with the others here, so that none is known to be better."
                .to_owned(),
        ),
        (Some(over), _) if over.factor < 1.0 => Some(format!(
            "{}, the plain way, is better here, and is not among those to choose from.",
            over.reference
        )),
        (None, false) => Some("It was not compared with the plain way.".to_owned()),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_to_choose_is_named_and_of_numbers_of_threads_the_fewest() {
        let best = |chosen| BestLevels { entry: "a".into(), levels: vec![4, 8, 64], chosen, gain: None };
        let told = of_levels("threads", &best(None));
        assert_eq!(told, "With a, choose 4 threads, where any from 4 to 64 may be best.");
        let told = of_levels("piece_bytes", &best(Some(8)));
        assert_eq!(told, "With a, choose piece size 8 B, where any from 4 B to 64 B may be best.");
    }
}
