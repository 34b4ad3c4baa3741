//! The levels of a curve in a terminal: the levels down and the techniques across, and a plot.

use super::Style;
use super::plot::put;
use super::write::below;
use crate::page::blocks::{Figure, Levels, Tone};
use crate::text::layout::{Align, Table, columns, paragraph, plain};

const GAP: usize = 2;

pub(super) fn levels(levels: &Levels, style: &Style) -> String {
    let mut out = figures(levels, style);
    if let Some(plot) = plot(levels, style.width).filter(|_| levels.is_drawn) {
        out.push('\n');
        out.push_str(&plot);
    }
    out
}

fn letter(place: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char::from(LETTERS[place % LETTERS.len()])
}

fn text(figure: &Figure) -> String {
    format!("{}{}", if figure.may_be_fastest { "= " } else { "" }, figure.text).trim_end().to_owned()
}

/// Writes as many techniques side by side as there is room for; the others below them, but not next to what to use.
fn figures(levels: &Levels, style: &Style) -> String {
    let Levels { axis, at: values, techniques, chosen, below: legend, .. } = levels;
    // Letters name the techniques in a plot, or where their names have no room.
    let named: Vec<String> = (techniques.iter().enumerate())
        .map(|(place, line)| format!("{} {}", letter(place), plain(&line.name)))
        .collect();
    let plain_names = techniques.iter().map(|line| plain(&line.name));
    let titles = if levels.is_drawn { named.clone() } else { plain_names.collect() };
    let cells: Vec<Vec<String>> =
        techniques.iter().map(|line| line.figures.iter().map(text).collect()).collect();
    let mut heads_of_levels = vec![(axis.clone(), Align::Right)];
    let mut of_levels: Vec<Vec<String>> = values.iter().map(|value| vec![value.clone()]).collect();
    if !chosen.is_empty() {
        heads_of_levels.extend([("use".to_owned(), Align::Left), (levels.value.to_owned(), Align::Right)]);
        for (row, (entry, time)) in of_levels.iter_mut().zip(chosen) {
            row.extend([plain(entry), time.clone()]);
        }
    }
    let widths = heads_of_levels
        .iter()
        .enumerate()
        .map(|(column, (head, _))| needed(head, of_levels.iter().map(|row| &row[column])));
    let first: usize = widths.sum();
    let whole: usize = titles.iter().zip(&cells).map(|(title, cells)| needed(title, cells)).sum();
    let with_names = first + whole <= style.width;
    let letters = (0..techniques.len()).map(|place| letter(place).to_string());
    let heads: Vec<String> = if with_names { titles } else { letters.collect() };
    let fitting = |from: usize| {
        let mut width = first;
        let fitting = (from..techniques.len()).take_while(|&place| {
            width += needed(&heads[place], &cells[place]);
            width <= style.width
        });
        fitting.count().max(1)
    };
    let count = if chosen.is_empty() { techniques.len() } else { fitting(0).min(techniques.len()) };
    let mut out = String::new();
    if !with_names {
        let no_room = named.len() - count;
        let more = if no_room > 0 { format!(" and {no_room} more (-v)") } else { String::new() };
        out.push_str(&paragraph("  ", &(named[..count].join(", ") + &more), style));
    }
    let mut at = 0;
    while at < count {
        let count = fitting(at);
        let columns = (at..at + count).map(|place| (heads[place].clone(), Align::Right));
        let mut table = Table::new(heads_of_levels.iter().cloned().chain(columns));
        for (row, of_level) in of_levels.iter().enumerate() {
            let cells = (at..at + count).map(|place| cells[place][row].clone());
            table.row(of_level.iter().cloned().chain(cells).collect(), Tone::Plain, Vec::new());
        }
        out.push_str(&table.render(style));
        at += count;
    }
    out + &below(legend, style)
}

fn needed<'a>(head: &str, cells: impl IntoIterator<Item = &'a String>) -> usize {
    GAP + cells.into_iter().map(|text| columns(text)).fold(columns(head), usize::max)
}

