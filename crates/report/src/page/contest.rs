//! One contest: the answer, the rows that it rests on, and what bears on it.

use judge::{Entry, Ranking, Standing, State, beyond_rows};
use model::{Metric, Workload};

use super::blocks::{Align, Bar, Bars, Block, Cell, Extent, Remark, Row, Section, Table, Tone};
use crate::pages::Context;
use crate::words::curves::{self, Part};
use crate::words::left_aside;
use crate::words::phrase;
use crate::words::rows::{SHORT, shown};
use crate::words::units::{bytes, percent, time};

/// The width that a name, or a command, gets before spare columns are shown.
const NAME_COLUMNS: usize = 28;

pub(crate) fn contest(ranking: &Ranking, context: &Context, extent: Extent) -> Section {
    // A terminal shows what was typed, and the table says how often it ran.
    let is_typed = extent.is_short() && ranking.family == Workload::TYPED_COMMANDS;
    let mut section = Section::new();
    if !is_typed || ranking.metric != Metric::PROCESS {
        section.push(Block::Heading {
            text: phrase::question(&ranking.family, context),
            conditions: Some(phrase::conditions(ranking, !extent.is_short())),
        });
    }
    section.extend(ranking.advice.iter().map(|text| Block::Answer(text.clone(), tone(ranking))));
    match ranking.advice {
        Some(_) if extent.is_short() => {
            section.extend(beyond_rows(ranking).map(|text| Block::Sentence(text, Tone::Plain)));
        }
        Some(_) => section.push(Block::Sentence(ranking.sentence.clone(), Tone::Plain)),
        // The only row is the answer; where all failed, the reasons stand below the table.
        None if is_typed && (ranking.state == State::Alone || all_failed(ranking)) => {}
        None => section.push(Block::Answer(ranking.sentence.clone(), tone(ranking))),
    }
    let further = ranking.also_measured.iter().chain(&ranking.alone).cloned();
    section.extend(further.map(|text| Block::Sentence(text, Tone::Plain)));
    section.push(Block::Table(figures(ranking, extent)));
    section.extend(values(ranking, extent.all).map(Block::Table));
    if extent.verbose {
        section.push(Block::Table(costs(ranking)));
    }
    section.push(Block::Remarks(remarks(ranking, context, extent)));
    if !is_typed && !extent.is_short() {
        section.push(Block::Sentence(phrase::basis(ranking, extent.all), Tone::Faint));
    }
    section
}

fn all_failed(ranking: &Ranking) -> bool {
    ranking.entries.iter().all(|entry| entry.standing == Standing::Failed)
}

pub(crate) fn tone(ranking: &Ranking) -> Tone {
    match ranking.state {
        State::Wins | State::Same => Tone::Good,
        State::Tied if ranking.at_most_slower.is_some() => Tone::Good,
        State::Tied | State::TooFewRounds | State::Alone => Tone::Doubt,
        State::Refused => Tone::Bad,
    }
}

fn figures(ranking: &Ranking, extent: Extent) -> Table {
    let shown = shown(ranking, extent);
    let several = shown.rows.iter().filter(|entry| entry.standing.is_candidate()).count() > 1;
    let hint = if extent.hints { " (-v)" } else { "" };
    let others = shown.others.map(|others| format!("{others}{hint}."));
    let has_guess = shown.rows.iter().any(|entry| phrase::factor(entry, ranking).0.starts_with('~'));
    let is_typed = ranking.workload.is_as_given();
    let rounds = (extent.is_short() && !is_typed).then(|| phrase::basis(ranking, false));
    let legend =
        [several.then(|| "= tied.".to_owned()), has_guess.then(|| phrase::GUESS.to_owned()), others, rounds];
    let below = phrase::joined(legend.into_iter().flatten(), " ");
    let mut table = Table { below, ..figures_of(&shown.rows, ranking) };
    if extent.is_short() && !ranking.workload.is_as_given() {
        // What leads stands first; the words of the others have room behind their names.
        table.columns.pop();
        for (row, entry) in table.rows.iter_mut().zip(&shown.rows) {
            row.cells.pop();
            let tag = phrase::tag(entry, ranking, false);
            let name = phrase::technique(&entry.technique, &entry.aliases, phrase::told_kind(entry, ranking));
            row.cells[1] = if tag.is_empty() { name } else { format!("{name} ({tag})") }.into();
        }
    }
    table
}

