//! The answers in words: a card for each contest or curve.

use judge::{Curve, Entry, Ranking, Standing, State, at_least, at_most};
use maud::{Markup, html};
use model::axis_value;

use super::axis::{Axis, percent_of};
use super::curve::{Segment, class_of, segments};
use super::dots::grouped;
use super::strip::{dashed, diamond, square};
use super::write::breakable;
use super::{Titled, contest, strip};
use crate::pages::Context;
use crate::text::layout::plain;
use crate::words::curves::Part;
use crate::words::phrase;
use crate::words::units::percent;

/// More entries would only cover each other.
const MOST_MARKS: usize = 200;
const TICKS: [f64; 9] = [1.0, 2.0, 4.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e6];

/// All cards.
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
    html! {
        strong {
            @match what.strip_suffix(':') {
                // The number below stands in its place.
                Some(text) => { (breakable(text)) (one_of(ranking)) span.vh { ":" } },
                None => (breakable(what)),
            }
        }
        " "
        (ideas(&ranking.family, what, context))
        (figure(number(ranking), is_open(ranking)))
        span.why { (why) }
        (marks(ranking))
        span.foot { (foot(ranking)) }
    }
}

/// `≥ `, `≤ ` or nothing, and the factor or its interval behind it.
type Number = (&'static str, String);

/// The number of a card, or that there is none yet.
fn figure(number: Option<Number>, is_open: bool) -> Markup {
    html! {
        @match number {
            Some((sign, number)) => span.num { (sign) (number) small { "×" } },
            None if is_open => span.num.none { "no answer yet" },
            None => {}
        }
        " "
    }
}

/// How sure an advice is that names one technique where several may be as good: `, one of 5 techniques that may be fastest`.
/// An advice to measure longer says it already.
fn one_of(ranking: &Ranking) -> String {
    let is_advised = matches!(ranking.state, State::Few | State::Many) && !says_how_sure(ranking);
    match (is_advised, techniques_that_may_be_best(ranking)) {
        (false, _) | (true, 0 | 1) => String::new(),
        (true, more) => format!(", one of {more} techniques that {}", phrase::words(ranking).may_be_best),
    }
}

fn techniques_that_may_be_best(ranking: &Ranking) -> usize {
    ranking.groups.iter().filter(|group| group.may_be_fastest).count()
}

/// What the techniques do that an advice names by their names alone.
fn ideas(family: &str, advice: &str, context: &Context) -> Markup {
    let is_part = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '@');
    let mut known: Vec<(&str, &str)> = Vec::new();
    // An idea that the advice tells stands in brackets.
    if let Some(named) = advice.strip_prefix("Use ").filter(|named| !named.contains('(')) {
        for word in named.split(is_part) {
            let technique = word.split('@').next().unwrap_or_default();
            let idea = context.ideas.get(&(family.to_owned(), technique.to_owned()));
            let is_new = !known.iter().any(|(name, _)| *name == technique);
            known.extend(idea.filter(|_| is_new).map(|idea| (technique, idea.as_str())));
        }
    }
    html! {
        @match &known[..] {
            [] => {}
            [(_, idea)] => { span.idea { (plain(idea)) } " " }
            several => @for (name, idea) in several { span.idea { b { (name) } ": " (plain(idea)) } " " },
        }
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

/// Whether the advice is to measure longer.
fn says_how_sure(ranking: &Ranking) -> bool {
    ranking.advice.as_deref().is_some_and(|advice| advice.contains(" for now, and measure longer to be sure"))
}

fn is_open(ranking: &Ranking) -> bool {
    let short = ranking.state == State::VeryShort && ranking.candidates.len() > 1;
    short || matches!(ranking.state, State::Refused | State::TooFewRounds | State::NoLimit)
}

/// The number of a card, that of its sentence: the factor of the plain way; where that may be fastest itself, or there is none, what
/// choosing the leader can cost; where nothing else may be fastest, the lowest factor of those that are slower.
fn number(ranking: &Ranking) -> Option<Number> {
    let reference = ranking.reference.as_deref().and_then(|name| ranking.entry(name));
    let reference = reference.filter(|entry| entry.factor.is_some());
    let lows = || {
        let slower = ranking.entries.iter().filter(|entry| !entry.standing.is_candidate());
        slower.filter_map(|entry| entry.factor_low).min_by(f64::total_cmp)
    };
    match reference {
        Some(entry) if !entry.standing.is_candidate() => {
            let (_, interval) = phrase::factor(entry);
            return match (interval.strip_prefix("from "), interval.strip_prefix("up to ")) {
                (Some(from), _) => Some(("≥ ", from.to_owned())),
                (None, Some(to)) => Some(("≤ ", to.to_owned())),
                (None, None) => Some(("", dashed(&interval))).filter(|_| !interval.is_empty()),
            };
        }
        _ if ranking.candidates.len() > 1 => {}
        _ => {
            if let Some(low) = lows() {
                return Some(("≥ ", at_least(low)));
            }
        }
    }
    let limit = ranking.at_most_slower.filter(|limit| *limit > 0.0)?;
    Some(("≤ ", at_most(1.0 + limit)))
}

/// The number of a curve's card: what its sentence about the plain way says.
fn number_of_curve(curve: &Curve) -> Option<Number> {
    let plain = curve.plain_way.as_ref()?;
    let is_above_1 = at_least(plain.factor_low) != "1.00";
    Some(match (is_above_1, plain.factor_high) {
        (true, Some(high)) => {
            let (low, high) = (at_least(plain.factor_low), at_most(high));
            ("", if low == high { low } else { format!("{low}–{high}") })
        }
        (true, None) => ("≥ ", at_least(plain.factor_low)),
        (false, high) => ("≤ ", at_most(high?)),
    })
}

fn foot(ranking: &Ranking) -> String {
    let mut parts = Vec::new();
    parts.extend(ranking.confidence.map(|confidence| format!("{} confidence", percent(confidence))));
    // The limit is no competitor, and what the budget did not pay for was not compared.
    let was_compared = |entry: &&Entry| {
        entry.factor.is_some() && !matches!(entry.standing, Standing::Limit | Standing::LeftOut)
    };
    let compared = ranking.entries.iter().filter(was_compared).count();
    // As the answer counts: a technique with all its values and variants is one. Where there is only one, its values are told.
    let (may_be, of) = match ranking.groups.len() {
        0 | 1 => (ranking.candidates.len(), compared),
        techniques => (techniques_that_may_be_best(ranking), techniques),
    };
    if may_be > 0 {
        let words = phrase::words(ranking);
        parts.push(format!("{may_be} of {} {}", grouped(of as u64), words.may_be_best));
    }
    parts.push(phrase::counted(ranking.rounds.into(), "round"));
    parts.join(" · ")
}

/// All entries on one line.
fn marks(ranking: &Ranking) -> Markup {
    let all = || ranking.entries.iter().filter_map(|entry| Some((entry, strip::drawn(entry)?)));
    let factors: Vec<(&Entry, f64)> = all().take(MOST_MARKS).collect();
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
    let count = match all().count() {
        count if count > factors.len() => format!("The first {} of {count}", factors.len()),
        count => format!("All {count}"),
    };
    let told = format!("{count} by factor, from 1 to {}", contest::number(high));
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

fn of_curve(curve: &Curve, context: &Context) -> Markup {
    let segments = segments(curve);
    let (low, high) = (curve.levels.first(), curve.levels.last());
    let value = |level: Option<&judge::Level>| {
        level.map(|level| axis_value(&curve.axis, level.at)).unwrap_or_default()
    };
    let rounds: Vec<u32> = curve.levels.iter().map(|level| level.rounds).collect();
    let least = rounds.iter().min().copied().unwrap_or(0);
    let sentence = plain(&curve.sentence);
    let (first, rest) = first_sentence(&sentence);
    let is_open = curve.levels.iter().all(|level| level.fastest.is_empty());
    html! {
        strong { (breakable(first)) }
        " "
        (ideas(&curve.family, what_and_why(first).0, context))
        (figure(number_of_curve(curve), is_open))
        @if let Some(way) = &curve.plain_way { span.why { (plain(&way.sentence)) } " " }
        @if !rest.is_empty() { span.why { (rest) } }
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
        let card = of_curve(&curve, &Context::default()).into_string();
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
        assert_eq!(number(&ranking), Some(("≤ ", "1.07".to_owned())));
        // Nothing else may be fastest: by how much is what the others take.
        let mut clear = fixture::clear();
        clear.reference = clear.leader.clone();
        assert_eq!(number(&clear), Some(("≥ ", "1.5".to_owned())));
    }

    #[test]
    fn the_limit_is_none_of_those_that_a_card_counts() {
        let ranking = fixture::ranking();
        assert!(ranking.entry("memory_copy").is_some_and(|limit| limit.factor.is_some()));
        // Two values of read_write are one technique.
        assert_eq!(foot(&ranking), "95 % confidence · 2 of 3 may be fastest · 20 rounds");
        // A contest between its values is another matter.
        let of_values = Ranking { groups: ranking.groups[2..].to_vec(), ..ranking.clone() };
        assert_eq!(foot(&of_values), "95 % confidence · 2 of 5 may be fastest · 20 rounds");
        assert!(marks(&ranking).into_string().contains("aria-label=\"All 5 by factor, from 1 to 12.3\""));
    }

    #[test]
    fn more_entries_than_are_drawn_are_not_told_to_be_all() {
        let mut ranking = fixture::clear();
        let slower = ranking.entries[1].clone();
        ranking.entries.extend(std::iter::repeat_n(slower, MOST_MARKS));
        let count = ranking.entries.len();
        let told = format!("The first {MOST_MARKS} of {count} by factor");
        let marks = marks(&ranking).into_string();
        assert!(marks.contains(&told), "{told} in {marks}");
        ranking.groups.truncate(1);
        assert!(foot(&ranking).contains(&format!("1 of {count} may be fastest")), "{}", foot(&ranking));
    }

    #[test]
    fn where_several_may_be_fastest_the_first_sentence_says_so() {
        let card = |ranking: &Ranking| of_contest(ranking, &Context::default()).into_string();
        let ranking = fixture::ranking();
        let told = "<strong>Use copy_<wbr>file_<wbr>range, one of 2 techniques that may be fastest";
        assert!(card(&ranking).starts_with(told), "{}", card(&ranking));
        // What is sure needs no such words, and an advice to measure longer has its own.
        assert!(!card(&fixture::clear()).contains("one of"));
        let advice = "Use copy_file_range for now, and measure longer to be sure: 1 other may be as fast.";
        let open = Ranking { advice: Some(advice.into()), ..ranking };
        assert!(!card(&open).contains("one of"), "{}", card(&open));
    }

    #[test]
    fn a_card_tells_what_the_techniques_do_that_its_advice_only_names() {
        let idea = |name: &str, idea: &str| (("copy".to_owned(), name.to_owned()), idea.to_owned());
        let ideas = [idea("copy_file_range", "the system <copies>"), idea("sendfile", "another")];
        let context = Context { ideas: ideas.into(), ..Context::default() };
        let card = |advice: &str| {
            let ranking = Ranking { advice: Some(advice.into()), ..fixture::clear() };
            of_contest(&ranking, &context).into_string()
        };
        let named = card("Use copy_file_range@1M: sendfile is behind.");
        assert!(named.contains("<span class=\"idea\">the system &lt;copies&gt;</span>"), "{named}");
        assert!(!named.contains("another"), "{named}");
        assert!(!card("Use copy_file_range (it copies): sendfile is behind.").contains("class=\"idea\""));
        let mut curve = fixture::curve();
        curve.family = "copy".to_owned();
        curve.sentence =
            "Use copy_file_range up to 4 KiB and sendfile from 8 KiB on: nothing is surely faster.".into();
        let card = of_curve(&curve, &context).into_string();
        assert!(
            card.contains("<b>copy_file_range</b>: the system") && card.contains("<b>sendfile</b>"),
            "{card}"
        );
    }

    #[test]
    fn the_card_of_a_curve_has_the_number_of_the_plain_way_and_its_sentence() {
        let mut curve = fixture::curve();
        let told = |curve: &Curve| of_curve(curve, &Context::default()).into_string();
        let card = told(&curve);
        assert!(card.contains("<span class=\"num\">1.8–2.1<small>×</small></span>"), "{card}");
        assert!(card.contains("sequential takes 1.8 to 2.1 times as long"), "{card}");
        let way = curve.plain_way.as_mut().expect("a plain way");
        (way.factor_low, way.factor_high) = (1.0, Some(1.066));
        assert!(told(&curve).contains("≤ 1.07<small>"), "{}", told(&curve));
        curve.plain_way = None;
        assert!(!told(&curve).contains("class=\"num"), "{}", told(&curve));
        curve.levels.iter_mut().for_each(|level| level.fastest.clear());
        assert!(told(&curve).contains("no answer yet"), "{}", told(&curve));
    }
}
