//! A curve as Markdown: the answer, and a table of its levels.

use judge::{Curve, Ranking};
use model::{axis_name, axis_value};

use super::{code_cell, prose};
use crate::pages::Context;
use crate::{curves, phrase};

/// One curve with all of its techniques.
pub(super) fn curve(curve: &Curve, rankings: &[Ranking], context: &Context) -> String {
    let title = prose(&phrase::question(&curve.family, context));
    let conditions = prose(&curves::conditions(curve));
    let mut out = format!("### {title}\n\n{conditions}\n\n**{}**\n\n", prose(&curve.sentence));
    let lines = curves::lines(curve, true);
    let names: Vec<String> = lines.iter().map(|line| code_cell(&line.technique)).collect();
    let axis = axis_name(&curve.axis);
    out.push_str(&format!("| {axis} | {} |\n|--:|{}\n", names.join(" | "), "--:|".repeat(lines.len())));
    for level in &curve.levels {
        let cell = |line: &&judge::Line| curves::cell(curve, line, level.at).replace('*', "\\*");
        let cells: Vec<String> = lines.iter().map(cell).collect();
        out.push_str(&format!("| {} | {} |\n", axis_value(&curve.axis, level.at), cells.join(" | ")));
    }
    out.push('\n');
    let mut say = |head: &str, text: &str| out.push_str(&format!("- {head}: {}\n", prose(text)));
    for crossover in &curve.crossovers {
        say("crossover", &crossover.sentence);
    }
    for (level, sentence) in curves::refused(curve, rankings) {
        say(&format!("at {level}"), sentence);
    }
    if let Some(text) = curves::growth(&lines) {
        say(&format!("growth with {axis}"), &text);
    }
    if let Some(text) = curves::left_out(curve, rankings) {
        say("left out", &text);
    }
    let (failed, missing) = curves::failures(curve, rankings);
    failed.iter().for_each(|text| say("failed", text));
    missing.iter().for_each(|text| say("not available here", text));
    say("basis", &format!("{} \\* may be fastest.", curves::basis(curve)).replace("\\*", "*"));
    out
}
