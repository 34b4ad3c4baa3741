//! Published claims, and whether they are true here.

use findings::{Effect, Judged, Outcome, answer};

use super::blocks::{Block, Cell, Extent, Remark, Row, Section, Sections, Table, Tone};
use crate::words::findings::{claimed, figures, found, is_time, judged_by, published, range, remark};
use crate::words::phrase::by_key;

pub(crate) fn findings(all: &[Judged], extent: Extent) -> Sections {
    let mut page: Sections = vec![vec![Block::Answer(answer(all), Tone::Title)]];
    for (family, own) in by_key(all.iter().map(|judged| (judged.family.as_str(), judged))) {
        page.push(section(family, &own, extent));
    }
    page
}

fn section(family: &str, all: &[&Judged], extent: Extent) -> Section {
    let mut table = Table::of(
        "< finding | < here | ~ what was published | < compared | < effect here | > claimed | > published",
    );
    table.spare = vec![3, 5];
    table.rows.extend(all.iter().map(|judged| row(judged)));
    let mut section = vec![Block::heading(family), Block::Table(table)];
    // The settings that are not the published ones.
    section.push(Block::Remarks(shared(all, |judged| judged.measured_with.clone())));
    section.push(Block::Remarks(untested(all)));
    section.push(Block::Remarks(shared(all, found)));
    section.push(Block::Remarks(shared(all, judged_by)));
    if extent.verbose {
        let several = all.iter().filter(|judged| judged.comparisons.len() > 1);
        section.extend(several.map(|judged| details(judged)));
    }
    section
}

fn row(judged: &Judged) -> Row {
    let deciding = judged.deciding().filter(|_| judged.is_measured());
    let effect = deciding.and_then(|one| one.effect);
    let cells = vec![
        judged.id.as_str().into(),
        judged.outcome.words().into(),
        judged.claim.as_str().into(),
        deciding.map_or("", |one| &one.what).into(),
        effect.map_or(Cell::from(""), |effect| estimate(&effect, deciding.is_some_and(is_time))),
        deciding.map(claimed).unwrap_or_default().into(),
        published(judged).into(),
    ];
    Row { cells, tone: tone(judged.outcome), ..Row::default() }
}

fn details(judged: &Judged) -> Block {
    let mut table = Table::of("< | < here | < effect here | > claimed | > published");
    table.columns[0].0.clone_from(&judged.id);
    for one in &judged.comparisons {
        let effect = one.effect.map_or(Cell::from(""), |effect| estimate(&effect, is_time(one)));
        let published = one.published.as_ref().map(|found| range(found, is_time(one))).unwrap_or_default();
        let cells = [
            one.what.as_str().into(),
            one.outcome.words().into(),
            effect,
            claimed(one).into(),
            published.into(),
        ];
        table.cells(cells, tone(one.outcome));
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

fn estimate(effect: &Effect, is_time: bool) -> Cell {
    let (estimate, interval) = figures(effect, is_time);
    Cell::Estimate(estimate, interval)
}

/// Returns why they could not be tested, or what would decide them; findings of which the same is said share a line.
pub(crate) fn untested(all: &[&Judged]) -> Vec<Remark> {
    shared(all, remark)
}

/// Returns remarks of findings; those of which the same is said share a line.
fn shared(all: &[&Judged], remark: impl Fn(&Judged) -> Option<String>) -> Vec<Remark> {
    let said = by_key(all.iter().filter_map(|judged| Some((remark(judged)?, judged.id.as_str()))));
    said.into_iter().map(|(text, ids)| Remark::new(ids.join(", "), text, Tone::Faint)).collect()
}
