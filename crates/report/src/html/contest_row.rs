//! A row of a contest's plot: name, samples, estimate with its interval, and figures.

use judge::{Cloud, Entry, Ranking, Standing, times};
use maud::{Markup, html};

use super::axis::{Axis, percent_of};
use super::marks::{self, Edge, FADING};
use super::picture::Picture;
use super::samples;
use super::write::{breakable, dashed};
use crate::text::layout::plain;
use crate::words::phrase;
use crate::words::units::three_digits;

pub(super) struct Strip<'a> {
    pub(super) ranking: &'a Ranking,
    pub(super) axis: Axis,
    pub(super) ticks: Vec<f64>,
    /// First and last round.
    pub(super) rounds: (u32, u32),
    pub(super) dots: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Leader,
    Candidate,
    Plain,
    Outsider,
}

impl Role {
    fn of(entry: &Entry, ranking: &Ranking) -> Self {
        let is = |name: &Option<String>| name.as_deref() == Some(&entry.technique);
        match entry.standing.is_candidate() {
            true if is(&ranking.leader) => Self::Leader,
            _ if is(&ranking.baseline) => Self::Plain,
            true => Self::Candidate,
            false => Self::Outsider,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Leader | Self::Candidate => "cand",
            Self::Plain => "base",
            Self::Outsider => "out",
        }
    }
}

