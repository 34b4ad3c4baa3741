//! The comparisons of a finding together.

use crate::effect::Outcome;
use crate::finding::{Finding, HoldsFor};
use crate::judged::{Compared, Judged, begun};

/// The verdict of all comparisons. What could be had and was not measured leaves none: a claim about five programs is not judged by
/// two of them.
pub(crate) fn combined(finding: &Finding, comparisons: Vec<Compared>) -> Judged {
    let of = |outcome: Outcome| comparisons.iter().filter(move |one| one.outcome == outcome);
    let seen: Vec<Outcome> =
        comparisons.iter().filter(|one| one.outcome.is_seen()).map(|one| one.outcome).collect();
    let needed = finding.claim.least.unwrap_or(comparisons.len()).max(1);
    let (outcome, reason) = if of(Outcome::NotMeasured).next().is_some() {
        (Outcome::NotMeasured, lacking(&comparisons, Outcome::NotMeasured, seen.len()))
    } else if seen.len() < needed {
        (Outcome::NotTestable, lacking(&comparisons, Outcome::NotTestable, seen.len()))
    } else {
        let outcome = match finding.claim.holds_for {
            HoldsFor::Every => every(&seen),
            HoldsFor::Some => some(&seen),
        };
        (outcome, None)
    };
    Judged { reason, comparisons, ..begun(finding, outcome) }
}

/// Whether a verdict rests on all comparisons: none of them alone would have been enough for it.
pub(crate) fn rests_on_all(finding: &Finding, judged: &Judged) -> bool {
    let enough = match finding.claim.holds_for {
        HoldsFor::Every => Outcome::Reversed,
        HoldsFor::Some => Outcome::Holds,
    };
    judged.outcome.is_decided() && judged.comparisons.iter().all(|one| one.outcome != enough)
}

/// Why some comparisons were not made, each reason once, and how many were.
fn lacking(comparisons: &[Compared], lacking: Outcome, seen: usize) -> Option<String> {
    let mut reasons: Vec<&str> = Vec::new();
    for one in comparisons.iter().filter(|one| one.outcome == lacking) {
        reasons.extend(one.reason.as_deref().filter(|reason| !reasons.contains(reason)));
    }
    let said = match reasons.as_slice() {
        [] => return None,
        // One reason for nothing at all: the first says enough.
        [first, ..] if seen == 0 => (*first).to_owned(),
        _ => reasons.join("; "),
    };
    let total = comparisons.len();
    Some(if seen == 0 {
        said
    } else {
        format!("only {seen} of its {total} comparisons could be made: {said}")
    })
}

/// All must hold.
fn every(outcomes: &[Outcome]) -> Outcome {
    first_of(&[Outcome::Reversed, Outcome::Undecided, Outcome::NoDifference], outcomes)
        .unwrap_or(Outcome::Holds)
}

/// One is enough.
fn some(outcomes: &[Outcome]) -> Outcome {
    first_of(&[Outcome::Holds, Outcome::Undecided, Outcome::NoDifference], outcomes)
        .unwrap_or(Outcome::Reversed)
}

/// The first of these that is there.
fn first_of(ranked: &[Outcome], outcomes: &[Outcome]) -> Option<Outcome> {
    ranked.iter().find(|outcome| outcomes.contains(outcome)).copied()
}
