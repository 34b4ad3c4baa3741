//! A curve: values along the axis, a line for each technique, and who is fastest below.

use findings::published::{self, PublishedLine};
use judge::{Curve, Level, Line, Point};
use maud::{Markup, PreEscaped, html};
use model::{Host, Unit, axis_name, axis_value};

use super::axis::{Axis, ends, path, percent_of, short, trimmed};
use super::write;
use crate::page::blocks::{Block, Section};
use crate::text::layout::{columns, plain};
use crate::words::curves;
use crate::words::units::{Scale, three_digits};

/// This many lines are distinguished by colour and shape.
const MOST_LINES: usize = 6;
/// Beyond this many levels only every k-th has a mark; all of them are in the line.
const MOST_MARKS: usize = 64;
/// From this ratio of the ends on an axis is logarithmic.
const LOGARITHMIC: u64 = 16;
/// Percent of the height that a line of a name at the end of a curve takes, and about this many letters of it.
const NAME_HEIGHT: f64 = 5.5;
const NAME_COLUMNS: usize = 20;
/// This many published lines stand next to those that were measured here,
const MOST_PUBLISHED: usize = 6;
/// if they are no more than this many times above or below: farther lines would flatten all others.
const NEAR: f64 = 1000.0;
/// Percent of the width that the value of a level takes.
const VALUE_WIDTH: f64 = 8.0;

/// A cache or the memory of the host.
struct Capacity {
    name: String,
    bytes: u64,
    /// The line in which its name stands, from the top.
    line: u32,
}

/// Levels at which one technique is fastest, or nothing is said, in percent of the axis.
pub(super) struct Segment {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) fastest: Option<String>,
}

pub(super) fn curve(section: &Section, id: &str, curve: &Curve, host: Option<&Host>) -> Markup {
    html! {
        section.contest id=(id) aria-labelledby={ "h-" (id) } {
            @for block in section {
                @match block {
                    Block::Heading { text, conditions } => (write::heading(text, conditions.as_deref(), Some(id))),
                    Block::Levels(levels) => {
                        (Plot::new(curve).draw(host))
                        details { summary { "Table: all levels" } (write::levels(levels)) }
                    },
                    other => (write::block(other)),
                }
            }
        }
    }
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

/// Where the levels stand, and where each begins and ends: half way to its neighbours.
fn places(curve: &Curve) -> Vec<(f64, f64, f64)> {
    let axis = axis_of(curve);
    let at: Vec<f64> = curve.levels.iter().map(|level| axis.at(level.at as f64)).collect();
    let middle = |a: usize, b: usize| (at[a] + at[b]) / 2.0;
    let place = |nth: usize| {
        let from = if nth == 0 { 0.0 } else { middle(nth - 1, nth) };
        let to = if nth + 1 == at.len() { 100.0 } else { middle(nth, nth + 1) };
        (from, at[nth], to)
    };
    (0..at.len()).map(place).collect()
}

pub(super) fn segments(curve: &Curve) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for ((from, _, to), level) in places(curve).into_iter().zip(&curve.levels) {
        let fastest = level.choice.as_ref().map(|choice| curve.technique_of(&choice.entry));
        match segments.last_mut() {
            Some(last) if last.fastest == fastest => last.to = to,
            _ => segments.push(Segment { from, to, fastest }),
        }
    }
    segments
}

/// The class of a technique's colour; none where it has no line.
pub(super) fn class_of(curve: &Curve, technique: Option<&str>) -> String {
    let lines = curves::lines(curve, false);
    let place = lines.iter().take(MOST_LINES).position(|line| Some(line.technique.as_str()) == technique);
    place.map_or(String::new(), |place| format!("c{}", place + 1))
}

struct Plot<'a> {
    curve: &'a Curve,
    lines: Vec<&'a Line>,
    published: Vec<PublishedLine>,
    x: Axis,
    y: Axis,
}

impl<'a> Plot<'a> {
    fn new(curve: &'a Curve) -> Self {
        let mut lines = curves::lines(curve, false);
        lines.truncate(MOST_LINES);
        let points = lines.iter().flat_map(|line| &line.points);
        let (low, high) = ends(points.filter_map(|point| point.median.value()).filter(|value| *value > 0.0));
        let published = near(curve, low, high);
        let figures = published.iter().flat_map(|line| &line.points).map(|(_, ns)| *ns);
        let y = Axis::around(figures.chain([low, high]), 1.1, 3.0);
        Self { curve, lines, published, x: axis_of(curve), y }
    }

