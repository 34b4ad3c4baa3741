//! The answers in words: a card for each contest or curve.

use judge::{Choice, Curve, Entry, Level, Ranking, Standing, State, times};
use maud::{Markup, html};
use model::{axis_counted, axis_name, axis_value};

use super::axis::Axis;
use super::contest_row::{diamond, square};
use super::write::{breakable, dashed};
use super::{Titled, contest, contest_row, winners};
use crate::pages::Context;
use crate::text::layout::plain;
use crate::words::curves::{self, Part};
use crate::words::phrase::{self, once};
use crate::words::units::grouped;

const TICKS: [f64; 9] = [1.0, 2.0, 4.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6];

pub(super) fn cards(parts: &[Titled<'_>], context: &Context) -> Markup {
    html! {
        div class={ "cards n" (parts.len()) } {
            @for Titled { part, label, id } in parts {
                a.card href={ "#" (id) } {
                    span.fam { (plain(label)) }
                    @match part {
                        Part::Contest(ranking) => (of_contest(ranking, context)),
                        Part::Curve(curve) => (of_curve(curve, context)),
                    }
                }
            }
        }
    }
}

fn of_contest(ranking: &Ranking, context: &Context) -> Markup {
    let answer = plain(phrase::answer(ranking));
    let (what, why) = what_and_why(&answer);
    let tied = ranking.candidates.len();
    html! {
        strong {
            @match what.strip_suffix(':') {
                // The number below stands in its place.
                Some(text) => {
                    (breakable(text))
                    @if ranking.state == State::Tied && tied > 1 { ", one of " (tied) " that are tied" }
                    span.vh { ":" }
                }
                None => (breakable(what)),
            }
        }
        " "
        (ideas(&ranking.family, what, ranking.choice.iter(), context))
        (figure(ranking.choice.as_ref(), !ranking.state.is_judged(), ""))
        span.why { (why) }
        (marks(ranking))
        span.foot { (foot(ranking)) }
    }
}

/// Writes the large number of a card: the baseline over what to use, with the interval, and where on a curve that is so.
fn figure(gain: Option<&Choice>, is_open: bool, at: &str) -> Markup {
    html! {
        @match gain {
            _ if is_open => span.num.none { "no answer yet" },
            Some(Choice { is_baseline: true, baseline: None, .. }) => span.num.none { "no gain over the baseline" },
            Some(Choice { baseline: Some(ratio), .. }) => span.num {
                (times(ratio.factor)) small { "×" }
                " " span.range { (dashed(&phrase::interval(ratio.low, ratio.high))) (at) }
            },
            _ => {}
        }
        " "
    }
}

/// Writes the ideas of techniques that an advice only names: an idea that it says stands in brackets.
fn ideas<'a>(
    family: &str, advice: &str, chosen: impl Iterator<Item = &'a Choice>, context: &Context,
) -> Markup {
    let chosen = once(chosen.map(|choice| phrase::technique_of(&choice.entry)));
    let idea = |name| Some((name, context.ideas.get(&(family.to_owned(), str::to_owned(name)))?));
    let known: Vec<(&str, &String)> =
        chosen.into_iter().filter(|_| !advice.contains('(')).filter_map(idea).collect();
    html! {
        @for (name, idea) in &known { span.idea { @if known.len() > 1 { b { (name) } ": " } (plain(idea)) } " " }
    }
}

/// An advice up to its colon, and the reason behind it. A colon in brackets is part of an idea.
fn what_and_why(answer: &str) -> (&str, &str) {
    let mut depth = 0;
    let colon = answer.char_indices().find(|(at, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0 && answer[*at..].starts_with(": ")
    });
    let end = colon.map_or(answer.len(), |(at, _)| at + 1);
    (&answer[..end], answer[end..].trim_start())
}

/// The first sentence, and those behind it. A point inside a number or a name ends none.
fn first_sentence(text: &str) -> (&str, &str) {
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    (&text[..end], text[end..].trim_start())
}

/// Returns the choice at the level of a curve at which the baseline is slowest, with that level; where there is none, the first if the baseline is chosen everywhere.
fn gain_of_curve(curve: &Curve) -> Option<(&Level, &Choice)> {
    let choices = || curve.levels.iter().filter_map(|level| Some((level, level.choice.as_ref()?)));
    let over = choices().filter_map(|gain| Some((gain.1.baseline?.factor, gain)));
    let slowest = over.max_by(|one, other| one.0.total_cmp(&other.0));
    let is_baseline = choices().all(|(_, choice)| choice.is_baseline);
    slowest.map(|(_, gain)| gain).or_else(|| choices().next().filter(|_| is_baseline))
}