pub(crate) fn figures_of(rows: &[&Entry], ranking: &Ranking) -> Table {
    let words = phrase::words_of(&ranking.metric);
    if ranking.workload.is_as_given() {
        return Table {
            about: "Times, memory",
            rows: rows.iter().map(|entry| row_of_command(entry, ranking)).collect(),
            spare: vec![9, 8, 5, 6, 7, 4],
            name_columns: NAME_COLUMNS,
            ..Table::of(&format!(
                "< | ~ command | < {} | > median | < range | > user | > system | > cpu | > memory | > runs",
                words.factors
            ))
        };
    }
    Table {
        about: "Times, throughput, processor time",
        rows: rows.iter().map(|entry| row(entry, ranking)).collect(),
        spare: vec![5, 4],
        name_columns: NAME_COLUMNS,
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

/// Returns the row of a command that was timed as it was given: what a user of a stopwatch looks for.
fn row_of_command(entry: &Entry, ranking: &Ranking) -> Row {
    let has_split = entry.user_ns.is_some() && entry.system_ns.is_some();
    let further = [
        phrase::range(entry, ranking),
        time(entry.user_ns),
        time(entry.system_ns),
        time(entry.cpu_ns.filter(|_| !has_split)),
        entry.peak_memory_bytes.map_or(String::new(), bytes),
        entry.rounds.to_string(),
    ];
    row_with(entry, ranking, &[], further)
}

fn row(entry: &Entry, ranking: &Ranking) -> Row {
    let further = [phrase::speed(entry), phrase::cpu(entry, ranking), phrase::tag(entry, ranking, true)];
    let bar = entry.factor.map(|factor| Bar {
        factor,
        low: entry.factor_low,
        high: entry.factor_high,
        leads: ranking.leader.as_deref() == Some(&entry.technique),
        is_baseline: ranking.baseline.as_deref() == Some(&entry.technique),
    });
    Row { bar, ..row_with(entry, ranking, &entry.aliases, further) }
}

fn row_with<const N: usize>(
    entry: &Entry, ranking: &Ranking, aliases: &[String], further: [String; N],
) -> Row {
    let (name, aliases, kind) =
        (entry.technique.clone(), aliases.to_vec(), phrase::told_kind(entry, ranking));
    let (estimate, interval) = phrase::factor(entry, ranking);
    let mut cells = vec![
        phrase::mark(entry, ranking).into(),
        Cell::Entry { name, aliases, kind },
        Cell::Estimate(estimate, interval),
        phrase::median(entry, ranking).into(),
    ];
    cells.extend(further.map(Cell::from));
    let tone = match entry.standing {
        Standing::Wins | Standing::Tied => Tone::Good,
        Standing::Slower | Standing::Unjudged => Tone::Plain,
        Standing::Ceiling | Standing::Skipped => Tone::Faint,
        Standing::Failed => Tone::Bad,
    };
    Row { cells, tone, notes: notes(entry, ranking), bar: None }
}

/// Returns the remarks on a row. Why it failed stands below the table already.
fn notes(entry: &Entry, ranking: &Ranking) -> Vec<String> {
    let said = ranking.failures.iter().any(|failure| failure.technique == entry.technique);
    if entry.standing == Standing::Failed && said { Vec::new() } else { entry.notes.clone() }
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
    for entry in &ranking.entries {
        let noise = entry.noise.as_ref();
        let rounds = match entry.left_after_round {
            Some(round) => format!("left {round}"),
            None => entry.rounds.to_string(),
        };
        let figure =
            |value: Option<f64>, decimals| value.map_or(String::new(), |value| format!("{value:.decimals$}"));
        let memory = entry.peak_memory_bytes.filter(|_| ranking.metric != Metric::MEMORY);
        let figures = [
            rounds,
            figure(entry.mean_ratio, 2),
            noise.map_or(String::new(), |noise| percent(noise.robust_spread)),
            figure(noise.map(|noise| noise.p95_over_median), 2),
            figure(noise.map(|noise| noise.max_over_median), 2),
            noise.map_or(String::new(), |noise| noise.far_out.to_string()),
            memory.map_or(String::new(), bytes),
            figure(entry.faults, 0),
            figure(entry.switches, 0),
            figure(entry.preemptions, 0),
            time(entry.run_delay_ns),
        ];
        table.cells(std::iter::once(name(entry)).chain(figures.map(Cell::from)), Tone::Plain);
    }
    table
}

/// Returns what techniques counted or timed themselves. The median of the whole need not be the sum of its parts.
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
        table.cells(std::iter::once(name(entry)).chain(values), Tone::Plain);
    }
    Some(table)
}

fn remarks(ranking: &Ranking, context: &Context, extent: Extent) -> Vec<Remark> {
    let flags = ranking.flags.iter().filter(|flag| extent.verbose || flag.important);
    let flags = flags.map(|flag| Remark::new(flag.name.replace('_', " "), flag.text.as_str(), Tone::Doubt));
    let mut all: Vec<Remark> = flags.collect();
    let own_code = curves::own_code(&Part::Contest(ranking), &[], context);
    all.extend(own_code.map(|(name, text)| Remark::new(name, text, Tone::Plain)));
    all.extend(Remark::each("also measured", phrase::also_measured(ranking), Tone::Plain));
    let parameters = phrase::parameters(ranking, extent.all).into_iter().map(phrase::parameter);
    all.extend(Remark::each("parameter", parameters, Tone::Plain));
    let above_zero = left_aside::above_zero_in(ranking, extent.all).into_iter();
    all.extend(above_zero.map(|(title, text)| Remark::new(title, text, Tone::Doubt)));
    let names: Vec<&str> = ranking.without_metric.iter().map(String::as_str).collect();
    all.extend(Remark::each("", phrase::without_metric(&names, extent.all), Tone::Plain));
    all.extend(Remark::each("failed", ranking.failures.iter().map(phrase::failed), Tone::Bad));
    if extent.absent {
        // Of a few techniques each was meant, and why it is not there matters.
        let is_short = extent.is_short() && ranking.entries.len() > SHORT;
        let absent = phrase::missing(std::iter::once(ranking), is_short);
        all.extend(Remark::each("not available here", absent, Tone::Faint));
        all.extend(Remark::each("skipped", phrase::not_available(&ranking.not_tried), Tone::Faint));
    }
    all.extend(
        phrase::further(ranking, context).map(|(head, command)| Remark::new(head, command, Tone::Plain)),
    );
    all
}