    fn left(&self, at: f64) -> f64 {
        self.x.at(at)
    }

    fn top(&self, value: f64) -> f64 {
        100.0 - self.y.at(value)
    }

    fn draw(&self, host: Option<&Host>) -> Markup {
        let ticks = self.y.round_values(7);
        html! {
            div.legend {
                @for (place, line) in self.lines.iter().enumerate() { (self.legend(place, line)) }
                @for (place, line) in self.published.iter().enumerate() {
                    span.lg {
                        svg width="26" height="12" aria-hidden="true" { line.pub x1="0" x2="26" y1="6" y2="6" {} }
                        b { (letter(place)) } " " (plain(&line.name()))
                    }
                }
            }
            @if !self.published.is_empty() {
                p.note { "Dashed, with a letter: published, by other machines with a job of another size. No claim about this host." }
            }
            div.cv {
                div.yl aria-hidden="true" {
                    @for &tick in &ticks { span style={ "top:" (percent_of(self.top(tick))) } { (self.short(tick)) } }
                }
                div.pl {
                    (self.picture(&ticks, host))
                    @for (place, level) in self.curve.levels.iter().enumerate() { (self.level(place, level)) }
                }
                div.rl aria-hidden="true" { (self.names()) }
                (self.fastest())
                (self.values())
            }
        }
    }