fn foot(ranking: &Ranking) -> String {
    // A ceiling does not compete, and what was skipped was not compared.
    let compared = ranking.entries.iter().filter(|entry| {
        entry.factor.is_some() && !matches!(entry.standing, Standing::Ceiling | Standing::Skipped)
    });
    let compared = grouped(compared.count() as u64);
    let tied = match ranking.candidates.len() {
        0 => String::new(),
        1 => format!("{compared} compared · "),
        tied => format!("{tied} of {compared} tied · "),
    };
    tied + &phrase::counted(phrase::rounds(ranking), "round")
}

fn marks(ranking: &Ranking) -> Markup {
    let all = ranking.entries.iter().filter_map(|entry| Some((entry, contest_row::drawn(entry)?)));
    let factors: Vec<(&Entry, f64)> = all.collect();
    if factors.len() < 2 {
        return html! {};
    }
    let low = factors.iter().map(|(_, factor)| *factor).fold(1.0, f64::min).max(0.1);
    let high = factors.iter().map(|(_, factor)| *factor).fold(1.5, f64::max);
    let axis = Axis::new(low, high, 3.0);
    let ticks = contest::around_one(&axis, &TICKS);
    let said = format!("All {} by factor, from 1 to {}", factors.len(), contest::number(high));
    let [plain, leader] = [&ranking.baseline, &ranking.leader]
        .map(|name| factors.iter().find(|(entry, _)| name.as_ref() == Some(&entry.technique)));
    let own = [plain, leader].map(|one| one.map(|(entry, _)| &entry.technique));
    html! {
        svg.mini role="img" aria-label=(said) {
            title { (said) }
            @for &tick in &ticks { line class=(if tick == 1.0 { "g1" } else { "g" }) x1=(axis.x(tick)) x2=(axis.x(tick)) y1="0" y2="22" {} }
            @for (entry, factor) in factors.iter().filter(|(entry, _)| !own.contains(&Some(&entry.technique))) {
                circle class=(if entry.standing.is_candidate() { "cand" } else { "outf" }) cx=(axis.x(*factor)) cy="11" r="3.4" {}
            }
            @if let Some((entry, factor)) = plain {
                @let (from, to) = (entry.factor_low.unwrap_or(*factor), entry.factor_high.unwrap_or(*factor));
                line.i.base x1=(axis.x(from)) x2=(axis.x(to)) y1="11" y2="11" {}
                @if ranking.leader.as_ref() != Some(&entry.technique) { (square(&axis.x(*factor), "11")) }
            }
            @if let Some((_, factor)) = leader { (diamond(&axis.x(*factor), "11")) }
            @for &tick in &ticks { text x=(axis.x(tick)) y="34" text-anchor="middle" { (contest::number(tick)) "×" } }
        }
    }
}

