//! One host over time.

use judge::{Course, History, HistoryLine};
use model::{Quantity, format_ns};

use super::blocks::{Align, Block, Cell, Extent, Page, Row, Table, Tone};
use crate::phrase;
use crate::units::three_digits;

/// The latest run beside those before it, technique by technique.
pub(crate) fn history(history: &History, extent: Extent) -> Page {
    let Some(((latest, _), (first, _))) = history.runs.last().zip(history.runs.first()) else {
        let text = "No run of this host is stored yet: bakeoff run makes the first.";
        return vec![vec![Block::Sentence(text.to_owned(), Tone::Plain)]];
    };
    let count = |course: Course| history.lines.iter().filter(|line| line.course == course).count() as u64;
    let (slower, faster) = (count(Course::Slower), count(Course::Faster));
    let runs = phrase::counted(history.runs.len() as u64, "run");
    let (text, tone) = answer(history, &runs, (slower, faster));
    let mut page = vec![vec![Block::Answer(text, tone)]];
    let mut tasks: Vec<String> = history.lines.iter().map(task).collect();
    tasks.dedup();
    for one in tasks {
        let own = history.lines.iter().filter(|line| task(line) == one);
        let is_shown = |line: &&HistoryLine| {
            extent.all || history.technique.is_some() || line.course != Course::TooFew || slower + faster == 0
        };
        let mut table = table();
        own.filter(is_shown).for_each(|line| table.rows.push(row(line)));
        let mut section = vec![Block::heading(one.as_str()), Block::Table(table)];
        if history.technique.is_some() {
            let own = history.lines.iter().filter(|line| task(line) == one);
            section.extend(own.map(|line| Block::Table(over_time(history, line))));
        }
        page.push(section);
    }
    let told = format!(
        "From {first} to {latest}. Each run counts as one value: its median. ~ is no claim, since there are fewer than five \
         runs before the latest."
    );
    page.push(vec![Block::Sentence(told, Tone::Faint)]);
    page
}

fn answer(history: &History, runs: &str, (slower, faster): (u64, u64)) -> (String, Tone) {
    let all = history.lines.len() as u64;
    let too_few = history.lines.iter().all(|line| line.course == Course::TooFew);
    match (&history.technique, slower, faster) {
        (None, ..) if all == 0 => {
            (format!("Nothing of the latest of {runs} was measured before."), Tone::Doubt)
        }
        (Some(technique), ..) if all == 0 => {
            (format!("{technique} was measured in no run before the latest."), Tone::Doubt)
        }
        (_, 0, 0) if too_few => {
            ("Too few runs to tell a change: it takes five before the latest.".to_owned(), Tone::Doubt)
        }
        (None, 0, 0) => (format!("No technique changed over {runs}."), Tone::Good),
        (Some(technique), 0, 0) => (format!("{technique} did not change over {runs}."), Tone::Good),
        (technique, ..) => {
            let told = |number: u64, word: &str| match (technique, all) {
                (None, _) => format!("{} {word}", phrase::counted(number, "technique")),
                (Some(_), 1) => word.to_owned(),
                (Some(_), all) => format!("{word} in {number} of {all} contests"),
            };
            let parts: Vec<String> = [(slower, "slower"), (faster, "faster")]
                .into_iter()
                .filter(|(number, _)| *number > 0)
                .map(|(number, word)| told(number, word))
                .collect();
            let subject = technique.as_ref().map_or(String::new(), |technique| format!("{technique} is "));
            (format!("{subject}{} than the earlier runs predict.", parts.join(" and ")), Tone::Bad)
        }
    }
}

/// What a technique took in each run that has it.
fn over_time(history: &History, line: &HistoryLine) -> Table {
    let mut table = Table::new([
        ("began", Align::Left),
        ("run", Align::Left),
        (line.followed.technique.as_str(), Align::Right),
        ("times the mean of earlier runs", Align::Right),
    ]);
    for (run, median) in line.runs.iter().zip(&line.medians) {
        let began = history.runs.iter().find(|(id, _)| id == run).map_or("", |(_, began)| began.as_str());
        let cells = vec![
            began.into(),
            Cell::Names(vec![run.to_string()]),
            shown(line, *median).into(),
            three_digits(median / line.before).into(),
        ];
        table.rows.push(Row { cells, ..Row::default() });
    }
    table
}

/// A value that is followed, with its unit.
fn shown(line: &HistoryLine, value: f64) -> String {
    let is_time = Quantity::undeclared(&line.followed.quantity).unit() == model::Unit::Nanoseconds;
    if is_time { format_ns(value) } else { three_digits(value) }
}

fn task(line: &HistoryLine) -> String {
    let followed = &line.followed;
    let conditions = &followed.setting.conditions;
    let cache = conditions.cache.map_or(String::new(), |cache| format!(", {cache}"));
    let directory = followed.setting.directory();
    let place = directory.map_or(String::new(), |directory| format!(", {}", directory.display()));
    format!("{} {}{cache}{place}", followed.family, followed.workload.name)
}

fn table() -> Table {
    Table::new([
        ("technique", Align::Left),
        ("runs", Align::Right),
        ("before", Align::Right),
        ("latest", Align::Right),
        ("latest / before", Align::Left),
        ("", Align::Left),
    ])
}

fn row(line: &HistoryLine) -> Row {
    let value = |value: f64| shown(line, value);
    let latest = line.medians.last().copied().unwrap_or(line.before);
    let (word, tone) = match line.course {
        Course::AsBefore => ("as before", Tone::Plain),
        Course::Slower => ("slower", Tone::Bad),
        Course::Faster => ("faster", Tone::Good),
        Course::TooFew => ("~", Tone::Faint),
    };
    let expected = line.expected.map_or(String::new(), |(low, high)| {
        format!("(expected {} to {})", three_digits(low), three_digits(high))
    });
    let cells = vec![
        Cell::Names(vec![line.followed.technique.clone()]),
        line.medians.len().to_string().into(),
        value(line.before).into(),
        value(latest).into(),
        Cell::Estimate(three_digits(line.change), expected),
        word.into(),
    ];
    Row { cells, tone, ..Row::default() }
}
