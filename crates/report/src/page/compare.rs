//! Several runs side by side.

use judge::{
    Changes, ComparedContest, ComparedCurve, ComparedLevel, ComparedRuns, Rule, Showed, at_least, at_most,
    marked,
};
use model::{Unit, axis_name, axis_value};

use super::blocks::{
    Align, Block, Cell, Extent, Figure, Levels, Line, Remark, Section, Sections, Table, Tone,
};
use crate::words::compare::{
    MEANS, NO_USAGE, alone, by_runs, claimed, curve_name, field, letter, name, nothing_in_common, ratio,
    sides, times, told_means,
};
use crate::words::phrase;
use crate::words::units::{amount, time};

pub(crate) fn compare(compared: &ComparedRuns, extent: Extent) -> Sections {
    let mut page = vec![summary(compared), hosts(compared)];
    page.extend(apart(compared).map(|contest| section(contest, compared, extent)));
    page.extend(compared.curves.iter().map(of_curve));
    if !compared.alone.is_empty() {
        let text = alone(compared, extent.verbose);
        page.push(vec![Block::Remarks(vec![Remark::new("in one run only", text, Tone::Faint)])]);
    }
    page
}

/// The contests that are no levels of a curve.
pub(crate) fn apart(compared: &ComparedRuns) -> impl Iterator<Item = &ComparedContest> {
    compared.contests.iter().filter(|contest| !contest.is_level)
}