fn of_curve(curve: &Curve, context: &Context) -> Markup {
    let value = |level: &Level| axis_value(&curve.axis, level.at);
    let sentence = plain(&curve.sentence);
    let (first, rest) = first_sentence(&sentence);
    let is_open = curve.levels.iter().all(|level| level.choice.is_none());
    html! {
        strong { (breakable(first)) }
        " "
        (ideas(&curve.family, what_and_why(first).0, curve.ranges.iter().map(|range| &range.choice), context))
        @let gain = gain_of_curve(curve);
        @let at = gain.map_or(String::new(), |(level, _)| match value(level) {
            // Of things that are counted the name stands behind their number: `at 8 threads`.
            number if number == level.at.to_string() => format!(" at {}", axis_counted(&curve.axis, level.at)),
            amount => format!(" at {} {amount}", axis_name(&curve.axis)),
        });
        (figure(gain.map(|(_, choice)| choice), is_open, &at))
        @if !rest.is_empty() { span.why { (rest) } }
        span.mini role="img" aria-label="What to use by level; the sentence above says it" {
            (winners::blocks(curve))
            span.ends { @for end in [curve.levels.first(), curve.levels.last()] { span { (end.map_or(String::new(), value)) } } }
        }
        span.foot {
            (phrase::counted(curve.levels.len() as u64, "level")) ", " (phrase::counted(curves::least_and_most_rounds(curve).0.into(), "round")) " or more at each"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn card(ranking: &Ranking) -> String {
        of_contest(ranking, &Context::default()).into_string()
    }

    fn said(curve: &Curve) -> String {
        of_curve(curve, &Context::default()).into_string()
    }

    #[test]
    fn an_advice_is_cut_at_its_colon_and_a_curve_behind_a_sentence() {
        assert_eq!(what_and_why("Use a (idea: b): it wins."), ("Use a (idea: b):", "it wins."));
        assert_eq!(what_and_why("Nothing"), ("Nothing", ""));
        assert_eq!(first_sentence("a.b is 1.5 times. It wins. So."), ("a.b is 1.5 times.", "It wins. So."));
        assert_eq!(first_sentence("It wins."), ("It wins.", ""));
        let mut curve = fixture::curve();
        curve.sentence = "Use a at every size. b was not measured at 1 GiB.".to_owned();
        let card = said(&curve);
        assert!(card.starts_with("<strong>Use a at every size.</strong> "), "{card}");
        assert!(card.contains("<span class=\"why\">b was not measured at 1 GiB.</span>"), "{card}");
    }

    #[test]
    fn the_large_number_is_the_baseline_over_the_best() {
        let mut ranking = fixture::ranking();
        let number = "<span class=\"num\">1.7<small>×</small> <span class=\"range\">(1.5–2.1)</span></span>";
        assert!(card(&ranking).contains(number), "{}", card(&ranking));
        // The baseline is chosen: no gain.
        let choice = ranking.choice.as_mut().expect("a choice");
        (choice.baseline, choice.is_baseline) = (None, true);
        assert!(card(&ranking).contains(">no gain over the baseline<"), "{}", card(&ranking));
        // There is no baseline: the next technique is none.
        assert!(!card(&fixture::clear()).contains("class=\"num"), "{}", card(&fixture::clear()));
    }

    #[test]
    fn a_card_counts_no_ceiling() {
        let ranking = fixture::ranking();
        assert!(ranking.entry("memory_copy").is_some_and(|ceiling| ceiling.factor.is_some()));
        assert_eq!(foot(&ranking), "2 of 5 tied · 20 rounds");
        assert!(marks(&ranking).into_string().contains("aria-label=\"All 5 by factor, from 1 to 12.3\""));
    }

    #[test]
    fn the_first_sentence_says_that_several_are_tied() {
        let ranking = fixture::ranking();
        let said = "<strong>Use copy_<wbr>file_<wbr>range, one of 2 that are tied";
        assert!(card(&ranking).starts_with(said), "{}", card(&ranking));
        assert!(!card(&fixture::clear()).contains("one of"));
    }

    #[test]
    fn a_card_has_the_ideas_of_techniques_that_are_only_named() {
        let ideas =
            [("copy_file_range", "the system <copies>"), ("sequential", "one"), ("thread_pool", "many")];
        let ideas = ideas.map(|(name, idea)| (("copy".to_owned(), name.to_owned()), idea.to_owned()));
        let context = Context { ideas: ideas.into(), ..Context::default() };
        let card = |advice: &str| {
            let ranking = Ranking { advice: Some(advice.into()), ..fixture::clear() };
            of_contest(&ranking, &context).into_string()
        };
        let named = card("Use copy_file_range: sequential is slower.");
        assert!(named.contains("<span class=\"idea\">the system &lt;copies&gt;</span>"), "{named}");
        assert!(!named.contains(">one<"), "{named}");
        assert!(!card("Use copy_file_range (it copies): sequential is slower.").contains("class=\"idea\""));
        let mut curve = fixture::curve();
        curve.family = "copy".to_owned();
        curve.sentence = "Use sequential at 4 KiB; thread_pool at 2 MiB.".into();
        let card = of_curve(&curve, &context).into_string();
        assert!(card.contains("<b>sequential</b>: one"), "{card}");
        assert!(card.contains("<b>thread_pool</b>: many"), "{card}");
    }

    #[test]
    fn the_card_of_a_curve_shows_how_much_slower_the_baseline_is() {
        let mut curve = fixture::curve();
        let card = said(&curve);
        let number = "1.9<small>×</small> <span class=\"range\">(1.8–2.1) at file size 2 MiB</span>";
        assert!(card.contains(number), "{card}");
        assert!(card.contains("sequential is slower by 1.9x"), "{card}");
        curve.levels[3].choice = None;
        assert!(said(&curve).contains(">no gain over the baseline<"), "{}", said(&curve));
        curve.levels.iter_mut().for_each(|level| level.choice = None);
        assert!(said(&curve).contains("no answer yet"), "{}", said(&curve));
    }
}
