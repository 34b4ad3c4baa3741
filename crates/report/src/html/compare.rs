//! Several runs side by side: how long each took, and the order of the techniques on each.

use judge::{ComparedContest, ComparedCurve, ComparedLevel, ComparedRuns, ComparedTechnique, Showed, marked};
use maud::{Markup, html};
use model::{Kind, Metric, Unit, axis_name, axis_value};
use serde_json::Value;

use super::axis::{Axis, short, trimmed};
use super::curves_by_run::panels;
use super::marks::{MOST_SIDES, Shared, axis_row, mark};
use super::places_by_run::slope;
use super::{OPEN, slug, write};
use crate::json;
use crate::page::blocks::{Align, Block, Cell, Extent, Row, Section, Sections, Table};
use crate::page::{self, Page, apart};
use crate::text::layout::plain;
use crate::words::compare::{curve_name, letter, name, ratio, times};
use crate::words::phrase::counted;
use crate::words::units::amount;

/// More techniques are not drawn; they stand in the table.
pub(super) const MOST_ROWS: usize = 24;
/// With more runs the ratios stand in the table only.
const MOST_RATIOS: usize = 3;
/// Percent that the name of a tick takes on a phone.
pub(super) const TICK_GAP: f64 = 19.0;

impl Page for ComparedRuns {
    fn blocks(&self, extent: Extent) -> Sections {
        page::compare(self, extent)
    }

    fn json(&self) -> Value {
        json::document(self)
    }

    fn drawn(&self) -> Option<String> {
        let (main, links) = blocks(self, &self.blocks(super::EXTENT));
        let title = "Runs side by side";
        let lede = html! { p.lede { (counted(self.runs.len() as u64, "run")) } };
        Some(super::document(&format!("bakeoff: {title}"), title, lede, &links, main, "bakeoff"))
    }
}

/// The blocks of the page, with their links. `page` is what other formats say of the same runs.
fn blocks(compared: &ComparedRuns, page: &Sections) -> (Markup, Vec<(&'static str, &'static str)>) {
    let [summary, hosts, rest @ ..] = &page[..] else { return (html! {}, Vec::new()) };
    let drawn: Vec<&ComparedContest> = apart(compared).collect();
    let (contests, rest) = rest.split_at(drawn.len().min(rest.len()));
    let (curves, alone) = rest.split_at(compared.curves.len().min(rest.len()));
    let mut links = vec![("means", "Answer"), ("hosts", "What differs")];
    links.extend((!contests.is_empty()).then_some(("contests", "Contests")));
    links.extend((!curves.is_empty()).then_some(("curves", "Curves")));
    let sections = drawn.into_iter().zip(contests).enumerate();
    let main = html! {
        section #means aria-labelledby="h-means" {
            h2.vh #h-means { "Answer" }
            (key(compared))
            (means(compared))
            (write::section(summary))
        }
        section #hosts aria-labelledby="h-hosts" {
            h2 #h-hosts { "What differs" }
            // Its own heading says the same.
            @for block in hosts.iter().filter(|block| !matches!(block, Block::Heading { .. })) { (write::block(block)) }
        }
        @if !contests.is_empty() {
            section #contests aria-labelledby="h-contests" {
                h2 #h-contests { "Contests" }
                @for (nth, (contest, section)) in sections { (of_contest(nth, contest, section)) }
            }
        }
        @if !curves.is_empty() {
            section #curves aria-labelledby="h-curves" {
                h2 #h-curves { "Curves" }
                @for (nth, (curve, section)) in compared.curves.iter().zip(curves).enumerate() {
                    (of_curve(nth, curve, section))
                }
            }
        }
        @for section in alone { section { (write::section(section)) } }
    };
    (main, links)
}

fn key(compared: &ComparedRuns) -> Markup {
    html! {
        div.key role="group" aria-label="The runs and their marks" {
            @for (side, run) in compared.runs.iter().enumerate() {
                span {
                    @if side < MOST_SIDES {
                        svg width="20" height="16" aria-hidden="true" { (mark(side, "10", "8")) }
                    }
                    b { (letter(side)) } " " (plain(run))
                }
            }
        }
    }
}

