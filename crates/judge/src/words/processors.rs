//! What further processors gain, where a run measured the same work with one and with more of them.

use model::Workload;
use stats::contest::interval;

use crate::contest::field::Field;
use crate::contest::ranking::{Ranking, State};
use crate::wording::{confidence, range};

/// The word of a workload that says how many processors its threads may use.
const AXIS: &str = "processors";

/// Adds to each contest with more processors a sentence about its leader: how many times as much it does as with one.
pub(crate) fn tell_gains(fields: &[Field<'_>], rankings: &mut [Ranking]) {
    let is_answered = |place: usize| !matches!(rankings[place].state, State::Refused | State::Alone);
    let told = |place: usize| {
        let field = &fields[place];
        let word =
            field.contest.workload.point.word(AXIS).filter(|word| *word != "1" && is_answered(place))?;
        let is_base = |other: &usize| {
            let base = &fields[*other];
            base.contest.workload.point.word(AXIS) == Some("1") && is_answered(*other) && is_same(field, base)
        };
        gain(field, &fields[(0..fields.len()).find(is_base)?], word)
    };
    let told: Vec<Option<String>> = (0..fields.len()).map(told).collect();
    rankings.iter_mut().zip(told).for_each(|(ranking, text)| ranking.also_measured.extend(text));
}

/// Whether two contests differ in the number of processors alone.
fn is_same(one: &Field<'_>, other: &Field<'_>) -> bool {
    let (one, other) = (one.contest, other.contest);
    let beside = |workload: &Workload| {
        let mut rest = workload.point.clone();
        rest.0.remove(AXIS);
        (rest, workload.files.clone())
    };
    one.family == other.family
        && one.setting == other.setting
        && one.class == other.class
        && one.metric == other.metric
        && beside(&one.workload) == beside(&other.workload)
}

/// The leader's cost with one processor over that with more, round by round.
fn gain(field: &Field<'_>, base: &Field<'_>, word: &str) -> Option<String> {
    let leader = field.assessment.leader?;
    let name = field.name(leader);
    let with_one = base.standing_entries().into_iter().find(|&index| base.name(index) == name)?;
    let (more, one) = (field.costs(leader), base.costs(with_one));
    let ratios: Vec<f64> = one.iter().zip(&more).map(|(one, more)| (one / more).ln()).collect();
    let shared = |look: &&u32| base.rules.looks.contains(look);
    let looks: Vec<u32> = field.rules.looks.iter().filter(shared).copied().collect();
    // The leader was chosen by the same samples: it holds for each that may have been it.
    let alpha = field.rules.alpha / field.candidates().len().max(1) as f64;
    let found = interval(&ratios, alpha, &looks)?;
    let processors = match (word, field.contest.processors) {
        ("all", Some(count)) => format!("all {count} processors"),
        ("all", None) => "all processors".to_owned(),
        (count, _) => format!("{count} processors"),
    };
    let head = format!("With {processors} {name} does");
    let tail = "times as much in the same time as with one";
    Some(if found.low.is_finite() && found.high.is_finite() {
        let (low, high) = (found.low.exp(), found.high.exp());
        let sure = confidence(1.0 - field.rules.alpha);
        format!("{head} {} {tail} ({sure}).", range(low, high))
    } else {
        format!(
            "{head} about {} {tail}; with more rounds there would be an interval.",
            model::three_digits(found.estimate.exp())
        )
    })
}
