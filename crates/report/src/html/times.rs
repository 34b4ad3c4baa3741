//! Where the time of each entry went: real, user and system time as bars.

use judge::{ContestSeen, Entry, Ranking, Times};
use maud::{Markup, html};
use model::Source;

use super::axis::{ends, percent_of};
use super::contest::cloud_of;
use super::marks;
use super::picture::Picture;
use super::write::breakable;
use crate::text::layout::plain;
use crate::words::phrase;
use crate::words::units::{BELOW_TICK, Scale};

/// Bars of the rows that a contest shows. Where the system reports no processor time of any of them, that is a line.
pub(super) fn times(entries: &[&Entry], ranking: &Ranking, seen: Option<&ContestSeen>, id: &str) -> Markup {
    let all = entries.iter().filter_map(|entry| {
        let times = cloud_of(entry, ranking, seen)?.times;
        Some((*entry, as_in_the_row(entry, ranking, times)))
    });
    let drawn: Vec<(&Entry, Times)> = all.filter(|(_, times)| times.real_ns.is_some()).collect();
    if drawn.is_empty() {
        return html! {};
    }
    if drawn.iter().all(|(_, times)| times.cpu_ns.is_none()) {
        return html! { p.note { "User and system time: the system reports none, or less than a tick of its counter." } };
    }
    let (_, longest) = ends(drawn.iter().flat_map(|(_, times)| [times.real_ns, times.cpu_ns]).flatten());
    let mut picture = Picture::new(&format!("{}: real, user and system time", ranking.family));
    for (entry, times) in &drawn {
        picture.row(&entry.technique, "", &bar(times, longest, ""), &in_words(times));
    }
    html! {
        details {
            summary { "Real, user and system time" }
            (key(&drawn, ranking))
            ol.brs {
                @for (entry, times) in &drawn {
                    @let (name, said) = (plain(&entry.technique), in_words(times));
                    li.br {
                        span.nm { (breakable(&name)) }
                        (bar(times, longest, &format!("{name}: {said}")))
                        span.bv { (said) }
                    }
                }
            }
            (picture.link(&format!("{id}-times")))
        }
    }
}

/// Returns true if real time is what a contest compares.
fn is_real(ranking: &Ranking) -> bool {
    judge::is_time(&ranking.metric) && ranking.unit_is_known
}

/// Returns the times of an entry, with the real time that its row shows; of a number of calls, the times of one call.
fn as_in_the_row(entry: &Entry, ranking: &Ranking, times: Times) -> Times {
    let real_ns = if is_real(ranking) { entry.median.value().or(times.real_ns) } else { times.real_ns };
    let calls = phrase::calls(ranking).unwrap_or(1.0);
    Times {
        real_ns: real_ns.map(|ns| ns / calls),
        cpu_ns: times.cpu_ns.map(|ns| ns / calls),
        apart_ns: times.apart_ns.map(|(user, system)| (user / calls, system / calls)),
    }
}

fn key(drawn: &[(&Entry, Times)], ranking: &Ranking) -> Markup {
    let is_apart = drawn.iter().any(|(_, times)| times.apart_ns.is_some());
    let is_whole = drawn.iter().any(|(_, times)| times.cpu_ns.is_some() && times.apart_ns.is_none());
    let marks = [
        (true, "real", "real"),
        (is_apart, "usr", "user"),
        (is_apart, "sys", "system"),
        (is_whole, "cpu", "user and system"),
    ];
    html! {
        div.key role="group" aria-label="How to read the bars" {
            @for (_, class, text) in marks.into_iter().filter(|(is_drawn, ..)| *is_drawn) {
                (marks::key("20", "12", html! { rect class=(class) width="20" height="12" {} }, text))
            }
        }
        p.note {
            @match phrase::calls(ranking) {
                Some(_) => "Times of one call, from 0.",
                None => "Times of one repetition, from 0.",
            }
            @if is_real(ranking) { " Real time is that of the plot and the table." }
            " Processor time beyond real time was spent by several threads or processes at once."
            @if is_whole {
                " User and system time are not known apart where a timed stretch is shorter than a tick of the system's accounting."
            }
            // A counter of the system is read once a sample.
            @if ranking.metric.source == Source::Usage {
                " What is compared above is that of all repetitions of a sample together."
            }
        }
    }
}

