//! Plots of several runs: the order of the techniques on each, and a curve of each technique with a line for each run.

use judge::{ComparedCurve, ComparedTechnique, Showed};
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
    let sides = || 0..curve.means.len();
    let points = shown.iter().flat_map(|place| sides().flat_map(|side| line(curve, *place, side)));
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
        let said = format!("{name}: {}", self.said(place));
        let sides = 0..curve.means.len().min(MOST_SIDES);
        let lines: Vec<_> = sides.map(|side| (side, line(curve, place, side))).collect();
        let step = curve.levels.len().div_ceil(MOST_MARKS).max(1);
        let ticks = self.plane.y.round_values(4);
        let levels = self.plane.x.ticks(curve.levels.iter().map(|level| level.at as f64), VALUE_WIDTH);
        html! {
            figure.np {
                figcaption { b { (name) } }
                div.cpv {
                    (self.plane.names(&ticks, |tick| short(curve.metric.unit(), tick)))
                    div.pl {
                        svg role="img" aria-label=(said) {
                            title { (said) }
                            (self.plane.grid(&ticks))
                            svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" {
                                @for (side, points) in &lines {
                                    polyline class={ "ln c" (side) } points=(self.plane.path(points.iter().copied())) {}
                                }
                            }
                            @for (side, points) in &lines {
                                @for &(at, value) in points.iter().step_by(step) {
                                    (mark(*side, &percent_of(self.plane.left(at)), &percent_of(self.plane.top(value))))
                                }
                            }
                        }
                    }
                    div.xl aria-hidden="true" {
                        @for at in levels {
                            span style={ "left:" (percent_of(self.plane.left(at as u64))) } { (axis_value(&curve.axis, at as u64)) }
                        }
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

/// Draws a line for each technique from place to place; nothing where no two techniques stand next to each other.
pub(super) fn slope(techniques: &[ComparedTechnique]) -> Markup {
    let sides = techniques.first().map_or(0, |one| one.showed.len());
    let orders: Vec<Vec<usize>> = (0..sides).map(|side| order(techniques, side)).collect();
    let rows = orders.iter().map(Vec::len).max().unwrap_or(0);
    let [first, .., last] = &orders[..] else { return html! {} };
    if rows < 2 {
        return html! {};
    }
    html! {
        h4 { "Techniques by run" }
        p.note { "Fastest on top, each run by its own factors. Filled: tied for fastest there; hollow: slower, or nothing is known." }
        div.sl style={ "--rows:" (rows) } {
            (names(techniques, first, 0))
            div.slp {
                span.slh aria-hidden="true" {
                    @for side in 1..sides.saturating_sub(1) { span style={ "left:" (percent_of(across(side, sides))) } { (letter(side)) } }
                }
                (slopes(techniques, &orders, rows))
            }
            (names(techniques, last, sides - 1))
        }
    }
}

/// Returns the techniques that a run has, the fastest first.
fn order(techniques: &[ComparedTechnique], side: usize) -> Vec<usize> {
    let shown = techniques.iter().enumerate().filter_map(|(at, one)| Some((at, showed(one, side)?)));
    let mut order: Vec<(usize, [f64; 2])> = shown
        .map(|(at, showed)| {
            (at, [showed.factor, showed.median].map(|figure| figure.unwrap_or(f64::INFINITY)))
        })
        .collect();
    order.sort_by(|(_, a), (_, b)| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    order.into_iter().map(|(at, _)| at).collect()
}

fn showed(one: &ComparedTechnique, side: usize) -> Option<&Showed> {
    one.showed.get(side)?.as_ref().filter(|showed| showed.median.is_some())
}

fn is_candidate(one: &ComparedTechnique, side: usize) -> bool {
    showed(one, side).is_some_and(|showed| showed.standing.is_candidate())
}

fn names(techniques: &[ComparedTechnique], order: &[usize], side: usize) -> Markup {
    html! {
        div.sln.end[side == 0] {
            b { (letter(side)) }
            ol {
                @for &at in order {
                    li.best[is_candidate(&techniques[at], side)] {
                        span { (plain(&techniques[at].technique)) }
                        @if let Some(factor) = showed(&techniques[at], side).and_then(|showed| showed.factor) {
                            small { (judge::times(factor)) "×" }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the place of a run in percent of the width.
fn across(side: usize, sides: usize) -> f64 {
    2.0 + 96.0 * side as f64 / (sides - 1).max(1) as f64
}

fn slopes(techniques: &[ComparedTechnique], orders: &[Vec<usize>], rows: usize) -> Markup {
    let place = |at: usize, side: usize| orders[side].iter().position(|one| *one == at);
    let y = |place: usize| percent_of(100.0 * (place as f64 + 0.5) / rows as f64);
    let x = |side: usize| percent_of(across(side, orders.len()));
    let sides = 0..orders.len();
    let is_best = |at: usize| sides.clone().any(|side| is_candidate(&techniques[at], side));
    // What may be fastest somewhere is drawn last, above the others.
    let mut all: Vec<usize> = (0..techniques.len()).collect();
    all.sort_by_key(|at| is_best(*at));
    html! {
        svg role="img" aria-label="The order of the techniques on each run; the names next to it stand in the same order" {
            @for &at in &all {
                @for side in 1..orders.len() {
                    @if let (Some(from), Some(to)) = (place(at, side - 1), place(at, side)) {
                        line.sll.best[is_best(at)] x1=(x(side - 1)) y1=(y(from)) x2=(x(side)) y2=(y(to)) {}
                    }
                }
                @for side in sides.clone() {
                    @if let Some(own) = place(at, side) {
                        circle class=(if is_candidate(&techniques[at], side) { "cand" } else { "out" })
                            cx=(x(side)) cy=(y(own)) r="4" {}
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use judge::{ComparedLevel, Standing};
    use model::{Metric, Workload};

    use super::*;
    use crate::fixture;

    /// Two runs of this many techniques at three levels; the last is the best of the second run at the highest level.
    fn compared(techniques: usize) -> ComparedCurve {
        let levels = [1, 8, 64].map(|at| {
            let first = |nth: usize| (nth + 1) as f64 * 1e6 * at as f64;
            let second = |nth: usize| if at == 64 { (techniques - nth) as f64 * 1e6 } else { first(nth + 1) };
            let medians = (0..techniques).map(|nth| vec![Some(first(nth)), Some(second(nth))]).collect();
            let unknown = vec![vec![None, None]; techniques];
            let (user_ns, system_ns) = (unknown.clone(), unknown.clone());
            ComparedLevel { at, medians, extrapolated: unknown.clone(), user_ns, system_ns }
        });
        ComparedCurve {
            family: "threads".into(),
            axis: "threads".into(),
            workload: Workload::default(),
            conditions: fixture::setting().conditions,
            metric: Metric::WORK,
            answers: vec![None, None],
            techniques: (0..techniques).map(|nth| (format!("t{nth}"), Vec::new())).collect(),
            levels: levels.to_vec(),
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

    fn technique(name: &str, factors: &[Option<f64>]) -> ComparedTechnique {
        let showed = factors.iter().map(|factor| {
            Some(Showed {
                technique: name.to_owned(),
                median: Some((*factor)? * 1e6),
                extrapolated: false,
                user_ns: None,
                system_ns: None,
                factor: *factor,
                factor_low: None,
                factor_high: None,
                standing: if *factor < Some(1.05) { Standing::Tied } else { Standing::Slower },
            })
        });
        ComparedTechnique { technique: name.to_owned(), aliases: Vec::new(), showed: showed.collect() }
    }

    #[test]
    fn techniques_that_change_places_cross() {
        let all = [technique("a", &[Some(1.0), Some(3.0)]), technique("b", &[Some(2.0), Some(1.0)])];
        assert_eq!((order(&all, 0), order(&all, 1)), (vec![0, 1], vec![1, 0]));
        let text = slope(&all).into_string();
        assert!(text.contains("y1=\"25%\" x2=\"98%\" y2=\"75%\""), "{text}");
        assert!(text.contains("y1=\"75%\" x2=\"98%\" y2=\"25%\""), "{text}");
        assert_eq!(text.matches("class=\"cand\"").count(), 2, "{text}");
    }

    #[test]
    fn a_technique_that_a_run_does_not_have_has_no_place_there() {
        let all = [technique("a", &[Some(1.0); 3]), technique("b", &[Some(2.0), None, Some(2.0)])];
        assert_eq!(order(&all, 1), [0]);
        let text = slope(&all).into_string();
        assert_eq!((text.matches("<line").count(), text.matches("<circle").count()), (2, 5), "{text}");
        assert_eq!(slope(&all[..1]).into_string(), "");
    }
}