/// Lines of the plot, without its axis.
const ROWS: usize = 9;
/// Columns of a level: at least this many, so that a few letters stand side by side, and at most.
const LEAST_STEP: usize = 3;
const MOST_STEP: usize = 9;
/// Factors above this are drawn in the top line, which is called `10+` then.
const LAST_FACTOR: f64 = 10.0;
/// A shorter axis would show noise only.
const LEAST_LAST_FACTOR: f64 = 1.5;
const TICKS: [(f64, &str); 7] =
    [(1.0, "1"), (1.2, "1.2"), (1.5, "1.5"), (2.0, "2"), (3.0, "3"), (5.0, "5"), (10.0, "10")];
/// Columns of the ticks' names, and of the line next to them.
const MARGIN: usize = 8;

/// Two levels are a table, and no curve.
const LEAST_LEVELS: usize = 3;

/// Draws the levels from left to right, and above each the factors to its fastest; `None` where there is no room, or nothing to draw.
fn plot(levels: &Levels, width: usize) -> Option<String> {
    let Levels { at: values, techniques, .. } = levels;
    let step = (width.saturating_sub(MARGIN) / values.len().max(1)).min(MOST_STEP);
    let factors = techniques.iter().flat_map(|line| &line.figures).filter_map(|figure| figure.factor);
    if values.len() < LEAST_LEVELS || step < LEAST_STEP || factors.clone().count() < 2 {
        return None;
    }
    let most = factors.filter(|one| one.is_finite()).fold(LEAST_LAST_FACTOR, f64::max);
    let last = most.min(LAST_FACTOR);
    let row = |factor: f64| {
        let share = factor.clamp(1.0, last).ln() / last.ln();
        ROWS - 1 - (share * (ROWS - 1) as f64).round() as usize
    };
    let mut cells = vec![vec![' '; values.len() * step]; ROWS];
    for at in 0..values.len() {
        let centre = at * step + step / 2;
        for (place, line) in techniques.iter().enumerate() {
            let Some(factor) = line.figures[at].factor else { continue };
            let line = &mut cells[row(factor)];
            // Those that fall together stand side by side, as far as there is room.
            let free = [centre, centre + 1, centre - 1].into_iter().find(|&column| line[column] == ' ');
            if let Some(column) = free {
                line[column] = letter(place);
            }
        }
    }
    let mut names = [""; ROWS];
    for (value, name) in TICKS.into_iter().filter(|(value, _)| *value <= last + 1e-9) {
        names[row(value)] = if most > value && value == LAST_FACTOR { "10+" } else { name };
    }
    let mut out = format!("  {}\n", levels.factors);
    for (name, line) in names.iter().zip(&cells) {
        let line: String = line.iter().collect();
        out.push_str(format!("  {name:>4} |{line}").trim_end());
        out.push('\n');
    }
    out.push_str(&format!("       +{}\n", "-".repeat(values.len() * step)));
    out.push_str(&format!("{}{}\n", " ".repeat(MARGIN), ticks(levels, step)));
    let marks = marks(levels, step);
    if !marks.is_empty() {
        out.push_str(&format!("{}{marks}\n", " ".repeat(MARGIN)));
    }
    Some(out)
}

/// The marks below their places, as far as they do not touch.
fn marks(levels: &Levels, step: usize) -> String {
    let mut line = String::new();
    for (place, name) in &levels.marks {
        let start = (place * step as f64).round() as usize + step / 2;
        put(&mut line, start, &format!("^{name}"), levels.at.len() * step);
    }
    line
}

/// The values of the levels below their columns, as far as they do not touch, and what they are values of.
fn ticks(levels: &Levels, step: usize) -> String {
    let Levels { axis, at: values, .. } = levels;
    let mut line = String::new();
    for (at, value) in values.iter().enumerate() {
        let text = value.replace(' ', "");
        let start = (at * step + step / 2).saturating_sub(columns(&text) / 2);
        put(&mut line, start, &text, values.len() * step);
    }
    if columns(&line) + 1 + columns(axis) <= values.len() * step { format!("{line} {axis}") } else { line }
}
