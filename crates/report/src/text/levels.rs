//! The levels of a curve in a terminal: the levels down and the techniques across, and a plot.

use super::Style;
use super::curve_plot::plot;
use super::write::below;
use crate::page::blocks::{Figure, Levels, Line, Tone};
use crate::text::layout::{Align, Table, columns, paragraph, plain};

/// What stands between two columns of a table.
const GAP: usize = 2;

pub(super) fn levels(levels: &Levels, style: &Style) -> String {
    let mut out = figures(levels, style);
    if let Some(plot) = plot(levels, style.width) {
        out.push('\n');
        out.push_str(&plot);
    }
    out
}

/// The letter by which table and plot name a technique.
pub(super) fn letter(place: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char::from(LETTERS[place % LETTERS.len()])
}

fn text(figure: &Figure) -> String {
    format!("{}{}", if figure.may_be_fastest { "= " } else { "" }, figure.text)
}

/// So many techniques stand side by side as there is room for.
fn figures(levels: &Levels, style: &Style) -> String {
    let Levels { axis, at: values, techniques, below: legend, .. } = levels;
    let title = |(place, line): (usize, &Line)| format!("{} {}", letter(place), plain(&line.name));
    let titles: Vec<String> = techniques.iter().enumerate().map(title).collect();
    let cells: Vec<Vec<String>> =
        techniques.iter().map(|line| line.figures.iter().map(text).collect()).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| columns(text)).max().unwrap_or(0);
    let first = GAP + widest(values).max(columns(axis));
    let needed = |title: usize, cells: &[String]| GAP + title.max(widest(cells));
    let whole: usize = titles.iter().zip(&cells).map(|(title, cells)| needed(columns(title), cells)).sum();
    let with_names = first + whole <= style.width;
    let mut out = String::new();
    if !with_names {
        out.push_str(&paragraph("  ", &titles.join(", "), style));
    }
    let heads: Vec<String> = match with_names {
        true => titles,
        false => (0..techniques.len()).map(|place| letter(place).to_string()).collect(),
    };
    let mut at = 0;
    while at < techniques.len() {
        let mut width = first;
        let room = |place: &usize| {
            width += needed(columns(&heads[*place]), &cells[*place]);
            width <= style.width
        };
        let count = (at..techniques.len()).take_while(room).count().max(1);
        let columns = (at..at + count).map(|place| (heads[place].clone(), Align::Right));
        let mut table = Table::new(std::iter::once((axis.clone(), Align::Right)).chain(columns));
        for (row, value) in values.iter().enumerate() {
            let cells = (at..at + count).map(|place| cells[place][row].clone());
            table.row(std::iter::once(value.clone()).chain(cells).collect(), Tone::Plain, Vec::new());
        }
        out.push_str(&table.render(style));
        at += count;
    }
    out + &below(legend, style)
}