/// The name of a contest, the run that the others stand over, and their means.
type OverOne = (String, usize, Vec<(usize, f64)>);

/// The geometric means of all contests on one axis, where there are several.
fn means(compared: &ComparedRuns) -> Markup {
    let of = |means: &[Option<f64>], over: usize| -> Vec<(usize, f64)> {
        let means = means.iter().enumerate().take(MOST_SIDES).skip(over + 1);
        means.filter_map(|(side, mean)| Some((side, (*mean).filter(|mean| *mean > 0.0)?))).collect()
    };
    let contests =
        apart(compared).map(|contest| (name(contest), contest.over, of(&contest.means, contest.over)));
    let curves =
        compared.curves.iter().map(|curve| (curve_name(curve), curve.over, of(&curve.means, curve.over)));
    let all: Vec<OverOne> = contests.chain(curves).filter(|(_, _, means)| !means.is_empty()).collect();
    if all.is_empty() {
        return html! {};
    }
    let values = all.iter().flat_map(|(_, _, means)| means).map(|(_, mean)| *mean);
    let axis = Axis::around(values.chain([0.8, 1.25]), 1.1, 3.0);
    let ticks = axis.ticks(axis.round_values(5), TICK_GAP);
    let said = |means: &[(usize, f64)], over: usize| -> String {
        let said = means.iter().map(|(side, mean)| format!("{} ~{}", letter(*side), times(*mean)));
        let said = said.collect::<Vec<_>>().join(" ");
        if over == 0 { said } else { format!("{said} (over {})", letter(over)) }
    };
    let shared = Shared { axis: &axis, ticks: &ticks, line: Some(1.0) };
    html! {
        div.plot.cmp {
            (axis_row("over A, geometric mean", &axis, &ticks, |tick| "~".to_owned() + trimmed(&times(tick)), html! {}))
            ol.rows {
                @for (head, over, means) in &all {
                    @let points: Vec<(usize, f64)> = std::iter::once((*over, 1.0)).chain(means.iter().copied()).collect();
                    @let said = said(means, *over);
                    li.r {
                        span.n { span.nm { (plain(head)) } }
                        (shared.row(&points, &format!("{}: {said} times {}", plain(head), letter(*over))))
                        // More have no room here; the lines below say them, too.
                        span.v { @if compared.runs.len() <= MOST_RATIOS { (said) } }
                    }
                }
            }
        }
    }
}

fn of_contest(nth: usize, contest: &ComparedContest, section: &Section) -> Markup {
    let drawn = &contest.techniques[..contest.techniques.len().min(MOST_ROWS)];
    let tables =
        section.iter().filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None });
    let id = format!("{}-{}", slug(&contest.family), nth + 1);
    part(
        &id,
        &contest.metric,
        section,
        html! {
            (dumbbells(contest, drawn))
            (slope(drawn))
            @if drawn.len() < contest.techniques.len() {
                p.note { (contest.techniques.len() - drawn.len()) " more techniques are in the table." }
            }
            @for table in tables {
                details open[nth < OPEN] { summary { "Table: all figures" } (write::table(table)) }
            }
        },
    )
}

fn of_curve(nth: usize, curve: &ComparedCurve, section: &Section) -> Markup {
    let id = format!("{}-curve-{}", slug(&curve.family), nth + 1);
    part(
        &id,
        &curve.metric,
        section,
        html! {
            (panels(curve))
            (write::folded(&table(curve), nth < OPEN))
        },
    )
}

/// Writes the sentences, then the plots. A column for each technique and run has no room on a page.
fn part(id: &str, metric: &Metric, section: &Section, drawn: Markup) -> Markup {
    let better = match metric.better {
        model::Better::Less => "less is better",
        model::Better::More => "more is better",
    };
    let conditions = format!("{}, {better}", metric.what);
    html! {
        section.contest id=(id) aria-labelledby={ "h-" (id) } {
            @for block in section {
                @match block {
                    Block::Heading { text, .. } => (write::heading(text, Some(&conditions), Some(id))),
                    Block::Table(_) | Block::Levels(_) => {}
                    _ => (write::block(block)),
                }
            }
            (drawn)
        }
    }
}

