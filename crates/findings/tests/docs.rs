//! FINDINGS.md is made from the findings, so that it never says something else.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use findings::{Compared, Finding, Known, MeasuredWith, Publication, Published, judge, read_all};

/// Returns all names that a finding uses: the page says what is published, not what can be measured here.
fn known(all: &[Finding]) -> Known {
    let mut known = Known::new();
    for finding in all {
        let names: &mut BTreeSet<String> = known.entry(finding.family.clone()).or_default();
        names.extend(finding.names().into_iter().map(str::to_owned));
    }
    known
}

/// Three digits.
fn figure(value: f64) -> String {
    let decimals = (2 - value.abs().max(1e-9).log10().floor() as i32).clamp(0, 6) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn comparison(one: &Compared) -> String {
    let mut text = one.what.clone();
    let _ = match (one.at_least, one.at_most) {
        (Some(1.0), None) => write!(text, ": above 1"),
        (Some(least), None) => write!(text, ": {} or more", figure(least)),
        (None, Some(most)) => write!(text, ": {} at most", figure(most)),
        (Some(least), Some(most)) => write!(text, ": {} to {}", figure(least), figure(most)),
        (None, None) => Ok(()),
    };
    if let Some(published) = &one.published {
        let _ = write!(text, " (published {})", range(published));
    }
    text
}

/// Returns what a reader of a family's findings must know about its techniques here.
fn remark(family: &str) -> &'static str {
    match family {
        "pipeline" => {
            "On Linux the six strategies are made of what it has: the mutex of Windows is a pipe that holds one byte, and its events \
             are futexes. A write to an `eventfd` would wake all that wait for it, where a mutex and an auto-reset event wake one.\n\n"
        }
        _ => "",
    }
}

fn range(published: &Published) -> String {
    let (low, high) = (figure(published.low), figure(published.high));
    match published.machines {
        1 => low,
        machines if low == high => format!("{low}, {machines} machines"),
        machines => format!("{low} to {high}, {machines} machines"),
    }
}

fn page(all: &[Finding]) -> String {
    let known = known(all);
    let mut page = String::from(
        "# Published findings\n\n\
         What four publications concluded about the jobs of this program on the machines of 2001 to 2004, and how each \
         conclusion is compared with what is measured here: `bakeoff findings` judges them by kept runs, `bakeoff findings \
         --measure` measures what they need. [METHODOLOGY.md](METHODOLOGY.md) says how.\n\n\
         This page is made from the files in [findings](findings) and the tables in [published](published); after a change \
         `UPDATE_DOCS=1 cargo test -p findings --test docs` writes it anew.\n",
    );
    for source in [Publication::Wsp, Publication::Cse221, Publication::Bradford, Publication::Khatsiev] {
        let count = all.iter().filter(|finding| finding.claim.source == source).count();
        let _ = write!(page, "\n- {}: {count} findings", source.title());
    }
    page.push('\n');
    let mut families: Vec<&str> = all.iter().map(|finding| finding.family.as_str()).collect();
    families.dedup();
    for family in families {
        let _ = write!(
            page,
            "\n## {family}\n\n{}| finding | what was published | compared here |\n|:--|:--|:--|\n",
            remark(family)
        );
        for finding in all.iter().filter(|finding| finding.family == family) {
            let judged = judge(finding, &[], &known, None);
            let mut compared: Vec<String> = judged.comparisons.iter().map(comparison).collect();
            compared.extend(judged.published.iter().map(|found| format!("published: {}", range(found))));
            compared.extend(finding.claim.figure.iter().map(|figure| format!("published: {figure}")));
            compared.extend(finding.claim.measured_with.iter().map(MeasuredWith::words));
            if judged.comparisons.is_empty() {
                compared.extend(judged.reason);
            }
            let claim = &finding.claim;
            let _ = writeln!(
                page,
                "| [{}](findings/{family}/{}.toml) | {} ({}; {}) | {} |",
                claim.id,
                finding.slug,
                claim.claim,
                claim.place,
                claim.conditions,
                compared.join("<br>")
            );
        }
    }
    page
}

#[test]
fn the_page_of_findings_is_up_to_date() {
    let page = page(&read_all().expect("findings"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../FINDINGS.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    let differs = page.lines().zip(kept.lines()).position(|(now, then)| now != then);
    assert!(
        page == kept,
        "FINDINGS.md is stale from line {differs:?} on: UPDATE_DOCS=1 cargo test -p findings --test docs"
    );
}
