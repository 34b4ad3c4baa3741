//! How quiet the host was: a verdict under the title of a run's page, and panels of what is the same in every round.

use judge::{Decided, Drift, Seen};
use maud::{Markup, html};
use model::{Record, Unit};

use super::axis::{self, Axis, percent_of};
use super::picture::Picture;
use super::{Titled, compared, write};
use crate::page::blocks::{Block, Table, Tone};
use crate::text::layout::plain;
use crate::words::run::{causes, load_per_processor, named, seen_of, touched};
use crate::words::units::{amount, percent, three_digits};

pub(super) fn verdict(record: &Record, decided: &Decided, seen: &Seen) -> Markup {
    let parts = compared(decided);
    let causes = causes(record, decided, &parts, seen);
    let touched = touched(decided, &parts, seen);
    let (word, text) = match (&causes[..], &touched[..]) {
        ([], []) => match stayed(record, seen) {
            Some(text) if load_per_processor(&record.host).is_some_and(|load| load >= 1.0) => {
                ("Other work ran", text)
            }
            Some(text) => ("Quiet", text),
            None => ("Not known to be quiet", "neither the load nor fixed work was measured.".to_owned()),
        },
        ([], touched) => ("Not quiet", format!("rounds or ratios moved in {}.", named(touched))),
        (causes, []) => ("Not quiet", format!("{}. No answer moved by more than 5 %.", causes.join("; "))),
        (causes, touched) => ("Not quiet", format!("{}. Affected: {}.", causes.join("; "), named(touched))),
    };
    html! {
        p.verdict.doubt[word != "Quiet"] { b { (word) ":" } " " (plain(&text)) }
    }
}

/// Returns what shows that the host was quiet; `None` where nothing was measured that could.
fn stayed(record: &Record, seen: &Seen) -> Option<String> {
    let mut said = Vec::new();
    said.extend(record.host.load.map(|load| format!("load {} when it began", three_digits(load[0]))));
    let spread = seen.canaries.iter().map(|drift| drift.spread).reduce(f64::max);
    said.extend(spread.map(|spread| format!("fixed work stayed within ±{} between rounds", percent(spread))));
    (!said.is_empty()).then(|| said.join("; ") + ".")
}

/// All panels have one scale: from this ratio to its inverse.
const MOST: f64 = 1.4;
/// More panels would be a page of their own.
const MOST_PANELS: usize = 24;
/// Beyond this many rounds the points of a panel stand in its line only.
const MOST_POINTS: usize = 120;
/// Pixels of a panel in a picture of all.
const HEIGHT: f64 = 72.0;

struct Shown<'a> {
    name: &'a str,
    what: &'static str,
    drift: &'a Drift,
}

/// The block; nothing where no panel has two rounds and nothing was noted.
pub(super) fn noise(parts: &[Titled<'_>], decided: &Decided, seen: &Seen, notes: &[Block]) -> Option<Markup> {
    let all = shown(parts, decided, seen);
    if all.is_empty() && write::section(notes).0.is_empty() {
        return None;
    }
    let mut picture = Picture::new("Deviation from the median, round by round, from −29 % to +40 %");
    for one in all.iter().take(MOST_PANELS) {
        picture.line(&format!("{}: ±{}", one.name, percent(one.drift.spread)), "");
        picture.field(HEIGHT, &plot(one), [], []);
    }
    Some(html! {
        section #noise aria-labelledby="h-noise" {
            h2 #h-noise { "How quiet was the host?" }
            (write::section(notes))
            @if !all.is_empty() {
                p.body {
                    "Deviation from the median, round by round. All panels are logarithmic, from −29\u{a0}% to +40\u{a0}%; what lies \
                     beyond is drawn larger at the edge. The band is the robust spread."
                }
                div.nps {
                    @for one @ Shown { name, what, drift } in all.iter().take(MOST_PANELS) {
                        figure.np {
                            figcaption { b title=(plain(name)) { (plain(name)) } span { "±" (percent(drift.spread)) } }
                            (plot(one))
                            small { (what) }
                        }
                    }
                }
                @if all.len() > MOST_PANELS {
                    p.note { (all.len() - MOST_PANELS) " more are in the table." }
                }
                (picture.link("noise"))
                (write::folded(&table(&all), false))
            }
        }
    })
}

fn shown<'a>(parts: &'a [Titled<'_>], decided: &Decided, seen: &'a Seen) -> Vec<Shown<'a>> {
    let canaries = [
        ("processor", "canary: the same arithmetic in every round"),
        ("memory", "canary: the same walk through memory"),
    ];
    let canaries = canaries.into_iter().zip(&seen.canaries);
    let mut all: Vec<Shown<'_>> = canaries.map(|((name, what), drift)| Shown { name, what, drift }).collect();
    for titled in parts {
        let seen = titled.contest().and_then(|ranking| seen_of(ranking, decided, seen));
        if let Some(drift) = seen.and_then(|seen| seen.drift.as_ref()) {
            all.push(Shown { name: &titled.label, what: "contest: median of those that are tied", drift });
        }
    }
    all
}

