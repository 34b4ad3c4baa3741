//! A curve drawn in plain characters: the levels from left to right, and above each the factors to its fastest.

use super::levels::letter;
use crate::page::blocks::Levels;
use crate::text::layout::columns;

/// Lines of the plot, without its axis.
const ROWS: usize = 9;
/// Columns of a level: at least so many, so that a few letters stand side by side, and at most.
const LEAST_STEP: usize = 3;
const MOST_STEP: usize = 9;
/// Factors above this are drawn in the top line.
const LAST_FACTOR: f64 = 10.0;
/// A shorter axis would show noise only.
const LEAST_LAST_FACTOR: f64 = 1.5;
const TICKS: [(f64, &str); 7] =
    [(1.0, "1"), (1.2, "1.2"), (1.5, "1.5"), (2.0, "2"), (3.0, "3"), (5.0, "5"), (10.0, "10")];
/// Columns of the ticks' names, and of the line beside them.
const MARGIN: usize = 8;

/// Two levels are a table, and no curve.
const LEAST_LEVELS: usize = 3;

/// The plot; `None` where there is no room, or nothing to draw.
pub(super) fn plot(levels: &Levels, width: usize) -> Option<String> {
    let Levels { at: values, techniques, .. } = levels;
    let step = (width.saturating_sub(MARGIN) / values.len().max(1)).min(MOST_STEP);
    let factors = || techniques.iter().flat_map(|line| &line.figures).filter_map(|figure| figure.factor);
    if values.len() < LEAST_LEVELS || step < LEAST_STEP || factors().count() < 2 {
        return None;
    }
    let last =
        factors().filter(|factor| factor.is_finite()).fold(LEAST_LAST_FACTOR, f64::max).min(LAST_FACTOR);
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
        names[row(value)] = name;
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
        let is_free = line.is_empty() || start > columns(&line);
        if is_free && start + 1 + columns(name) <= levels.at.len() * step {
            line.push_str(&" ".repeat(start - columns(&line)));
            line.push('^');
            line.push_str(name);
        }
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
        let is_free = line.is_empty() || start > columns(&line);
        if is_free && start + columns(&text) <= values.len() * step {
            line.push_str(&" ".repeat(start - columns(&line)));
            line.push_str(&text);
        }
    }
    match columns(&line) + 1 + columns(axis) <= values.len() * step {
        true => format!("{line} {axis}"),
        false => line,
    }
}
