//! A row of a contest's plot: name, samples, estimate with its interval, and figures.

use std::fmt::Write;

use judge::{Cloud, Dot, Entry, Ranking, Standing, times};
use maud::{Markup, PreEscaped, html};

use super::axis::{Axis, ends, percent_of};
use super::marks::{self, Edge, FADING};
use super::picture::Picture;
use super::write::{breakable, dashed};
use crate::text::layout::plain;
use crate::words::phrase;
use crate::words::units::{grouped, three_digits};

/// This many dots of a row are shown at most,
const MOST_DOTS: usize = 100;
/// this many of a page,
const MOST_OF_PAGE: usize = 4_000;
/// but this many of a row whatever the page holds.
const LEAST: usize = 20;
/// Of a row that has more, this many of the smallest and of the largest are kept.
const EXTREMES: usize = 5;
/// The place of the dots of a row, from top to bottom.
const TOP_OF_DOTS: f64 = 3.0;
const HEIGHT_OF_DOTS: f64 = 20.0;

pub(super) struct Strip<'a> {
    pub(super) ranking: &'a Ranking,
    pub(super) axis: Axis,
    pub(super) ticks: Vec<f64>,
    /// First and last round.
    pub(super) rounds: (u32, u32),
    pub(super) dots: usize,
}

/// Returns the class of an entry's marks, and if it is the leader.
fn role(entry: &Entry, ranking: &Ranking) -> (&'static str, bool) {
    let (name, is_candidate) = (Some(&entry.technique), entry.standing.is_candidate());
    let is_leader = is_candidate && ranking.leader.as_ref() == name;
    let is_baseline = ranking.baseline.as_ref() == name && !is_leader;
    let class = if is_baseline {
        "base"
    } else if is_candidate {
        "cand"
    } else {
        "out"
    };
    (class, is_leader)
}

impl Strip<'_> {
    pub(super) fn row(&self, entry: &Entry, cloud: Option<&Cloud>) -> Markup {
        let said = self.said(entry, cloud);
        let name = plain(&entry.technique);
        let (_, is_leader) = role(entry, self.ranking);
        let (estimate, interval) = figures(entry, self.ranking);
        html! {
            li.r.cand[entry.standing.is_candidate()] tabindex="0" {
                span.n {
                    span.nm title=(name) { (breakable(&name)) }
                    @if is_leader { span.tag.lead { "leader" } }
                    @if self.ranking.baseline.as_ref() == Some(&entry.technique) { span.tag.basel { "baseline" } }
                }
                @match drawn(entry) {
                    Some(factor) => (self.strip(entry, factor, cloud, &said)),
                    None => span.state { (self.state(entry)) },
                }
                span.v { b { (estimate) } " " span { (interval) } }
                span.tip { b { (name) } " " (self.tip(entry, cloud)) }
            }
        }
    }

    /// Adds a row to a picture of the plot.
    pub(super) fn picture(&self, picture: &mut Picture, entry: &Entry, cloud: Option<&Cloud>) {
        let class = if entry.standing.is_candidate() { "cand" } else { "" };
        let drawn = drawn(entry).map_or(html! {}, |factor| self.strip(entry, factor, cloud, ""));
        let (estimate, interval) = figures(entry, self.ranking);
        let figures = if drawn.0.is_empty() { self.state(entry) } else { format!("{estimate} {interval}") };
        picture.row(&entry.technique, class, &drawn, figures.trim());
    }

    /// Draws the samples and the interval: an end that is not known fades, and an arrow stands where something leaves the axis.
    fn strip(&self, entry: &Entry, factor: f64, cloud: Option<&Cloud>, said: &str) -> Markup {
        let axis = &self.axis;
        let (role, is_leader) = role(entry, self.ranking);
        let limit = self.ranking.at_most_slower.filter(|_| entry.standing.is_candidate());
        let class = format!("i {role}");
        let (low, high) = (entry.factor_low, entry.factor_high);
        let from = low.unwrap_or(factor).min(factor);
        let to = high.unwrap_or(factor).max(factor);
        let at = axis.at(factor);
        let is_open_below = low.is_none() && !is_leader;
        // The lower end of what is tied is 1 by definition: it has no tick.
        let drawn = [low, high].into_iter().flatten().filter(|end| *end > 1.0 && axis.holds(*end));
        let (least, most) = ends_of(cloud);
        html! {
            svg.strip role="img" aria-label=(said) {
                title { (said) }
                @for &tick in &self.ticks {
                    line class=(if tick == 1.0 { "g1" } else { "g" }) x1=(axis.x(tick)) x2=(axis.x(tick)) y1="0" y2="100%" {}
                }
                @if let Some(limit) = limit {
                    rect.lim x=(axis.x(1.0)) y="0" height="100%" width=(percent_of(axis.at(1.0 + limit) - axis.at(1.0))) {}
                }
                @if let Some(cloud) = cloud { g.d { (dots(&cloud.dots, self.rounds, self.dots, axis)) } }
                @if to > from { line class=(class) x1=(axis.x(from)) x2=(axis.x(to)) y1="13" y2="13" {} }
                @if is_open_below { (marks::fading(&class, (at, at.min(axis.at(1.0).max(at - FADING))), "13")) }
                @if high.is_none() { (marks::fading(&class, (at, (at + FADING).min(100.0)), "13")) }
                @for end in drawn { line class=(class) x1=(axis.x(end)) x2=(axis.x(end)) y1="9" y2="17" {} }
                @if axis.is_beyond(to.max(most)) { (marks::beyond(Edge::Right, "13", role == "base")) }
                @if axis.is_below(least) { (marks::beyond(Edge::Left, "13", false)) }
                @if axis.is_beyond(factor) { text.offt x="99%" y="17" dx="-10" text-anchor="end" { (times(factor)) "x" } }
                @else { (shape(role, is_leader, &axis.x(factor), "13")) }
            }
        }
    }

    fn state(&self, entry: &Entry) -> String {
        let standing = phrase::standing(entry, self.ranking);
        let parts = [standing.to_owned(), entry.notes.first().map(|note| plain(note)).unwrap_or_default()];
        phrase::filled(parts, ": ")
    }

    /// The whole statement, for those who cannot see it.
    fn said(&self, entry: &Entry, cloud: Option<&Cloud>) -> String {
        let mut said =
            format!("{}: {}", plain(&entry.technique), self.tip(entry, cloud).replace(" · ", ", "));
        let (low, high) = ends_of(cloud);
        if low.is_finite() {
            said += &format!(", samples {} to {}", three_digits(low), three_digits(high));
        }
        said
    }

    fn tip(&self, entry: &Entry, cloud: Option<&Cloud>) -> String {
        let ranking = self.ranking;
        let words = phrase::words_of(&ranking.metric);
        let (estimate, interval) = figures(entry, ranking);
        let median = phrase::median(entry, ranking);
        let parts = [
            Some(phrase::tag(entry, ranking, true)),
            (!estimate.is_empty())
                .then(|| format!("{} {estimate} {interval}", words.factors).trim_end().to_owned()),
            (!median.is_empty()).then(|| format!("{} {median}", words.value)),
            (entry.rounds > 0).then(|| phrase::counted(entry.rounds.into(), "round")),
            cloud.and_then(|cloud| skipped(cloud.dots.len(), self.dots)),
        ];
        phrase::filled(parts.into_iter().flatten(), " · ")
    }
}

