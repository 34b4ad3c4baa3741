//! A curve: the answer, the levels down and the techniques across.

use judge::{Curve, Ranking, marked, times};
use model::{axis_name, axis_value};

use super::blocks::{Block, Extent, Figure, Levels, Line, Remark, Section, Tone};
use crate::pages::Context;
use crate::words::curves::{self, Part};
use crate::words::left_aside;
use crate::words::phrase::{self, joined};

pub(crate) fn curve(curve: &Curve, rankings: &[Ranking], context: &Context, extent: Extent) -> Section {
    let lines = curves::lines(curve, extent.all);
    let mut section = vec![
        Block::Heading {
            text: phrase::question(&curve.family, context),
            conditions: Some(curves::conditions(curve, rankings, !extent.is_short())),
        },
        Block::Answer(curve.sentence.clone(), tone(curve)),
        Block::Remarks(also_measured(curve, rankings)),
        Block::Levels(levels(curve, &lines, rankings, extent)),
        Block::Remarks(remarks(curve, &lines, rankings, context, extent)),
    ];
    section.extend((!extent.is_short()).then(|| Block::Sentence(curves::basis(curve), Tone::Faint)));
    section
}

/// Returns what the samples report next to the answer at the lowest level and at the highest.
fn also_measured(curve: &Curve, rankings: &[Ranking]) -> Vec<Remark> {
    let levels = curves::levels(curve, rankings);
    let ends = levels.first().into_iter().chain(levels.last().filter(|_| levels.len() > 1));
    let remarks = ends.flat_map(|(at, one)| {
        let head = format!("at {}", axis_value(&curve.axis, *at));
        one.also_measured.iter().map(move |text| Remark::new(head.clone(), text.as_str(), Tone::Plain))
    });
    remarks.collect()
}

pub(crate) fn tone(curve: &Curve) -> Tone {
    let answered = curve.levels.iter().filter(|level| level.choice.is_some()).count();
    match answered {
        0 => Tone::Bad,
        some if some < curve.levels.len() => Tone::Doubt,
        _ => Tone::Good,
    }
}

fn levels(curve: &Curve, lines: &[&judge::Line], rankings: &[Ranking], extent: Extent) -> Levels {
    let is_short = extent.is_short();
    let shown = if is_short { turns(&curve.levels) } else { curve.levels.iter().collect() };
    let drawn = lines.iter().map(|line| Line {
        name: line.technique.clone(),
        figures: shown.iter().map(|level| figure(curve, line, level.at, is_short)).collect(),
    });
    let chosen = shown.iter().filter(|_| is_short).map(|level| {
        let ranking = curves::levels(curve, rankings).into_iter().find(|(at, _)| *at == level.at);
        let choice = level.choice.as_ref().map(|choice| choice.entry.clone());
        let entry = choice.as_ref().and_then(|name| ranking?.1.entry(name));
        let time = entry.zip(ranking).map_or(String::new(), |(entry, (_, one))| phrase::median(entry, one));
        (choice.unwrap_or_else(|| "cannot tell".to_owned()), time)
    });
    let all = curve.levels.len();
    let hidden = (all > shown.len()).then(|| format!("all {all} levels"));
    let intervals = is_short.then(|| "intervals".to_owned());
    let more: Vec<String> = intervals.into_iter().chain(hidden).chain(curves::others(curve, lines)).collect();
    let hint = if extent.hints { "-v shows" } else { "Not shown:" };
    let more = (!more.is_empty()).then(|| format!("{hint} {}.", phrase::enumerated(&more)));
    let basis = is_short.then(|| format!("{}.", curves::rounds(curve)));
    let below = joined(curves::legend(curve, lines, is_short).into_iter().chain(more).chain(basis), " ");
    let words = phrase::words_of(&curve.metric);
    Levels {
        axis: axis_name(&curve.axis),
        at: shown.iter().map(|level| axis_value(&curve.axis, level.at)).collect(),
        marks: curves::places_of_marks(curve),
        techniques: drawn.collect(),
        chosen: chosen.collect(),
        is_drawn: !is_short,
        factors: words.factors,
        value: words.value,
        below: below.unwrap_or_default(),
    }
}

