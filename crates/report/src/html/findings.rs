//! What was published, tested by this run: a row for each finding.

use findings::{Compared, Judged, Outcome, answer};
use judge::SCHEMA;
use maud::{Markup, html};
use model::Cache;
use serde_json::{Value, json};

use super::axis::{Axis, percent_of};
use super::marks::{self, Edge, FADING};
use super::picture::Picture;
use super::then_and_here::CACHES;
use super::{slug, write};
use crate::json;
use crate::page::blocks::{Block, Extent, Sections};
use crate::page::{self, Page};
use crate::text::layout::plain;
use crate::words::findings::{claimed, doubts, effect, published};
use crate::words::phrase::{counted, once};

/// The ticks of the axis of ratios, from end to end.
const TICKS: [f64; 7] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];
/// The named values of the axis.
const NAMED: [(f64, &str); 3] = [(0.25, "¼"), (1.0, "1"), (4.0, "4")];

const ORDER: [Outcome; 4] = [Outcome::Holds, Outcome::Reversed, Outcome::Undecided, Outcome::NoDifference];

/// The evidence by which findings were judged, and what is said of those that it does not test.
pub(super) const RUN: [&str; 2] = ["this run", "that this run does not test"];
const KEPT: [&str; 2] = ["the kept runs", "that no kept run tests"];

impl Page for [Judged] {
    fn blocks(&self, extent: Extent) -> Sections {
        page::findings(self, extent)
    }

    fn json(&self) -> Value {
        json!({ "schema": SCHEMA, "answer": answer(self), "findings": json::value_of(&self) })
    }

    /// The plots, and below them the table of each family.
    fn drawn(&self) -> Option<String> {
        let page = self.blocks(Extent::HTML);
        let (answer, families) = page.split_first()?;
        let (title, plots) = ("Published findings", findings(self, KEPT));
        let links: &[_] =
            if plots.is_some() { &[("findings", "Findings"), ("families", "By family")] } else { &[] };
        let main = plots.map_or_else(
            || write::section(answer),
            |plots| {
                html! {
                    (plots)
                    section #families aria-labelledby="h-families" {
                        h2 #h-families { "By family" }
                        @for family in families { section { (write::section(family)) } }
                    }
                }
            },
        );
        Some(super::document(&format!("bakeoff: {title}"), title, html! {}, links, main, "bakeoff"))
    }
}

pub(super) fn findings(judged: &[Judged], [evidence, untested]: [&str; 2]) -> Option<Markup> {
    if judged.is_empty() {
        return None;
    }
    let (mut tested, others): (Vec<&Judged>, Vec<&Judged>) = judged.iter().partition(|one| one.is_measured());
    tested.sort_by_key(|one| ORDER.iter().position(|outcome| *outcome == one.outcome));
    Some(html! {
        section #findings aria-labelledby="h-findings" {
            h2 #h-findings { "Published findings, tested here" }
            p.body { (plain(&answer(judged))) }
            @if !tested.is_empty() {
                p.small {
                    "Shaded: what the claim says. Hollow: published. Filled: " (evidence) ", with its interval. Ratios on a \
                     logarithmic axis, 1 is alike; other numbers have an axis of their own."
                }
                @for (cache, title) in CACHES {
                    (of_cache(title, tested.iter().copied().filter(|one| cache_of(one) == cache).collect()))
                }
                p.note { "Published in: " (once(tested.iter().map(|one| one.source.title())).join("; ")) "." }
            }
            @if !others.is_empty() {
                details {
                    summary { (counted(others.len() as u64, "finding")) " " (untested) }
                    (write::block(&Block::Remarks(page::untested(&others))))
                }
            }
        }
    })
}

/// The state of the file cache of the contests by which a finding was judged.
fn cache_of(judged: &Judged) -> Option<Cache> {
    [Cache::Cold, Cache::Warm].into_iter().find(|cache| {
        let words = format!("{cache} cache");
        judged.judged_by.iter().flat_map(|one| &one.workloads).any(|work| work.contains(&words))
    })
}

/// Writes the findings that were tested with one state of the file cache.
fn of_cache(title: &str, tested: Vec<&Judged>) -> Markup {
    if tested.is_empty() {
        return html! {};
    }
    let mut picture = Picture::new(&format!("Published findings, tested here: {}", title.to_lowercase()));
    picture.line("shaded: the claim; hollow: published; filled: here, with its interval", "mute");
    let names = NAMED.map(|(at, name)| (axis().at(at), name));
    picture.scale("finding", names.into_iter().map(|(at, name)| (at, name.to_owned())));
    for one in &tested {
        let deciding = one.deciding();
        let here = deciding.and_then(effect).map_or(String::new(), |(estimate, _)| estimate + ", ");
        picture.row(&one.id, "", &deciding.map_or(html! {}, plot), &(here + one.outcome.words()));
    }
    html! {
        h3.cache { (title) }
        ul.fs {
            li.axr aria-hidden="true" {
                span.cl {}
                span.ax { @for (at, name) in names { span style={ "left:" (percent_of(at)) } { (name) } } }
                span.tv {}
                span {}
            }
            @for one in &tested { (finding(one)) }
        }
        (picture.link(&format!("findings-{}", slug(title))))
    }
}

