//! A curve: values along the axis, a line for each technique, and who is fastest below.

use findings::published::{self, PublishedLine};
use judge::{Curve, Level, Line};
use maud::{Markup, html};
use model::{Mark, Unit, axis_name, axis_value};

use super::axis::{Axis, Plane, ends, percent_of, short, trimmed};
use super::marks::{self, Edge};
use super::picture::Picture;
use super::{contest, winners, write};
use crate::page::blocks::{Block, Section, Table, Tone};
use crate::text::layout::{columns, plain};
use crate::words::units::Scale;
use crate::words::{curves, phrase};

/// This many lines are distinguished by colour and shape.
const MOST_LINES: usize = 6;
/// Beyond this many levels only every k-th has a mark; all of them are in the line.
const MOST_MARKS: usize = 64;
/// From this ratio of the ends on an axis is logarithmic.
const LOGARITHMIC: u64 = 16;
/// Percent of the height that a line of a name at the end of a curve takes, and about this many letters of it.
const NAME_HEIGHT: f64 = 5.5;
const NAME_COLUMNS: usize = 20;
/// This many published lines stand next to those that were measured here.
const MOST_PUBLISHED: usize = 6;
/// Pixels of a saved plot.
const HEIGHT: f64 = 360.0;
/// Percent of the width that the value of a level takes.
const VALUE_WIDTH: f64 = 8.0;

pub(super) fn curve(section: &Section, id: &str, curve: &Curve, command: Option<&str>) -> Markup {
    html! {
        section.contest id=(id) aria-labelledby={ "h-" (id) } {
            @for block in section {
                @match block {
                    Block::Heading { text, conditions } => (write::heading(text, conditions.as_deref(), Some(id))),
                    Block::Levels(levels) => {
                        (Plot::new(curve).draw(id))
                        details open { summary { "Table: all levels" } (write::levels(levels)) }
                        (write::folded(&spread(curve), false))
                    },
                    Block::Remarks(remarks) => (write::remarks(remarks.iter().filter(|one| !OF_SPREAD.iter().any(|head| one.head.starts_with(head))))),
                    other => (write::block(other)),
                }
            }
            (contest::command_line(command))
        }
    }
}

/// The remarks whose figures stand in the table of how the same work can be spread.
const OF_SPREAD: [&str; 4] = ["best ", "gain of ", "overhead of ", "scalability law"];

/// Returns what it gains to spread the same work along the axis, a row for each technique.
fn spread(curve: &Curve) -> Table {
    let axis = axis_name(&curve.axis);
    let mut table = Table::of(&format!(
        "< technique | ~ best {axis} | ~ gain of {axis} | ~ overhead of {axis} | ~ scalability law"
    ));
    table.about = "how to spread the work";
    for line in curves::lines(curve, false) {
        let one = [line];
        let all = [
            curves::best(curve, &one),
            curves::gain(curve, &one),
            curves::overhead(curve, &one),
            curves::scalability(&one),
        ];
        if all.iter().any(Option::is_some) {
            // Each begins with the entry, which heads the row.
            let entry = line.spread.as_ref().map_or(&line.technique, |spread| &spread.entry);
            let figures = all.map(|text| {
                let text = text.unwrap_or_default();
                text.strip_prefix(entry.as_str()).unwrap_or(&text).trim_start().to_owned()
            });
            table.row(std::iter::once(entry.clone()).chain(figures), Tone::Plain);
        }
    }
    table
}

/// The axis of the levels, of which these are the first and the last.
pub(super) fn along(first: u64, last: u64) -> Axis {
    // A level may be 0, which no logarithm reaches.
    let axis = Axis::new(first.max(1) as f64, last.max(1) as f64, 2.0);
    if first > 0 && last / first >= LOGARITHMIC { axis } else { axis.linear() }
}

fn axis_of(curve: &Curve) -> Axis {
    along(curve.levels.first().map_or(1, |level| level.at), curve.levels.last().map_or(1, |level| level.at))
}

