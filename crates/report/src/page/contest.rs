//! One contest: the answer, the rows that it rests on, and what bears on it.

use judge::{Entry, Ranking, Standing, State};
use model::Metric;

use super::blocks::{Align, Bar, Bars, Block, Cell, Extent, Remark, Row, Section, Table, Tone};
use crate::pages::Context;
use crate::words::curves::{self, Part};
use crate::words::left_aside;
use crate::words::phrase::{self, Settled};
use crate::words::rows::shown;
use crate::words::units::{Scale, bytes, percent};

pub(crate) fn contest(ranking: &Ranking, context: &Context, extent: Extent) -> Section {
    // A terminal shows what was typed, and the table says how often it ran.
    let is_typed = extent.is_short() && ranking.workload.is_as_given();
    let mut section = Section::new();
    if !is_typed || ranking.metric != Metric::PROCESS {
        section.push(Block::Heading {
            text: phrase::question(&ranking.family, context),
            conditions: Some(phrase::conditions(ranking)),
        });
    }
    let answer = advice(ranking);
    section.extend(answer.map(|text| Block::Answer(text.clone(), tone(ranking))));
    match answer {
        Some(_) => section.push(Block::Sentence(ranking.sentence.clone(), Tone::Plain)),
        // The only row is the answer.
        None if is_typed && ranking.state == State::Alone => {}
        None => section.push(Block::Answer(ranking.sentence.clone(), tone(ranking))),
    }
    let further = ranking.also_measured.iter().chain(&ranking.alone);
    section.extend(further.map(|text| Block::Sentence(text.clone(), Tone::Plain)));
    section.push(Block::Table(figures(ranking, extent)));
    section.extend(values(ranking, extent.all).map(Block::Table));
    if extent.verbose {
        section.push(Block::Table(costs(ranking)));
    }
    section.push(Block::Remarks(remarks(ranking, context, extent)));
    if !is_typed {
        section.push(Block::Sentence(phrase::basis(ranking, extent.all), Tone::Faint));
    }
    section
}

/// What to do. Of commands that were timed as they were given, the result says it.
fn advice(ranking: &Ranking) -> Option<&String> {
    ranking.advice.as_ref().filter(|_| !ranking.workload.is_as_given())
}

pub(crate) fn tone(ranking: &Ranking) -> Tone {
    phrase::settled(ranking).tone()
}

impl Settled {
    pub(crate) fn tone(self) -> Tone {
        match self {
            Self::Yes => Tone::Good,
            Self::Partly => Tone::Doubt,
            Self::No => Tone::Bad,
        }
    }
}

fn figures(ranking: &Ranking, extent: Extent) -> Table {
    let shown = shown(ranking, extent.all);
    let several = shown.rows.iter().filter(|entry| entry.standing.is_candidate()).count() > 1;
    let legend = several.then(|| "= tied.".to_owned());
    let hint = if extent.hints { " (--verbose shows all)" } else { "" };
    let others = shown.others.map(|others| format!("{others}{hint}."));
    let below: Vec<String> = legend.into_iter().chain(others).collect();
    Table {
        below: Some(below.join(" ")).filter(|below| !below.is_empty()),
        ..figures_of(&shown.rows, ranking)
    }
}

pub(crate) fn figures_of(rows: &[&Entry], ranking: &Ranking) -> Table {
    if ranking.workload.is_as_given() {
        return of_commands(rows, ranking);
    }
    let words = phrase::words_of(&ranking.metric);
    Table {
        about: "Times, throughput, processor time",
        rows: rows.iter().map(|entry| row(entry, ranking)).collect(),
        spare: vec![5, 4],
        // A plot says more than throughput and processor time do.
        bars: Some(Bars { before: 2, in_place_of: vec![4, 5] }),
        ..Table::of(&format!(
            "< | ~ technique | < {} | > {} | > throughput | > {} | <",
            words.factors,
            words.value,
            phrase::cpu_title(ranking)
        ))
    }
}

/// The rows of commands that were timed as they were given: what a user of a stopwatch looks for.
fn of_commands(rows: &[&Entry], ranking: &Ranking) -> Table {
    let time = |ns: Option<f64>| ns.map_or(String::new(), |ns| Scale::of_ns(ns).value(ns));
    let row = |entry: &&Entry| {
        let (estimate, interval) = phrase::factor(entry, ranking);
        let has_split = entry.user_ns.is_some() && entry.system_ns.is_some();
        let cells = vec![
            phrase::mark(entry, ranking).into(),
            Cell::Entry {
                name: entry.technique.clone(),
                aliases: Vec::new(),
                kind: phrase::told_kind(entry, ranking),
            },
            Cell::Estimate(estimate, interval),
            phrase::median(entry, ranking).into(),
            phrase::range(entry, ranking).into(),
            time(entry.user_ns).into(),
            time(entry.system_ns).into(),
            time(entry.cpu_ns.filter(|_| !has_split)).into(),
            entry.peak_memory_bytes.map_or(String::new(), bytes).into(),
            entry.rounds.to_string().into(),
        ];
        Row { cells, tone: tone_of(entry), notes: notes(entry, ranking), bar: None }
    };
    Table {
        about: "Times, memory",
        rows: rows.iter().map(row).collect(),
        spare: vec![9, 8, 5, 6],
        ..Table::of(&format!(
            "< | ~ command | < {} | > median | < range | > user | > system | > cpu | > memory | > runs",
            phrase::words_of(&ranking.metric).factors
        ))
    }
}

