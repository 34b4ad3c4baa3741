//! What was published, tested here: a row for each finding.

use maud::{Markup, html};

use super::axis::{Axis, percent_of};
use super::dots::grouped;
use crate::layout::plain;
use crate::units::three_digits;

/// The factors at the ends of the axis.
const ENDS: (f64, f64) = (0.125, 8.0);
const TICKS: [f64; 7] = [0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

/// What became of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingVerdict {
    /// It is so here too.
    Holds,
    /// It is the other way round here.
    Reversed,
    /// Not enough was measured to tell.
    Undecided,
    /// The two do not differ here.
    NoDifference,
    /// It cannot be tested here.
    NotTestable,
}

/// A published finding and what was found here. Decided elsewhere, only laid out here.
#[derive(Debug, Clone, PartialEq)]
pub struct FindingRow {
    /// Its name: `copy-1`.
    pub id: String,
    /// The claim in a sentence.
    pub claim: String,
    /// Where it was published, and the conditions.
    pub source: String,
    /// The published factors, lowest and highest.
    pub published: Option<(f64, f64)>,
    /// The factor here: lower end, estimate, upper end.
    pub here: Option<(f64, f64, f64)>,
    /// What became of it.
    pub verdict: FindingVerdict,
    /// What it would need, where it was not decided.
    pub needs: Option<String>,
}

impl FindingVerdict {
    /// Its sign, its words, and its colours.
    fn chip(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Holds => ("✓", "holds", "holds"),
            Self::Reversed => ("⇄", "reversed", "reversed"),
            Self::Undecided => ("?", "undecided", "open"),
            Self::NoDifference => ("=", "no difference", "alike"),
            Self::NotTestable => ("–", "not testable", "absent"),
        }
    }
}

/// The block, in the order of the verdicts; nothing where there is no finding.
pub(super) fn findings(rows: &[FindingRow]) -> Option<Markup> {
    let mut rows: Vec<&FindingRow> = rows.iter().collect();
    rows.sort_by_key(|row| row.verdict);
    let count = |verdict: FindingVerdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let all = [
        FindingVerdict::Holds,
        FindingVerdict::Reversed,
        FindingVerdict::Undecided,
        FindingVerdict::NoDifference,
        FindingVerdict::NotTestable,
    ];
    let told = all.map(|verdict| (count(verdict), verdict.chip().1));
    let told = told
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{} {word}", grouped(*count as u64)));
    let told: Vec<String> = told.collect();
    (!rows.is_empty()).then(|| {
        html! {
            section #findings aria-labelledby="h-findings" {
                h2 #h-findings { "Published findings, tested here" }
                p.body {
                    (told.join(", ")) ". Right of 1 it goes as published. Hollow: published. Filled: here, with its interval."
                }
                ul.fs { @for row in rows { (finding(row)) } }
            }
        }
    })
}

fn finding(row: &FindingRow) -> Markup {
    let (sign, word, class) = row.verdict.chip();
    let range = |(low, high): (f64, f64)| format!("{}–{}×", three_digits(low), three_digits(high));
    let published = row.published.map(range);
    let here = row.here.map(|(low, _, high)| range((low, high)));
    html! {
        li {
            span.cl {
                (plain(&row.claim))
                small { (plain(&row.id)) " · " (plain(&row.source)) }
                @if let Some(needs) = &row.needs { small { (plain(needs)) } }
            }
            (plot(row))
            span.tv {
                @if let Some(published) = published { span { i { "then" } " " (published) } }
                @if let Some(here) = here { span { i { "here" } " " b { (here) } } }
            }
            span class={ "chip " (class) } { (sign) " " (word) }
        }
    }
}

/// Published and found, on one logarithmic axis.
fn plot(row: &FindingRow) -> Markup {
    let axis = Axis::new(ENDS.0, ENDS.1, 3.0);
    let x = |value: f64| percent_of(axis.at(value));
    html! {
        svg.fg aria-hidden="true" {
            @for tick in TICKS { line class=(if tick == 1.0 { "g1" } else { "g" }) x1=(x(tick)) x2=(x(tick)) y1="0" y2="100%" {} }
            @if let Some((low, high)) = row.published {
                line.th x1=(x(low)) x2=(x(high)) y1="10" y2="10" {}
                circle.th cx=(x((low * high).sqrt())) cy="10" r="4" {}
            }
            @if let Some((low, estimate, high)) = row.here {
                line.i.cand x1=(x(low)) x2=(x(high)) y1="22" y2="22" {}
                circle.cand cx=(x(estimate)) cy="22" r="4.4" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_findings_there_is_no_block() {
        assert!(findings(&[]).is_none());
    }

    #[test]
    fn findings_stand_in_the_order_of_their_verdicts_with_sign_and_word() {
        let row = |id: &str, verdict| FindingRow {
            id: id.into(),
            claim: "<a> is faster than b".into(),
            source: "a page".into(),
            published: Some((1.5, 2.0)),
            here: Some((1.2, 1.3, 1.4)),
            verdict,
            needs: None,
        };
        let rows = [row("second", FindingVerdict::Reversed), row("first", FindingVerdict::Holds)];
        let text = findings(&rows).expect("two").into_string();
        assert!(text.find("first") < text.find("second"), "{text}");
        assert!(text.contains("1 holds, 1 reversed.") && text.contains("✓ holds"), "{text}");
        assert!(text.contains("&lt;a&gt; is faster") && !text.contains("<a>"), "{text}");
    }
}
