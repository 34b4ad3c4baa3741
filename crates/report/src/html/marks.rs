//! The marks of several runs, and rows of them.

use maud::{Markup, PreEscaped, Render, html};

use super::axis::{Axis, ends, percent_of};

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
        _ => html! { svg x=(x) y=(y) { (shape(side - 1)) } },
    }
}

/// An end of a plot.
pub(super) enum Edge {
    Left,
    Right,
    Top,
    Bottom,
}

/// The mark of a value that lies beyond an end of a plot, at this place along that end.
pub(super) fn beyond(edge: Edge, at: &str, is_baseline: bool) -> Markup {
    let (x, y, shape) = match edge {
        Edge::Left => ("0%", at, "M7-5L1 0 7 5"),
        Edge::Right => ("100%", at, "M-7-5L-1 0-7 5"),
        Edge::Top => (at, "0%", "M-5 7L0 1 5 7"),
        Edge::Bottom => (at, "100%", "M-5-7L0-1 5-7"),
    };
    html! { svg x=(x) y=(y) { path.off.base[is_baseline] d=(shape) {} } }
}

/// Percent of the width over which an end of an interval fades that is not known.
pub(super) const FADING: f64 = 12.0;

/// Draws a line from one place to another, in percent, that fades.
pub(super) fn fading(class: &str, (from, to): (f64, f64), y: &str) -> Markup {
    const STEPS: u32 = 5;
    let ends: Vec<String> =
        (0..=STEPS).map(|step| percent_of(from + (to - from) * f64::from(step) / f64::from(STEPS))).collect();
    html! {
        @if (to - from).abs() > 0.1 {
            g.fade {
                @for (ends, opacity) in ends.windows(2).zip(["0.9", "0.7", "0.5", "0.3", "0.1"]) {
                    line class=(class) x1=(ends[0]) x2=(ends[1]) y1=(y) y2=(y) opacity=(opacity) {}
                }
            }
        }
    }
}

pub(super) fn key(width: &str, height: &str, drawn: Markup, text: &str) -> Markup {
    html! { span { svg width=(width) height=(height) aria-hidden="true" { (drawn) } (text) } }
}

/// The row of a plot's axis: the names of its ticks, below a title and next to what stands above the figures.
pub(super) fn axis_row<T: Render>(
    title: &str, axis: &Axis, ticks: &[f64], name: impl Fn(f64) -> T, figures: Markup,
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
    pub(super) fn row(&self, points: &[(usize, f64)], said: &str) -> Markup {
        let drawn: Vec<(usize, f64)> =
            points.iter().copied().filter(|(side, _)| *side < MOST_SIDES).collect();
        let places: Vec<f64> = drawn.iter().map(|(_, value)| self.axis.at(*value)).collect();
        let (tops, height) = lanes(&places);
        let (low, high) = ends(points.iter().map(|(_, value)| *value));
        let middle = (height / 2.0).to_string();
        let style = (height > ROW).then(|| format!("height:{height}px"));
        html! {
            svg.strip.tall[height > ROW] role="img" aria-label=(said) style=[style] {
                @for &tick in self.ticks { line.g x1=(self.axis.x(tick)) x2=(self.axis.x(tick)) y1="0" y2="100%" {} }
                @if let Some(line) = self.line { line.g1 x1=(self.axis.x(line)) x2=(self.axis.x(line)) y1="0" y2="100%" {} }
                @if low < high { line.link x1=(self.axis.x(low)) x2=(self.axis.x(high)) y1=(middle) y2=(middle) {} }
                @for ((side, value), top) in drawn.iter().zip(&tops) { (mark(*side, &self.axis.x(*value), &top.to_string())) }
            }
        }
    }
}

/// Marks on one line, or above each other where they are near: how far each is from the top, in pixels, and the height of the row.
fn lanes(places: &[f64]) -> (Vec<f64>, f64) {
    let mut lanes: Vec<usize> = Vec::new();
    for (nth, place) in places.iter().enumerate() {
        let near: Vec<usize> = (0..nth)
            .filter(|other| (places[*other] - place).abs() < MARK_WIDTH)
            .map(|other| lanes[other])
            .collect();
        lanes.extend((0..=nth).find(|lane| !near.contains(lane)));
    }
    let last = lanes.iter().max().copied().unwrap_or(0) as f64;
    let height = (LANE * (last + 1.0) + 2.0).max(ROW);
    let tops = lanes.iter().map(|lane| height / 2.0 + LANE * (*lane as f64 - last / 2.0));
    (tops.collect(), height)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::phrase::once;

    #[test]
    fn near_marks_stand_above_each_other() {
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
        let tops = once(marks.filter_map(|mark| mark.split("y=\"").nth(1)?.split('"').next()));
        assert_eq!(tops.len(), MOST_SIDES, "{row}");
        assert!(row.contains("style=\"height:86px\""), "{row}");
    }
}
