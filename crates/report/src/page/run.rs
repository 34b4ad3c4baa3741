//! What `bakeoff run` says at its end: the answers of all contests, then each with the figures that it rests on.

use std::collections::BTreeSet;

use findings::published::as_printed;
use judge::{Decided, FailureLine, Ranking, State};
use model::{Note, Preset, Record, Topic};

use super::as_printed::as_printed as printed;
use super::blocks::{Block, Extent, Remark, Section, Sections, Table, Tone};
use super::contest::{contest, tone};
use super::curve::{self, curve};
use super::summary::summary;
use crate::pages::{Context, RunPage};
use crate::words::curves::{self, Part};
use crate::words::left_aside;
use crate::words::phrase::by_key;
use crate::words::{self, phrase};

/// With so few levels, the contest at each is shown below the curve.
const FEW_LEVELS: usize = 2;
/// More facts of a family than this would bury its contests.
const MOST_FACTS: usize = 12;

pub(crate) fn run(page: &RunPage<'_>, extent: Extent) -> Sections {
    let RunPage { record, decided, context, .. } = *page;
    let parts = curves::parts(decided);
    // Other work that disturbed the answers comes before them.
    let not_quiet = words::run::not_quiet(record, decided, &parts);
    let mut first: Section = not_quiet.map(|said| Block::Sentence(said, Tone::Bad)).into_iter().collect();
    let is_summary = is_summary(&parts, extent);
    if is_summary {
        first.push(Block::Sentence(words::run::host(record, &parts), Tone::Faint));
    }
    let mut page = contests(decided, context, extent);
    // The tables of a run as it was published come before its answers.
    let printed = published_tables(record, decided);
    if !printed.is_empty() {
        page.splice(0..0, printed);
    }
    if parts.len() == 1 {
        page[0].splice(0..0, first);
    } else if !first.is_empty() {
        page.insert(0, first);
    }
    if !is_summary {
        page.extend(facts(record, extent));
    }
    page.push(ending(record, decided, context, extent));
    page
}

/// Returns the published tables with this host, of a run that did what was published.
pub(crate) fn published_tables(record: &Record, decided: &Decided) -> Sections {
    match record.preset {
        Preset::Published => as_printed(record, decided).iter().map(printed).collect(),
        Preset::Quick | Preset::Large => Sections::new(),
    }
}

pub(crate) fn contests(decided: &Decided, context: &Context, extent: Extent) -> Sections {
    if decided.rankings.is_empty() {
        return vec![vec![Block::Sentence("No contest took place.".to_owned(), Tone::Plain)]];
    }
    let parts = curves::parts(decided);
    let mut confidence = words::run::confidence(decided, parts.len() > 1);
    if is_summary(&parts, extent) {
        let mut first = summary(&parts, &decided.rankings, extent);
        first.extend(confidence.map(|text| Block::Sentence(text, Tone::Faint)));
        let below = set_aside(decided, context).into_iter().chain(next(&parts, context)).collect();
        first.push(Block::Remarks(below));
        return vec![first];
    }
    let mut page = Sections::new();
    if parts.len() > 1 {
        let confidence = confidence.take().map(|text| Block::Sentence(text, Tone::Faint));
        page.push(std::iter::once(Block::Answers(answers(&parts))).chain(confidence).collect());
    }
    for part in &parts {
        match part {
            Part::Contest(one) => page.push(contest(one, context, extent)),
            Part::Curve(one) => {
                page.push(curve(one, &decided.rankings, context, extent));
                let shows_levels = extent.levels || one.levels.len() <= FEW_LEVELS;
                let levels = curves::levels(one, &decided.rankings).into_iter().filter(|_| shows_levels);
                page.extend(levels.map(|(_, level)| contest(level, context, extent)));
            }
        }
    }
    // The only contest says itself how sure its answer is: behind the number of rounds where it has one.
    let has_rounds = !matches!(parts[..], [Part::Contest(one)] if one.workload.is_as_given());
    let last = page.first_mut().and_then(|section| {
        section.iter_mut().rev().find_map(|block| match block {
            Block::Sentence(text, _) | Block::Answer(text, _) => Some(text),
            Block::Table(table) if has_rounds => table.below.as_mut(),
            Block::Levels(levels) => Some(&mut levels.below),
            _ => None,
        })
    });
    if let Some((last, confidence)) = last.zip(confidence) {
        last.extend([" ", &confidence]);
    }
    if let Some(last) = page.last_mut().filter(|_| extent.is_short()) {
        last.push(Block::Remarks(next(&parts, context)));
    }
    page
}

