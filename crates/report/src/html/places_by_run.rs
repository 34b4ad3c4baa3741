//! The order of the techniques on each of several runs: a line for each technique from place to place.

use judge::{ComparedTechnique, Showed};
use maud::{Markup, html};

use super::axis::percent_of;
use crate::text::layout::plain;
use crate::words::compare::letter;
use crate::words::units::three_digits;

/// The plot; nothing where no two techniques stand next to each other.
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
                (picture(techniques, &orders, rows))
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
                            small { (three_digits(factor)) "×" }
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

fn picture(techniques: &[ComparedTechnique], orders: &[Vec<usize>], rows: usize) -> Markup {
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
    use judge::Standing;

    use super::*;

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