fn finding(judged: &Judged) -> Markup {
    let deciding = judged.deciding();
    let compared = deciding.map_or(String::new(), |one| format!(" · {}", plain(&one.what)));
    let claimed = deciding.map(claimed).unwrap_or_default();
    let here = deciding.and_then(effect);
    let then = published(judged);
    let (sign, class) = match judged.outcome {
        Outcome::Holds => ("✓", "holds"),
        Outcome::Reversed => ("⇄", "reversed"),
        Outcome::Undecided => ("?", "open"),
        Outcome::NoDifference => ("=", "alike"),
        Outcome::NotMeasured | Outcome::NotTestable => ("–", "absent"),
    };
    html! {
        li {
            span.cl {
                (plain(&judged.claim))
                small { (plain(&judged.id)) (compared) " · " (plain(&judged.place)) }
                @if let Some(remark) = page::untested(&[judged]).first() { small { (plain(&remark.text)) } }
                @for doubt in doubts(judged) { small { (plain(&doubt)) } }
            }
            (deciding.map_or(html! { svg.fg aria-hidden="true" {} }, plot))
            span.tv {
                @if !claimed.is_empty() { span { i { "claim" } span { (claimed) } } }
                @if !then.is_empty() { span { i { "then" } span { (plain(&then)) } } }
                @if let Some((estimate, interval)) = here {
                    span { i { "here" } span { b { (estimate) } " " (interval) } }
                }
            }
            span class={ "chip " (class) } { span aria-hidden="true" { (sign) } " " (judged.outcome.words()) }
        }
    }
}

/// Returns the axis of all ratios.
fn axis() -> Axis {
    Axis::new(TICKS[0], TICKS[TICKS.len() - 1], 3.0)
}

/// Returns the axis of a comparison: that of all ratios, or for other numbers one that has room for what is drawn.
fn axis_of(one: &Compared) -> Axis {
    if one.unit.is_none() {
        return axis();
    }
    let effect = one.effect.into_iter().flat_map(|effect| [Some(effect.estimate), effect.low, effect.high]);
    let then = one.published.iter().flat_map(|then| [Some(then.low), Some(then.high)]);
    let all = effect.chain(then).chain([one.at_least, one.at_most]).flatten();
    Axis::around(all.filter(|value| value.is_finite() && *value > 0.0), 2.0, 3.0)
}

