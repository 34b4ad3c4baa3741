//! Published claims, and whether they are true here.

use findings::{Effect, Judged, Outcome, Published, answer};

use super::blocks::{Block, Cell, Extent, Remark, Row, Section, Sections, Table, Tone};
use crate::words::findings::{
    claimed, conditions, doubts, figures, found, judged_by, published_figures, range, remark,
};
use crate::words::phrase::by_key;

/// So narrow that a sentence, an effect and what was published stand next to each other in 80 columns.
const FOLDED_MIN: usize = 13;
/// As wide as most names of what is compared.
const NAME_COLUMNS: usize = 22;

pub(crate) fn findings(all: &[Judged], extent: Extent) -> Sections {
    let mut page: Sections = vec![vec![Block::Answer(answer(all), Tone::Title)]];
    for (family, own) in by_key(all.iter().map(|judged| (judged.family.as_str(), judged))) {
        page.push(section(family, &own, extent));
    }
    page
}

fn section(family: &str, all: &[&Judged], extent: Extent) -> Section {
    let mut table = Table::of(
        "< finding | ~ here | ~ what was published | ~ compared | ~ effect here | > claimed | ~ published",
    );
    table.spare = vec![3, 5];
    (table.folded_min, table.name_columns) = (Some(FOLDED_MIN), NAME_COLUMNS);
    table.rows.extend(all.iter().map(|judged| row(judged)));
    let mut section = vec![Block::heading(family), Block::Table(table)];
    section.push(Block::Remarks(shared(all, conditions)));
    // The settings that are not the published ones.
    section.push(Block::Remarks(shared(all, |judged| judged.measured_with.clone())));
    section.push(Block::Remarks(shared(all, doubts)));
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
        effect
            .map_or(Cell::from(""), |effect| estimate(&effect, deciding.and_then(|one| one.unit.as_deref()))),
        deciding.map(claimed).unwrap_or_default().into(),
        published(judged),
    ];
    Row { cells, tone: tone(judged.outcome), ..Row::default() }
}

fn details(judged: &Judged) -> Block {
    let mut table = Table::of("~ | ~ here | ~ effect here | > claimed | ~ published");
    table.columns[0].0.clone_from(&judged.id);
    table.spare = vec![3];
    table.folded_min = Some(FOLDED_MIN);
    for one in &judged.comparisons {
        let effect = one.effect.map_or(Cell::from(""), |effect| estimate(&effect, one.unit.as_deref()));
        let published = one
            .published
            .as_ref()
            .map_or(Cell::from(""), |found| published_range(found, one.unit.as_deref()));
        let cells =
            [one.what.as_str().into(), one.outcome.words().into(), effect, claimed(one).into(), published];
        table.cells(cells, tone(one.outcome));
    }
    Block::Table(table)
}

/// Returns the published effect: from the tables, else in words.
fn published(judged: &Judged) -> Cell {
    match published_figures(judged) {
        Some((found, unit)) => published_range(found, unit),
        None => judged.figure.clone().unwrap_or_default().into(),
    }
}

fn published_range(found: &Published, unit: Option<&str>) -> Cell {
    let (figures, machines) = range(found, unit);
    Cell::Estimate(figures, machines)
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

fn estimate(effect: &Effect, unit: Option<&str>) -> Cell {
    let (estimate, interval) = figures(effect, unit);
    Cell::Estimate(estimate, interval)
}

/// Returns why they could not be tested, or what would decide them; findings of which the same is said share a line.
pub(crate) fn untested(all: &[&Judged]) -> Vec<Remark> {
    shared(all, remark)
}

/// Returns remarks of findings; those of which the same is said share a line.
fn shared<R: IntoIterator<Item = String>>(all: &[&Judged], remarks: impl Fn(&Judged) -> R) -> Vec<Remark> {
    let places = all.iter().enumerate();
    let said =
        by_key(places.flat_map(|(place, judged)| remarks(judged).into_iter().map(move |text| (text, place))));
    said.into_iter().map(|(text, places)| Remark::new(names(all, &places), text, Tone::Faint)).collect()
}

/// Returns the names of findings; three or more that stand next to each other are a range: `copy-1 to 8, 10, sort-2`.
fn names(all: &[&Judged], places: &[usize]) -> String {
    let family = |place: &usize| all[*place].family.as_str();
    let mut before = "";
    let mut name = |place: &usize| {
        let id = all[*place].id.as_str();
        let is_known = std::mem::replace(&mut before, family(place)) == family(place);
        let number = id.strip_prefix(family(place)).and_then(|rest| rest.strip_prefix('-'));
        number.filter(|_| is_known).unwrap_or(id).to_owned()
    };
    let mut names: Vec<String> = Vec::new();
    for range in places.chunk_by(|one, next| one + 1 == *next && family(one) == family(next)) {
        match range {
            [first, _, .., last] => names.push(format!("{} to {}", name(first), name(last))),
            few => names.extend(few.iter().map(&mut name)),
        }
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use findings::{Known, judge};

    use super::*;

    #[test]
    fn findings_that_stand_next_to_each_other_are_a_range() {
        let all: Vec<Judged> =
            findings::all().iter().map(|one| judge(one, &[], &Known::new(), None)).collect();
        let all: Vec<&Judged> = all.iter().collect();
        let named = |places: &[usize]| names(&all, places);
        assert_eq!(named(&[0]), "copy-1");
        assert_eq!(named(&[0, 1]), "copy-1, 2");
        assert_eq!(named(&[0, 1, 2, 5, 9, 10, 11]), "copy-1 to 3, 6, 10, convert-1, 2");
    }
}
