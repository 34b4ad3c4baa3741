//! Claims about what was found out next to the contests.

use model::{Fact as Found, FactValue, Record};

use crate::effect::{Bounds, Effect, Outcome, Said};
use crate::verdict::Compared;
use crate::vocabulary::Fact;

/// Judges a claim about a number, or about the quotient of two. It was found once: it has no interval.
pub(crate) fn fact(part: &Fact, record: Option<&Record>, family: &str) -> Compared {
    let find = |name: &str, about: &str| {
        let is_it = |fact: &&Found| fact.family == family && fact.name == name && fact.about == about;
        record?.facts.iter().find(is_it).map(|fact| &fact.value)
    };
    let number = |about: &str| match find(&part.name, about)? {
        FactValue::Number { number, unit } => Some((*number, unit.clone())),
        FactValue::Words { .. } => None,
    };
    let found = part.about.0.iter().find_map(|about| number(about).map(|number| (about, number)));
    let (effect, unit) = match (&found, &part.over) {
        (Some((_, (number, unit))), None) => (Some(*number), Some(unit.clone())),
        (Some((_, (one, _))), Some(over)) => {
            (number(over).filter(|(other, _)| *other > 0.0).map(|(other, _)| one / other), None)
        }
        (None, _) => (None, None),
    };
    let words = |about: &str| {
        let because = part.because.as_deref()?;
        match find(because, about)? {
            FactValue::Words { words } => Some(format!("{because} with {about}: {words}")),
            FactValue::Number { .. } => None,
        }
    };
    let bounds = Bounds { at_least: part.at_least, at_most: part.at_most, is_ratio: part.over.is_some() };
    let about = found.map_or(part.about.0.first(), |(about, _)| Some(about)).cloned().unwrap_or_default();
    let both = [words(&about), part.over.as_deref().and_then(words)];
    let found: Vec<String> = both.into_iter().flatten().collect();
    let what = match &part.over {
        None => format!("{} of {about}", part.name),
        Some(over) => format!("{} with {about} over {over}", part.name),
    };
    let said = Said {
        outcome: effect.map_or(Outcome::NotMeasured, |effect| bounds.outcome(effect, effect)),
        effect: effect.map(|estimate| Effect { estimate, low: None, high: None, rounds: 0 }),
        further_rounds: None,
        least_rounds: None,
    };
    Compared {
        unit: unit.filter(|unit| !unit.is_empty()),
        found: (!found.is_empty()).then(|| found.join("; ")),
        reason: effect.is_none().then(|| format!("the run did not find out the {} of {about}", part.name)),
        ..Compared::new(what, bounds, said)
    }
}