/// Draws claim, published range and effect on one logarithmic axis. The figures stand next to it.
fn plot(one: &Compared) -> Markup {
    let axis = axis_of(one);
    let (from, to) =
        (one.at_least.map_or(0.0, |at| axis.at(at)), one.at_most.map_or(100.0, |at| axis.at(at)));
    html! {
        svg.fg aria-hidden="true" {
            rect.lim x=(percent_of(from)) width=(percent_of((to - from).max(0.5))) y="0" height="100%" {}
            @for tick in TICKS.into_iter().filter(|_| one.unit.is_none()) {
                line class=(if tick == 1.0 { "g1" } else { "g" }) x1=(axis.x(tick)) x2=(axis.x(tick)) y1="0" y2="100%" {}
            }
            @if let Some(then) = &one.published {
                line.th x1=(axis.x(then.low)) x2=(axis.x(then.high)) y1="10" y2="10" {}
                @if axis.is_beyond(then.high) { (marks::beyond(Edge::Right, "10", false)) }
                @if axis.is_below(then.low) { (marks::beyond(Edge::Left, "10", false)) }
                circle.th cx=(percent_of((axis.at(then.low) + axis.at(then.high)) / 2.0)) cy="10" r="4" {}
            }
            @if let Some(effect) = &one.effect {
                @let at = axis.at(effect.estimate);
                @let (low, high) = (effect.low.unwrap_or(effect.estimate), effect.high.unwrap_or(effect.estimate));
                line."i cand" x1=(axis.x(low)) x2=(axis.x(high)) y1="23" y2="23" {}
                @if effect.low.is_none() { (marks::fading("i cand", (at, (at - FADING).max(0.0)), "23")) }
                @if effect.high.is_none() { (marks::fading("i cand", (at, (at + FADING).min(100.0)), "23")) }
                @let seen = [effect.estimate, low, high];
                @if seen.iter().any(|value| axis.is_beyond(*value)) { (marks::beyond(Edge::Right, "23", false)) }
                @if seen.iter().any(|value| axis.is_below(*value)) { (marks::beyond(Edge::Left, "23", false)) }
                @if axis.holds(effect.estimate) { circle.cand cx=(axis.x(effect.estimate)) cy="23" r="4.4" {} }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use findings::{Effect, JudgedBy, Known, Published, judge};

    use super::*;

    fn judged(id: &str, outcome: Outcome) -> Judged {
        let all = findings::all();
        let mut judged = judge(&all[0], &[], &Known::new(), None);
        let seen = Effect { estimate: 1.25, low: Some(1.2), high: Some(1.33), rounds: 20 };
        let known = ORDER.contains(&outcome);
        for one in &mut judged.comparisons {
            one.outcome = outcome;
            one.effect = known.then_some(seen);
            one.published = Some(Published { low: 1.1, high: 5.5, machines: 6, outside: Vec::new() });
        }
        let reason = (!known).then(|| "no kept run has this family".to_owned());
        Judged { id: id.to_owned(), claim: "<a> is faster than b.".to_owned(), outcome, reason, ..judged }
    }

    fn text(all: &[Judged]) -> String {
        findings(all, RUN).expect("findings").into_string()
    }

    #[test]
    fn findings_stand_in_the_order_of_their_outcomes() {
        let all = [judged("second", Outcome::Reversed), judged("first", Outcome::Holds)];
        assert!(findings(&[], RUN).is_none());
        let text = text(&all);
        assert!(text.find("first") < text.find("second"), "{text}");
        let said = "2 of 2 published findings were tested here: 1 holds and 1 is reversed.";
        assert!(text.contains(said), "{text}");
        assert!(text.contains("✓</span> holds") && text.contains("⇄</span> reversed"), "{text}");
        assert!(text.contains("&lt;a&gt; is faster") && !text.contains("<a>"), "{text}");
    }

    #[test]
    fn the_effect_here_stands_next_to_the_published_one() {
        let text = text(&[judged("copy-1", Outcome::Holds)]);
        assert!(text.contains("1.10 to 5.50 (6 machines)"), "{text}");
        assert!(text.contains("<b>1.25</b> (1.20 to 1.33)"), "{text}");
        assert!(text.contains("class=\"th\"") && text.contains("class=\"i cand\""), "{text}");
    }

    #[test]
    fn those_that_a_run_does_not_test_are_one_line() {
        let all = [
            judged("a", Outcome::Holds),
            judged("b", Outcome::NotTestable),
            judged("c", Outcome::NotMeasured),
        ];
        let text = text(&all);
        assert!(text.contains("<summary>2 findings that this run does not test</summary>"), "{text}");
        assert!(text.contains("<b>b, c</b>"), "{text}");
        assert_eq!(text.matches("class=\"chip").count(), 1, "{text}");
    }

    #[test]
    fn all_findings_have_plots_and_a_table_for_each_family() {
        let all = [judged("second", Outcome::NoDifference), judged("first", Outcome::Undecided)];
        let page = all[..].drawn().expect("a page");
        let (plots, tables) = page.split_once("id=\"families\"").expect("both blocks");
        assert!(plots.find("first") < plots.find("second"), "{plots}");
        assert!(plots.contains("Filled: the kept runs") && !page.contains("this run"), "{plots}");
        assert_eq!(plots.matches("class=\"fg\"").count(), 2, "{plots}");
        let (table, _) = tables.split_once("</table>").expect("a table");
        assert_eq!(table.matches("scope=\"row\"").count(), 2, "{table}");
        let none = [judged("a", Outcome::NotTestable)][..].drawn().expect("a page");
        assert!(none.contains("<summary>1 finding that no kept run tests</summary>"), "{none}");
        assert!(!<[Judged]>::drawn(&[]).expect("a page").contains("id=\"families\""));
    }

    #[test]
    fn warm_and_cold_findings_stand_apart() {
        let of = |id: &str, cache: &str| {
            let (run, started) = (model::RunId("one".to_owned()), String::new());
            let workloads = vec![format!("published, 25.6 MB{cache}, ext4")];
            let judged_by = vec![JudgedBy { run, started, host: None, workloads }];
            Judged { judged_by, ..judged(id, Outcome::Holds) }
        };
        let all = [of("warm-1", ", warm cache"), of("none-1", ""), of("cold-1", ", cold cache")];
        let text = text(&all);
        let order = ["Cold file cache", "cold-1", "Warm file cache", "warm-1", "No file cache", "none-1"];
        let places: Vec<_> = order.iter().map(|part| text.find(&format!(">{part}")).expect(part)).collect();
        assert!(places.is_sorted(), "{places:?} {text}");
    }

    #[test]
    fn an_effect_beyond_the_axis_is_an_arrow() {
        let far = |estimate: f64, low: f64, high: Option<f64>, unit: Option<&str>| {
            let mut far = judged("far", Outcome::Holds);
            for one in &mut far.comparisons {
                one.effect = Some(Effect { estimate, low: Some(low), high, rounds: 20 });
                one.unit = unit.map(str::to_owned);
            }
            text(&[far])
        };
        let above = far(30.0, 20.0, None, None);
        assert!(above.contains("class=\"off\"") && above.contains("at least 20.0"), "{above}");
        let below = far(0.5, 0.01, Some(0.9), None);
        assert_eq!(below.matches("<svg x=\"0%\" y=\"23\"><path class=\"off\"").count(), 1, "{below}");
        let other = far(0.5, 0.01, Some(0.9), Some("ns"));
        assert!(!other.contains("class=\"off\"") && !other.contains("class=\"g1\""), "{other}");
    }
}