fn table(all: &[Shown<'_>]) -> Table {
    let mut table = Table::of(
        "< panel | > rounds | > median | > robust spread | > smallest | > largest | > beyond the axis",
    );
    table.about = "how much each of them moved";
    for Shown { name, drift, .. } in all {
        let (low, high) = range(drift);
        let beyond = drift.rounds.iter().filter(|(_, ratio)| is_clamped(*ratio)).count();
        let cells = [
            (*name).to_owned(),
            drift.rounds.len().to_string(),
            drift.median_ns.map_or(String::new(), |ns| amount(Unit::Nanoseconds, ns)),
            format!("±{}", percent(drift.spread)),
            signed(low),
            signed(high),
            beyond.to_string(),
        ];
        table.row(cells, Tone::Plain);
    }
    table.below = Some("Smallest and largest are deviations from the median of all rounds. A contest has no median of its own: \
                        its techniques take different times.".to_owned());
    table
}

fn range(drift: &Drift) -> (f64, f64) {
    axis::ends(drift.rounds.iter().map(|(_, ratio)| *ratio).chain([1.0]))
}

fn is_clamped(ratio: f64) -> bool {
    !(1.0 / MOST..=MOST).contains(&ratio)
}

fn plot(shown: &Shown<'_>) -> Markup {
    let Shown { name, drift, .. } = shown;
    let axis = Axis::new(1.0 / MOST, MOST, 0.0);
    let [first, last] = [drift.rounds.first(), drift.rounds.last()].map(|end| end.map_or(0, |one| one.0));
    let places = drift.rounds.iter().map(|(round, ratio)| {
        let x = 3.0 + 94.0 * f64::from(round - first) / f64::from((last - first).max(1));
        (x, 100.0 - axis.at(*ratio))
    });
    let path: String = places.clone().map(|(x, y)| format!("{x:.1},{y:.1} ")).collect();
    let [top, bottom] = [1.0 + drift.spread, 1.0 / (1.0 + drift.spread)].map(|ratio| 100.0 - axis.at(ratio));
    let (low, high) = range(drift);
    let spread = percent(drift.spread);
    let said = format!("{}: robust spread {spread}, from {} to {}", plain(name), signed(low), signed(high));
    let points = drift.rounds.iter().zip(places);
    let points = points.filter(|((_, ratio), _)| drift.rounds.len() <= MOST_POINTS || is_clamped(*ratio));
    html! {
        svg role="img" aria-label=(said) {
            title { (said) }
            rect.lim x="0" width="100%" y=(percent_of(top)) height=(percent_of(bottom - top)) {}
            line.g1 x1="0" x2="100%" y1="50%" y2="50%" {}
            svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" {
                polyline.nl points=(path) {}
            }
            @for ((round, ratio), (x, y)) in points {
                circle.nd.hot[is_clamped(*ratio)] cx=(percent_of(x)) cy=(percent_of(y))
                    r=(if is_clamped(*ratio) { "3" } else { "2" }) {
                    title { "round " (round) ": " (signed(*ratio)) }
                }
            }
        }
    }
}

/// A ratio as a deviation: `+4.6 %`, `−1.3 %`.
fn signed(ratio: f64) -> String {
    let deviation = (ratio - 1.0) * 100.0;
    let sign = if deviation < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1} %", deviation.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_figures_of_each_panel() {
        let drift = Drift {
            rounds: vec![(0, 1.0), (1, 0.98), (2, 1.9), (3, 0.5)],
            median_ns: Some(2e6),
            spread: 0.03,
        };
        let contest = Drift { median_ns: None, ..drift.clone() };
        let one = |name, drift| Shown { name, what: "", drift };
        let all = [one("processor", &drift), one("copy", &contest)];
        let text = write::folded(&table(&all), false).into_string();
        let row = |name: &str| text.split("<tr").find(|row| row.contains(name)).expect("a row").to_owned();
        for said in [">4<", ">2.00 ms<", ">±3 %<", ">−50.0 %<", ">+90.0 %<", ">2<"] {
            assert!(row("processor").contains(said), "{said}: {text}");
        }
        assert!(!row("copy").contains(" ms<"), "{text}");
    }

    #[test]
    fn what_is_not_drawn_stands_in_the_table() {
        let drift = Drift { rounds: vec![(0, 1.0), (1, 1.01)], median_ns: None, spread: 0.01 };
        let many: Vec<Shown<'_>> =
            (0..MOST_PANELS + 3).map(|_| Shown { name: "copy", what: "", drift: &drift }).collect();
        assert_eq!(table(&many).rows.len(), MOST_PANELS + 3);
    }
}