/// Returns the levels from which on the answer is another one, and the last one; of few levels all.
fn turns(levels: &[judge::Level]) -> Vec<&judge::Level> {
    const FEW: usize = 6;
    let choices: Vec<_> = levels.iter().map(|level| level.choice.as_ref().map(|one| &one.entry)).collect();
    let is_shown = |at: usize| {
        let is_end = at == 0 || at + 1 == levels.len();
        levels.len() <= FEW || is_end || choices[at - 1] != choices[at]
    };
    levels.iter().enumerate().filter(|(at, _)| is_shown(*at)).map(|(_, level)| level).collect()
}

/// Returns what a technique took at a level: as a value, or short, as a factor.
fn figure(curve: &Curve, line: &judge::Line, at: u64, is_short: bool) -> Figure {
    let Some(point) = line.points.iter().find(|point| point.at == at) else {
        return Figure { text: curves::in_place_of_a_figure(line, at).to_owned(), ..Figure::default() };
    };
    let text = match (is_short, point.may_be_fastest, point.factor) {
        // Of what is tied only an estimate that is far off says more than the sign.
        (true, true, Some(factor)) if factor < curves::FAR_OFF => String::new(),
        (true, true, None) => String::new(),
        (true, _, Some(factor)) => marked(format!("{}x", times(factor)), curves::is_guess(point)),
        _ => curves::median(curve, point),
    };
    Figure { text, may_be_fastest: point.may_be_fastest, factor: point.factor }
}

fn remarks(
    curve: &Curve, lines: &[&judge::Line], rankings: &[Ranking], context: &Context, extent: Extent,
) -> Vec<Remark> {
    let own_code = curves::own_code(&Part::Curve(curve), rankings, context);
    let mut all: Vec<Remark> =
        own_code.map(|(name, text)| Remark::new(name, text, Tone::Plain)).into_iter().collect();
    for (level, sentence) in curves::refused(curve, rankings) {
        all.push(Remark::new(format!("at {level}"), sentence, Tone::Bad));
    }
    let axis = axis_name(&curve.axis);
    all.extend(Remark::each(&format!("best {axis}"), curves::best(curve, lines), Tone::Plain));
    let spread = [
        (format!("marks of {axis}"), curves::marks(curve)),
        (format!("gain of {axis}"), curves::gain(curve, lines)),
        (format!("overhead of {axis}"), curves::overhead(curve, lines)),
        ("scalability law".to_owned(), curves::scalability(lines)),
    ];
    for (head, text) in spread.into_iter().filter(|_| extent.verbose || !extent.hints) {
        all.extend(Remark::each(&head, text, Tone::Plain));
    }
    all.extend(set_aside(curve, rankings, extent));
    all
}

fn set_aside(curve: &Curve, rankings: &[Ranking], extent: Extent) -> Vec<Remark> {
    let above_zero = left_aside::above_zero(curve, rankings, extent.all).into_iter();
    let mut all: Vec<Remark> =
        above_zero.map(|(title, text)| Remark::new(title, text, Tone::Doubt)).collect();
    let without = curves::without_metric(curve, rankings, extent.all);
    all.extend(Remark::each("", without, Tone::Plain));
    if extent.is_short() {
        let skipped = left_aside::skipped_in_short(curve, rankings);
        all.extend(Remark::each("skipped in part", skipped, Tone::Doubt));
    } else {
        all.extend(Remark::each("measured in part", left_aside::not_entered(curve), Tone::Plain));
        let skipped = left_aside::gathered(curve, rankings, extent.all, |one| &one.skipped);
        all.extend(Remark::each("skipped for time", skipped, Tone::Doubt));
        all.extend(Remark::each("skipped", curves::not_tried(curve, rankings), Tone::Plain));
    }
    let failed = left_aside::gathered(curve, rankings, extent.all, |one| &one.failures);
    all.extend(Remark::each("failed", failed, Tone::Bad));
    if extent.absent {
        all.extend(Remark::each(
            "not available here",
            phrase::missing(rankings.iter().filter(|one| curve.holds(one)), extent.is_short()),
            Tone::Faint,
        ));
    }
    all
}
