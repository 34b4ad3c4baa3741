//! The bar of winners of a curve: what to use at each measured level in its colour, and hatched what lies between.

use judge::Curve;
use maud::{Markup, html};

use super::axis::percent_of;
use super::curve::{drawn_lines, places};
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
    /// The class of its colour: that of the line of the technique.
    class: String,
}

fn segments(curve: &Curve) -> Vec<Segment> {
    let lines = drawn_lines(curve);
    let levels =
        curve.levels.iter().zip(places(curve)).map(|(level, place)| {
            (level.choice.as_ref().map(|choice| curve.technique_of(&choice.entry)), place)
        });
    let levels: Vec<(Option<String>, (f64, f64, f64))> = levels.collect();
    let segments = levels.chunk_by(|one, next| one.0 == next.0).map(|alike| {
        let (chosen, (from, ..)) = alike[0].clone();
        let (_, (.., to)) = alike[alike.len() - 1];
        let line = lines.iter().position(|line| Some(&line.technique) == chosen.as_ref());
        let class = line.map_or("other".to_owned(), |place| format!("c{}", place + 1));
        let class = if chosen.is_none() { "none".to_owned() } else { class };
        Segment { levels: alike.iter().map(|(_, (_, at, _))| *at).collect(), from, to, chosen, class }
    });
    segments.collect()
}

/// Tests for a level without an answer, and for one whose choice has no line.
pub(super) fn without_line(curve: &Curve) -> [bool; 2] {
    let segments = segments(curve);
    ["none", "other"].map(|class| segments.iter().any(|one| one.class == class))
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
                (between(two[0].levels[two[0].levels.len() - 1], two[1].levels[0], "none"))
            }
            @for segment in &segments {
                @for two in segment.levels.windows(2) { (between(two[0], two[1], &segment.class)) }
                @for at in &segment.levels {
                    rect class={ "level " (segment.class) } x=(percent_of(at - half)) width=(percent_of(2.0 * half)) y="0" height="12" {}
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
            @for Segment { levels, from, to, chosen, class } in &segments {
                @let name = chosen.as_deref().map_or("no answer".to_owned(), plain);
                // The name of a level at an end stands below its block.
                @let side = match (levels.len(), *from <= 0.0, *to >= 100.0) {
                    (1, true, false) => " first",
                    (1, false, true) => " last",
                    _ => "",
                };
                span class={ "sg " (class) (side) } title=(name) style={ "left:" (percent_of(*from)) ";width:" (percent_of(to - from)) } {
                    @let needed = LETTER * columns(&name) as f64 + 6.0;
                    @let share = (to - from) / 100.0;
                    @if share * NARROW >= needed { (name) } @else if share * WIDE >= needed { span.wide { (name) } }
                }
            }
        }
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
        let widths =
            drawn.split("width=\"").skip(1).filter_map(|rest| rest.split('%').next()?.parse::<f64>().ok());
        assert_eq!(widths.clone().count(), curve.levels.len(), "{drawn}");
        let covered: f64 = widths.sum();
        assert!(covered <= 2.0 * BLOCK * curve.levels.len() as f64 + 1e-6, "{covered}");
    }

    #[test]
    fn every_choice_has_a_colour_of_the_legend() {
        let mut curve = fixture::curve();
        // Six techniques of the user's come before the choices.
        for nth in 0..6 {
            let technique = format!("named_{nth}");
            let one = curve.techniques[nth + 3].clone();
            curve
                .techniques
                .insert(nth, judge::Line { technique, is_named: true, points: Vec::new(), ..one });
        }
        assert_eq!(without_line(&curve), [true, false], "{}", blocks(&curve).into_string());
    }
}