impl Strip<'_> {
    pub(super) fn row(&self, entry: &Entry, cloud: Option<&Cloud>) -> Markup {
        let said = self.said(entry, cloud);
        let (name, role) = (plain(&entry.technique), Role::of(entry, self.ranking));
        let (estimate, interval) = figures(entry, self.ranking);
        html! {
            li.r.cand[entry.standing.is_candidate()] tabindex="0" {
                span.n {
                    span.nm title=(name) { (breakable(&name)) }
                    @if role == Role::Leader { span.tag.lead { "leader" } }
                    @if self.ranking.baseline.as_deref() == Some(&entry.technique) {
                        span.tag.basel { "baseline" }
                    }
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

    fn strip(&self, entry: &Entry, factor: f64, cloud: Option<&Cloud>, said: &str) -> Markup {
        let role = Role::of(entry, self.ranking);
        let limit = self.ranking.at_most_slower.filter(|_| entry.standing.is_candidate());
        html! {
            svg.strip role="img" aria-label=(said) {
                title { (said) }
                @for &tick in &self.ticks {
                    line class=(if tick == 1.0 { "g1" } else { "g" }) x1=(self.axis.x(tick)) x2=(self.axis.x(tick)) y1="0" y2="100%" {}
                }
                @if let Some(limit) = limit {
                    rect.lim x=(self.axis.x(1.0)) y="0" height="100%" width=(self.width(1.0, 1.0 + limit)) {}
                }
                @if let Some(cloud) = cloud {
                    g.d { (samples::dots(&cloud.dots, self.rounds, self.dots, &self.axis)) }
                }
                (self.interval(entry, factor, role, cloud))
                @if !self.axis.is_beyond(factor) { (shape(role, &self.axis.x(factor), "13")) }
            }
        }
    }

    /// The interval with its ends: an end that is not known fades, and an arrow stands where something leaves the axis.
    fn interval(&self, entry: &Entry, factor: f64, role: Role, cloud: Option<&Cloud>) -> Markup {
        let class = format!("i {}", role.class());
        let (low, high) = (entry.factor_low, entry.factor_high);
        let from = low.unwrap_or(factor).min(factor);
        let to = high.unwrap_or(factor).max(factor);
        let at = self.axis.at(factor);
        // The lower end of what is tied is 1 by definition.
        let is_open_below = low.is_none() && role != Role::Leader;
        let ends = [low.filter(|low| *low > 1.0), high.filter(|high| *high > 1.0)];
        let drawn = ends.into_iter().flatten().filter(|end| self.axis.holds(*end));
        let dots = || cloud.into_iter().flat_map(|cloud| &cloud.dots).map(|dot| dot.ratio);
        let is_beyond = self.axis.is_beyond(to) || dots().any(|ratio| self.axis.is_beyond(ratio));
        html! {
            @if to > from { line class=(class) x1=(self.axis.x(from)) x2=(self.axis.x(to)) y1="13" y2="13" {} }
            @if is_open_below { (marks::fading(&class, (at, at.min(self.axis.at(1.0).max(at - FADING))), "13")) }
            @if high.is_none() { (marks::fading(&class, (at, (at + FADING).min(100.0)), "13")) }
            @for end in drawn { line class=(class) x1=(self.axis.x(end)) x2=(self.axis.x(end)) y1="9" y2="17" {} }
            @if is_beyond { (marks::beyond(Edge::Right, "13", role == Role::Plain)) }
            @if dots().any(|ratio| self.axis.is_below(ratio)) { (marks::beyond(Edge::Left, "13", false)) }
            @if self.axis.is_beyond(factor) {
                text.offt x="99%" y="17" dx="-10" text-anchor="end" { (times(factor)) "x" }
            }
        }
    }

    fn width(&self, from: f64, to: f64) -> String {
        percent_of(self.axis.at(to) - self.axis.at(from))
    }

    fn state(&self, entry: &Entry) -> String {
        let standing = phrase::standing(entry, self.ranking);
        match entry.notes.first() {
            Some(note) if !standing.is_empty() => format!("{standing}: {}", plain(note)),
            Some(note) => plain(note),
            None => standing.to_owned(),
        }
    }

    /// The whole statement, for those who cannot see it.
    fn said(&self, entry: &Entry, cloud: Option<&Cloud>) -> String {
        let ratios = || cloud.into_iter().flat_map(|cloud| &cloud.dots).map(|dot| dot.ratio);
        let ends = ratios().reduce(f64::min).zip(ratios().reduce(f64::max));
        let samples =
            ends.map(|(low, high)| format!(", samples {} to {}", three_digits(low), three_digits(high)));
        let text = self.tip(entry, cloud).replace(" · ", ", ");
        format!("{}: {text}{}", plain(&entry.technique), samples.unwrap_or_default())
    }

    fn tip(&self, entry: &Entry, cloud: Option<&Cloud>) -> String {
        let ranking = self.ranking;
        let mut parts = vec![phrase::tag(entry, ranking)];
        let (estimate, interval) = figures(entry, ranking);
        if !estimate.is_empty() {
            parts.push(
                format!("{} {estimate} {interval}", phrase::words_of(&ranking.metric).factors)
                    .trim_end()
                    .to_owned(),
            );
        }
        let median = phrase::median(entry, ranking);
        if !median.is_empty() {
            parts.push(format!("{} {median}", phrase::words_of(&ranking.metric).value));
        }
        if entry.rounds > 0 {
            parts.push(phrase::counted(entry.rounds.into(), "round"));
        }
        let shown = cloud.and_then(|cloud| samples::skipped(cloud.dots.len(), self.dots));
        parts.extend(shown);
        parts.retain(|part| !part.is_empty());
        parts.join(" · ")
    }
}

/// The factor that is drawn of an entry. A ceiling does not compete, and would leave the others no room.
pub(super) fn drawn(entry: &Entry) -> Option<f64> {
    entry.factor.filter(|_| entry.standing != Standing::Ceiling)
}

fn figures(entry: &Entry, ranking: &Ranking) -> (String, String) {
    let (estimate, interval) = phrase::factor(entry, ranking);
    (estimate, dashed(&interval))
}

fn shape(role: Role, x: &str, y: &str) -> Markup {
    match role {
        Role::Leader => diamond(x, y),
        Role::Candidate => html! { svg x=(x) y=(y) { circle.cand r="4.6" {} } },
        Role::Outsider => html! { svg x=(x) y=(y) { circle.out r="4.6" {} } },
        Role::Plain => square(x, y),
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
    let sample = |width: &str, drawn: Markup, text: &str| marks::key(width, "16", drawn, text);
    let interval = html! {
        line.i.out x1="2" x2="32" y1="8" y2="8" {}
        line.i.out x1="2" x2="2" y1="4" y2="12" {}
        line.i.out x1="32" x2="32" y1="4" y2="12" {}
    };
    let samples = html! {
        g.d { @for (x, y) in [(8, 3), (15, 6), (11, 10), (20, 12), (26, 8)] { circle cx=(x) cy=(y) {} } }
    };
    html! {
        div.key role="group" aria-label="How to read the plots" {
            (sample("20", diamond("10", "8"), "leader"))
            (sample("20", html! { circle.cand cx="10" cy="8" r="4.6" {} }, "tied"))
            (sample("20", html! { circle.out cx="10" cy="8" r="4.6" {} }, "slower"))
            (sample("20", square("10", "8"), "baseline"))
            (sample("34", interval, "interval of the factor"))
            (sample("34", marks::fading("i out", (6.0, 94.0), "8"), "an end that is not known"))
            (sample("20", marks::beyond(Edge::Right, "8", false), "more lies beyond the plot"))
            (sample("34", samples, "samples, first round on top"))
            (sample("24", html! { rect.lim width="24" height="16" {} }, "how much slower the leader can be"))
        }
    }
}