fn bar(times: &Times, longest: f64, said: &str) -> Markup {
    let width = |ns: f64| percent_of(if longest > 0.0 { 100.0 * ns / longest } else { 0.0 });
    html! {
        svg.bar role="img" aria-label=(said) {
            @if let Some(real) = times.real_ns { rect.real x="0" y="1" width=(width(real)) height="18" {} }
            @if let Some((user, system)) = times.apart_ns {
                rect.usr x="0" y="6" width=(width(user)) height="8" {}
                rect.sys x=(width(user)) y="6" width=(width(system)) height="8" {}
            } @else if let Some(both) = times.cpu_ns {
                rect.cpu x="0" y="6" width=(width(both)) height="8" {}
            }
        }
    }
}

/// `5.04 ms real, 0.12 ms user, 4.90 ms system`.
fn in_words(times: &Times) -> String {
    let time = |ns: f64| Scale::of_ns(ns).value(ns);
    let mut parts: Vec<String> = times.real_ns.map(|ns| format!("{} real", time(ns))).into_iter().collect();
    match (times.apart_ns, times.cpu_ns) {
        (Some((user, system)), _) => parts.extend([(user, "user"), (system, "system")].map(|(ns, what)| {
            if ns > 0.0 { format!("{} {what}", time(ns)) } else { format!("{what} {BELOW_TICK}") }
        })),
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
        page_of(&Ranking { unit_is_known: false, ..fixture::ranking() }, times)
    }

    fn page_of(ranking: &Ranking, times: &[Times]) -> String {
        let clouds = times.iter().map(|times| Cloud { times: *times, ..Cloud::default() });
        let seen = ContestSeen { entries: clouds.collect(), drift: None };
        let entries: Vec<&Entry> = ranking.entries.iter().take(times.len()).collect();
        super::times(&entries, ranking, Some(&seen), "copy").into_string()
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
        assert!(!page.contains("not known apart"), "{page}");
    }

    #[test]
    fn the_basis_of_compared_processor_time_is_said() {
        let by_cpu = fixture::clear_by(model::Metric::CPU);
        assert!(page_of(&by_cpu, &[KNOWN]).contains("all repetitions of a sample together"));
        assert!(!page(&[KNOWN]).contains("all repetitions"));
    }

    #[test]
    fn a_row_has_one_time_in_plot_axis_table_and_bars() {
        let mut ranking = fixture::ranking();
        let leader = ranking.entries[0].median.value().expect("a time");
        let slower = leader * 12.34;
        ranking.entries[4].median = fixture::ns(slower);
        let all = vec![KNOWN; 5];
        let bars = page_of(&ranking, &all);
        // The median of its own rounds, 8 ms, stands nowhere.
        assert!(bars.contains("66.8 ms real") && !bars.contains("8.00 ms real"), "{bars}");
        ranking.workload = ranking.workload.with("calls", 1000);
        let of_calls = page_of(&ranking, &all);
        assert!(of_calls.contains("66.8 us real, 4.00 us user, 6.00 us system"), "{of_calls}");
        assert!(of_calls.contains("Times of one call") && !of_calls.contains(" ms real"), "{of_calls}");
    }

    #[test]
    fn what_is_below_the_tick_or_not_known_is_said() {
        let whole = Times { apart_ns: None, ..KNOWN };
        let unknown = Times { cpu_ns: None, apart_ns: None, ..KNOWN };
        let both = page(&[whole, unknown]);
        assert!(both.contains("10.0 ms user and system"), "{both}");
        assert!(both.contains("user and system not known"), "{both}");
        assert!(both.contains("not known apart where") && !both.contains("class=\"usr\""), "{both}");
        let none = page(&[unknown]);
        assert!(none.contains("the system reports none") && !none.contains("<svg"), "{none}");
        assert_eq!(page(&[Times::default()]), "");
        let all_system = page(&[Times { apart_ns: Some((0.0, 6e6)), ..KNOWN }]);
        assert!(all_system.contains("real, user less than a tick, 6.00 ms system"), "{all_system}");
    }
}
