//! A contest: what was decided of it, its plot, and the tables behind the plot.

use judge::{Cloud, ContestSeen, Entry, Ranking};
use maud::{Markup, html};
use model::Better;

use super::axis::{Axis, ends};
use super::contest_row::Strip;
use super::marks::axis_row;
use super::picture::Picture;
use super::{contest_row, times, write};
use crate::page::blocks::{Block, Extent, Section, Table};
use crate::page::figures_of;
use crate::text::layout::plain;
use crate::words::phrase;
use crate::words::rows::shown;
use crate::words::units::{Scale, amount};

/// An axis ends here at the latest: what lies beyond has an arrow.
const LAST_FACTOR: f64 = 3.0;
/// and begins here at the earliest.
const FIRST_FACTOR: f64 = 0.5;
/// A shorter axis would show noise only.
const LEAST_FACTOR: f64 = 1.2;
const TICKS: [f64; 15] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5, 1.7, 2.0, 2.5, 3.0, 4.0];
const FAR_TICKS: [f64; 11] = [1.0, 2.0, 4.0, 10.0, 20.0, 40.0, 100.0, 1e3, 1e4, 1e5, 1e6];
/// Percent that the name of a tick takes on a phone.
const TICK_GAP: f64 = 11.0;
/// More rows are not drawn; they stand in the JSON of the run.
const MOST_ROWS: usize = 200;

pub(super) struct Shown<'a> {
    pub(super) ranking: &'a Ranking,
    pub(super) seen: Option<&'a ContestSeen>,
    pub(super) dots: usize,
    /// The command that measures it again.
    pub(super) command: Option<&'a str>,
}

pub(super) fn rows(ranking: &Ranking) -> usize {
    ranking.entries.len().min(MOST_ROWS)
}

pub(super) fn contest(section: &Section, id: &str, shown: &Shown<'_>) -> Markup {
    html! {
        section.contest id=(id) aria-labelledby={ "h-" (id) } {
            @for block in section {
                @match block {
                    Block::Heading { text, conditions } => (write::heading(text, conditions.as_deref(), Some(id))),
                    Block::Table(table) if table.bars.is_some() => (shown.plot(table, id)),
                    Block::Table(table) => (write::folded(table, false)),
                    other => (write::block(other)),
                }
            }
            (command_line(shown.command))
        }
    }
}

/// Writes the command that measures an answer again.
pub(super) fn command_line(command: Option<&str>) -> Markup {
    html! { @if let Some(command) = command { p.again { "To repeat: " code { (command) } } } }
}