    fn picture(&self, ticks: &[f64], host: Option<&Host>) -> Markup {
        let told = format!("{} All values are in the table below.", plain(&self.curve.sentence));
        html! {
            svg role="img" aria-label=(told) {
                title { "Values by " (axis_name(&self.curve.axis)) }
                @for &tick in ticks {
                    @let y = percent_of(self.top(tick));
                    line.g x1="0" x2="100%" y1=(y) y2=(y) {}
                }
                @for at in self.shown_levels() {
                    @let x = percent_of(self.left(at));
                    line.g x1=(x) x2=(x) y1="0" y2="100%" {}
                }
                @for capacity in self.capacities(host) {
                    @let left = self.left(capacity.bytes as f64);
                    @let x = percent_of(left);
                    // On the side where there is room for the name.
                    @let (dx, anchor) = if left > 50.0 { ("-4", "end") } else { ("4", "start") };
                    line.cache x1=(x) x2=(x) y1="0" y2="100%" {}
                    text.cachet x=(x) y=(12 * capacity.line) dx=(dx) text-anchor=(anchor) { (capacity.name) }
                }
                svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" {
                    @for line in &self.published { polyline.pub points=(self.path(line.points.iter().copied())) {} }
                    @for (place, line) in self.lines.iter().enumerate() {
                        polyline class={ "ln c" (place + 1) } points=(self.path(known(line))) {}
                    }
                }
                @for (place, line) in self.lines.iter().enumerate() { (self.marks(place, line)) }
                @for (place, (left, top)) in self.letters().into_iter().enumerate() {
                    text.pubt x=(percent_of(left)) y=(percent_of(top)) dy="-4" text-anchor="middle" { (letter(place)) }
                }
            }
        }
    }

    /// Where the letters of the published lines stand, in percent: each on a point of its own line, as far from those before
    /// it as a letter takes, or as far as can be.
    fn letters(&self) -> Vec<(f64, f64)> {
        const LETTER_WIDTH: f64 = 4.0;
        const LETTER_HEIGHT: f64 = 8.0;
        let mut placed: Vec<(f64, f64)> = Vec::new();
        for (place, line) in self.published.iter().enumerate() {
            // How many letters fit between this place and the nearest of the others.
            let room = |(left, top): (f64, f64)| {
                let gaps = placed.iter().map(|(other_left, other_top)| {
                    ((left - other_left).abs() / LETTER_WIDTH).max((top - other_top).abs() / LETTER_HEIGHT)
                });
                gaps.fold(f64::INFINITY, f64::min)
            };
            let points: Vec<(f64, f64)> =
                line.points.iter().map(|(at, ns)| (self.left(*at as f64), self.top(*ns))).collect();
            // From the last but one on to the left, so that the names at the ends of the curves are not touched.
            let usual = points.len().saturating_sub(2 + place);
            let mut candidates = points[..=usual].iter().rev().chain(&points[usual + 1..]);
            let free = candidates.find(|point| room(**point) >= 1.0);
            let widest = || points.iter().max_by(|one, other| room(**one).total_cmp(&room(**other)));
            placed.extend(free.or_else(widest));
        }
        placed
    }

    fn capacities(&self, host: Option<&Host>) -> Vec<Capacity> {
        let is_size = self.curve.axis == "bytes" || self.curve.axis.ends_with("_bytes");
        let Some(host) = host.filter(|_| is_size) else { return Vec::new() };
        let caches = host.processor.caches.iter().filter(|cache| cache.kind != "instruction");
        let caches =
            caches.map(|cache| Capacity { name: format!("L{}", cache.level), bytes: cache.bytes, line: 1 });
        // A line of its own: where the largest cache lies near the memory, their names would meet.
        let memory = host.memory.total_bytes;
        let memory = memory.map(|bytes| Capacity { name: "memory".to_owned(), bytes, line: 2 });
        caches.chain(memory).filter(|one| self.x.holds(one.bytes as f64)).collect()
    }

    fn path(&self, points: impl Iterator<Item = (u64, f64)>) -> String {
        path(points.map(|(at, value)| (self.left(at as f64), self.top(value))))
    }

    fn marks(&self, place: usize, line: &Line) -> Markup {
        let step = self.curve.levels.len().div_ceil(MOST_MARKS).max(1);
        html! {
            @for point in line.points.iter().step_by(step) {
                @if let Some(value) = point.median.value() {
                    @let x = percent_of(self.left(point.at as f64));
                    @if let Some((low, high)) = point.range() {
                        line class={ "ci c" (place + 1) } x1=(x) x2=(x) y1=(percent_of(self.top(low)))
                            y2=(percent_of(self.top(high))) {}
                    }
                    svg x=(x) y=(percent_of(self.top(value))) { (shape(place)) }
                }
            }
        }
    }

    fn legend(&self, place: usize, line: &Line) -> Markup {
        html! {
            span class={ "lg c" (place + 1) } {
                svg width="26" height="12" aria-hidden="true" {
                    line class={ "ln c" (place + 1) } x1="0" x2="26" y1="6" y2="6" {}
                    svg x="13" y="6" { (shape(place)) }
                }
                (plain(&line.technique))
            }
        }
    }

    /// The names at the ends of the lines, moved apart where they would touch.
    fn names(&self) -> Markup {
        let last = |line: &&Line| line.points.iter().rev().find_map(|point| point.median.value());
        let mut ends: Vec<(f64, usize)> = Vec::new();
        for (place, line) in self.lines.iter().enumerate() {
            ends.extend(last(line).map(|value| (self.top(value), place)));
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
        html! {
            @for (top, place) in ends {
                span class={ "c" (place + 1) } style={ "top:" (percent_of(top)) } { (plain(&self.lines[place].technique)) }
            }
        }
    }

    /// What a level shows where a pointer or the keyboard is.
    fn level(&self, nth: usize, level: &Level) -> Markup {
        let Some(&(from, at, to)) = places(self.curve).get(nth) else { return html! {} };
        let style = format!("left:{};width:{}", percent_of(from), percent_of(to - from));
        html! {
            div.lv.right[at > 50.0] tabindex="0" style=(style) {
                div.tip2 {
                    span { b { (axis_name(&self.curve.axis)) " " (axis_value(&self.curve.axis, level.at)) } }
                    @for line in &self.lines {
                        @if let Some(point) = line.points.iter().find(|point| point.at == level.at) {
                            span { (told(self.curve, line, point)) }
                        }
                    }
                    @for (place, line) in self.published.iter().enumerate() {
                        @if let Some(ns) = line.at(level.at) { span { (letter(place)) ", published: " (Scale::of_ns(ns).value(ns)) } }
                    }
                }
            }
        }
    }

    fn fastest(&self) -> Markup {
        html! {
            div.fl role="img" aria-label="What to use by level, as the sentence above says" {
                @for Segment { from, to, fastest } in segments(self.curve) {
                    @let class = class_of(self.curve, fastest.as_deref());
                    @let name = fastest.as_deref().map_or("no answer".to_owned(), plain);
                    span class={ "sg " @if !class.is_empty() { "own " (class) } } title=(name)
                        style={ "left:" (percent_of(from)) ";width:" (percent_of(to - from)) } {
                        @match room(to - from, &name) {
                            Room::Everywhere => (name),
                            Room::OnWidePages => span.wide { (name) },
                            Room::Nowhere => {}
                        }
                    }
                }
            }
            div.fll aria-hidden="true" { "use" }
        }
    }

    fn shown_levels(&self) -> Vec<f64> {
        self.x.ticks(self.curve.levels.iter().map(|level| level.at as f64), VALUE_WIDTH)
    }

    fn values(&self) -> Markup {
        html! {
            div.xl aria-hidden="true" {
                @for (nth, at) in self.shown_levels().into_iter().enumerate() {
                    span.odd[nth % 2 == 1] style={ "left:" (percent_of(self.left(at))) } {
                        (axis_value(&self.curve.axis, at as u64))
                    }
                }
            }
            div.xt { (axis_name(&self.curve.axis)) }
        }
    }

    /// A round value with its unit, where it is known.
    fn short(&self, value: f64) -> String {
        match self.curve.unit_is_known {
            true => short(self.curve.metric.unit(), value),
            false => trimmed(&Scale::unknown(value).number(value)).to_owned(),
        }
    }
}

