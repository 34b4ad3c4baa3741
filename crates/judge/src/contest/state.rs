//! Which kind of result a contest has.

use crate::contest::field::{Field, LEAST_ROUNDS};
use crate::contest::ranking::State;
use crate::contest::refusal::{only_one, refusal};

/// The kind of a result, and why nothing may be compared where that is so.
pub(crate) fn state(field: &Field<'_>) -> (State, Option<String>) {
    if let Some(reason) = refusal(field) {
        return (State::Refused, Some(reason));
    }
    if let Some(reason) = only_one(field) {
        return (State::Alone, Some(reason));
    }
    if field.assessment.leader.is_none() {
        return (State::Refused, Some("Refused: no technique took part.".to_owned()));
    }
    let state = if field.assessment.look.is_none_or(|look| look < LEAST_ROUNDS) {
        State::TooFewRounds
    } else if field.candidates().len() == 1 {
        State::Wins
    } else if field.standing_entries().into_iter().all(|entry| field.is_within_tolerance(entry)) {
        State::Same
    } else {
        State::Tied
    };
    (state, None)
}
