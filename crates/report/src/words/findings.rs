//! What is said of published claims.

use findings::{Compared, Effect, Judged, JudgedBy, Outcome, Published};
use model::{format_bytes, format_long_ns, format_ns};

use crate::words::compare::times;
use crate::words::phrase::{counted, filled, joined};

fn number(value: f64, unit: Option<&str>) -> String {
    match unit {
        Some("ns") => format_ns(value),
        Some("bytes") => format_bytes(value as u64),
        _ => times(value),
    }
}

pub(crate) fn effect(one: &Compared) -> Option<(String, String)> {
    one.effect.map(|effect| figures(&effect, one.unit.as_deref()))
}

pub(crate) fn figures(effect: &Effect, unit: Option<&str>) -> (String, String) {
    let [low, high] = [effect.low, effect.high].map(|end| Some(number(end?, unit)));
    let interval = match (low, high) {
        (Some(low), Some(high)) => format!("({low} to {high})"),
        (Some(low), None) => format!("(at least {low})"),
        (None, Some(high)) => format!("(at most {high})"),
        (None, None) if effect.rounds > 0 => "(no interval)".to_owned(),
        (None, None) => "(found once)".to_owned(),
    };
    (number(effect.estimate, unit), interval)
}

pub(crate) fn claimed(one: &Compared) -> String {
    let [least, most] = [one.at_least, one.at_most].map(|end| Some(number(end?, one.unit.as_deref())));
    match (least, most) {
        (Some(_), None) if one.at_least == Some(1.0) => "above 1".to_owned(),
        (Some(least), None) => format!("{least} or more"),
        (None, Some(most)) => format!("{most} at most"),
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (None, None) => String::new(),
    }
}

/// Returns the published effect: from the tables, else in words.
pub(crate) fn published(judged: &Judged) -> String {
    let printed = published_figures(judged).map(|(published, unit)| {
        let (figures, machines) = range(published, unit);
        filled([figures, machines], " ")
    });
    printed.or_else(|| judged.figure.clone()).unwrap_or_default()
}

/// Returns the published effect from the tables, and their unit, where they are no ratios.
pub(crate) fn published_figures(judged: &Judged) -> Option<(&Published, Option<&str>)> {
    let deciding = judged.deciding().and_then(|one| Some((one.published.as_ref()?, one.unit.as_deref())));
    deciding.or_else(|| Some((judged.published.as_ref()?, None)))
}

/// Returns the least and the most of published figures, and of how many machines: `0.50 to 1.10`, `(6 machines)`.
pub(crate) fn range(published: &Published, unit: Option<&str>) -> (String, String) {
    let (low, high) = (number(published.low, unit), number(published.high, unit));
    let figures = if low == high { low } else { format!("{low} to {high}") };
    let machines = Some(published.machines).filter(|machines| *machines > 1);
    (figures, machines.map(|machines| format!("({machines} machines)")).unwrap_or_default())
}

/// Returns why it could not be tested, or what would decide it.
pub(crate) fn remark(judged: &Judged) -> Option<String> {
    if let (Outcome::Undecided, Some(rounds)) = (judged.outcome, judged.least_rounds) {
        let family = &judged.family;
        return Some(format!(
            "too few rounds: at least {rounds} are needed; 'bakeoff findings --family {family} --measure' takes them"
        ));
    }
    Some(match (judged.outcome, judged.further_rounds) {
        (Outcome::NotMeasured | Outcome::NotTestable, _) => judged.reason.clone()?,
        (Outcome::Undecided, Some(rounds)) => {
            let work = judged.further_ns.map(|ns| format!(", at least {} of work", format_long_ns(ns)));
            let rounds = counted(rounds.into(), "more round");
            let how = format!("'bakeoff findings --family {} --measure' takes them", judged.family);
            format!("about {rounds} would decide it{}; {how}", work.unwrap_or_default())
        }
        (Outcome::Undecided, None) if judged.comparisons.iter().any(has_moved) => {
            "what was measured moved meanwhile: its looks contradict each other; repeat it on an idle machine"
                .to_owned()
        }
        // Two hosts are compared run by run.
        (Outcome::Undecided, None)
            if judged
                .comparisons
                .iter()
                .any(|one| one.outcome == Outcome::Undecided && !one.rounds_are_foreseen) =>
        {
            format!("more {} may decide it", if judged.run.is_some() { "rounds" } else { "runs" })
        }
        (Outcome::Undecided, None) => "ten times as many rounds would not decide it".to_owned(),
        _ => return None,
    })
}

