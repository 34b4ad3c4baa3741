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
    let (text, tone) = match (slower, faster, history.lines.len()) {
        (_, _, 0) => (format!("Nothing of the latest of {runs} was measured before."), Tone::Doubt),
        (0, 0, all) if count(Course::TooFew) == all as u64 => {
            ("Too few runs to tell a change: it takes five before the latest.".to_owned(), Tone::Doubt)
        }
        (0, 0, _) => (format!("No technique changed over {runs}."), Tone::Good),
        _ => {
            let told = |number: u64, word: &str| format!("{} {word}", phrase::counted(number, "technique"));
            let all: Vec<String> = [(slower, "slower"), (faster, "faster")]
                .into_iter()
                .filter(|(number, _)| *number > 0)
                .map(|(number, word)| told(number, word))
                .collect();
            (format!("{} than {runs} let one expect.", all.join(" and ")), Tone::Bad)
        }
    };
    let mut page = vec![vec![Block::Answer(text, tone)]];
    let mut tasks: Vec<String> = history.lines.iter().map(task).collect();
    tasks.dedup();
    for one in tasks {
        let own = history.lines.iter().filter(|line| task(line) == one);
        let is_shown =
            |line: &&HistoryLine| extent.all || line.course != Course::TooFew || slower + faster == 0;
        let mut table = table();
        own.filter(is_shown).for_each(|line| table.rows.push(row(line)));
        page.push(vec![Block::heading(one), Block::Table(table)]);
    }
    let told = format!(
        "From {first} to {latest}. Each run counts as one value: its median. ~ is no claim, since there are fewer than five \
         runs before the latest."
    );
    page.push(vec![Block::Sentence(told, Tone::Faint)]);
    page
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
    let is_time = Quantity::undeclared(&line.followed.quantity).unit() == model::Unit::Nanoseconds;
    let value = |value: f64| if is_time { format_ns(value) } else { three_digits(value) };
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
