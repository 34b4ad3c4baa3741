//! How quiet the host was: panels of what is the same in every round.

use std::fmt::Write;

use judge::{Drift, Seen};
use maud::{Markup, html};

use super::Titled;
use super::axis::{Axis, percent_of};
use crate::curves::Part;
use crate::layout::plain;
use crate::page::blocks::Section;
use crate::units::percent;

/// All panels have one scale: from this ratio to its inverse.
const MOST: f64 = 1.4;
/// More panels would be a page of their own.
const MOST_PANELS: usize = 24;
/// Beyond so many rounds the points of a panel stand in its line only.
const MOST_POINTS: usize = 120;

/// The block; nothing where no panel has two rounds and nothing was noted.
pub(super) fn drift(
    parts: &[Titled<'_>],
    drifts: &[Option<&Drift>],
    seen: &Seen,
    notes: &Section,
) -> Option<Markup> {
    let canaries = [
        ("processor", "canary: the same arithmetic in every round"),
        ("memory", "canary: the same walk through memory"),
    ];
    let canaries = canaries.into_iter().zip(&seen.canaries);
    let mut panels: Vec<Markup> = canaries.map(|((name, what), drift)| panel(name, what, drift)).collect();
    for (Titled { part, label, .. }, drift) in parts.iter().zip(drifts) {
        if let (Part::Contest(_), Some(drift)) = (part, drift) {
            panels.push(panel(label, "contest: median of what may be fastest", drift));
        }
    }
    if panels.is_empty() && super::write::section(notes).0.is_empty() {
        return None;
    }
    panels.truncate(MOST_PANELS);
    Some(html! {
        section #noise aria-labelledby="h-noise" {
            h2 #h-noise { "How quiet was the host?" }
            (super::write::section(notes))
            @if !panels.is_empty() {
                p.body {
                    "Deviation from the median, round by round. All panels are logarithmic, from −29\u{a0}% to +40\u{a0}%; what lies \
                     beyond is drawn larger at the edge. The band is the robust spread."
                }
                div.nps { @for panel in &panels { (panel) } }
            }
        }
    })
}

fn panel(name: &str, what: &str, drift: &Drift) -> Markup {
    let axis = Axis::new(1.0 / MOST, MOST, 0.0);
    let last = drift.rounds.last().map_or(0, |(round, _)| *round);
    let first = drift.rounds.first().map_or(0, |(round, _)| *round);
    let x = |round: u32| 3.0 + 94.0 * f64::from(round - first) / f64::from((last - first).max(1));
    let y = |ratio: f64| 100.0 - axis.at(ratio);
    let mut path = String::new();
    for (round, ratio) in &drift.rounds {
        write!(path, "{:.1},{:.1} ", x(*round), y(*ratio)).expect("a string takes all");
    }
    let (top, bottom) = (y(1.0 + drift.spread), y(1.0 / (1.0 + drift.spread)));
    let ratios = || drift.rounds.iter().map(|(_, ratio)| *ratio);
    let (low, high) = (ratios().fold(1.0, f64::min), ratios().fold(1.0, f64::max));
    let spread = percent(drift.spread);
    let told = format!("{}: robust spread {spread}, from {} to {}", plain(name), signed(low), signed(high));
    let is_clamped = |ratio: f64| !(1.0 / MOST..=MOST).contains(&ratio);
    let points =
        drift.rounds.iter().filter(|(_, ratio)| drift.rounds.len() <= MOST_POINTS || is_clamped(*ratio));
    html! {
        figure.np {
            figcaption { b title=(plain(name)) { (plain(name)) } span { "±" (spread) } }
            svg role="img" aria-label=(told) {
                title { (told) }
                rect.lim x="0" width="100%" y=(percent_of(top)) height=(percent_of(bottom - top)) {}
                line.g1 x1="0" x2="100%" y1="50%" y2="50%" {}
                svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" {
                    polyline.nl points=(path) {}
                }
                @for (round, ratio) in points {
                    circle.nd.hot[is_clamped(*ratio)] cx=(percent_of(x(*round))) cy=(percent_of(y(*ratio)))
                        r=(if is_clamped(*ratio) { "3" } else { "2" }) {
                        title { "round " (round) ": " (signed(*ratio)) }
                    }
                }
            }
            small { (what) }
        }
    }
}

/// A ratio as a deviation: `+4.6 %`, `−1.3 %`.
fn signed(ratio: f64) -> String {
    let deviation = (ratio - 1.0) * 100.0;
    let sign = if deviation < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1} %", deviation.abs())
}
