//! The bar of winners of a curve: what to use at each measured level in its colour, and hatched what lies between.

use judge::Curve;
use maud::{Markup, html};

use super::axis::percent_of;
use super::curve::{axis_of, drawn_lines};
use crate::text::layout::{columns, plain};

/// Percent of the axis that the block of a level takes to either side, and of the way to the nearest of the others.
const BLOCK: f64 = 1.5;
const OF_THE_WAY: f64 = 0.3;
/// Pixels of an axis on a phone and on a wide page, and about what a letter takes.
const NARROW: f64 = 290.0;
const WIDE: f64 = 820.0;
const LETTER: f64 = 7.5;

/// Neighbouring levels at which one technique is chosen, or nothing is said.
struct Segment {
    /// The places of the levels, in percent of the axis.
    levels: Vec<f64>,
    /// The middle between it and the segments next to it.
    from: f64,
    to: f64,
    chosen: Option<String>,
}

fn segments(curve: &Curve) -> Vec<Segment> {
    let axis = axis_of(curve);
    let mut segments: Vec<Segment> = Vec::new();
    for level in &curve.levels {
        let at = axis.at(level.at as f64);
        let chosen = level.choice.as_ref().map(|choice| curve.technique_of(&choice.entry));
        let from = match segments.last_mut() {
            Some(last) if last.chosen == chosen => {
                last.levels.push(at);
                continue;
            }
            Some(last) => {
                last.to = (last.levels.last().copied().unwrap_or(last.from) + at) / 2.0;
                last.to
            }
            None => 0.0,
        };
        segments.push(Segment { levels: vec![at], from, to: 100.0, chosen });
    }
    segments
}

/// Returns the class of a technique's colour: that of its line.
fn class_of(curve: &Curve, chosen: Option<&str>) -> String {
    let Some(chosen) = chosen else { return "none".to_owned() };
    let place = drawn_lines(curve).iter().position(|line| line.technique == chosen);
    place.map_or("other".to_owned(), |place| format!("c{}", place + 1))
}

/// Tests for a level without an answer, and for one whose choice has no line.
pub(super) fn without_line(curve: &Curve) -> (bool, bool) {
    let classes: Vec<String> =
        segments(curve).iter().map(|one| class_of(curve, one.chosen.as_deref())).collect();
    (classes.iter().any(|class| class == "none"), classes.iter().any(|class| class == "other"))
}

/// Returns the blocks of the levels and the hatched stretches between them; of a stretch between two answers no technique is known.
pub(super) fn blocks(curve: &Curve) -> Markup {
    let segments = segments(curve);
    let places: Vec<f64> = segments.iter().flat_map(|one| one.levels.iter().copied()).collect();
    let nearest = places.windows(2).map(|two| two[1] - two[0]).fold(f64::INFINITY, f64::min);
    let half = BLOCK.min(nearest * OF_THE_WAY);
    let between = |from: f64, to: f64, class: &str| {
        let (from, to) = (percent_of(from + half), percent_of(to - half));
        html! { line class={ "between " (class) } x1=(from) x2=(to) y1="6" y2="6" {} }
    };
    html! {
        svg.bar aria-hidden="true" {
            @for two in segments.windows(2) {
                @if let (Some(from), Some(to)) = (two[0].levels.last(), two[1].levels.first()) {
                    (between(*from, *to, "none"))
                }
            }
            @for segment in &segments {
                @let class = class_of(curve, segment.chosen.as_deref());
                @for two in segment.levels.windows(2) { (between(two[0], two[1], &class)) }
                @for at in &segment.levels {
                    rect class={ "level " (class) } x=(percent_of(at - half)) width=(percent_of(2.0 * half)) y="0" height="12" {}
                }
            }
        }
    }
}

/// Returns the bar with the names of what to use below it, as far as they have room.
pub(super) fn bar(curve: &Curve) -> Markup {
    let segments = segments(curve);
    html! {
        div.fl role="img" aria-label="What to use at the measured levels, as the sentence above says" {
            (blocks(curve))
            @for Segment { levels, from, to, chosen } in &segments {
                @let name = chosen.as_deref().map_or("no answer".to_owned(), plain);
                // The name of a level at an end stands below its block.
                @let side = match (levels.len(), *from <= 0.0, *to >= 100.0) {
                    (1, true, false) => " first",
                    (1, false, true) => " last",
                    _ => "",
                };
                @let class = class_of(curve, chosen.as_deref());
                span class={ "sg " (class) (side) } title=(name) style={ "left:" (percent_of(*from)) ";width:" (percent_of(to - from)) } {
                    @match room(to - from, &name) {
                        Room::Everywhere => (name),
                        Room::OnWidePages => span.wide { (name) },
                        Room::Nowhere => {}
                    }
                }
            }
        }
    }
}

/// The pages on which a name has room in a stretch of the axis.
enum Room {
    Everywhere,
    OnWidePages,
    Nowhere,
}

fn room(percent: f64, name: &str) -> Room {
    let needed = LETTER * columns(name) as f64 + 6.0;
    match percent / 100.0 {
        share if share * NARROW >= needed => Room::Everywhere,
        share if share * WIDE >= needed => Room::OnWidePages,
        _ => Room::Nowhere,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn measured_levels_are_coloured_and_others_hatched() {
        let curve = fixture::curve();
        let drawn = blocks(&curve).into_string();
        // One block a level, and a hatched stretch between each two of them.
        assert_eq!(drawn.matches("<rect class=\"level ").count(), curve.levels.len(), "{drawn}");
        assert_eq!(drawn.matches("class=\"between ").count(), curve.levels.len() - 1, "{drawn}");
        // Between two levels of one choice it is hatched in its colour, between two answers in none.
        assert_eq!(drawn.matches("class=\"between c1\"").count(), 1, "{drawn}");
        assert_eq!(drawn.matches("class=\"between none\"").count(), 2, "{drawn}");
        assert_eq!(drawn.matches("class=\"level none\"").count(), 1, "{drawn}");
        let width = |rect: &str| -> f64 {
            let text = rect.split("width=\"").nth(1).and_then(|rest| rest.split('%').next());
            text.and_then(|text| text.parse().ok()).expect("a width")
        };
        let covered: f64 = drawn.split("<rect ").skip(1).map(width).sum();
        assert!(covered <= 2.0 * BLOCK * curve.levels.len() as f64 + 1e-6, "{covered}");
    }

    #[test]
    fn every_choice_has_a_colour_of_the_legend() {
        let mut curve = fixture::curve();
        // Six techniques of the user's come before the choices.
        let named = |nth: usize| judge::Line {
            technique: format!("named_{nth}"),
            is_named: true,
            points: Vec::new(),
            ..curve.techniques[3].clone()
        };
        let named: Vec<judge::Line> = (0..6).map(named).collect();
        curve.techniques.splice(0..0, named);
        assert_eq!(without_line(&curve), (true, false), "{}", blocks(&curve).into_string());
    }
}
