//! Where the time of each entry went: real, user and system time as bars.

use judge::{ContestSeen, Entry, Ranking, Times};
use maud::{Markup, html};
use model::Source;

use super::axis::percent_of;
use super::marks;
use super::write::breakable;
use crate::text::layout::plain;
use crate::words::units::Scale;

/// Bars of the rows that a contest shows. Where the system reports no processor time of any of them, that is a line.
pub(super) fn times(
    entries: &[&Entry],
    ranking: &Ranking,
    seen: Option<&ContestSeen>,
    is_open: bool,
) -> Markup {
    let of = |entry: &&Entry| -> Option<Times> {
        let at = ranking.entries.iter().position(|one| std::ptr::eq(one, *entry))?;
        Some(seen?.entries.get(at)?.times)
    };
    let all: Vec<(&Entry, Times)> = entries.iter().filter_map(|entry| Some((*entry, of(entry)?))).collect();
    let drawn: Vec<&(&Entry, Times)> = all.iter().filter(|(_, times)| times.real_ns.is_some()).collect();
    if drawn.is_empty() {
        return html! {};
    }
    if drawn.iter().all(|(_, times)| times.cpu_ns.is_none()) {
        return html! { p.note { "User and system time: the system tells none, or less than a tick of its counter." } };
    }
    let longest =
        drawn.iter().flat_map(|(_, times)| [times.real_ns, times.cpu_ns]).flatten().fold(0.0, f64::max);
    html! {
        details open[is_open] {
            summary { "Real, user and system time" }
            (key(&drawn, ranking))
            ol.brs { @for (entry, times) in drawn { (bar(entry, times, longest)) } }
        }
    }
}

fn key(drawn: &[&(&Entry, Times)], ranking: &Ranking) -> Markup {
    let mark = |class: &str, text: &str| {
        marks::key("20", "12", html! { rect class=(class) width="20" height="12" {} }, text)
    };
    let any = |of: &dyn Fn(&Times) -> bool| drawn.iter().any(|(_, times)| of(times));
    let is_apart = any(&|times| times.apart_ns.is_some());
    let is_whole = any(&|times| times.cpu_ns.is_some() && times.apart_ns.is_none());
    html! {
        div.key role="group" aria-label="How to read the bars" {
            (mark("real", "real"))
            @if is_apart { (mark("usr", "user")) (mark("sys", "system")) }
            @if is_whole { (mark("cpu", "user and system")) }
        }
        p.note {
            "Medians of one repetition, from 0. Processor time beyond real time was spent by several threads or processes at \
             once."
            @if is_whole {
                " User and system time are not told apart where a timed stretch is shorter than a tick of the system's accounting."
            }
            // A counter of the system is read once a sample.
            @if ranking.metric.source == Source::Usage {
                " What is compared above is that of all repetitions of a sample together."
            }
        }
    }
}

fn bar(entry: &Entry, times: &Times, longest: f64) -> Markup {
    let told = told(times);
    let width = |ns: f64| percent_of(if longest > 0.0 { 100.0 * ns / longest } else { 0.0 });
    let name = plain(&entry.technique);
    html! {
        li.br {
            span.nm { (breakable(&name)) }
            svg.bar role="img" aria-label={ (name) ": " (told) } {
                @if let Some(real) = times.real_ns { rect.real x="0" y="1" width=(width(real)) height="18" {} }
                @match (times.apart_ns, times.cpu_ns) {
                    (Some((user, system)), _) => {
                        rect.usr x="0" y="6" width=(width(user)) height="8" {}
                        rect.sys x=(width(user)) y="6" width=(width(system)) height="8" {}
                    }
                    (None, Some(both)) => rect.cpu x="0" y="6" width=(width(both)) height="8" {},
                    (None, None) => {}
                }
            }
            span.bv { (told) }
        }
    }
}

/// `5.04 ms real, 0.12 ms user, 4.90 ms system`.
fn told(times: &Times) -> String {
    let time = |ns: f64| Scale::of_ns(ns).value(ns);
    let mut parts: Vec<String> = times.real_ns.map(|ns| format!("{} real", time(ns))).into_iter().collect();
    match (times.apart_ns, times.cpu_ns) {
        (Some((user, system)), _) => {
            // What is reported as 0 is less than the counter's tick.
            let part = |ns: f64, what: &str| match ns > 0.0 {
                true => format!("{} {what}", time(ns)),
                false => format!("{what} less than a tick"),
            };
            parts.extend([part(user, "user"), part(system, "system")]);
        }
        (None, Some(both)) => parts.push(format!("{} user and system", time(both))),
        (None, None) => parts.push("user and system not known".to_owned()),
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use judge::Cloud;

    use super::*;
    use crate::fixture;

    fn page(times: &[Times]) -> String {
        page_of(&fixture::ranking(), times)
    }

    fn page_of(ranking: &Ranking, times: &[Times]) -> String {
        let cloud = |times: &Times| Cloud { times: *times, ..Cloud::default() };
        let seen = ContestSeen { entries: times.iter().map(cloud).collect(), drift: None };
        let entries: Vec<&Entry> = ranking.entries.iter().take(times.len()).collect();
        super::times(&entries, ranking, Some(&seen), true).into_string()
    }

    const KNOWN: Times = Times { real_ns: Some(8e6), cpu_ns: Some(1e7), apart_ns: Some((4e6, 6e6)) };

    #[test]
    fn user_and_system_time_are_stacked_inside_real_time() {
        let page = page(&[KNOWN]);
        for part in [
            "<rect class=\"real\" x=\"0\" y=\"1\" width=\"80%\"",
            "<rect class=\"usr\" x=\"0\" y=\"6\" width=\"40%\"",
            "<rect class=\"sys\" x=\"40%\" y=\"6\" width=\"60%\"",
            "8.00 ms real, 4.00 ms user, 6.00 ms system",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains("not told apart"), "{page}");
    }

    #[test]
    fn where_processor_time_is_compared_its_basis_is_told_beside_that_of_the_bars() {
        let by_cpu = fixture::clear_by(model::Metric::CPU);
        assert!(page_of(&by_cpu, &[KNOWN]).contains("all repetitions of a sample together"));
        assert!(!page(&[KNOWN]).contains("all repetitions"));
    }

    #[test]
    fn what_is_below_the_tick_or_not_known_is_said() {
        let whole = Times { apart_ns: None, ..KNOWN };
        let unknown = Times { cpu_ns: None, apart_ns: None, ..KNOWN };
        let both = page(&[whole, unknown]);
        assert!(both.contains("10.0 ms user and system"), "{both}");
        assert!(both.contains("user and system not known"), "{both}");
        assert!(both.contains("not told apart where") && !both.contains("class=\"usr\""), "{both}");
        let none = page(&[unknown]);
        assert!(none.contains("the system tells none") && !none.contains("<svg"), "{none}");
        assert_eq!(page(&[Times::default()]), "");
        let all_system = page(&[Times { apart_ns: Some((0.0, 6e6)), ..KNOWN }]);
        assert!(all_system.contains("real, user less than a tick, 6.00 ms system"), "{all_system}");
    }
}