fn has_moved(one: &Compared) -> bool {
    let has_ends = |effect: &Effect| effect.low.is_some() || effect.high.is_some();
    one.outcome == Outcome::Undecided
        && one.least_rounds.is_none()
        && one.effect.is_some_and(|effect| effect.rounds > 0 && !has_ends(&effect))
}

/// Figures of this many published machines are named.
const CONTRADICTIONS: usize = 3;

/// Returns the published figures that its own claim is not true of.
pub(crate) fn contradicted(judged: &Judged) -> Option<String> {
    let all = judged.contradictions.iter();
    let mut named: Vec<String> = all
        .take(CONTRADICTIONS)
        .map(|one| {
            format!("{} {} on {}", one.what, number(one.figure, one.is_time.then_some("ns")), one.machine)
        })
        .collect();
    let more = judged.contradictions.len().saturating_sub(CONTRADICTIONS);
    named.extend((more > 0).then(|| counted(more as u64, "more figure")));
    Some(format!("outside the claim in its own table: {}", joined(named, "; ")?))
}

/// Returns the faults of the source, and what this system cannot do as published where something was seen here.
pub(crate) fn doubts(judged: &Judged) -> Vec<String> {
    let departures = judged.departures.iter().filter(|_| judged.is_measured());
    let departures = departures.map(|text| format!("not as published: {text}"));
    let faults = judged.faults.iter().map(|text| format!("source: {text}"));
    contradicted(judged).into_iter().chain(faults).chain(departures).collect()
}

/// Returns the conditions under which it was published.
pub(crate) fn conditions(judged: &Judged) -> Option<String> {
    Some(format!("published with {}", judged.conditions))
}

/// Returns what was found out next to the number of a fact.
pub(crate) fn found(judged: &Judged) -> Option<String> {
    let found = judged.comparisons.iter().filter_map(|one| one.found.clone());
    joined(found, "; ").filter(|_| judged.is_measured())
}

/// This many contests are named of a run.
const SHOWN: usize = 3;

/// Returns by which runs it was judged: when they began, on which host, and what they worked on.
pub(crate) fn judged_by(judged: &Judged) -> Option<String> {
    let runs = judged.judged_by.iter().map(|one: &JudgedBy| {
        let host = one.host.as_deref().unwrap_or("a host without a name");
        let work = match one.workloads.len() {
            0 => String::new(),
            more if more > SHOWN => format!(": {}; {} more", one.workloads[..SHOWN].join("; "), more - SHOWN),
            _ => format!(": {}", one.workloads.join("; ")),
        };
        format!("run {} of {} on {host}{work}", one.run, one.started)
    });
    Some(format!("judged by {}", joined(runs, ", ")?))
}

#[cfg(test)]
mod tests {
    use findings::{Known, judge};
    use model::RunId;

    use super::*;

    #[test]
    fn useless_further_rounds_are_said_only_where_worked_out() {
        let all = findings::all();
        let mut judged = judge(&all[0], &[], &Known::new(), None);
        judged.outcome = Outcome::Undecided;
        judged.run = Some(RunId("r1".to_owned()));
        for (is_foreseen, said) in
            [(true, "ten times as many rounds would not decide it"), (false, "more rounds may decide it")]
        {
            for one in &mut judged.comparisons {
                (one.outcome, one.rounds_are_foreseen) = (Outcome::Undecided, is_foreseen);
            }
            assert_eq!(remark(&judged).as_deref(), Some(said));
        }
        judged.least_rounds = Some(8);
        judged.family = "copy".to_owned();
        let least =
            "too few rounds: at least 8 are needed; 'bakeoff findings --family copy --measure' takes them";
        assert_eq!(remark(&judged).as_deref(), Some(least));
        (judged.least_rounds, judged.further_rounds) = (None, Some(3));
        let more =
            "about 3 more rounds would decide it; 'bakeoff findings --family copy --measure' takes them";
        assert_eq!(remark(&judged).as_deref(), Some(more));
    }
}