fn table(curve: &ComparedCurve) -> Table {
    let sides = 0..curve.means.len();
    let over = curve.over;
    let mut columns = vec![("technique".to_owned(), Align::Left), (axis_name(&curve.axis), Align::Right)];
    for side in sides.clone().map(letter) {
        columns.extend(["", " user", " system"].map(|part| (format!("{side}{part}"), Align::Right)));
    }
    columns.extend(
        (over + 1..sides.end).map(|side| (format!("{} / {}", letter(side), letter(over)), Align::Right)),
    );
    let mut table = Table { about: "all levels", ..Table::new(columns) };
    let is_time = curve.metric.key == Metric::WORK.key;
    let said = |unit: Unit, value: Option<f64>| value.map_or(String::new(), |value| amount(unit, value));
    for (place, (technique, aliases)) in curve.techniques.iter().enumerate() {
        for level in curve
            .levels
            .iter()
            .filter(|level: &&ComparedLevel| level.medians[place].iter().any(Option::is_some))
        {
            let name = Cell::Entry { name: technique.clone(), aliases: aliases.clone(), kind: Kind::BuiltIn };
            let mut cells = vec![name, axis_value(&curve.axis, level.at).into()];
            for side in sides.clone() {
                let usage =
                    |of: &Vec<Vec<Option<f64>>>| said(Unit::Nanoseconds, of[place][side].filter(|_| is_time));
                let median = said(curve.metric.unit(), level.medians[place][side]);
                cells.push(marked(median, level.extrapolated[place][side].is_some()).into());
                cells.extend([usage(&level.user_ns).into(), usage(&level.system_ns).into()]);
            }
            let median = |side: usize| level.medians[place][side].filter(|value| *value > 0.0);
            let ratio = |side: usize| Some(format!("~{}", times(median(side)? / median(over)?)));
            cells.extend((over + 1..sides.end).map(|side| ratio(side).unwrap_or_default().into()));
            table.rows.push(Row { cells, ..Row::default() });
        }
    }
    table
}

fn median(showed: &Option<Showed>) -> Option<f64> {
    showed.as_ref()?.median.filter(|value| *value > 0.0)
}

/// A row for each technique: what it took on each run, on one logarithmic axis.
fn dumbbells(contest: &ComparedContest, drawn: &[ComparedTechnique]) -> Markup {
    let values = || drawn.iter().flat_map(|one| &one.showed).filter_map(median);
    if values().next().is_none() {
        return html! {};
    }
    let axis = Axis::around(values(), 1.1, 3.0);
    let unit = contest.metric.unit();
    let ticks = axis.ticks(axis.round_values(5), TICK_GAP);
    let shared = Shared { axis: &axis, ticks: &ticks, line: None };
    html! {
        div.plot.cmp {
            (axis_row("technique", &axis, &ticks, |tick| short(unit, tick), html! {
                @if contest.means.len() <= MOST_RATIOS { "over " (letter(contest.over)) }
            }))
            ol.rows { @for one in drawn { (dumbbell(contest, one, &shared)) } }
        }
    }
}

fn dumbbell(contest: &ComparedContest, one: &ComparedTechnique, shared: &Shared<'_>) -> Markup {
    let points: Vec<(usize, f64)> =
        one.showed.iter().enumerate().filter_map(|(side, showed)| Some((side, median(showed)?))).collect();
    let unit = contest.metric.unit();
    let said: Vec<String> =
        points.iter().map(|(side, value)| format!("{} {}", letter(*side), amount(unit, *value))).collect();
    let said = said.join(", ");
    let name = plain(&one.technique);
    let over = contest.over;
    let ratios: Vec<String> = (over + 1..one.showed.len()).map(|side| ratio(one, side, over)).collect();
    html! {
        li.r tabindex="0" {
            span.n { span.nm { (name) } }
            (shared.row(&points, &format!("{name}: {said}")))
            span.v { @if ratios.len() < MOST_RATIOS { (ratios.join(" ")) } }
            span.tip { b { (name) } " " (said) }
        }
    }
}