/// Returns the place of each level between its begin and its end, half way to its neighbours.
pub(super) fn places(curve: &Curve) -> Vec<(f64, f64, f64)> {
    let axis = axis_of(curve);
    let at: Vec<f64> = curve.levels.iter().map(|level| axis.at(level.at as f64)).collect();
    let mut ends = vec![0.0];
    ends.extend(at.windows(2).map(|two| (two[0] + two[1]) / 2.0));
    ends.push(100.0);
    at.iter().zip(ends.windows(2)).map(|(at, ends)| (ends[0], *at, ends[1])).collect()
}

/// Returns the lines that are drawn: of many, what is chosen at a level comes first.
pub(super) fn drawn_lines(curve: &Curve) -> Vec<&Line> {
    let mut lines: Vec<(usize, &Line)> = curves::lines(curve, false).into_iter().enumerate().collect();
    lines.sort_by_key(|(_, line)| {
        let mut choices = curve.levels.iter().filter_map(|level| level.choice.as_ref());
        !choices.any(|choice| curve.technique_of(&choice.entry) == line.technique)
    });
    lines.truncate(MOST_LINES);
    lines.sort_by_key(|(place, _)| *place);
    lines.into_iter().map(|(_, line)| line).collect()
}

struct Plot<'a> {
    curve: &'a Curve,
    lines: Vec<&'a Line>,
    published: Vec<PublishedLine>,
    /// The number of published lines beyond the axis of what was measured here.
    beyond: usize,
    plane: Plane,
}

impl<'a> Plot<'a> {
    fn new(curve: &'a Curve) -> Self {
        let lines = drawn_lines(curve);
        let points = lines.iter().flat_map(|line| &line.points);
        let (low, high) = ends(points.filter_map(|point| point.median.value()).filter(|value| *value > 0.0));
        let y = Axis::around([low, high], 1.1, 3.0);
        let (published, beyond) = published(curve, &y);
        Self { curve, lines, published, beyond, plane: Plane { x: axis_of(curve), y } }
    }

    fn draw(&self, id: &str) -> Markup {
        let ticks = self.plane.y.round_values(7);
        html! {
            div.legend {
                @for (place, line) in self.lines.iter().enumerate() {
                    span class={ "lg c" (place + 1) } {
                        svg width="26" height="12" aria-hidden="true" {
                            line class={ "ln c" (place + 1) } x1="0" x2="26" y1="6" y2="6" {}
                            svg x="13" y="6" { (marks::shape(place)) }
                        }
                        (plain(&line.technique))
                    }
                }
                @for (place, line) in self.published.iter().enumerate() {
                    span.lg {
                        svg width="26" height="12" aria-hidden="true" { line.pub x1="0" x2="26" y1="6" y2="6" {} }
                        b { (letter(place)) } " " (plain(&line.name()))
                    }
                }
                (self.legend_of_marks())
            }
            @if !self.published.is_empty() {
                p.note { "Dashed, with a letter: published, by other machines with a job of another size. No claim about this host." }
            }
            @for fault in phrase::once(self.published.iter().flat_map(|line| &line.faults)) {
                p.note { "Of the source: " (plain(fault)) "." }
            }
            @if self.beyond > 0 { p.note { (phrase::counted(self.beyond as u64, "published line")) " beyond this axis: not drawn." } }
            div.cv {
                (self.plane.names(&ticks, |tick| self.short(tick)))
                div.pl {
                    (self.picture(&ticks))
                    @for (level, place) in self.curve.levels.iter().zip(places(self.curve)) { (self.level(level, place)) }
                }
                div.rl aria-hidden="true" {
                    @for (top, place) in self.ends() {
                        span class={ "c" (place + 1) } style={ "top:" (percent_of(top)) } { (plain(&self.lines[place].technique)) }
                    }
                }
                (winners::bar(self.curve))
                div.fll aria-hidden="true" { "use" }
                div.xl aria-hidden="true" {
                    @for (nth, at) in self.shown_levels().into_iter().enumerate() {
                        @let left = percent_of(self.plane.left(at));
                        span.odd[nth % 2 == 1] style={ "left:" (left) } { (axis_value(&self.curve.axis, at)) }
                    }
                }
                div.xt { (axis_name(&self.curve.axis)) }
            }
            (self.saved(&ticks, id))
        }
    }

