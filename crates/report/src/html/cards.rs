//! The answers in words: a card for each contest or curve.

use judge::{Curve, Entry, Ranking, State, at_most};
use maud::{Markup, html};
use model::axis_value;

use super::axis::{Axis, percent_of};
use super::curve::{Segment, class_of, segments};
use super::dots::grouped;
use super::strip::{dashed, diamond, square};
use super::{Titled, contest, strip};
use crate::curves::Part;
use crate::layout::plain;
use crate::phrase;
use crate::units::percent;

/// More entries would only cover each other.
const MOST_MARKS: usize = 200;
const TICKS: [f64; 9] = [1.0, 2.0, 4.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6];

/// All cards.
pub(super) fn cards(parts: &[Titled<'_>]) -> Markup {
    html! {
        div class={ "cards n" (parts.len()) } {
            @for Titled { part, label, id } in parts {
                a.card href={ "#" (id) } {
                    span.fam { (plain(label)) }
                    @match part {
                        Part::Contest(ranking) => (of_contest(ranking)),
                        Part::Curve(curve) => (of_curve(curve)),
                    }
                }
            }
        }
    }
}

fn of_contest(ranking: &Ranking) -> Markup {
    let answer = plain(phrase::answer(ranking));
    let (what, why) = what_and_why(&answer);
    html! {
        strong {
            @match what.strip_suffix(':') {
                // The number below stands in its place.
                Some(text) => { (text) span.vh { ":" } },
                None => (what),
            }
        }
        " "
        @match number(ranking) {
            Some((sign, number)) => span.num { (sign) (number) small { "×" } },
            None if is_open(ranking) => span.num.none { "no answer yet" },
            None => {}
        }
        span.why { (why) }
        (marks(ranking))
        span.foot { (foot(ranking)) }
    }
}

/// An advice up to its colon, and the reason behind it. A colon in brackets is part of an idea.
fn what_and_why(answer: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, c) in answer.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ':' if depth == 0 && answer[at + 1..].starts_with(' ') => {
                return (&answer[..=at], answer[at + 1..].trim_start());
            }
            _ => {}
        }
    }
    (answer, "")
}

/// The first sentence, and those behind it. A point inside a number or a name ends none.
fn first_sentence(text: &str) -> (&str, &str) {
    match text.find(". ") {
        Some(at) => (&text[..=at], text[at + 1..].trim_start()),
        None => (text, ""),
    }
}

fn is_open(ranking: &Ranking) -> bool {
    let short = ranking.state == State::VeryShort && ranking.candidates.len() > 1;
    short || matches!(ranking.state, State::Refused | State::TooFewRounds | State::NoLimit)
}

/// The number of a card: the factor of the plain way; where that may be fastest itself what choosing the leader can cost;
/// without a plain way the lowest factor of those that are slower.
fn number(ranking: &Ranking) -> Option<(&'static str, String)> {
    let reference = ranking.reference.as_deref().and_then(|name| ranking.entry(name));
    let slower = |entry: &&Entry| !entry.standing.is_candidate() && entry.factor_low.is_some();
    let least = |a: &&Entry, b: &&Entry| a.factor_low.unwrap_or(1.0).total_cmp(&b.factor_low.unwrap_or(1.0));
    let beside = match reference {
        Some(entry) => Some(entry).filter(|entry| !entry.standing.is_candidate()),
        None => ranking.entries.iter().filter(slower).min_by(least),
    };
    if let Some(entry) = beside {
        let (_, interval) = phrase::factor(entry);
        let from = entry.factor_low.filter(|_| reference.is_none()).map(judge::at_least);
        return match (from, interval.strip_prefix("from "), interval.strip_prefix("up to ")) {
            (Some(from), _, _) => Some(("≥ ", from)),
            (None, Some(from), _) => Some(("≥ ", from.to_owned())),
            (None, None, Some(to)) => Some(("≤ ", to.to_owned())),
            (None, None, None) => Some(("", dashed(&interval))).filter(|_| !interval.is_empty()),
        };
    }
    let limit = ranking.at_most_slower.filter(|limit| *limit > 0.0)?;
    Some(("≤ ", at_most(1.0 + limit)))
}

fn foot(ranking: &Ranking) -> String {
    let mut parts = Vec::new();
    parts.extend(ranking.confidence.map(|confidence| format!("{} confidence", percent(confidence))));
    let of = ranking.entries.iter().filter(|entry| entry.factor.is_some()).count();
    let words = phrase::words(ranking);
    if !ranking.candidates.is_empty() {
        parts.push(format!("{} of {} {}", ranking.candidates.len(), grouped(of as u64), words.may_be_best));
    }
    parts.push(phrase::counted(ranking.rounds.into(), "round"));
    parts.join(" · ")
}

