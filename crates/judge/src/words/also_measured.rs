//! Sentences on what the same samples show next to the answer: how long a piece takes to the device, from the techniques that wait for
//! it with each piece, and what further processors gain, where a run measured the same work with one and with more of them.

use std::collections::BTreeSet;

use model::{Class, format_bytes, format_ns};
use stats::contest::interval;

use crate::contest::field::Field;
use crate::contest::ranking::{Entry, Ranking, Standing, State};
use crate::wording::{confidence, range};

/// The value of samples that holds the time of rewriting a kibibyte.
const REWRITE: &str = "rewrite_kib_ns";
const KIB: f64 = 1024.0;
/// The word of a workload that says how many processors its threads may use.
const AXIS: &str = "processors";

/// One sentence with the shortest and the longest of them; `None` where nothing was measured that flushes each piece.
pub(crate) fn on_device(ranking: &Ranking) -> Option<String> {
    let piece_bytes = ranking.workload.number("piece_bytes")?;
    if ranking.class != Class::FlushesEachPiece {
        return None;
    }
    let took_part =
        |entry: &&Entry| !matches!(entry.standing, Standing::Ceiling | Standing::Failed | Standing::Skipped);
    let all = ranking.entries.iter().filter(took_part).filter_map(|entry| {
        Some((entry.values.get(REWRITE)? * piece_bytes as f64 / KIB, entry.technique.as_str()))
    });
    let mut all: Vec<(f64, &str)> = all.collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let said = |(ns, name): &(f64, &str)| {
        let leads =
            if ranking.leader.as_deref() == Some(*name) { ", which leads by all of its work" } else { "" };
        format!("{} with {name}{leads}", format_ns(*ns))
    };
    let leader = all.iter().position(|(_, name)| ranking.leader.as_deref() == Some(*name));
    let places: BTreeSet<usize> = [Some(0), leader, all.len().checked_sub(1)].into_iter().flatten().collect();
    let took: Vec<String> = places.into_iter().filter_map(|place| all.get(place)).map(said).collect();
    (!took.is_empty()).then(|| {
        let (piece, took) = (format_bytes(piece_bytes), took.join("; "));
        format!("Until a piece of {piece} was written and flushed to the device it took {took} (medians).")
    })
}

/// Adds to each contest with more processors a sentence about its leader: how many times as much it does as with one.
pub(crate) fn add_gains(fields: &[Field<'_>], rankings: &mut [Ranking]) {
    let mut with_one: Vec<&Field<'_>> = Vec::new();
    let mut with_more: Vec<(usize, &Field<'_>, &str)> = Vec::new();
    for (place, field) in fields.iter().enumerate() {
        match field.contest.workload.point.word(AXIS) {
            _ if matches!(rankings[place].state, State::Refused | State::Alone) => {}
            Some("1") => with_one.push(field),
            word => with_more.extend(word.map(|word| (place, field, word))),
        }
    }
    for (place, field, word) in with_more {
        let base = with_one.iter().find(|base| is_same(field, base));
        rankings[place].also_measured.extend(base.and_then(|base| gain(field, base, word)));
    }
}

/// Returns whether two contests differ in the number of processors alone.
fn is_same(one: &Field<'_>, other: &Field<'_>) -> bool {
    let (one, other) = (one.contest, other.contest);
    let [rest, other_rest] = [&one.workload, &other.workload].map(|workload| {
        let mut rest = workload.point.clone();
        rest.0.remove(AXIS);
        (rest, &workload.files)
    });
    one.family == other.family
        && one.setting == other.setting
        && one.class == other.class
        && one.metric == other.metric
        && rest == other_rest
}

/// Returns the leader's cost with one processor over that with more, round by round.
fn gain(field: &Field<'_>, base: &Field<'_>, word: &str) -> Option<String> {
    let leader = field.assessment.leader?;
    let name = field.name(leader);
    let with_one = base.standing_entries().into_iter().find(|&index| base.name(index) == name)?;
    let (more, one) = (field.costs(leader), base.costs(with_one));
    let ratios: Vec<f64> = one.iter().zip(&more).map(|(one, more)| (one / more).ln()).collect();
    let looks: Vec<u32> =
        field.rules.looks.iter().filter(|look| base.rules.looks.contains(look)).copied().collect();
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
