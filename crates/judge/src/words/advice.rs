//! What to do, in one sentence, and how the plain way compares.

use crate::contest::groups::Technique;
use crate::contest::ranking::State;
use crate::words::answer::View;
use crate::words::terms::{Number, Terms};
use crate::words::wording::{at_most, limit, percent, range};

/// A longer idea would hide the advice.
const IDEA_COLUMNS: usize = 60;

/// What to do. `None` where one entry competes with nothing else.
pub(crate) fn advice(view: &View<'_>, state: State) -> Option<String> {
    let leader = view.name(view.leader);
    Some(match state {
        State::TooFewRounds => {
            format!("Measure longer before you choose: {leader} {} so far.", view.terms.was_best)
        }
        _ if is_open(view, state) => {
            let how_many = match (view.rivals().len(), view.candidates.len() - 1) {
                (0, 1) => format!("1 other {}", view.own().what_differs(false)),
                (0, more) => format!("{more} other {}", view.own().what_differs(true)),
                (1, _) => "1 other".to_owned(),
                (others, _) => format!("{others} others"),
            };
            let as_good = view.terms.as_good;
            format!("Use {leader} for now, and measure longer to be sure: {how_many} may be {as_good}.")
        }
        State::Alike => {
            let margin = percent(view.field.contest.delta);
            let leader = plain_way(view).map_or(leader, |reference| view.name(reference));
            format!("Use {leader} or any other: nothing is more than {margin} from {}.", view.terms.the_best)
        }
        _ => format!("Use {}: {}.", what(view), why(view, state)),
    })
}

/// Whether choosing the leader may cost so much that more rounds are the better advice.
fn is_open(view: &View<'_>, state: State) -> bool {
    let cost = view.field.at_most().map(f64::exp_m1);
    let large = cost.is_none_or(|cost| limit(cost).is_none());
    match state {
        State::NoLimit | State::VeryShort => view.candidates.len() > 1,
        State::Few | State::Many => large,
        _ => false,
    }
}

/// The plain way, where it takes part and did not fail.
fn plain_way(view: &View<'_>) -> Option<usize> {
    let reference = view.field.reference()?;
    view.all.iter().any(|technique| technique.holds(reference)).then_some(reference)
}

/// The leader's technique: its name, its idea, the values that may be best.
fn what(view: &View<'_>) -> String {
    let own = view.own();
    let alone = view.rivals().is_empty();
    // With rivals the limit is that of the leading entry alone.
    // A variant has an idea of its own, and so it has a sentence of its own where its technique is not as good.
    let choice = view.choice(own).filter(|_| alone && own.leads_with_its_own());
    let leader = view.name(view.leader);
    let name = if choice.is_some() { own.name.as_str() } else { leader };
    let technique = if choice.is_some() { name } else { own.technique_of(view.leader) };
    let idea = view.description(technique).map(|known| known.idea.as_str());
    let idea = idea.filter(|idea| (1..=IDEA_COLUMNS).contains(&idea.chars().count()));
    let idea = idea.map_or(String::new(), |idea| format!(" ({idea})"));
    format!(
        "{name}{idea}{}",
        choice.map_or(String::new(), |choice| format!(", {}", choice.behind_the_name()))
    )
}

/// Why: what the plain way costs, or what the choice itself can cost.
fn why(view: &View<'_>, state: State) -> String {
    let reference = plain_way(view);
    let own = reference.filter(|&reference| view.own().holds(reference));
    let cost = view.field.at_most().filter(|_| view.candidates.len() > 1).map(f64::exp_m1);
    if let Some(told) = reference.filter(|_| own.is_none()).and_then(|entry| compared(view, entry)) {
        return told;
    }
    let technique = |entry: usize| view.field.contest.series[entry].technique_and_value().0;
    let is = own.map(|reference| match technique(reference) == technique(view.leader) {
        true => format!("it is {}", view.field.contest.plain_way()),
        false => {
            let plain = view.field.contest.plain_way();
            format!("it is a variant of {}, {plain}", technique(reference))
        }
    });
    let plain = is.as_ref().map_or(String::new(), |is| format!("{is}, and "));
    match (state, cost) {
        (State::Few | State::Many, Some(cost)) => {
            format!("{plain}{}", view.terms.costs_at_most("it", cost))
        }
        _ => match view.rest() {
            Some(rest) => format!("{plain}{rest}"),
            None if is.is_some() => format!("{plain}nothing else is faster"),
            None => match cost {
                Some(cost) => view.terms.costs_at_most(view.name(view.leader), cost),
                None => "no other technique takes part".to_owned(),
            },
        },
    }
}

/// How an entry compares with the fastest: `std_copy takes 1.4 to 2.0 times as long`. `None` where neither end is known.
fn compared(view: &View<'_>, entry: usize) -> Option<String> {
    let as_good = view.terms.as_good;
    let name = view.name(entry);
    if view.candidates.contains(&entry) {
        let cost = view.field.at_most().map(f64::exp_m1);
        let within = cost.map_or(String::new(), |cost| match limit(cost) {
            Some(_) => format!("{}; ", view.terms.costs_at_most("it", cost)),
            None => String::new(),
        });
        let plain = view.field.contest.plain_way();
        return Some(format!("{within}{name}, {plain}, may be {as_good}"));
    }
    match bound(view, entry)? {
        Bound::Factor(bound) => Some(view.terms.beside(name, Number::One, &bound)),
        Bound::None(told) => Some(told),
    }
}

/// Between which factors an entry lies.
enum Bound {
    /// `1.4 to 2.0`, `at least 1.4`, `up to 2.0`
    Factor(String),
    /// The best has none at all: told in words.
    None(String),
}

fn bound(view: &View<'_>, entry: usize) -> Option<Bound> {
    let row = view.field.row(entry)?;
    let (low, high) = (row.low.exp(), row.high.exp());
    if low.is_infinite() {
        let typical = view.least_typical(std::iter::once(entry));
        return Some(Bound::None(Terms::none_against(view.name(entry), Number::One, &typical)));
    }
    let least = Terms::least(low).filter(|_| row.low > 0.0);
    match (least, row.high.is_finite()) {
        (Some(_), true) => Some(Bound::Factor(range(low, high))),
        (Some(least), false) => Some(Bound::Factor(least)),
        (None, true) => Some(Bound::Factor(format!("up to {}", at_most(high)))),
        (None, false) => None,
    }
}

/// The plain way beside the fastest, where the answer's own sentence does not name it.
pub(crate) fn reference_sentence(view: &View<'_>, state: State) -> Option<String> {
    let reference = plain_way(view)?;
    let told = matches!(state, State::TooFewRounds | State::Alike) || view.own().holds(reference);
    let rivals = view.rivals();
    let named = match state {
        State::Many => &rivals[..rivals.len().min(2)],
        _ => &rivals[..],
    };
    if told || named.iter().any(|technique: &&Technique| technique.holds(reference)) {
        return None;
    }
    let name = view.name(reference);
    if view.candidates.contains(&reference) {
        let plain = view.field.contest.plain_way();
        return Some(format!("{name}, {plain}, may be {}.", view.terms.as_good));
    }
    let told = match bound(view, reference) {
        Some(Bound::Factor(bound)) => view.terms.beside_the_best(name, &bound),
        Some(Bound::None(told)) => format!("The best has {told}"),
        None => format!("{name} is behind"),
    };
    Some(format!("{told}."))
}