    /// The plot with its names as a file.
    fn saved(&self, ticks: &[f64], id: &str) -> Markup {
        let curve = self.curve;
        let mut picture = Picture::new(&format!("{} by {}", curve.family, axis_name(&curve.axis)));
        for (place, line) in self.published.iter().enumerate() {
            picture.line(&format!("{}, dashed: published, {}", letter(place), line.name()), "mute");
        }
        let left = ticks.iter().map(|tick| (self.plane.top(*tick), "mute".to_owned(), self.short(*tick)));
        let right = self
            .ends()
            .into_iter()
            .map(|(top, place)| (top, format!("c{}", place + 1), self.lines[place].technique.clone()));
        picture.field(HEIGHT, &self.picture(ticks), left, right);
        picture.field(12.0, &winners::blocks(curve), [], []);
        let levels = self.shown_levels().into_iter();
        let levels = levels.map(|at| (self.plane.left(at), axis_value(&curve.axis, at)));
        picture.below(levels, &axis_name(&curve.axis));
        picture.link(id)
    }

    /// Writes the meaning of the marks that are not lines of techniques.
    fn legend_of_marks(&self) -> Markup {
        let [is_open, has_others] = winners::without_line(self.curve);
        let has_range = self
            .lines
            .iter()
            .flat_map(|line| &line.points)
            .any(|point| point.range(&self.curve.metric).is_some());
        let has_caches = !self.capacities().is_empty();
        let block = |class: &str| html! { rect class={ "level " (class) } x="8" width="10" height="12" {} };
        let marks = [
            (has_range, html! { line."ci c0" x1="13" x2="13" y1="0" y2="12" {} }, "interval"),
            (has_caches, html! { line.cache x1="13" x2="13" y1="0" y2="12" {} }, "size of a cache"),
            (true, block("c0"), "below: what to use at a measured level"),
            (true, html! { line."between c0" x1="0" x2="26" y1="6" y2="6" {} }, "between measured levels"),
            (is_open, block("none"), "no answer"),
            (has_others, block("other"), "a technique of the table"),
        ];
        html! {
            @for (_, drawn, text) in marks.into_iter().filter(|(is_drawn, ..)| *is_drawn) {
                span.lg { svg width="26" height="12" aria-hidden="true" { (drawn) } (text) }
            }
        }
    }