/// Returns true if only the answers are shown: of several families each contest would bury them.
fn is_summary(parts: &[Part<'_>], extent: Extent) -> bool {
    let families: BTreeSet<&str> = parts.iter().map(Part::family).collect();
    families.len() > 1 && extent.is_short()
}

fn set_aside(decided: &Decided, context: &Context) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = Vec::new();
    let mut say = |head: &str, text: String, tone: Tone| {
        if !remarks.iter().any(|one| one.head == head && one.text == text) {
            remarks.push(Remark::new(head, text, tone));
        }
    };
    for part in curves::parts(decided) {
        if let Some((name, text)) = curves::own_code(&part, &decided.rankings, context) {
            say(&name, text, Tone::Plain);
        }
    }
    // Each technique once, with the first of its lines.
    let named = |of: fn(&Ranking) -> &[FailureLine]| {
        let lines =
            decided.rankings.iter().flat_map(|ranking| of(ranking).iter().map(move |line| (ranking, line)));
        by_key(lines.map(|(ranking, line)| (format!("{}/{}", ranking.family, line.technique), line)))
    };
    let counted = |all: &[(String, Vec<&FailureLine>)]| match all {
        [] | [_] | [_, _] => all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "),
        many => phrase::counted(many.len() as u64, "technique"),
    };
    for ranking in &decided.rankings {
        let flags = ranking.flags.iter().filter(|flag| flag.important);
        flags.for_each(|flag| say(&ranking.family, flag.text.clone(), Tone::Doubt));
    }
    for ranking in decided.rankings.iter().filter(|one| one.state == State::Refused) {
        say(&ranking.family, ranking.sentence.clone(), Tone::Bad);
    }
    for (name, lines) in named(|ranking| &ranking.failures) {
        say("failed", format!("{name}: {}", lines[0].reason), Tone::Bad);
    }
    let skipped = named(|ranking| &ranking.skipped);
    if let Some((_, lines)) = skipped.first() {
        let text = format!("{} ({})", counted(&skipped), left_aside::way_out(&lines[0].reason));
        say("skipped for time", text, Tone::Doubt);
    }
    let absent = named(|ranking| &ranking.not_available);
    if !absent.is_empty() {
        say("not available here", format!("{} (bakeoff report -v says why)", counted(&absent)), Tone::Faint);
    }
    remarks
}