fn row(entry: &Entry, ranking: &Ranking) -> Row {
    let (estimate, interval) = phrase::factor(entry, ranking);
    let bar = |factor: f64| Bar {
        factor,
        low: entry.factor_low,
        high: entry.factor_high,
        leads: ranking.leader.as_deref() == Some(&entry.technique),
        is_baseline: ranking.baseline.as_deref() == Some(&entry.technique),
    };
    let name = entry.technique.clone();
    Row {
        cells: vec![
            phrase::mark(entry, ranking).into(),
            Cell::Entry { name, aliases: entry.aliases.clone(), kind: phrase::told_kind(entry, ranking) },
            Cell::Estimate(estimate, interval),
            phrase::median(entry, ranking).into(),
            phrase::speed(entry).into(),
            phrase::cpu(entry, ranking).into(),
            phrase::tag(entry, ranking).into(),
        ],
        tone: tone_of(entry),
        notes: notes(entry, ranking),
        bar: entry.factor.map(bar),
    }
}

/// The remarks on a row. Why it failed stands below the table already.
fn notes(entry: &Entry, ranking: &Ranking) -> Vec<String> {
    let said = ranking.failures.iter().any(|failure| failure.technique == entry.technique);
    if entry.standing == Standing::Failed && said { Vec::new() } else { entry.notes.clone() }
}

fn tone_of(entry: &Entry) -> Tone {
    match entry.standing {
        Standing::Wins | Standing::Tied => Tone::Good,
        Standing::Slower | Standing::Unjudged => Tone::Plain,
        Standing::Ceiling | Standing::Skipped => Tone::Faint,
        Standing::Failed => Tone::Bad,
    }
}

fn name(entry: &Entry) -> Cell {
    Cell::Entry { name: entry.technique.clone(), aliases: Vec::new(), kind: entry.kind }
}

fn costs(ranking: &Ranking) -> Table {
    let mut table = Table::of(
        "~ technique | > rounds | > mean/leader | > spread | > p95/med | > max/med | > far out | > memory \
         | > faults | > switches | > preempted | > waited",
    );
    table.about = "Spread, memory, faults, switches";
    table.spare = vec![11, 10, 4, 6];
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.0}"));
    let twice = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
    for entry in &ranking.entries {
        let noise = entry.noise.as_ref();
        let rounds = match entry.left_after_round {
            Some(round) => format!("left {round}"),
            None => entry.rounds.to_string(),
        };
        let memory = entry.peak_memory_bytes.filter(|_| ranking.metric != Metric::MEMORY);
        let figures = [
            rounds,
            twice(entry.mean_ratio),
            noise.map_or(String::new(), |noise| percent(noise.robust_spread)),
            twice(noise.map(|noise| noise.p95_over_median)),
            twice(noise.map(|noise| noise.max_over_median)),
            noise.map_or(String::new(), |noise| noise.far_out.to_string()),
            memory.map_or(String::new(), bytes),
            number(entry.faults),
            number(entry.switches),
            number(entry.preemptions),
            entry.run_delay_ns.map_or(String::new(), |ns| Scale::of_ns(ns).value(ns)),
        ];
        let cells = std::iter::once(name(entry)).chain(figures.map(Cell::from)).collect();
        table.rows.push(Row { cells, ..Row::default() });
    }
    table
}

/// What techniques counted or timed themselves. The median of the whole need not be the sum of its parts.
fn values(ranking: &Ranking, all: bool) -> Option<Table> {
    let columns = phrase::values(ranking, all);
    if columns.is_empty() {
        return None;
    }
    let head = std::iter::once(("technique".to_owned(), Align::Fold));
    let mut table =
        Table::new(head.chain(columns.iter().map(|(_, heading)| (heading.clone(), Align::Right))));
    table.about = "What the techniques counted or timed themselves";
    for entry in ranking.entries.iter().filter(|entry| !entry.values.is_empty()) {
        let values = columns.iter().map(|(key, _)| phrase::value(entry, key).into());
        let cells = std::iter::once(name(entry)).chain(values).collect();
        table.rows.push(Row { cells, ..Row::default() });
    }
    Some(table)
}

fn remarks(ranking: &Ranking, context: &Context, extent: Extent) -> Vec<Remark> {
    let flags = ranking.flags.iter().filter(|flag| extent.verbose || flag.important);
    let flags = flags.map(|flag| Remark::new(flag.name.replace('_', " "), flag.text.as_str(), Tone::Doubt));
    let mut all: Vec<Remark> = flags.collect();
    let mut say = |head: &str, text: String, tone: Tone| all.push(Remark::new(head, text, tone));
    if let Some(text) = curves::without_own_code(&Part::Contest(ranking), &[], context) {
        say("own code", text, Tone::Plain);
    }
    if let Some(text) = phrase::also_measured(ranking) {
        say("also measured", text, Tone::Plain);
    }
    for best in phrase::parameters(ranking, extent.all) {
        say("parameter", phrase::parameter(best), Tone::Plain);
    }
    for (title, text) in left_aside::above_zero_in(ranking, extent.all) {
        say(&title, text, Tone::Doubt);
    }
    if !ranking.without_metric.is_empty() {
        let names: Vec<&str> = ranking.without_metric.iter().map(String::as_str).collect();
        say("", phrase::without_metric(&names, extent.all), Tone::Plain);
    }
    for failure in &ranking.failures {
        say("failed", phrase::failed(failure), Tone::Bad);
    }
    for text in phrase::not_available(&ranking.not_available).into_iter().filter(|_| extent.absent) {
        say("not available here", text, Tone::Faint);
    }
    for text in phrase::not_available(&ranking.not_tried).into_iter().filter(|_| extent.absent) {
        say("skipped", text, Tone::Faint);
    }
    if let Some(text) = phrase::further(ranking) {
        say("to know more", text, Tone::Plain);
    }
    all
}