/// Returns the smallest and the largest ratio of the samples, as [`ends`] does.
fn ends_of(cloud: Option<&Cloud>) -> (f64, f64) {
    ends(cloud.into_iter().flat_map(|cloud| &cloud.dots).map(|dot| dot.ratio))
}

/// The factor that is drawn of an entry. A ceiling does not compete, and would leave the others no room.
pub(super) fn drawn(entry: &Entry) -> Option<f64> {
    entry.factor.filter(|_| entry.standing != Standing::Ceiling)
}

fn figures(entry: &Entry, ranking: &Ranking) -> (String, String) {
    let (estimate, interval) = phrase::factor(entry, ranking);
    (estimate, dashed(&interval))
}

fn shape(class: &str, is_leader: bool, x: &str, y: &str) -> Markup {
    match class {
        _ if is_leader => diamond(x, y),
        "base" => square(x, y),
        _ => html! { svg x=(x) y=(y) { circle.(class) r="4.6" {} } },
    }
}

/// The mark of the leader.
pub(super) fn diamond(x: &str, y: &str) -> Markup {
    html! { svg x=(x) y=(y) { path.cand d="M0-7.5L6.5 0 0 7.5-6.5 0z" {} } }
}

/// The mark of the baseline.
pub(super) fn square(x: &str, y: &str) -> Markup {
    html! { svg x=(x) y=(y) { rect.base x="-4.5" y="-4.5" width="9" height="9" {} } }
}