/// All entries on one line.
fn marks(ranking: &Ranking) -> Markup {
    let factors: Vec<(&Entry, f64)> = ranking
        .entries
        .iter()
        .filter_map(|entry| Some((entry, strip::drawn(entry)?)))
        .take(MOST_MARKS)
        .collect();
    if factors.len() < 2 {
        return html! {};
    }
    let low = factors.iter().map(|(_, factor)| *factor).fold(1.0, f64::min).max(0.1);
    let high = factors.iter().map(|(_, factor)| *factor).fold(1.5, f64::max);
    let axis = Axis::new(low, high, 3.0);
    let x = |value: f64| percent_of(axis.at(value));
    let ticks = contest::around_one(&axis, &TICKS);
    let is = |entry: &Entry, name: &Option<String>| name.as_deref() == Some(&entry.technique);
    let own = |entry: &Entry| is(entry, &ranking.leader) || is(entry, &ranking.reference);
    let told = format!("All {} by factor, from 1 to {}", factors.len(), contest::number(high));
    let plain = factors.iter().find(|(entry, _)| is(entry, &ranking.reference));
    let leader = factors.iter().find(|(entry, _)| is(entry, &ranking.leader));
    html! {
        svg.mini role="img" aria-label=(told) {
            title { (told) }
            @for &tick in &ticks { line class=(if tick == 1.0 { "g1" } else { "g" }) x1=(x(tick)) x2=(x(tick)) y1="0" y2="22" {} }
            @for (entry, factor) in factors.iter().filter(|(entry, _)| !own(entry)) {
                circle class=(if entry.standing.is_candidate() { "cand" } else { "outf" }) cx=(x(*factor)) cy="11" r="3.4" {}
            }
            @if let Some((entry, factor)) = plain {
                @let (from, to) = (entry.factor_low.unwrap_or(*factor), entry.factor_high.unwrap_or(*factor));
                line.i.base x1=(x(from)) x2=(x(to)) y1="11" y2="11" {}
                @if !is(entry, &ranking.leader) { (square(&x(*factor), "11")) }
            }
            @if let Some((_, factor)) = leader { (diamond(&x(*factor), "11")) }
            @for &tick in &ticks { text x=(x(tick)) y="34" text-anchor="middle" { (contest::number(tick)) "×" } }
        }
    }
}

fn of_curve(curve: &Curve) -> Markup {
    let segments = segments(curve);
    let (low, high) = (curve.levels.first(), curve.levels.last());
    let value = |level: Option<&judge::Level>| {
        level.map(|level| axis_value(&curve.axis, level.at)).unwrap_or_default()
    };
    let rounds: Vec<u32> = curve.levels.iter().map(|level| level.rounds).collect();
    let least = rounds.iter().min().copied().unwrap_or(0);
    let sentence = plain(&curve.sentence);
    let (first, rest) = first_sentence(&sentence);
    html! {
        strong { (first) }
        @if !rest.is_empty() { " " span.why { (rest) } }
        svg.mini role="img" aria-label="The fastest by level; the sentence above says which" {
            @for Segment { from, to, fastest } in &segments {
                rect class={ "seg " (class_of(curve, fastest.as_deref())) } x=(percent_of(*from)) y="5"
                    width=(percent_of(to - from)) height="12" {}
            }
            text x="0" y="34" { (value(low)) }
            text x="100%" y="34" text-anchor="end" { (value(high)) }
        }
        span.foot {
            @if let Some(confidence) = curve.confidence { (percent(confidence)) " confidence · " }
            (phrase::counted(curve.levels.len() as u64, "level")) ", " (phrase::counted(least.into(), "round")) " or more at each"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn an_advice_is_cut_at_its_own_colon() {
        assert_eq!(what_and_why("Use a (idea: b): it wins."), ("Use a (idea: b):", "it wins."));
        assert_eq!(what_and_why("Nothing"), ("Nothing", ""));
    }

    #[test]
    fn only_the_first_sentence_of_a_curve_is_bold() {
        assert_eq!(first_sentence("a.b is 1.5 times. It wins. So."), ("a.b is 1.5 times.", "It wins. So."));
        assert_eq!(first_sentence("It wins."), ("It wins.", ""));
        let mut curve = fixture::curve();
        curve.sentence = "a is fastest up to 4 KiB. At 1 GiB b is fastest.".to_owned();
        let card = of_curve(&curve).into_string();
        assert!(card.starts_with("<strong>a is fastest up to 4 KiB.</strong> "), "{card}");
        assert!(card.contains("<span class=\"why\">At 1 GiB b is fastest.</span>"), "{card}");
    }

    #[test]
    fn the_number_is_the_plain_ways_factor_or_a_limit() {
        let mut ranking = fixture::ranking();
        assert_eq!(number(&ranking), Some(("", "1.5–2.1".to_owned())));
        ranking.reference = Some("sendfile".into());
        assert_eq!(number(&ranking), Some(("≤ ", "1.07".to_owned())));
        ranking.reference = None;
        assert_eq!(number(&ranking), Some(("≥ ", "1.5".to_owned())));
    }
}
