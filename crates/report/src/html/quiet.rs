//! The verdict on the host, under the title of a run's page: quiet or not, and which answers that touched.

use judge::{Decided, Ranking, Seen};
use maud::{Markup, html};
use model::{Record, Topic};

use super::{Titled, compared, seen_of};
use crate::text::layout::plain;
use crate::words::curves::{self, Part};
use crate::words::phrase::{enumerated, once};
use crate::words::run::load;
use crate::words::units::{percent, three_digits};

/// A host whose fixed work spreads by more than this from round to round is not quiet.
const QUIET: f64 = 0.05;
/// Answers that are named; of more the number is said.
const MOST_NAMED: usize = 4;

pub(super) fn verdict(record: &Record, decided: &Decided, parts: &[Titled<'_>], seen: &Seen) -> Markup {
    let causes = causes(record, decided, seen);
    let touched = touched(decided, parts, seen);
    let (word, text) = match (&causes[..], &touched[..]) {
        ([], []) => match stayed(record, seen) {
            Some(text) => ("Quiet", text),
            None => ("Not known to be quiet", "neither the load nor fixed work was measured.".to_owned()),
        },
        ([], touched) => ("Not quiet", format!("rounds or ratios moved in {}.", named(touched))),
        (causes, []) => ("Not quiet", format!("{}. No answer moved by more than 5 %.", causes.join("; "))),
        (causes, touched) => ("Not quiet", format!("{}. Touched: {}.", causes.join("; "), named(touched))),
    };
    html! {
        p.verdict.doubt[word != "Quiet"] { b { (word) ":" } " " (plain(&text)) }
    }
}

/// Returns what disturbed the host, a clause each.
fn causes(record: &Record, decided: &Decided, seen: &Seen) -> Vec<String> {
    use Topic::{FreeMemory, OutOfMemory, Steal, Swap, Throttle};
    let mut all: Vec<String> = load(&record.host, &compared(decided)).into_iter().collect();
    for note in &record.notes {
        let is_cause = matches!(note.topic, FreeMemory | OutOfMemory | Steal | Swap | Throttle);
        all.extend(is_cause.then(|| note.text.clone()));
    }
    let flags = decided.rankings.iter().flat_map(|ranking| &ranking.flags);
    all.extend(flags.filter(|flag| flag.name == "drift").map(|flag| flag.text.clone()));
    for (what, drift) in ["arithmetic", "walk through memory"].into_iter().zip(&seen.canaries) {
        let said = || format!("the same {what} differed by ±{} between rounds", percent(drift.spread));
        all.extend((drift.spread > QUIET).then(said));
    }
    once(all.iter().map(|text| text.trim_end_matches('.').to_owned()))
}

/// Returns the answers whose rounds differ, or whose ratio moved, with the largest spread of their contests.
fn touched(decided: &Decided, parts: &[Titled<'_>], seen: &Seen) -> Vec<String> {
    let mut touched = Vec::new();
    for Titled { part, label, .. } in parts {
        let contests: Vec<&Ranking> = match part {
            Part::Contest(ranking) => vec![*ranking],
            Part::Curve(curve) => {
                curves::levels(curve, &decided.rankings).into_iter().map(|(_, one)| one).collect()
            }
        };
        let drifts = contests.iter().filter_map(|one| seen_of(one, decided, seen)?.drift.as_ref());
        let spread = drifts.map(|drift| drift.spread).fold(0.0, f64::max);
        if spread > QUIET {
            touched.push(format!("{label} (±{})", percent(spread)));
        } else if contests.iter().flat_map(|one| &one.flags).any(|flag| flag.name == "ratio_moved") {
            touched.push(format!("{label} (a ratio moved)"));
        }
    }
    touched
}

fn named(touched: &[String]) -> String {
    let more = touched.len().saturating_sub(MOST_NAMED);
    let mut names = touched[..touched.len() - more].to_vec();
    names.extend((more > 0).then(|| format!("{more} more")));
    enumerated(&names)
}

/// Returns what shows that the host was quiet; `None` where nothing was measured that could.
fn stayed(record: &Record, seen: &Seen) -> Option<String> {
    let mut said = Vec::new();
    said.extend(record.host.load.map(|load| format!("load {} when it began", three_digits(load[0]))));
    let spread = seen.canaries.iter().map(|drift| drift.spread).reduce(f64::max);
    said.extend(spread.map(|spread| format!("fixed work stayed within ±{} between rounds", percent(spread))));
    (!said.is_empty()).then(|| said.join("; ") + ".")
}
