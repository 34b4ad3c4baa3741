//! Published claims, and whether they are true here.

use findings::{Compared, Effect, Judged, JudgedBy, Outcome, Published, answer};
use model::format_ns;

use super::blocks::{Align, Block, Cell, Extent, Remark, Row, Section, Sections, Table, Tone};
use super::compare::times;
use crate::words::phrase::{by_key, counted, joined};

/// The answer over all findings, then a table for each family.
pub(crate) fn findings(all: &[Judged], extent: Extent) -> Sections {
    let mut page: Sections = vec![vec![Block::Answer(answer(all), Tone::Title)]];
    for (family, own) in by_key(all.iter().map(|judged| (judged.family.as_str(), judged))) {
        page.push(section(family, &own, extent));
    }
    page
}

fn section(family: &str, all: &[&Judged], extent: Extent) -> Section {
    let mut table = Table::new([
        ("finding", Align::Left),
        ("here", Align::Left),
        ("what was published", Align::Fold),
        ("compared", Align::Left),
        ("effect here", Align::Left),
        ("claimed", Align::Right),
        ("published", Align::Right),
    ]);
    table.spare = vec![3, 5];
    for judged in all {
        table.rows.push(row(judged));
    }
    let mut section = vec![Block::heading(family), Block::Table(table)];
    section.push(Block::Remarks(reduced(all)));
    section.push(Block::Remarks(untested(all)));
    section.push(Block::Remarks(shared(all, found)));
    section.push(Block::Remarks(shared(all, judged_by)));
    if extent.verbose {
        section
            .extend(all.iter().filter(|judged| judged.comparisons.len() > 1).map(|judged| details(judged)));
    }
    section
}

fn row(judged: &Judged) -> Row {
    let deciding = judged.deciding().filter(|_| judged.is_measured());
    let effect = deciding.and_then(|one| one.effect);
    let cells = vec![
        Cell::Text(judged.id.clone()),
        Cell::Text(judged.outcome.words().to_owned()),
        Cell::Text(judged.claim.clone()),
        Cell::Text(deciding.map(|one| one.what.clone()).unwrap_or_default()),
        effect.map_or(Cell::Text(String::new()), |effect| estimate(&effect, deciding.is_some_and(is_time))),
        Cell::Text(deciding.map(claimed).unwrap_or_default()),
        Cell::Text(published(judged)),
    ];
    Row { cells, tone: tone(judged.outcome), ..Row::default() }
}

/// All comparisons of a finding.
fn details(judged: &Judged) -> Block {
    let mut table = Table::new([
        (judged.id.as_str(), Align::Left),
        ("here", Align::Left),
        ("effect here", Align::Left),
        ("claimed", Align::Right),
        ("published", Align::Right),
    ]);
    for one in &judged.comparisons {
        let effect = one.effect.map_or(Cell::Text(String::new()), |effect| estimate(&effect, is_time(one)));
        let published = one.published.as_ref().map(|found| range(found, is_time(one))).unwrap_or_default();
        let cells = vec![
            Cell::Text(one.what.clone()),
            Cell::Text(one.outcome.words().to_owned()),
            effect,
            Cell::Text(claimed(one)),
            Cell::Text(published),
        ];
        table.rows.push(Row { cells, tone: tone(one.outcome), ..Row::default() });
    }
    Block::Table(table)
}

fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Holds => Tone::Good,
        Outcome::Reversed => Tone::Bad,
        Outcome::NoDifference => Tone::Plain,
        Outcome::Undecided => Tone::Doubt,
        Outcome::NotMeasured | Outcome::NotTestable => Tone::Faint,
    }
}

/// Whether the numbers of a comparison are times.
fn is_time(one: &Compared) -> bool {
    one.unit.as_deref() == Some("ns")
}

fn number(value: f64, is_time: bool) -> String {
    if is_time { format_ns(value) } else { times(value) }
}

/// What was seen here: estimate and interval.
pub(crate) fn effect(one: &Compared) -> Option<(String, String)> {
    one.effect.map(|effect| figures(&effect, is_time(one)))
}

fn estimate(effect: &Effect, is_time: bool) -> Cell {
    let (estimate, interval) = figures(effect, is_time);
    Cell::Estimate(estimate, interval)
}

fn figures(effect: &Effect, is_time: bool) -> (String, String) {
    let figure = |value: f64| number(value, is_time);
    let interval = match (effect.low, effect.high) {
        (Some(low), Some(high)) => format!("({} to {})", figure(low), figure(high)),
        (Some(low), None) => format!("(at least {})", figure(low)),
        (None, Some(high)) => format!("(at most {})", figure(high)),
        (None, None) if effect.rounds > 0 => "(too few rounds)".to_owned(),
        (None, None) => "(a fact: found once, no interval)".to_owned(),
    };
    (figure(effect.estimate), interval)
}

