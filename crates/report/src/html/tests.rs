//! What the HTML pages hold.

use judge::{Cloud, ContestSeen, Dot, Drift, Times};

use super::*;
use crate::fixture;
use crate::pages::HostPage;
use crate::{Format, Style, render};

fn seen(contests: usize) -> Seen {
    let dots =
        |ratio: f64| (1..=20).map(|round| Dot { round, ratio: ratio + f64::from(round) / 100.0 }).collect();
    let cloud = |entry: &judge::Entry| Cloud {
        dots: entry.factor.map(dots).unwrap_or_default(),
        middle: Some((5.3e6, 5.6e6)),
        times: Times::default(),
    };
    let drift = Drift { rounds: vec![(0, 1.0), (1, 1.02), (2, 1.9)], median_ns: Some(1.5e6), spread: 0.03 };
    let contest = ContestSeen {
        entries: fixture::ranking().entries.iter().map(cloud).collect(),
        drift: Some(drift.clone()),
    };
    Seen { contests: vec![contest; contests], canaries: vec![drift.clone(), drift] }
}

fn page_of(decided: &Decided) -> String {
    let page = RunPage { record: &fixture::record(), decided, context: &fixture::context(), findings: &[] };
    run(&page, &seen(decided.rankings.len()))
}

fn of<P: Page + ?Sized>(page: &P) -> String {
    render(page, Format::Html, &Style::default())
}

fn contests() -> Decided {
    fixture::decided(&[fixture::ranking(), fixture::clear()])
}

/// The text of a page without its tags.
fn text(page: &str) -> String {
    let mut out = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        rest = after.split_once('>').map_or("", |(_, behind)| behind);
    }
    let out = out + rest;
    out.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// What stands in a tag.
fn tags<'a>(page: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let begins =
        move |rest: &&str| rest.starts_with(name) && !rest[name.len()..].starts_with(char::is_alphanumeric);
    page.split('<').filter(begins).map(|rest| rest.split('>').next().unwrap_or_default())
}

#[test]
fn a_page_fetches_nothing_and_runs_nothing() {
    for page in [page_of(&contests()), page_of(&fixture::with_levels()), of(&contests())] {
        for part in ["<script", "://", " src=", "@import", "url(", "<link", "<img"] {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn the_sentences_are_those_of_the_other_formats_to_the_letter() {
    let decided = contests();
    let page = text(&page_of(&decided));
    for ranking in &decided.rankings {
        assert!(page.contains(&ranking.sentence), "{}", ranking.sentence);
        for failure in &ranking.failures {
            assert!(page.contains(&crate::words::phrase::failed(failure)));
        }
    }
    let terminal = fixture::run(&decided, crate::Format::Markdown);
    assert!(terminal.contains(&decided.rankings[0].sentence));
    let curve = fixture::with_levels();
    assert!(text(&page_of(&curve)).contains(&curve.curves[0].sentence));
}

#[test]
fn every_plot_has_a_role_and_says_what_it_shows() {
    for page in [page_of(&contests()), page_of(&fixture::with_levels())] {
        let outer = |tag: &&str| tag.contains("class=") || tag.contains("role=");
        let mut plots = 0;
        for tag in tags(&page, "svg").filter(outer).filter(|tag| !tag.contains("aria-hidden")) {
            assert!(tag.contains("role=\"img\"") && tag.contains("aria-label=\""), "{tag}");
            assert!(!tag.contains("aria-label=\"\""), "{tag}");
            plots += 1;
        }
        assert!(plots > 2, "{plots}");
        assert!(tags(&page, "th").all(|tag| tag.contains("scope=")));
    }
}

#[test]
fn names_with_markup_are_text() {
    let page = page_of(&contests());
    assert!(!page.contains(&format!(">{}<", fixture::ODD)) || !fixture::ODD.contains('<'));
    let mut ranking = fixture::clear();
    ranking.family = "<b>f</b>".into();
    ranking.entries[1].technique = "</style><script>alert(1)</script>".into();
    ranking.sentence = "<i>a</i> & b".into();
    let page = page_of(&fixture::decided(&[ranking]));
    assert!(!page.contains("<b>f<") && !page.contains("<script") && !page.contains("<i>a"), "{page}");
    assert!(page.contains("&lt;i&gt;a&lt;/i&gt; &amp; b"));
}

#[test]
fn every_sample_of_a_row_is_a_dot_and_links_lead_to_their_blocks() {
    let page = page_of(&contests());
    let drawn =
        |ranking: &Ranking| ranking.entries.iter().filter(|entry| strip::drawn(entry).is_some()).count();
    let rows: usize = contests().rankings.iter().map(drawn).sum();
    // Those of samples alone close themselves.
    assert_eq!(page.matches("\"/>").count(), 20 * rows, "the dots of {rows} rows");
    for link in tags(&page, "a").filter_map(|tag| tag.split("href=\"#").nth(1)) {
        let id = link.split('"').next().unwrap_or_default();
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn contests_of_one_family_have_names_of_their_own() {
    let decided = fixture::decided(&[fixture::ranking(), fixture::ranking()]);
    let titled = titled(&decided);
    assert_eq!(titled[0].id, "copy");
    assert_ne!(titled[0].id, titled[1].id);
    let mut odd = fixture::ranking();
    odd.family = "名前".into();
    assert_eq!(self::titled(&fixture::decided(&[odd]))[0].id, "contest-1");
}

#[test]
fn without_contests_a_page_says_so_and_has_no_empty_block() {
    let page = page_of(&fixture::decided(&[]));
    assert!(page.contains("No contest took place."));
    assert!(!page.contains("id=\"contests\""));
    assert!(!page.contains("id=\"findings\""));
    assert!(!page.contains("#beside") && !page.contains("id=\"beside\""));
}

#[test]
fn a_level_that_is_refused_is_told_below_its_curve() {
    let page = text(&page_of(&fixture::with_levels()));
    assert!(page.contains("Refused: the disk was full while a ran."), "{page}");
    assert!(page.contains("sequential") && page.contains("4 KiB") && page.contains("2 MiB"));
}

#[test]
fn pages_without_plots_are_tables() {
    let pages = [
        of(&[fixture::listing()][..]),
        of(&HostPage { host: &fixture::host(), volumes: &[fixture::volume()] }),
        of(&fixture::timed()),
        of(&fixture::noise()),
        of(&[fixture::record().summary()][..]),
    ];
    for page in &pages {
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<table>"), "{page}");
        assert_eq!(page.matches("<h1>").count(), 1);
    }
    assert!(
        pages[0].contains("&lt;all&gt;") && text(&pages[0]).contains("not here: no _ring_"),
        "{}",
        pages[0]
    );
}

#[test]
fn a_page_of_failures_only_counts_no_rounds() {
    let told = |rounds: u32| text(&page_of(&fixture::decided(&[Ranking { rounds, ..fixture::ranking() }])));
    assert!(told(20).contains("up to 20 rounds"));
    assert!(told(0).contains("no round was counted") && !told(0).contains("up to 0 rounds"));
}