impl Shown<'_> {
    fn plot(&self, table: &Table, id: &str) -> Markup {
        let shown = shown(self.ranking, Extent::HTML);
        let near: Vec<&Entry> = shown.rows.iter().copied().take(MOST_ROWS).collect();
        let mut far: Vec<&Entry> = self.ranking.entries.iter().collect();
        far.retain(|entry| !shown.rows.iter().any(|one| std::ptr::eq(*one, *entry)));
        far.sort_by_key(|entry| !entry.standing.is_candidate());
        let drawn = &far[..far.len().min(MOST_ROWS.saturating_sub(near.len()))];
        let strip = self.strip(&near, LAST_FACTOR);
        html! {
            (self.rows(&near, &strip, id))
            @if !far.is_empty() {
                details.more {
                    summary {
                        (plain(&shown.others.unwrap_or_default()))
                        span.hint { "own axis" }
                    }
                    (self.rows(drawn, &self.strip(drawn, f64::INFINITY), &format!("{id}-more")))
                    @if drawn.len() < far.len() {
                        p.note { (far.len() - drawn.len()) " more rows are in the JSON of the run." }
                    }
                    (write::table(&figures_of(drawn, self.ranking)))
                }
            }
            (times::times(&near, self.ranking, self.seen, id))
            (write::folded(table, true))
        }
    }

    fn cloud(&self, entry: &Entry) -> Option<&Cloud> {
        cloud_of(entry, self.ranking, self.seen)
    }

    /// Returns the parts that the rows of a plot share; its axis ends at `last` at the latest.
    fn strip(&self, entries: &[&Entry], last: f64) -> Strip<'_> {
        let drawn = entries.iter().filter(|entry| contest_row::drawn(entry).is_some());
        let dots = drawn.filter_map(|entry| self.cloud(entry)).flat_map(|cloud| &cloud.dots);
        let (lowest, highest) = ends(dots.map(|dot| dot.ratio));
        let known = entries.iter().flat_map(|entry| [entry.factor, entry.factor_high]).flatten();
        let mut high = known.filter(|end| end.is_finite()).fold(LEAST_FACTOR, f64::max);
        // Where no interval is known yet, the samples are all that shows how sure an estimate is.
        if entries.iter().all(|entry| entry.factor_high.is_none()) {
            high = high.max(highest);
        }
        let factors = entries.iter().filter_map(|entry| contest_row::drawn(entry));
        let low = factors.fold(lowest.min(1.0), f64::min).max(FIRST_FACTOR);
        let axis = Axis::new(low, high.min(last), 2.0);
        let ticks: &[f64] = if last.is_finite() { &TICKS } else { &FAR_TICKS };
        let ticks = around_one(&axis, ticks);
        let clouds = self.seen.iter().flat_map(|seen| &seen.entries);
        let seen = clouds.flat_map(|cloud| &cloud.dots).map(|dot| dot.round);
        let rounds = (seen.clone().min().unwrap_or(0), seen.max().unwrap_or(0));
        Strip { ranking: self.ranking, axis, ticks, rounds, dots: self.dots }
    }

    fn rows(&self, entries: &[&Entry], strip: &Strip<'_>, id: &str) -> Markup {
        let words = phrase::words_of(&self.ranking.metric);
        let (title, ticks) = self.values(strip);
        let mut picture =
            Picture::new(&format!("{}, {}", self.ranking.family, phrase::conditions(self.ranking, true)));
        picture.axis("technique", strip.ticks.iter().map(|tick| (strip.axis.at(*tick), number(*tick) + "×")));
        entries.iter().for_each(|entry| strip.picture(&mut picture, entry, self.cloud(entry)));
        picture.scale(&title, ticks.iter().map(|(factor, name)| (strip.axis.at(*factor), name.clone())));
        html! {
            div.plot {
                (axis_row("technique", &strip.axis, &strip.ticks, |tick| number(tick) + "×", html! {
                    b { (words.factors) } " " span { "(interval)" }
                }))
                ol.rows { @for entry in entries { (strip.row(entry, self.cloud(entry))) } }
                @if !ticks.is_empty() {
                    @let factors: Vec<f64> = ticks.iter().map(|(factor, _)| *factor).collect();
                    @let name = |factor: f64| ticks.iter().find(|(at, _)| *at == factor).map_or("", |(_, name)| name);
                    (axis_row(&title, &strip.axis, &factors, name, html! {}))
                }
            }
            (picture.link(id))
        }
    }

    /// The second axis: its title, and what the factors come to; of work that is a number of calls, that of one.
    fn values(&self, strip: &Strip<'_>) -> (String, Vec<(f64, String)>) {
        let leader = self.ranking.leader.as_ref().and_then(|name| self.ranking.entry(name));
        let typical = leader.and_then(|leader| leader.median.value()).filter(|value| *value > 0.0);
        let Some(typical) = typical.filter(|_| self.ranking.unit_is_known) else { return Default::default() };
        let unit = self.ranking.metric.unit();
        let calls = phrase::calls(self.ranking);
        let typical = typical / calls.unwrap_or(1.0);
        let scale = Scale::of(unit, typical);
        let of_call = calls.map_or("", |_| " a call");
        let title = scale.as_ref().map_or(String::new(), |scale| format!(", {}{of_call}", scale.name));
        let ticks = strip.axis.ticks(strip.ticks.iter().copied(), 15.0).into_iter().map(|factor| {
            // Where more is better, a factor of 2 is half the value.
            let value = match self.ranking.metric.better {
                Better::Less => typical * factor,
                Better::More => typical / factor,
            };
            (factor, scale.as_ref().map_or_else(|| amount(unit, value), |scale| scale.number(value)))
        });
        (format!("typical value{title}"), ticks.collect())
    }
}

/// Returns the samples of an entry.
pub(super) fn cloud_of<'a>(
    entry: &Entry, ranking: &Ranking, seen: Option<&'a ContestSeen>,
) -> Option<&'a Cloud> {
    let at = ranking.entries.iter().position(|one| std::ptr::eq(one, entry))?;
    seen?.entries.get(at)
}

/// The ticks on an axis that do not touch; 1 is always one of them.
pub(super) fn around_one(axis: &Axis, values: &[f64]) -> Vec<f64> {
    let mut ticks = axis.ticks(values.iter().copied().filter(|value| *value >= 1.0), TICK_GAP);
    for &value in values.iter().rev().filter(|value| **value < 1.0 && axis.holds(**value)) {
        if axis.at(ticks.first().copied().unwrap_or(1.0)) - axis.at(value) >= TICK_GAP {
            ticks.insert(0, value);
        }
    }
    ticks
}

pub(super) fn number(factor: f64) -> String {
    let text = format!("{factor:.1}");
    text.trim_end_matches(".0").to_owned()
}