/// The range that the claim names.
pub(crate) fn claimed(one: &Compared) -> String {
    let figure = |value: f64| number(value, is_time(one));
    match (one.at_least, one.at_most) {
        (Some(1.0), None) => "above 1".to_owned(),
        (Some(least), None) => format!("{} or more", figure(least)),
        (None, Some(most)) => format!("{} at most", figure(most)),
        (Some(least), Some(most)) => format!("{} to {}", figure(least), figure(most)),
        (None, None) => String::new(),
    }
}

/// The published effect: from the tables, else in words.
pub(crate) fn published(judged: &Judged) -> String {
    let deciding = judged.deciding().and_then(|one| Some((one.published.as_ref()?, is_time(one))));
    let pair = judged.published.as_ref().map(|found| (found, false));
    deciding
        .or(pair)
        .map(|(published, is_time)| range(published, is_time))
        .or_else(|| judged.figure.clone())
        .unwrap_or_default()
}

fn range(published: &Published, is_time: bool) -> String {
    let figure = |value: f64| number(value, is_time);
    match published.machines {
        0 | 1 => figure(published.low),
        machines => match (figure(published.low), figure(published.high)) {
            (low, high) if low == high => format!("{low} ({machines} machines)"),
            (low, high) => format!("{low} to {high} ({machines} machines)"),
        },
    }
}

/// Why they could not be tested, or what would decide them; findings of which the same is said share a line.
pub(crate) fn untested(all: &[&Judged]) -> Vec<Remark> {
    shared(all, remark)
}

/// The settings that are not the published ones; findings with the same share a line.
pub(crate) fn reduced(all: &[&Judged]) -> Vec<Remark> {
    let with = |judged: &Judged| judged.measured_with.clone();
    shared(all, with)
}

/// Remarks of findings; those of which the same is said share a line.
fn shared(all: &[&Judged], remark: impl Fn(&Judged) -> Option<String>) -> Vec<Remark> {
    let said = by_key(all.iter().filter_map(|judged| Some((remark(judged)?, judged.id.as_str()))));
    said.into_iter().map(|(text, ids)| Remark::new(ids.join(", "), text, Tone::Faint)).collect()
}

/// Why it could not be tested, or what would decide it.
fn remark(judged: &Judged) -> Option<String> {
    Some(match (judged.outcome, judged.further_rounds) {
        (Outcome::NotMeasured | Outcome::NotTestable, _) => judged.reason.clone()?,
        (Outcome::Undecided, Some(rounds)) => match judged.further_ns {
            Some(ns) => {
                format!(
                    "about {} would decide it, at least {} of work",
                    counted(u64::from(rounds), "more round"),
                    format_ns(ns as f64)
                )
            }
            None => format!("about {} would decide it", counted(u64::from(rounds), "more round")),
        },
        (Outcome::Undecided, None) if may_need_more(judged) => match judged.run {
            Some(_) => "more rounds may decide it".to_owned(),
            // Two hosts are compared run by run.
            None => "more runs may decide it".to_owned(),
        },
        (Outcome::Undecided, None) => "ten times as many rounds would not decide it".to_owned(),
        _ => return None,
    })
}

/// What was found out beside the number of a fact.
fn found(judged: &Judged) -> Option<String> {
    let found = judged.comparisons.iter().filter_map(|one| one.found.clone());
    joined(found, "; ").filter(|_| judged.is_measured())
}

/// So many contests are named of a run.
const SHOWN: usize = 3;

/// By which runs it was judged: when they began, on which host, and what they worked on.
fn judged_by(judged: &Judged) -> Option<String> {
    let of = |one: &JudgedBy| {
        let host = one.host.as_deref().unwrap_or("a host without a name");
        let work = match one.workloads.len() {
            0 => String::new(),
            more if more > SHOWN => format!(": {}; {} more", one.workloads[..SHOWN].join("; "), more - SHOWN),
            _ => format!(": {}", one.workloads.join("; ")),
        };
        format!("run {} of {} on {host}{work}", one.run, one.started)
    };
    Some(format!("judged by {}", joined(judged.judged_by.iter().map(of), ", ")?))
}

/// Whether a comparison is undecided of which it was not worked out what would decide it.
fn may_need_more(judged: &Judged) -> bool {
    judged.comparisons.iter().any(|one| one.outcome == Outcome::Undecided && !one.rounds_are_foreseen)
}

#[cfg(test)]
mod tests {
    use findings::{Known, judge, read_all};
    use model::RunId;

    use super::*;

    #[test]
    fn that_more_rounds_would_not_do_is_only_said_where_it_was_worked_out() {
        let all = read_all().expect("findings");
        let mut judged = judge(&all[0], &[], &Known::new(), None);
        judged.outcome = Outcome::Undecided;
        judged.run = Some(RunId("r1".to_owned()));
        let mut said = |is_foreseen: bool| {
            for one in &mut judged.comparisons {
                one.outcome = Outcome::Undecided;
                one.rounds_are_foreseen = is_foreseen;
            }
            remark(&judged).expect("a remark")
        };
        assert_eq!(said(true), "ten times as many rounds would not decide it");
        assert_eq!(said(false), "more rounds may decide it");
    }
}
