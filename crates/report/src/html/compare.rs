//! Several runs side by side: how long each took, and the order of the techniques on each.

use judge::{ComparedContest, ComparedCurve, ComparedRuns, ComparedTechnique, Showed, marked};
use maud::{Markup, html};
use model::{Better, Kind, Metric, Unit, axis_name, axis_value};
use serde_json::Value;

use super::axis::{Axis, short, trimmed};
use super::by_run::{panels, slope};
use super::marks::{MOST_SIDES, Shared, axis_row, mark};
use super::{OPEN, slug, write};
use crate::json;
use crate::page::blocks::{Align, Block, Cell, Extent, Row, Section, Sections, Table};
use crate::page::{self, Page, apart};
use crate::text::layout::plain;
use crate::words::compare::{curve_name, letter, name, over_first, ratio, times};
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
        let page = self.blocks(Extent::HTML);
        let [summary, hosts, rest @ ..] = &page[..] else { return None };
        let drawn: Vec<&ComparedContest> = apart(self).collect();
        let (contests, rest) = rest.split_at(drawn.len().min(rest.len()));
        let (curves, alone) = rest.split_at(self.curves.len().min(rest.len()));
        let mut links = vec![("means", "Answer"), ("hosts", "What differs")];
        links.extend((!contests.is_empty()).then_some(("contests", "Contests")));
        links.extend((!curves.is_empty()).then_some(("curves", "Curves")));
        let sections = drawn.into_iter().zip(contests).enumerate();
        let main = html! {
            section #means aria-labelledby="h-means" {
                h2.vh #h-means { "Answer" }
                div.key role="group" aria-label="The runs and their marks" {
                    @for (side, run) in self.runs.iter().enumerate() {
                        span {
                            @if side < MOST_SIDES {
                                svg width="20" height="16" aria-hidden="true" { (mark(side, "10", "8")) }
                            }
                            b { (letter(side)) } " " (plain(run))
                        }
                    }
                }
                (means(self))
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
                    @for (nth, (curve, section)) in self.curves.iter().zip(curves).enumerate() {
                        (of_curve(nth, curve, section))
                    }
                }
            }
            @for section in alone { section { (write::section(section)) } }
        };
        let title = "Runs side by side";
        let lede = html! { p.lede { (counted(self.runs.len() as u64, "run")) } };
        Some(super::document(&format!("bakeoff: {title}"), title, lede, &links, main, "bakeoff"))
    }
}

/// Writes the geometric means of all contests on one axis, where there are several.
fn means(compared: &ComparedRuns) -> Markup {
    let contests = apart(compared).map(|one| (name(one), one.over, &one.means));
    let curves = compared.curves.iter().map(|one| (curve_name(one), one.over, &one.means));
    // Each with its points: the run that the others stand over, and their means.
    let mut all: Vec<(String, Vec<(usize, f64)>)> = Vec::new();
    for (head, over, means) in contests.chain(curves) {
        let means = means.iter().enumerate().take(MOST_SIDES).skip(over + 1);
        let mut points = vec![(over, 1.0)];
        points.extend(means.filter_map(|(side, mean)| Some((side, (*mean).filter(|mean| *mean > 0.0)?))));
        all.extend((points.len() > 1).then_some((head, points)));
    }
    if all.is_empty() {
        return html! {};
    }
    let values = all.iter().flat_map(|(_, points)| &points[1..]).map(|(_, mean)| *mean);
    let axis = Axis::around(values.chain([0.8, 1.25]), 1.1, 3.0);
    let ticks = axis.ticks(axis.round_values(5), TICK_GAP);
    let shared = Shared { axis: &axis, ticks: &ticks, line: Some(1.0) };
    html! {
        div.plot.cmp {
            (axis_row("over A, geometric mean", &axis, &ticks, |tick| "~".to_owned() + trimmed(&times(tick)), html! {}))
            ol.rows {
                @for (head, points) in &all {
                    @let over = points[0].0;
                    @let means = points[1..].iter().map(|(side, mean)| format!("{} ~{}", letter(*side), times(*mean)));
                    @let below = if over == 0 { String::new() } else { format!(" (over {})", letter(over)) };
                    @let said = means.collect::<Vec<_>>().join(" ") + &below;
                    li.r {
                        span.n { span.nm { (plain(head)) } }
                        (shared.row(points, &format!("{}: {said} times {}", plain(head), letter(over))))
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
    let id = format!("{}-{}", slug(&contest.family), nth + 1);
    let drawn = html! {
        (dumbbells(contest, drawn))
        (slope(drawn))
        @if drawn.len() < contest.techniques.len() {
            p.note { (contest.techniques.len() - drawn.len()) " more techniques are in the table." }
        }
        @for block in section {
            @if let Block::Table(table) = block {
                details open[nth < OPEN] { summary { "Table: all figures" } (write::table(table)) }
            }
        }
    };
    part(&id, &contest.metric, section, drawn)
}

fn of_curve(nth: usize, curve: &ComparedCurve, section: &Section) -> Markup {
    let id = format!("{}-curve-{}", slug(&curve.family), nth + 1);
    let drawn = html! { (panels(curve)) (write::folded(&table(curve), nth < OPEN)) };
    part(&id, &curve.metric, section, drawn)
}

/// Writes the sentences, then the plots. A column for each technique and run has no room on a page.
fn part(id: &str, metric: &Metric, section: &Section, drawn: Markup) -> Markup {
    let better = if metric.better == Better::Less { "less" } else { "more" };
    let conditions = format!("{}, {better} is better", metric.what);
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
    for (place, (technique, aliases)) in curve.techniques.iter().enumerate() {
        for level in &curve.levels {
            let medians = &level.medians[place];
            if medians.iter().all(Option::is_none) {
                continue;
            }
            let name = Cell::Entry { name: technique.clone(), aliases: aliases.clone(), kind: Kind::BuiltIn };
            let mut cells = vec![name, axis_value(&curve.axis, level.at).into()];
            for side in sides.clone() {
                let median = medians[side].map_or(String::new(), |value| amount(curve.metric.unit(), value));
                cells.push(marked(median, level.extrapolated[place][side].is_some()).into());
                cells.extend([&level.user_ns, &level.system_ns].map(|of| {
                    let ns = of[place][side].filter(|_| is_time);
                    ns.map_or(String::new(), |ns| amount(Unit::Nanoseconds, ns)).into()
                }));
            }
            let ratios = medians[curve.over + 1..].iter().map(|value| over_first(*value, medians[over]));
            cells.extend(ratios.map(Cell::from));
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
    let values: Vec<f64> = drawn.iter().flat_map(|one| &one.showed).filter_map(median).collect();
    if values.is_empty() {
        return html! {};
    }
    let axis = Axis::around(values, 1.1, 3.0);
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
    let said = points
        .iter()
        .map(|(side, value)| format!("{} {}", letter(*side), amount(contest.metric.unit(), *value)));
    let said = said.collect::<Vec<_>>().join(", ");
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