fn known(line: &Line) -> impl Iterator<Item = (u64, f64)> {
    line.points.iter().filter_map(|point| Some((point.at, point.median.value()?)))
}

/// The published lines that lie near what was measured here, between these values.
fn near(curve: &Curve, low: f64, high: f64) -> Vec<PublishedLine> {
    let is_time = curve.unit_is_known && curve.metric.unit() == Unit::Nanoseconds;
    let is_near =
        |line: &PublishedLine| line.points.iter().all(|(_, ns)| *ns > low / NEAR && *ns < high * NEAR);
    let mut lines = published::lines(curve);
    lines.retain(|line| is_time && is_near(line));
    lines.truncate(MOST_PUBLISHED);
    lines
}

/// What a published line is called in the plot: its name has no room there.
fn letter(place: usize) -> char {
    char::from(b'a' + place as u8)
}

/// Where a name has room in a stretch of the axis.
enum Room {
    Everywhere,
    OnWidePages,
    Nowhere,
}

/// Pixels of an axis on a phone and on a wide page, and about what a letter takes.
const NARROW: f64 = 290.0;
const WIDE: f64 = 820.0;
const LETTER: f64 = 7.5;

fn room(percent: f64, name: &str) -> Room {
    let needed = LETTER * columns(name) as f64 + 6.0;
    match percent / 100.0 {
        share if share * NARROW >= needed => Room::Everywhere,
        share if share * WIDE >= needed => Room::OnWidePages,
        _ => Room::Nowhere,
    }
}

/// A technique at a level: `sequential 1.20 ms, 1.00 times the fastest`.
fn told(curve: &Curve, line: &Line, point: &Point) -> String {
    let factor = point.factor.map_or(String::new(), |factor| format!(", {}×", three_digits(factor)));
    let maybe = if point.may_be_fastest { "= " } else { "" };
    format!("{maybe}{} {}{factor}", plain(&line.technique), curves::median(curve, point))
}

/// The mark of a line: no two have both its colour and its shape.
pub(super) fn shape(place: usize) -> Markup {
    let shape = match place {
        0 => r#"<circle r="4""#,
        1 => r#"<rect x="-3.7" y="-3.7" width="7.4" height="7.4""#,
        2 => r#"<path d="M0-5L4.8 3.8-4.8 3.8z""#,
        3 => r#"<path d="M0-5.4L5 0 0 5.4-5 0z""#,
        4 => r#"<path d="M0 5L4.8-3.8-4.8-3.8z""#,
        _ => r#"<path d="M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z""#,
    };
    PreEscaped(format!("{shape} class=\"mk c{}\"/>", place + 1))
}
