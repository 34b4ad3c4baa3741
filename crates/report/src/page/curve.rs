//! A curve: the answer, the levels down and the techniques across.

use judge::{Curve, Ranking};
use model::{axis_name, axis_value};

use super::blocks::{Block, Extent, Figure, Levels, Line, Remark, Section, Tone};
use crate::pages::Context;
use crate::{curves, phrase};

/// One curve.
pub(crate) fn curve(curve: &Curve, rankings: &[Ranking], context: &Context, extent: Extent) -> Section {
    let lines = curves::lines(curve, extent.all);
    let crossover = |one: &judge::Crossover| Remark::new("crossover", one.sentence.as_str(), Tone::Plain);
    let shows_levels = extent.levels || curves::has_few_levels(curve);
    let hint = if shows_levels || !extent.hints { "" } else { " --verbose shows the contest at each level." };
    vec![
        Block::Heading {
            text: phrase::question(&curve.family, context),
            conditions: Some(curves::conditions(curve)),
        },
        Block::Answer(curve.sentence.clone(), tone(curve)),
        Block::Remarks(curve.crossovers.iter().map(crossover).collect()),
        Block::Levels(levels(curve, &lines, extent)),
        Block::Remarks(remarks(curve, &lines, rankings, extent)),
        Block::Sentence(format!("{}{hint}", curves::basis(curve)), Tone::Faint),
    ]
}

/// Whether the curve has a sentence over its levels.
pub(crate) fn tone(curve: &Curve) -> Tone {
    let is_said = curve.fastest_up_to.is_some() || curve.fastest_from.is_some();
    let is_known = curve.levels.iter().any(|level| !level.fastest.is_empty());
    match (is_said, is_known) {
        (true, _) => Tone::Good,
        (false, true) => Tone::Doubt,
        (false, false) => Tone::Bad,
    }
}

fn levels(curve: &Curve, lines: &[&judge::Line], extent: Extent) -> Levels {
    let line = |line: &&judge::Line| Line {
        name: line.technique.clone(),
        figures: curve.levels.iter().map(|level| figure(curve, line, level.at)).collect(),
    };
    let hint = if extent.hints { " (--verbose shows all)" } else { "" };
    let others = curves::others(curve, lines).map(|others| format!("{others}{hint}."));
    let below: Vec<String> = std::iter::once("* may be fastest.".to_owned()).chain(others).collect();
    Levels {
        axis: axis_name(&curve.axis),
        at: curve.levels.iter().map(|level| axis_value(&curve.axis, level.at)).collect(),
        marks: curves::places_of_marks(curve),
        techniques: lines.iter().map(line).collect(),
        below: below.join(" "),
    }
}

fn figure(curve: &Curve, line: &judge::Line, at: u64) -> Figure {
    let Some(point) = line.points.iter().find(|point| point.at == at) else { return Figure::default() };
    let text = curves::median(curve, point);
    Figure { text, may_be_fastest: point.may_be_fastest, factor: point.factor }
}

fn remarks(curve: &Curve, lines: &[&judge::Line], rankings: &[Ranking], extent: Extent) -> Vec<Remark> {
    let mut all = Vec::new();
    let mut say = |head: String, text: &str, tone: Tone| all.push(Remark::new(head, text, tone));
    for (level, sentence) in curves::refused(curve, rankings) {
        say(format!("at {level}"), sentence, Tone::Bad);
    }
    if let Some(text) = curves::growth(lines) {
        say(format!("growth with {}", axis_name(&curve.axis)), &text, Tone::Plain);
    }
    let axis = axis_name(&curve.axis);
    let spread = [
        (format!("marks of {axis}"), curves::marks(curve)),
        (format!("best {axis}"), curves::best(curve, lines)),
        (format!("gain of {axis}"), curves::gain(curve, lines)),
        (format!("overhead of {axis}"), curves::overhead(curve, lines)),
        ("scalability law".to_owned(), curves::scalability(lines)),
    ];
    for (head, text) in spread {
        text.into_iter().for_each(|text| say(head.clone(), &text, Tone::Plain));
    }
    if let Some(text) = curves::left_out(curve, rankings) {
        say("left out".to_owned(), &text, Tone::Doubt);
    }
    if let Some(text) = curves::not_tried(curve, rankings) {
        say("not tried".to_owned(), &text, Tone::Plain);
    }
    let (failed, missing) = curves::failures(curve, rankings);
    failed.iter().for_each(|text| say("failed".to_owned(), text, Tone::Bad));
    missing
        .iter()
        .filter(|_| extent.absent)
        .for_each(|text| say("not available here".to_owned(), text, Tone::Faint));
    all
}