pub(super) fn key() -> Markup {
    let interval = html! {
        line.i.out x1="2" x2="32" y1="8" y2="8" {}
        line.i.out x1="2" x2="2" y1="4" y2="12" {}
        line.i.out x1="32" x2="32" y1="4" y2="12" {}
    };
    let samples = html! {
        g.d { @for (x, y) in [(8, 3), (15, 6), (11, 10), (20, 12), (26, 8)] { circle cx=(x) cy=(y) {} } }
    };
    let rows = [
        ("20", diamond("10", "8"), "leader"),
        ("20", html! { circle.cand cx="10" cy="8" r="4.6" {} }, "tied"),
        ("20", html! { circle.out cx="10" cy="8" r="4.6" {} }, "slower"),
        ("20", square("10", "8"), "baseline"),
        ("34", interval, "interval of the factor"),
        ("34", marks::fading("i out", (6.0, 94.0), "8"), "an end that is not known"),
        ("20", marks::beyond(Edge::Right, "8", false), "more lies beyond the plot"),
        ("34", samples, "samples, first round on top"),
        ("24", html! { rect.lim width="24" height="16" {} }, "how much slower the leader can be"),
    ];
    html! {
        div.key role="group" aria-label="How to read the plots" {
            @for (width, drawn, text) in rows { (marks::key(width, "16", drawn, text)) }
        }
    }
}

/// Returns how many dots of a row are shown of a page of this many rows.
pub(super) fn most_dots(rows: usize) -> usize {
    let halves = std::iter::successors(Some(MOST_DOTS), |most| Some(most / 2));
    halves.take_while(|most| *most > LEAST).find(|most| rows * most <= MOST_OF_PAGE).unwrap_or(LEAST)
}

/// Draws the dots of a row, the first round on top; unless some are left out, a round stands at one height in all rows.
fn dots(all: &[Dot], rounds: (u32, u32), most: usize, axis: &Axis) -> Markup {
    let kept = kept(all, most);
    let (first, last) = rounds;
    let is_whole = kept.len() == all.len();
    let mut out = String::new();
    for (place, &at) in kept.iter().enumerate() {
        let dot = all[at];
        let share = if is_whole {
            f64::from(dot.round.saturating_sub(first)) / f64::from((last - first).max(1))
        } else {
            place as f64 / (kept.len() - 1).max(1) as f64
        };
        let (x, y) = (percent_of(axis.at(dot.ratio)), TOP_OF_DOTS + HEIGHT_OF_DOTS * share);
        write!(out, "<circle cx=\"{x}\" cy=\"{y:.1}\"/>").expect("a string takes all");
    }
    // Numbers alone: there is nothing to escape.
    PreEscaped(out)
}

fn skipped(all: usize, most: usize) -> Option<String> {
    (all > most).then(|| format!("{most} of {} samples shown, extremes kept", grouped(all as u64)))
}

/// Returns the places of the dots that are kept: the extremes, and of the others every n-th by its rank, which keeps the shape.
fn kept(all: &[Dot], most: usize) -> Vec<usize> {
    if all.len() <= most {
        return (0..all.len()).collect();
    }
    let mut ranked: Vec<usize> = (0..all.len()).collect();
    ranked.sort_by(|a, b| all[*a].ratio.total_cmp(&all[*b].ratio));
    let highest = ranked.split_off(ranked.len() - EXTREMES);
    let inner = ranked.split_off(EXTREMES);
    let wanted = most - 2 * EXTREMES;
    let mut kept: Vec<usize> = (0..wanted).map(|nth| inner[nth * (inner.len() - 1) / (wanted - 1)]).collect();
    kept.extend(ranked.into_iter().chain(highest));
    kept.sort_unstable();
    kept.dedup();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(count: u32) -> Vec<Dot> {
        (0..count).map(|round| Dot { round, ratio: 1.0 + f64::from((round * 7919) % count) / 1e3 }).collect()
    }

    #[test]
    fn samples_beyond_the_limit_keep_their_extremes() {
        assert_eq!(kept(&row(100), 100).len(), 100);
        let many = row(3_125);
        let kept = kept(&many, 100);
        assert_eq!(kept.len(), 100);
        let ends_of_kept = ends(kept.iter().map(|&at| many[at].ratio));
        assert_eq!(ends_of_kept, ends(many.iter().map(|dot| dot.ratio)));
        assert_eq!(skipped(3_125, 100).as_deref(), Some("100 of 3,125 samples shown, extremes kept"));
        assert_eq!(skipped(100, 100), None);
    }

    #[test]
    fn a_page_of_many_rows_shows_fewer_dots_of_each() {
        assert_eq!([10, 40, 41, 100, 1_000].map(most_dots), [100, 100, 50, 25, 20]);
    }

    #[test]
    fn the_first_round_stands_on_top() {
        let axis = Axis::new(0.5, 2.0, 0.0);
        let text = dots(&[Dot { round: 1, ratio: 1.0 }, Dot { round: 3, ratio: 1.0 }], (1, 3), 100, &axis);
        assert_eq!(text.0, "<circle cx=\"50%\" cy=\"3.0\"/><circle cx=\"50%\" cy=\"23.0\"/>");
    }
}
