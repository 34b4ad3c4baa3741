//! A curve in a terminal: the answer, the levels down and the techniques across, and a plot.

use judge::{Curve, Line, Ranking};
use model::{axis_name, axis_value};

use super::curve_plot::plot;
use super::{Paint, Style};
use crate::curves;
use crate::layout::{Align, Table, columns, fold, paragraph, plain};
use crate::pages::Context;
use crate::phrase;

/// What stands between two columns of a table.
const GAP: usize = 2;

/// One curve. `levels` tells whether the contests of its levels follow.
pub(super) fn curve(
    curve: &Curve,
    rankings: &[Ranking],
    context: &Context,
    style: &Style,
    levels: bool,
) -> String {
    let mut out = headline(curve, context, style);
    out.push_str(&style.painted(paint(curve), &paragraph("", &curve.sentence, style)));
    for crossover in &curve.crossovers {
        out.push_str(&paragraph("crossover: ", &crossover.sentence, style));
    }
    out.push('\n');
    let lines = curves::lines(curve, style.verbose);
    out.push_str(&figures(curve, &lines, style));
    if let Some(plot) = plot(curve, &lines, style.width) {
        out.push('\n');
        out.push_str(&plot);
    }
    out.push('\n');
    out.push_str(&remarks(curve, &lines, rankings, style));
    let hint = if levels { "" } else { " --verbose shows the contest at each level." };
    let basis = format!("{}{hint}", curves::basis(curve));
    out.push_str(&style.painted(Paint::Faint, &paragraph("", &basis, style)));
    out
}

/// Whether the curve has a sentence over its levels.
pub(super) fn paint(curve: &Curve) -> Paint {
    let is_said = curve.fastest_up_to.is_some() || curve.fastest_from.is_some();
    let is_known = curve.levels.iter().any(|level| !level.fastest.is_empty());
    match (is_said, is_known) {
        (true, _) => Paint::Good,
        (false, true) => Paint::Doubt,
        (false, false) => Paint::Bad,
    }
}

fn headline(curve: &Curve, context: &Context, style: &Style) -> String {
    let question = plain(&phrase::question(&curve.family, context));
    let conditions = plain(&curves::conditions(curve));
    let one_line = format!("{question}  {conditions}");
    let lines = match columns(&one_line) <= style.width {
        true => vec![one_line],
        false => [fold(&question, style.width), fold(&conditions, style.width)].concat(),
    };
    lines.iter().map(|line| style.paint(Paint::Title, line) + "\n").collect()
}

/// The letter by which table and plot name a technique.
pub(super) fn letter(place: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char::from(LETTERS[place % LETTERS.len()])
}

/// The levels down, the techniques across; so many stand side by side as there is room for.
fn figures(curve: &Curve, lines: &[&Line], style: &Style) -> String {
    let titles: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(place, line)| format!("{} {}", letter(place), plain(&line.technique)))
        .collect();
    let cells: Vec<Vec<String>> = lines
        .iter()
        .map(|line| curve.levels.iter().map(|level| curves::cell(curve, line, level.at)).collect())
        .collect();
    let axis = axis_name(&curve.axis);
    let levels: Vec<String> = curve.levels.iter().map(|level| axis_value(&curve.axis, level.at)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| columns(text)).max().unwrap_or(0);
    let first = GAP + widest(&levels).max(columns(&axis));
    let needed = |title: usize, cells: &[String]| GAP + title.max(widest(cells));
    let whole: usize = titles.iter().zip(&cells).map(|(title, cells)| needed(columns(title), cells)).sum();
    let with_names = first + whole <= style.width;
    let mut out = String::new();
    if !with_names {
        out.push_str(&paragraph("  ", &titles.join(", "), style));
    }
    let heads: Vec<String> = match with_names {
        true => titles,
        false => (0..lines.len()).map(|place| letter(place).to_string()).collect(),
    };
    let mut at = 0;
    while at < lines.len() {
        let mut width = first;
        let room = |place: &usize| {
            width += needed(columns(&heads[*place]), &cells[*place]);
            width <= style.width
        };
        let count = (at..lines.len()).take_while(room).count().max(1);
        let columns = (at..at + count).map(|place| (heads[place].clone(), Align::Right));
        let mut table = Table::new(std::iter::once((axis.clone(), Align::Right)).chain(columns));
        for (row, level) in levels.iter().enumerate() {
            let cells = (at..at + count).map(|place| cells[place][row].clone());
            table.row(std::iter::once(level.clone()).chain(cells).collect(), Paint::Plain, Vec::new());
        }
        out.push_str(&table.render(style));
        at += count;
    }
    let others = curves::others(curve, lines).map(|others| format!("{others} (--verbose shows all)."));
    let below = ["* may be fastest.", others.as_deref().unwrap_or("")].join(" ");
    out.push_str(&style.painted(Paint::Faint, &paragraph("  ", below.trim(), style)));
    out
}

fn remarks(curve: &Curve, lines: &[&Line], rankings: &[Ranking], style: &Style) -> String {
    let mut out = String::new();
    for (level, sentence) in curves::refused(curve, rankings) {
        out.push_str(&style.painted(Paint::Bad, &paragraph(&format!("at {level}: "), sentence, style)));
    }
    if let Some(text) = curves::growth(lines) {
        let head = format!("growth with {}: ", axis_name(&curve.axis));
        out.push_str(&paragraph(&head, &text, style));
    }
    if let Some(text) = curves::left_out(curve, rankings) {
        out.push_str(&style.painted(Paint::Doubt, &paragraph("left out: ", &text, style)));
    }
    let (failed, missing) = curves::failures(curve, rankings);
    for text in failed {
        out.push_str(&style.painted(Paint::Bad, &paragraph("failed: ", &text, style)));
    }
    for text in missing {
        out.push_str(&style.painted(Paint::Faint, &paragraph("not available here: ", &text, style)));
    }
    out
}