    fn picture(&self, ticks: &[f64]) -> Markup {
        let said = format!("{} All values are in the table below.", plain(&self.curve.sentence));
        html! {
            svg role="img" aria-label=(said) {
                title { "Values by " (axis_name(&self.curve.axis)) }
                (self.plane.grid(ticks))
                @for at in self.shown_levels() {
                    @let x = percent_of(self.plane.left(at));
                    line.g x1=(x) x2=(x) y1="0" y2="100%" {}
                }
                @for mark in self.capacities() {
                    @let left = self.plane.left(mark.at);
                    @let x = percent_of(left);
                    // On the side where there is room for the name.
                    @let (dx, anchor) = if left > 50.0 { ("-4", "end") } else { ("4", "start") };
                    line.cache x1=(x) x2=(x) y1="0" y2="100%" {}
                    text.cachet x=(x) y="12" dx=(dx) text-anchor=(anchor) { (mark.name) }
                }
                svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" {
                    @for line in &self.published { polyline.pub points=(self.plane.path(line.points.iter().copied())) {} }
                    @for (place, line) in self.lines.iter().enumerate() {
                        polyline class={ "ln c" (place + 1) } points=(self.plane.path(known(line))) {}
                    }
                }
                @for (place, line) in self.lines.iter().enumerate() { (self.marks(place, line)) }
                @for (place, (left, top)) in self.letters().into_iter().enumerate() {
                    text.pubt x=(percent_of(left)) y=(percent_of(top)) dy="-4" text-anchor="middle" { (letter(place)) }
                }
            }
        }
    }

    /// Returns the places of the letters of the published lines: on a point of each, a letter away from those before it where possible.
    fn letters(&self) -> Vec<(f64, f64)> {
        const LETTER_WIDTH: f64 = 4.0;
        const LETTER_HEIGHT: f64 = 8.0;
        let mut placed: Vec<(f64, f64)> = Vec::new();
        for (place, line) in self.published.iter().enumerate() {
            // Each with how many letters fit between it and the nearest of the others.
            let points = line.points.iter().map(|(at, ns)| {
                let (left, top) = (self.plane.left(*at), self.plane.top(*ns));
                let gaps = placed.iter().map(|(other_left, other_top)| {
                    ((left - other_left).abs() / LETTER_WIDTH).max((top - other_top).abs() / LETTER_HEIGHT)
                });
                (gaps.fold(f64::INFINITY, f64::min), (left, top))
            });
            let points: Vec<(f64, (f64, f64))> = points.collect();
            // From the last but one on to the left, so that the names at the ends of the curves are not touched.
            let usual = points.len().saturating_sub(2 + place);
            let mut candidates = points[..=usual].iter().rev().chain(&points[usual + 1..]);
            let free = candidates.find(|(room, _)| *room >= 1.0);
            let best = free.or_else(|| points.iter().max_by(|one, other| one.0.total_cmp(&other.0)));
            placed.extend(best.map(|(_, place)| *place));
        }
        placed
    }

    /// The sizes of caches on an axis of memory: a family whose axis is one declares them.
    fn capacities(&self) -> Vec<&Mark> {
        self.curve.marks.iter().filter(|mark| self.plane.x.holds(mark.at as f64)).collect()
    }

    fn marks(&self, place: usize, line: &Line) -> Markup {
        let step = self.curve.levels.len().div_ceil(MOST_MARKS).max(1);
        html! {
            @for point in line.points.iter().step_by(step) {
                @if let Some(value) = point.median.value() {
                    @let x = percent_of(self.plane.left(point.at));
                    @if let Some((low, high)) = point.range(&self.curve.metric) {
                        line class={ "ci c" (place + 1) } x1=(x) x2=(x) y1=(percent_of(self.plane.top(low)))
                            y2=(percent_of(self.plane.top(high))) {}
                        @if self.plane.y.is_beyond(high) { (marks::beyond(Edge::Top, &x, false)) }
                        @if self.plane.y.is_below(low) { (marks::beyond(Edge::Bottom, &x, false)) }
                    }
                    svg x=(x) y=(percent_of(self.plane.top(value))) { (marks::shape(place)) }
                }
            }
        }
    }

    /// Returns the places of the names at the ends of the lines, in percent from the top, moved apart where they would touch.
    fn ends(&self) -> Vec<(f64, usize)> {
        let mut ends: Vec<(f64, usize)> = Vec::new();
        for (place, line) in self.lines.iter().enumerate() {
            ends.extend(known(line).last().map(|(_, value)| (self.plane.top(value), place)));
        }
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = |place: usize| {
            let folded = columns(&plain(&self.lines[place].technique)).div_ceil(NAME_COLUMNS).max(1);
            folded as f64 * NAME_HEIGHT / 2.0
        };
        let mut free = 0.0;
        for (top, place) in &mut ends {
            *top = top.max(free + half(*place));
            free = *top + half(*place);
        }
        let mut free = 100.0;
        for (top, place) in ends.iter_mut().rev() {
            *top = top.min(free - half(*place));
            free = *top - half(*place);
        }
        ends
    }

    /// Writes the figures of a level, shown where a pointer or the keyboard is.
    fn level(&self, level: &Level, (from, at, to): (f64, f64, f64)) -> Markup {
        let style = format!("left:{};width:{}", percent_of(from), percent_of(to - from));
        html! {
            div.lv.right[at > 50.0] tabindex="0" style=(style) {
                div.tip2 {
                    span { b { (axis_name(&self.curve.axis)) " " (axis_value(&self.curve.axis, level.at)) } }
                    @for line in &self.lines {
                        @if let Some(point) = line.points.iter().find(|point| point.at == level.at) {
                            span {
                                @if point.may_be_fastest { "= " }
                                (plain(&line.technique)) " " (curves::median(self.curve, point))
                                @if let Some(factor) = point.factor { ", " (judge::times(factor)) "×" }
                            }
                        }
                    }
                    @for (place, line) in self.published.iter().enumerate() {
                        @if let Some(ns) = line.at(level.at) { span { (letter(place)) ", published: " (Scale::of_ns(ns).value(ns)) } }
                    }
                }
            }
        }
    }

    fn shown_levels(&self) -> Vec<u64> {
        let levels = self.curve.levels.iter().map(|level| level.at as f64);
        self.plane.x.ticks(levels, VALUE_WIDTH).into_iter().map(|at| at as u64).collect()
    }

    /// A round value with its unit, where it is known.
    fn short(&self, value: f64) -> String {
        let unknown = || trimmed(&Scale::unknown(value).number(value)).to_owned();
        if self.curve.unit_is_known { short(self.curve.metric.unit(), value) } else { unknown() }
    }
}