/// A row of a level: its name behind the level, and the value of a technique in a run.
type Part = (&'static str, fn(&ComparedLevel) -> &Vec<Vec<Option<f64>>>);

const REAL: Part = ("real", |level| &level.medians);
const USAGE: [Part; 2] = [("user", |level| &level.user_ns), ("system", |level| &level.system_ns)];

/// Returns a curve: the levels down, a column for each technique and run. Next to times stand user and system time, where a run has them.
fn of_curve(curve: &ComparedCurve) -> Section {
    let is_time = curve.metric.key == model::Metric::WORK.key;
    let mut parts: Vec<Part> = vec![REAL];
    parts.extend(
        USAGE
            .into_iter()
            .filter(|part| is_time && curve.levels.iter().flat_map(part.1).flatten().any(Option::is_some)),
    );
    let has_usage = parts.len() > 1;
    let rows: Vec<(&ComparedLevel, &Part)> =
        curve.levels.iter().flat_map(|level| parts.iter().map(move |part| (level, part))).collect();
    let mut lines = Vec::new();
    for (place, (technique, _)) in curve.techniques.iter().enumerate() {
        for side in 0..curve.means.len() {
            let figures = rows.iter().map(|(level, part)| {
                let is_real = part.0 == REAL.0;
                let unit = if is_real { curve.metric.unit() } else { Unit::Nanoseconds };
                let said = part.1(level)[place][side].map_or(String::new(), |value| amount(unit, value));
                let text = marked(said, is_real && level.extrapolated[place][side].is_some());
                Figure { text, ..Figure::default() }
            });
            let name = format!("{technique}, {}", letter(side));
            lines.push(Line { name, figures: figures.collect() });
        }
    }
    // A technique that a run has at no level.
    lines.retain(|line| line.figures.iter().any(|figure| !figure.text.is_empty()));
    let at = rows.iter().map(|(level, part)| {
        let value = axis_value(&curve.axis, level.at);
        if has_usage { format!("{value}, {}", part.0) } else { value }
    });
    let levels = Levels {
        axis: axis_name(&curve.axis),
        at: at.collect(),
        marks: Vec::new(),
        techniques: lines,
        chosen: Vec::new(),
        is_drawn: false,
        factors: "",
        value: "",
        below: String::new(),
    };
    let mut remarks: Vec<Remark> = answers(&curve.answers).collect();
    remarks.extend(Remark::each("note", &curve.marks, Tone::Doubt));
    let lacking = (0..curve.means.len()).filter(|&side| has_usage && lacks_usage(curve, side));
    remarks.extend(lacking.map(|side| Remark::new(letter(side), NO_USAGE, Tone::Faint)));
    vec![Block::heading(curve_name(curve)), Block::Levels(levels), Block::Remarks(remarks)]
}

fn answers(all: &[Option<String>]) -> impl Iterator<Item = Remark> {
    let known = all.iter().enumerate().filter_map(|(side, answer)| Some((side, answer.as_deref()?)));
    known.map(|(side, answer)| Remark::new(letter(side), answer, Tone::Plain))
}

/// Returns true if a run has a figure without user or system time next to it.
fn lacks_usage(curve: &ComparedCurve, side: usize) -> bool {
    curve.levels.iter().any(|level| {
        let usage = level.user_ns.iter().zip(&level.system_ns);
        level.medians.iter().zip(usage).any(|(real, (user, system))| {
            real[side].is_some() && (user[side].is_none() || system[side].is_none())
        })
    })
}

fn summary(compared: &ComparedRuns) -> Section {
    if compared.contests.is_empty() {
        return vec![Block::Answer(nothing_in_common(compared), Tone::Doubt)];
    }
    let mut remarks = Vec::new();
    let contests =
        apart(compared).map(|contest| (name(contest), contest.over, &contest.means, &contest.metric));
    let curves =
        compared.curves.iter().map(|curve| (curve_name(curve), curve.over, &curve.means, &curve.metric));
    for (head, over, means, metric) in contests.chain(curves) {
        remarks.extend(Remark::each(&head, told_means(means, over, metric), Tone::Plain));
    }
    let mut summary = vec![Block::Answers(remarks), Block::Sentence(MEANS.to_owned(), Tone::Faint)];
    if let (Some(sides), true) = (sides(compared), compared.contests.iter().any(is_by_runs)) {
        summary.push(Block::Sentence(by_runs(&sides), Tone::Faint));
    }
    summary
}

fn is_by_runs(contest: &ComparedContest) -> bool {
    contest.between.as_ref().is_some_and(|between| between.rule == Rule::Runs)
}

/// Returns what a technique takes on the later side over the earlier one: a claim, or a ratio with `~`, and its interval.
fn change(between: &Changes, technique: &str) -> Cell {
    let Some(one) = between.techniques.iter().find(|one| one.technique == technique) else {
        return Cell::from("");
    };
    let mark = if one.is_claimed { "" } else { "~" };
    let interval = match (one.low, one.high) {
        (Some(low), Some(high)) => format!("({} to {})", at_least(low), at_most(high)),
        _ => String::new(),
    };
    Cell::Estimate(format!("{mark}{}", times(one.change)), interval)
}

/// Returns what may be said of the techniques of two runs together, and of those that went another way.
fn of_field(between: &Changes) -> Vec<Remark> {
    let Some(text) = field(between) else { return Vec::new() };
    let changed = Remark::each("changed against the field", claimed(between), Tone::Title);
    std::iter::once(Remark::new("field", text, Tone::Plain)).chain(changed).collect()
}

fn hosts(compared: &ComparedRuns) -> Section {
    let mut columns = vec![("fact".to_owned(), Align::Left)];
    columns.extend((0..compared.runs.len()).map(|side| (letter(side), Align::Fold)));
    let mut table = Table::new(columns);
    table.row(std::iter::once("run").chain(compared.runs.iter().map(String::as_str)), Tone::Plain);
    for difference in &compared.differences {
        let values = difference.values.iter().map(|value| value.as_deref().unwrap_or("?"));
        table.row(std::iter::once(difference.fact.as_str()).chain(values), Tone::Plain);
    }
    let marks = Remark::each("note", &compared.marks, Tone::Doubt).collect();
    vec![Block::heading("what differs"), Block::Table(table), Block::Remarks(marks)]
}

fn section(contest: &ComparedContest, compared: &ComparedRuns, extent: Extent) -> Section {
    let runs = compared.runs.len();
    let by_runs = contest.between.as_ref().filter(|_| is_by_runs(contest)).zip(sides(compared));
    let mut columns = vec![("technique".to_owned(), Align::Fold)];
    for side in 0..runs {
        let side = letter(side);
        columns.push((side.clone(), Align::Right));
        if runs == 2 || extent.verbose {
            columns.push((format!("{side} user"), Align::Right));
            columns.push((format!("{side} system"), Align::Right));
        }
        columns.push(("slower by".to_owned(), Align::Left));
    }
    match &by_runs {
        Some((_, sides)) => columns.push((sides.clone(), Align::Left)),
        None => columns.extend(
            (contest.over + 1..runs)
                .map(|side| (format!("{} / {}", letter(side), letter(contest.over)), Align::Right)),
        ),
    }
    let mut table = Table::new(columns);
    for one in &contest.techniques {
        let (name, mut aliases) = (one.technique.clone(), one.aliases.clone());
        // A program that no run has is called as it was published.
        aliases.retain(|alias| *alias != name);
        let mut cells = vec![Cell::Entry { name, aliases, kind: model::Kind::BuiltIn }];
        for showed in &one.showed {
            cells.extend(side_cells(showed.as_ref(), contest.metric.unit(), runs == 2 || extent.verbose));
        }
        match &by_runs {
            Some((between, _)) => cells.push(change(between, &one.technique)),
            None => cells.extend((contest.over + 1..runs).map(|side| ratio(one, side, contest.over).into())),
        }
        table.cells(cells, Tone::Plain);
    }
    let answers = answers(&contest.answers).collect();
    let mut remarks = Vec::new();
    remarks.extend(contest.between.iter().flat_map(of_field));
    remarks.extend(Remark::each("changes places", &contest.changes, Tone::Title));
    remarks.extend(Remark::each("note", &contest.marks, Tone::Doubt));
    vec![Block::heading(name(contest)), Block::Remarks(answers), Block::Table(table), Block::Remarks(remarks)]
}

fn side_cells(showed: Option<&Showed>, unit: Unit, with_usage: bool) -> Vec<Cell> {
    let median = showed.and_then(|showed| Some(marked(amount(unit, showed.median?), showed.extrapolated)));
    let mut cells = vec![Cell::Text(median.unwrap_or_default())];
    if with_usage {
        cells.push(time(showed.and_then(|showed| showed.user_ns)).into());
        cells.push(time(showed.and_then(|showed| showed.system_ns)).into());
    }
    cells.push(match showed.and_then(|showed| Some((showed, showed.factor?))) {
        Some((_, factor)) if factor <= 1.0 => Cell::from("="),
        Some((showed, factor)) => {
            let interval = phrase::interval(showed.factor_low, showed.factor_high);
            Cell::Estimate(format!("{}x", judge::times(factor)), interval)
        }
        None => Cell::from(""),
    });
    cells
}
