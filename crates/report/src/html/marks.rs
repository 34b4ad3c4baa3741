//! The marks of several runs, and rows of them.

use maud::{Markup, html};

use super::axis::{Axis, ends, percent_of};
use super::curve;

/// This many runs have marks of their own.
pub(super) const MOST_SIDES: usize = 7;
/// Percent of the width that a mark takes on a phone: those nearer to each other would hide each other.
const MARK_WIDTH: f64 = 4.0;
/// Pixels from a mark to the one above it, and the height of a row that needs no more.
const LANE: f64 = 12.0;
const ROW: f64 = 26.0;

/// The mark of a run: the first is hollow, the others differ in shape and colour.
pub(super) fn mark(side: usize, x: &str, y: &str) -> Markup {
    match side {
        0 => html! { svg x=(x) y=(y) { circle.th r="4.6" {} } },
        _ => html! { svg x=(x) y=(y) { (curve::shape(side - 1)) } },
    }
}

pub(super) fn key(width: &str, height: &str, drawn: Markup, text: &str) -> Markup {
    html! { span { svg width=(width) height=(height) aria-hidden="true" { (drawn) } (text) } }
}

/// The row of a plot's axis: the names of its ticks, below a title and next to what stands above the figures.
pub(super) fn axis_row(
    title: &str,
    axis: &Axis,
    ticks: &[f64],
    name: impl Fn(f64) -> String,
    figures: Markup,
) -> Markup {
    html! {
        div.r.axr {
            span.n { (title) }
            div.ax aria-hidden="true" {
                @for &tick in ticks { span style={ "left:" (percent_of(axis.at(tick))) } { (name(tick)) } }
            }
            span.v { (figures) }
        }
    }
}

pub(super) struct Shared<'a> {
    pub(super) axis: &'a Axis,
    pub(super) ticks: &'a [f64],
    /// The value at which a line stands out.
    pub(super) line: Option<f64>,
}

impl Shared<'_> {
    /// The mark of each run at its value, none of which hides another, and a bar from the lowest to the highest.
    pub(super) fn row(&self, points: &[(usize, f64)], told: &str) -> Markup {
        let x = |value: f64| percent_of(self.axis.at(value));
        let drawn: Vec<(usize, f64)> =
            points.iter().copied().filter(|(side, _)| *side < MOST_SIDES).collect();
        let places: Vec<f64> = drawn.iter().map(|(_, value)| self.axis.at(*value)).collect();
        let (tops, height) = lanes(&places);
        let (low, high) = ends(points.iter().map(|(_, value)| *value));
        let middle = (height / 2.0).to_string();
        let style = (height > ROW).then(|| format!("height:{height}px"));
        html! {
            svg.strip.tall[height > ROW] role="img" aria-label=(told) style=[style] {
                @for &tick in self.ticks { line.g x1=(x(tick)) x2=(x(tick)) y1="0" y2="100%" {} }
                @if let Some(line) = self.line { line.g1 x1=(x(line)) x2=(x(line)) y1="0" y2="100%" {} }
                @if low < high { line.link x1=(x(low)) x2=(x(high)) y1=(middle) y2=(middle) {} }
                @for ((side, value), top) in drawn.iter().zip(&tops) { (mark(*side, &x(*value), &top.to_string())) }
            }
        }
    }
}

/// Marks on one line, or above each other where they are near: how far each is from the top, in pixels, and the height of the row.
fn lanes(places: &[f64]) -> (Vec<f64>, f64) {
    let mut lanes: Vec<usize> = Vec::new();
    for (nth, place) in places.iter().enumerate() {
        let is_taken = |lane: usize| {
            (0..nth).any(|other| lanes[other] == lane && (places[other] - place).abs() < MARK_WIDTH)
        };
        lanes.push((0..nth).find(|lane| !is_taken(*lane)).unwrap_or(nth));
    }
    let last = lanes.iter().max().copied().unwrap_or(0) as f64;
    let height = (LANE * (last + 1.0) + 2.0).max(ROW);
    let top = |lane: &usize| height / 2.0 + LANE * (*lane as f64 - last / 2.0);
    (lanes.iter().map(top).collect(), height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_are_near_stand_above_each_other_and_others_on_one_line() {
        assert_eq!(lanes(&[10.0, 50.0]), (vec![13.0, 13.0], 26.0));
        assert_eq!(lanes(&[50.0, 51.0, 90.0]), (vec![7.0, 19.0, 7.0], 26.0));
        assert_eq!(lanes(&[50.0, 51.0, 49.0, 52.0]).1, 50.0);
        assert_eq!(lanes(&[]), (Vec::new(), 26.0));
    }

    #[test]
    fn no_mark_of_a_row_hides_another() {
        let axis = Axis::new(0.5, 2.0, 3.0);
        let shared = Shared { axis: &axis, ticks: &[1.0], line: Some(1.0) };
        let points: Vec<(usize, f64)> = (0..9).map(|side| (side, 1.0 + side as f64 * 1e-3)).collect();
        let row = shared.row(&points, "nine runs").into_string();
        let marks = row.split("<svg x=").skip(1);
        let tops = marks.filter_map(|mark| mark.split("y=\"").nth(1)?.split('"').next());
        let tops: std::collections::BTreeSet<&str> = tops.collect();
        assert_eq!(tops.len(), MOST_SIDES, "{row}");
        assert!(row.contains("style=\"height:86px\""), "{row}");
    }
}