fn known(line: &Line) -> impl Iterator<Item = (u64, f64)> {
    line.points.iter().filter_map(|point| Some((point.at, point.median.value()?)))
}

/// Returns the published lines that fit the axis, and how many do not: an axis with room for them would flatten all others.
fn published(curve: &Curve, y: &Axis) -> (Vec<PublishedLine>, usize) {
    let is_time = curve.unit_is_known && curve.metric.unit() == Unit::Nanoseconds;
    let all = if is_time { published::lines(curve) } else { Vec::new() };
    let (mut lines, beyond): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|line: &PublishedLine| line.points.iter().all(|(_, ns)| y.holds(*ns)));
    lines.truncate(MOST_PUBLISHED);
    (lines, beyond.len())
}

/// Returns the letter of a published line: its name has no room in the plot.
fn letter(place: usize) -> char {
    char::from(b'a' + place as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    /// A curve whose work was published, with values of this many nanoseconds and more.
    fn pipeline(least_ns: f64) -> Curve {
        let mut curve = fixture::curve();
        (curve.family, curve.axis) = ("pipeline".to_owned(), "threads".to_owned());
        curve.setting = model::Setting::default();
        curve.workload = model::Workload::default();
        curve.levels.iter_mut().enumerate().for_each(|(nth, level)| level.at = 1 << (2 * nth));
        for line in &mut curve.techniques {
            for (nth, point) in line.points.iter_mut().enumerate() {
                point.at = 1 << (2 * nth);
                point.median = fixture::ns(least_ns * 10f64.powi(nth as i32));
            }
        }
        curve
    }

    fn drawn(curve: &Curve) -> String {
        Plot::new(curve).draw("id").into_string()
    }

    #[test]
    fn published_lines_are_drawn_where_they_fit_the_axis() {
        let near = drawn(&pipeline(2e7));
        assert!(near.contains("class=\"pub\"") && near.contains(", xeon-4way-w2000-ntfs"), "{near}");
        let curve = pipeline(1e3);
        let far = drawn(&curve);
        assert!(!far.contains("class=\"pub\"") && far.contains("published lines beyond this axis"), "{far}");
        // The axis is that of what was measured here.
        assert!(Plot::new(&curve).plane.y.is_beyond(1e7), "1 ms at most");
    }

    #[test]
    fn caches_are_marked_on_axes_of_memory_only() {
        let of_files = drawn(&fixture::curve());
        assert!(!of_files.contains("class=\"cache\""), "{of_files}");
        let of_memory = drawn(&fixture::spread(fixture::curve()));
        // One line in the plot and one in the legend; the other mark lies beyond the axis.
        assert_eq!(of_memory.matches("class=\"cache\"").count(), 2, "{of_memory}");
        assert!(of_memory.contains(">L1</text>") && !of_memory.contains(">L3</text>"), "{of_memory}");
    }

    #[test]
    fn every_colour_and_line_of_a_curve_is_in_its_legend() {
        let curve = fixture::spread(fixture::curve());
        let page = drawn(&curve);
        let (legend, plot) = page.split_once("<div class=\"cv\">").expect("a legend");
        for line in &curve.techniques {
            assert!(legend.contains(&line.technique), "{}", line.technique);
        }
        for (class, word) in [
            ("ci", "interval"),
            ("cache", "size of a cache"),
            ("none", "no answer"),
            ("between", "between measured levels"),
            ("level", "at a measured level"),
        ] {
            assert!(plot.contains(class) && legend.contains(word), "{class}");
        }
    }

    #[test]
    fn an_interval_beyond_the_plot_has_a_mark() {
        let mut curve = fixture::curve();
        let mark = "y=\"0%\"><path class=\"off\"";
        assert!(!drawn(&curve).contains(mark));
        curve.techniques[2].points[3].factor_high = Some(1e6);
        assert!(drawn(&curve).contains(mark));
    }
}