/// Returns what the reader may type next about a built-in technique that is an answer.
fn next(parts: &[Part<'_>], context: &Context) -> Vec<Remark> {
    let is_built_in = |family: &str, entry: &str| {
        context.ideas.contains_key(&(family.to_owned(), phrase::technique_of(entry).to_owned()))
    };
    let choices = parts.iter().flat_map(|part| {
        let choices: Vec<_> = match part {
            Part::Contest(ranking) => ranking.choice.iter().collect(),
            Part::Curve(curve) => curve.ranges.iter().map(|range| &range.choice).collect(),
        };
        choices.into_iter().map(|one| (part.family(), one))
    });
    let choices = choices.filter(|(family, one)| is_built_in(family, &one.entry));
    let mut further = choices.clone().filter(|(_, one)| !one.is_baseline).chain(choices);
    let Some((family, choice)) = further.next() else {
        return Vec::new();
    };
    let technique = phrase::technique_of(&choice.entry);
    let store = &context.store_option;
    let is_sized = |part: &&Part<'_>| matches!(part, Part::Contest(one) if one.workload.bytes().is_some());
    let sized = parts.iter().filter(|_| parts.len() > 1).find(is_sized);
    let size = sized.map(|part| format!("bakeoff run {} --size 1GiB{store}", part.family()));
    let mut all: Vec<Remark> = Remark::each("your size", size, Tone::Plain).collect();
    let code = format!("bakeoff show {family}/{technique}{store}");
    // What explain does unless it is told otherwise is the work of the last run of a family.
    let mut all_about = parts.iter().map(Part::about);
    let is_explained = all_about.all(|(of, _, metric)| of == family && judge::compares_speed(metric));
    let head = if is_explained { "why" } else { "code" };
    let why = if is_explained { format!("bakeoff explain {family}{store}; code: ") } else { String::new() };
    all.push(Remark::new(head, why + &code, Tone::Plain));
    all
}

fn answers(parts: &[Part<'_>]) -> Vec<Remark> {
    let labels = curves::labels(parts).into_iter().zip(parts);
    let answers = labels.map(|(label, part)| match part {
        Part::Contest(one) => {
            let also: String = one.also_measured.iter().map(|text| format!(" {text}")).collect();
            Remark::new(label, format!("{}{also}", phrase::answer(one)), tone(one))
        }
        Part::Curve(one) => Remark::new(label, one.sentence.as_str(), curve::tone(one)),
    });
    answers.collect()
}

/// Returns what was found out next to the contests, where it would not bury them.
pub(crate) fn facts(record: &Record, extent: Extent) -> Vec<Section> {
    let families = record.facts.chunk_by(|one, next| one.family == next.family);
    let sections = families.map(|facts: &[model::Fact]| {
        let family = &facts[0].family;
        if facts.len() > MOST_FACTS && !extent.all {
            return Vec::new();
        }
        let mut table = Table::of("< about | ~ fact | ~ value");
        for fact in facts {
            let [about, name] = [&fact.about, &fact.name].map(|text| text.replace('_', " "));
            table.row([about, name, phrase::fact(&fact.value)], Tone::Plain);
        }
        vec![Block::heading(format!("Facts that {family} found out")), Block::Table(table)]
    });
    sections.collect()
}

pub(crate) fn ending(record: &Record, decided: &Decided, context: &Context, extent: Extent) -> Section {
    let rankings = &decided.rankings;
    // What every ranking says in a flag of its own is not said once more.
    let mut notes = Vec::new();
    // A limit of memory is that of the family that its sentence names.
    let is_named = |note: &Note| rankings.iter().any(|one| note.text.contains(&one.family));
    let is_about =
        |note: &Note| !matches!(note.topic, Topic::MemoryLimit | Topic::ReadAhead) || is_named(note);
    let important = record.notes.iter().filter(|note| extent.verbose || phrase::is_important(note));
    for note in important.filter(|note| is_about(note)) {
        let mut flags = rankings.iter().flat_map(|ranking| &ranking.flags);
        if rankings.len() > 1 || flags.all(|flag| flag.text != note.text) {
            notes.push(Remark::new("note", note.text.as_str(), Tone::Doubt));
        }
    }
    if !record.complete {
        let text = "the run did not come to its end; these are the rounds that it finished.";
        notes.push(Remark::new("note", text, Tone::Doubt));
    }
    let mut section = vec![Block::Remarks(notes)];
    if extent.verbose || !extent.hints {
        let stored = context.stored_in.as_ref().map_or(String::new(), |place| format!(", stored in {place}"));
        let run = format!("run {}, seed {}{stored}", record.id, record.seed);
        section.push(Block::Sentence(run, Tone::Plain));
    }
    section
}
