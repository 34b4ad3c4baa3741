//! Several runs side by side.

use judge::{Changes, ComparedContest, ComparedCurve, ComparedLevel, ComparedRuns, Rule, Showed, marked};
use model::{Unit, axis_name, axis_value};

use super::blocks::{
    Align, Block, Cell, Extent, Figure, Levels, Line, Remark, Row, Section, Sections, Table, Tone,
};
use crate::words::compare::{
    MEANS, NO_USAGE, alone, by_runs, claimed, curve_name, field, letter, name, nothing_in_common, ratio,
    sides, times, told_means,
};
use crate::words::units::{amount, three_digits};

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

/// What a level shows in a row of its own: what it is called behind the level, and the value of a technique in a run.
type Part = (&'static str, fn(&ComparedLevel) -> &Vec<Vec<Option<f64>>>);

const REAL: Part = ("real", |level| &level.medians);
const USAGE: [Part; 2] = [("user", |level| &level.user_ns), ("system", |level| &level.system_ns)];

/// A curve: the levels down, a column for each technique and run. Next to times stand user and system time, where a run has them.
fn of_curve(curve: &ComparedCurve) -> Section {
    let known = |part: &Part| curve.levels.iter().flat_map(part.1).flatten().any(Option::is_some);
    let is_time = curve.metric.key == model::Metric::WORK.key;
    let usage: Vec<Part> = USAGE.into_iter().filter(|part| is_time && known(part)).collect();
    let parts: Vec<Part> = std::iter::once(REAL).chain(usage.iter().copied()).collect();
    let rows = || curve.levels.iter().flat_map(|level| parts.iter().map(move |part| (level, part)));
    let mut lines = Vec::new();
    for (place, (technique, _)) in curve.techniques.iter().enumerate() {
        for side in 0..curve.means.len() {
            let text = |(level, part): (&ComparedLevel, &Part)| {
                let is_real = part.0 == REAL.0;
                let unit = if is_real { curve.metric.unit() } else { Unit::Nanoseconds };
                let said = part.1(level)[place][side].map_or(String::new(), |value| amount(unit, value));
                marked(said, is_real && level.extrapolated[place][side].is_some())
            };
            lines.push(Line {
                name: format!("{technique}, {}", letter(side)),
                figures: rows().map(|row| Figure { text: text(row), ..Figure::default() }).collect(),
            });
        }
    }
    // A technique that a run has at no level.
    lines.retain(|line| line.figures.iter().any(|figure| !figure.text.is_empty()));
    let levels = Levels {
        axis: axis_name(&curve.axis),
        at: rows()
            .map(|(level, part)| match usage.is_empty() {
                true => axis_value(&curve.axis, level.at),
                false => format!("{}, {}", axis_value(&curve.axis, level.at), part.0),
            })
            .collect(),
        marks: Vec::new(),
        techniques: lines,
        chosen: Vec::new(),
        is_drawn: false,
        factors: "",
        below: String::new(),
    };
    let marks = curve.marks.iter().map(|text| Remark::new("note", text.as_str(), Tone::Doubt));
    let untold = (0..curve.means.len()).filter(|&side| !usage.is_empty() && lacks_usage(curve, side));
    let untold = untold.map(|side| Remark::new(letter(side), NO_USAGE, Tone::Faint));
    let remarks = answers(&curve.answers).chain(marks).chain(untold).collect();
    vec![Block::heading(curve_name(curve)), Block::Levels(levels), Block::Remarks(remarks)]
}

/// What each run says itself.
fn answers(all: &[Option<String>]) -> impl Iterator<Item = Remark> {
    let remark = |(side, answer): (usize, &Option<String>)| {
        Some(Remark::new(letter(side), answer.as_deref()?, Tone::Plain))
    };
    all.iter().enumerate().filter_map(remark)
}

/// Whether a run has a figure without user or system time next to it.
fn lacks_usage(curve: &ComparedCurve, side: usize) -> bool {
    let lacks = |level: &ComparedLevel| {
        let usage = level.user_ns.iter().zip(&level.system_ns);
        let mut all = level.medians.iter().zip(usage);
        all.any(|(real, (user, system))| {
            real[side].is_some() && (user[side].is_none() || system[side].is_none())
        })
    };
    curve.levels.iter().any(lacks)
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
        let means = told_means(means, over, metric);
        remarks.extend(means.map(|means| Remark::new(head, means, Tone::Plain)));
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

/// What a technique takes on the later side over the earlier one: a claim, or a ratio with `~`; in either case with its interval.
fn change(between: &Changes, technique: &str) -> Cell {
    let Some(one) = between.techniques.iter().find(|one| one.technique == technique) else {
        return Cell::Text(String::new());
    };
    let mark = if one.is_claimed { "" } else { "~" };
    let interval = match (one.low, one.high) {
        (Some(low), Some(high)) => format!("({} to {})", times(low), times(high)),
        _ => String::new(),
    };
    Cell::Estimate(format!("{mark}{}", times(one.change)), interval)
}

/// What may be said of the techniques of two runs together, and of those that went another way.
fn of_field(between: &Changes) -> Vec<Remark> {
    let told = field(between).map(|text| Remark::new("field", text, Tone::Plain));
    let changed = told.is_some().then(|| claimed(between)).flatten();
    told.into_iter()
        .chain(changed.map(|text| Remark::new("changed against the field", text, Tone::Title)))
        .collect()
}

fn hosts(compared: &ComparedRuns) -> Section {
    let mut columns = vec![("fact".to_owned(), Align::Left)];
    columns.extend((0..compared.runs.len()).map(|side| (letter(side), Align::Fold)));
    let mut table = Table::new(columns);
    let cells = |head: &str, values: Vec<String>| std::iter::once(head.to_owned()).chain(values);
    table.row(cells("run", compared.runs.clone()), Tone::Plain);
    for difference in &compared.differences {
        let values = difference.values.iter().map(|value| value.clone().unwrap_or("?".to_owned()));
        table.row(cells(&difference.fact, values.collect()), Tone::Plain);
    }
    let marks = compared.marks.iter().map(|mark| Remark::new("note", mark.as_str(), Tone::Doubt));
    vec![Block::heading("what differs"), Block::Table(table), Block::Remarks(marks.collect())]
}

fn section(contest: &ComparedContest, compared: &ComparedRuns, extent: Extent) -> Section {
    let runs = compared.runs.len();
    let by_runs = contest.between.as_ref().filter(|_| is_by_runs(contest)).zip(sides(compared));
    let mut columns = vec![("technique".to_owned(), Align::Left)];
    for side in 0..runs {
        let side = letter(side);
        columns.push((side.clone(), Align::Right));
        if runs == 2 || extent.verbose {
            columns.push((format!("{side} user"), Align::Right));
            columns.push((format!("{side} system"), Align::Right));
        }
        columns.push((format!("{side} to its fastest"), Align::Left));
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
        let name = Cell::Entry {
            name: one.technique.clone(),
            aliases: one.aliases.clone(),
            kind: model::Kind::BuiltIn,
        };
        let mut cells = vec![name];
        for showed in &one.showed {
            cells.extend(side_cells(showed.as_ref(), contest.metric.unit(), runs == 2 || extent.verbose));
        }
        match &by_runs {
            Some((between, _)) => cells.push(change(between, &one.technique)),
            None => {
                cells.extend((contest.over + 1..runs).map(|side| Cell::Text(ratio(one, side, contest.over))))
            }
        }
        table.rows.push(Row { cells, ..Row::default() });
    }
    let mut remarks: Vec<Remark> = answers(&contest.answers).collect();
    remarks.extend(contest.between.iter().flat_map(of_field));
    let changes =
        contest.changes.iter().map(|text| Remark::new("changes places", text.as_str(), Tone::Title));
    let marks = contest.marks.iter().map(|text| Remark::new("note", text.as_str(), Tone::Doubt));
    remarks.extend(changes.chain(marks));
    vec![Block::heading(name(contest)), Block::Table(table), Block::Remarks(remarks)]
}

fn side_cells(showed: Option<&Showed>, unit: Unit, with_usage: bool) -> Vec<Cell> {
    let time = |ns: Option<f64>| Cell::Text(ns.map_or(String::new(), |ns| amount(Unit::Nanoseconds, ns)));
    let median = showed.and_then(|showed| Some(marked(amount(unit, showed.median?), showed.extrapolated)));
    let mut cells = vec![Cell::Text(median.unwrap_or_default())];
    if with_usage {
        cells.push(time(showed.and_then(|showed| showed.user_ns)));
        cells.push(time(showed.and_then(|showed| showed.system_ns)));
    }
    let interval = |showed: &Showed| match (showed.factor_low, showed.factor_high) {
        (Some(low), Some(high)) => format!("({} to {})", three_digits(low), three_digits(high)),
        _ => String::new(),
    };
    cells.push(match showed.and_then(|showed| Some((showed.factor?, interval(showed)))) {
        Some((factor, interval)) => Cell::Estimate(three_digits(factor), interval),
        None => Cell::Text(String::new()),
    });
    cells
}
