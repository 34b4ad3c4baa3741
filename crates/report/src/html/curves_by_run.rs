//! A curve of several runs: a small plot for each technique with a line for each run, all on the same axes.

use judge::ComparedCurve;
use maud::{Markup, html};
use model::{axis_name, axis_value};

use super::axis::{Axis, Plane, percent_of, short};
use super::curve::along;
use super::marks::{MOST_SIDES, mark};
use crate::text::layout::plain;
use crate::words::compare::letter;
use crate::words::phrase::once;
use crate::words::units::amount;

/// More techniques are not drawn; they stand in the table.
const MOST_PANELS: usize = 12;
/// Of more levels only every k-th has a mark; all of them are in the line.
const MOST_MARKS: usize = 16;
/// Percent of a small plot's width that the value of a level takes.
const VALUE_WIDTH: f64 = 22.0;

struct Panels<'a> {
    curve: &'a ComparedCurve,
    plane: Plane,
}

pub(super) fn panels(curve: &ComparedCurve) -> Markup {
    let shown = shown(curve);
    let (Some(first), Some(last)) = (curve.levels.first(), curve.levels.last()) else { return html! {} };
    if shown.is_empty() {
        return html! {};
    }
    let points =
        shown.iter().flat_map(|place| (0..curve.means.len()).flat_map(|side| line(curve, *place, side)));
    let y = Axis::around(points.map(|(_, value)| value), 1.1, 4.0);
    let panels = Panels { curve, plane: Plane { x: along(first.at, last.at), y } };
    let skipped = curve.techniques.len() - shown.len();
    html! {
        p.note {
            "Down: " (curve.metric.what) ", the same logarithmic axis in all plots. Across: " (axis_name(&curve.axis)) "."
            @if skipped > 0 { " " (skipped) " more techniques are in the table." }
        }
        div.nps.cps { @for place in &shown { (panels.panel(*place)) } }
    }
}

/// The techniques that are drawn, in their order: of many, those that have the best value of a run at a level come first.
fn shown(curve: &ComparedCurve) -> Vec<usize> {
    let sides = 0..curve.means.len();
    let mut all: Vec<usize> = (0..curve.techniques.len()).collect();
    all.retain(|place| sides.clone().any(|side| !line(curve, *place, side).is_empty()));
    let mut best: Vec<usize> = Vec::new();
    for (level, side) in curve.levels.iter().flat_map(|level| sides.clone().map(move |side| (level, side))) {
        let costs =
            all.iter().filter_map(|&place| Some((place, curve.metric.cost(level.medians[place][side]?))));
        best.extend(costs.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(place, _)| place));
    }
    let mut shown = once(best.into_iter().chain(all));
    shown.truncate(MOST_PANELS);
    shown.sort_unstable();
    shown
}

fn line(curve: &ComparedCurve, place: usize, side: usize) -> Vec<(u64, f64)> {
    let levels = curve.levels.iter().map(|level| (level.at, level.medians[place][side]));
    levels.filter_map(|(at, value)| Some((at, value.filter(|value| *value > 0.0)?))).collect()
}

