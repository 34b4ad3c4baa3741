//! What `bakeoff run` says at its end: the answers of all contests, then each with the figures that it rests on.

use judge::Decided;
use model::{Note, Record};

use super::blocks::{Align, Block, Extent, Remark, Section, Sections, Table, Tone};
use super::contest::{contest, tone};
use super::curve::{self, curve};
use crate::pages::{Context, RunPage};
use crate::words::curves::{self, Part};
use crate::words::{self, phrase};

/// More facts of a family than this would bury its contests.
const MOST_FACTS: usize = 12;

/// All contests of a run and what a reader must know of it.
pub(crate) fn run(page: &RunPage<'_>, extent: Extent) -> Sections {
    let RunPage { record, decided, context, .. } = *page;
    let mut page: Sections = load(record, decided).into_iter().collect();
    page.extend(contests(decided, context, extent));
    page.extend(facts(record, extent));
    page.push(ending(record, decided, context, extent));
    page
}

/// What comes before all answers where other work disturbed them.
fn load(record: &Record, decided: &Decided) -> Option<Section> {
    let told = words::run::load(&record.host, &curves::parts(decided))?;
    Some(vec![Block::Sentence(told, Tone::Bad)])
}

/// All contests and curves, with their answers first.
pub(crate) fn contests(decided: &Decided, context: &Context, extent: Extent) -> Sections {
    if decided.rankings.is_empty() {
        return vec![vec![Block::Sentence("No contest took place.".to_owned(), Tone::Plain)]];
    }
    let parts = curves::parts(decided);
    let mut first = vec![Block::Answers(answers(&parts))];
    first.extend(words::run::confidence(decided).map(|text| Block::Sentence(text, Tone::Faint)));
    let mut page = vec![first];
    for part in &parts {
        match part {
            Part::Contest(one) => page.push(contest(one, context, extent)),
            Part::Curve(one) => {
                page.push(curve(one, &decided.rankings, context, extent));
                let shows_levels = extent.levels || curves::has_few_levels(one);
                let levels = curves::levels(one, &decided.rankings).into_iter().filter(|_| shows_levels);
                page.extend(levels.map(|(_, level)| contest(level, context, extent)));
            }
        }
    }
    page
}

/// The answers of all contests and curves, a few lines each.
fn answers(parts: &[Part<'_>]) -> Vec<Remark> {
    let answer = |(label, part): (String, &Part<'_>)| match part {
        Part::Contest(one) => {
            let also: String = one.also_measured.iter().map(|text| format!(" {text}")).collect();
            Remark::new(label, format!("{}{also}", phrase::answer(one)), tone(one))
        }
        Part::Curve(one) => Remark::new(label, one.sentence.as_str(), curve::tone(one)),
    };
    curves::labels(parts).into_iter().zip(parts).map(answer).collect()
}

/// What was found out next to the contests; only its number where it would bury them.
pub(crate) fn facts(record: &Record, extent: Extent) -> Vec<Section> {
    let families = record.facts.chunk_by(|one, next| one.family == next.family);
    let section = |facts: &[model::Fact]| {
        let family = &facts[0].family;
        if facts.len() > MOST_FACTS && !extent.all {
            let told = format!("{family} found out {} facts; --verbose shows them.", facts.len());
            return vec![Block::Sentence(told, Tone::Plain)];
        }
        let mut table = Table::new([("about", Align::Left), ("fact", Align::Fold), ("value", Align::Fold)]);
        for fact in facts {
            let [about, name] = [&fact.about, &fact.name].map(|text| text.replace('_', " "));
            table.row([about, name, phrase::fact(&fact.value)], Tone::Plain);
        }
        vec![Block::heading(format!("Facts that {family} found out")), Block::Table(table)]
    };
    families.map(section).collect()
}

/// What a reader must know of the run as a whole.
pub(crate) fn ending(record: &Record, decided: &Decided, context: &Context, extent: Extent) -> Section {
    let rankings = &decided.rankings;
    // What every ranking says in a flag of its own is not said once more.
    let flagged =
        |note: &str| rankings.iter().any(|ranking| ranking.flags.iter().any(|flag| flag.text == note));
    let wanted = |note: &&Note| phrase::is_important(note) || extent.verbose;
    let told = record.notes.iter().filter(wanted).filter(|note| rankings.len() > 1 || !flagged(&note.text));
    let mut notes: Vec<Remark> =
        told.map(|note| Remark::new("note", note.text.as_str(), Tone::Doubt)).collect();
    if !record.complete {
        let text = "the run did not come to its end; these are the rounds that it finished.";
        notes.push(Remark::new("note", text, Tone::Doubt));
    }
    let stored = context.stored_in.as_ref().map_or(String::new(), |place| format!(", stored in {place}"));
    let run = format!("run {}, seed {}{stored}", record.id, record.seed);
    vec![Block::Remarks(notes), Block::Sentence(run, Tone::Plain)]
}