impl Panels<'_> {
    fn panel(&self, place: usize) -> Markup {
        let curve = self.curve;
        let name = plain(&curve.techniques[place].0);
        let ticks = self.plane.y.round_values(4);
        let levels = self.plane.x.ticks(curve.levels.iter().map(|level| level.at as f64), VALUE_WIDTH);
        html! {
            figure.np {
                figcaption { b { (name) } }
                div.cpv {
                    (self.plane.names(&ticks, |tick| short(curve.metric.unit(), tick)))
                    div.pl { (self.picture(place, &format!("{name}: {}", self.said(place)), &ticks)) }
                    div.xl aria-hidden="true" {
                        @for at in levels {
                            span style={ "left:" (percent_of(self.plane.left(at as u64))) } { (axis_value(&curve.axis, at as u64)) }
                        }
                    }
                }
            }
        }
    }

    fn picture(&self, place: usize, said: &str, ticks: &[f64]) -> Markup {
        let sides = 0..self.curve.means.len().min(MOST_SIDES);
        let lines: Vec<_> = sides.map(|side| (side, line(self.curve, place, side))).collect();
        let step = self.curve.levels.len().div_ceil(MOST_MARKS).max(1);
        html! {
            svg role="img" aria-label=(said) {
                title { (said) }
                (self.plane.grid(ticks))
                svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" {
                    @for (side, points) in &lines { polyline class={ "ln c" (side) } points=(self.plane.path(points.iter().copied())) {} }
                }
                @for (side, points) in &lines {
                    @for &(at, value) in points.iter().step_by(step) {
                        (mark(*side, &percent_of(self.plane.left(at)), &percent_of(self.plane.top(value))))
                    }
                }
            }
        }
    }

    /// The ends of each line, for those who cannot see it: `A 1.20 ms at 1, 80.0 ms at 64; B 2.00 ms at 1, 91.0 ms at 64`.
    fn said(&self, place: usize) -> String {
        let sides = (0..self.curve.means.len()).map(|side| (letter(side), line(self.curve, place, side)));
        let sides = sides.filter(|(_, points)| !points.is_empty()).map(|(side, mut points)| {
            points.drain(1..points.len().max(2) - 1);
            let ends = points.into_iter().map(|(at, value)| {
                let value = amount(self.curve.metric.unit(), value);
                format!("{value} at {}", axis_value(&self.curve.axis, at))
            });
            format!("{side} {}", ends.collect::<Vec<_>>().join(", "))
        });
        sides.collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use judge::ComparedLevel;
    use model::{Metric, Workload};

    use super::*;
    use crate::fixture;

    /// Two runs of this many techniques at three levels; the last is the best of the second run at the highest level.
    fn compared(techniques: usize) -> ComparedCurve {
        let level = |at: u64| {
            let value = |nth: usize, side: usize| match (at, side) {
                (64, 1) => Some((techniques - nth) as f64 * 1e6),
                _ => Some((nth + 1 + side) as f64 * 1e6 * at as f64),
            };
            let medians = (0..techniques).map(|nth| vec![value(nth, 0), value(nth, 1)]).collect();
            let unknown = vec![vec![None, None]; techniques];
            let [user_ns, system_ns, extrapolated] = std::array::from_fn(|_| unknown.clone());
            ComparedLevel { at, medians, extrapolated, user_ns, system_ns }
        };
        ComparedCurve {
            family: "threads".into(),
            axis: "threads".into(),
            workload: Workload::default(),
            conditions: fixture::setting().conditions,
            metric: Metric::WORK,
            answers: vec![None, None],
            techniques: (0..techniques).map(|nth| (format!("t{nth}"), Vec::new())).collect(),
            levels: [1, 8, 64].map(level).to_vec(),
            means: vec![Some(1.0), Some(1.2)],
            over: 0,
            marks: Vec::new(),
        }
    }

    #[test]
    fn a_technique_has_a_plot_with_a_line_for_each_run() {
        let text = panels(&compared(2)).into_string();
        assert_eq!(text.matches("<figure").count(), 2, "{text}");
        assert_eq!(text.matches("<polyline").count(), 4, "{text}");
        assert!(text.contains("t0: A 1.00 ms at 1, 64.0 ms at 64; B 2.00 ms at 1, 2.00 ms at 64"), "{text}");
        assert!(!text.contains("more techniques"), "{text}");
    }

    #[test]
    fn of_many_techniques_those_that_are_best_somewhere_are_drawn() {
        let many = compared(30);
        let shown = shown(&many);
        assert_eq!(shown.len(), MOST_PANELS);
        assert!(shown.contains(&0) && shown.contains(&29), "{shown:?}");
        assert!(panels(&many).into_string().contains("18 more techniques are in the table."));
    }

    #[test]
    fn what_no_run_has_is_not_drawn_and_a_name_with_markup_is_text() {
        let mut curve = compared(2);
        curve.techniques[0].0 = "<b>t</b>".into();
        curve.levels.iter_mut().for_each(|level| level.medians[1] = vec![None, None]);
        let text = panels(&curve).into_string();
        assert_eq!(text.matches("<figure").count(), 1, "{text}");
        assert!(text.contains("&lt;b&gt;t") && !text.contains("<b>t"), "{text}");
        curve.levels.clear();
        assert_eq!(panels(&curve).into_string(), "");
    }
}
