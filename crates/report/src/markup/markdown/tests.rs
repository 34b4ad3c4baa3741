//! What the Markdown pages look like, to the character.

use insta::assert_snapshot;

use super::*;
use crate::fixture;
use crate::page::Page;
use crate::pages::{HostPage, TimePage};
use crate::text::Style;
use crate::{Format, render};

fn shown<P: Page + ?Sized>(page: &P) -> String {
    render(page, Format::Markdown, &Style::default())
}

/// Cells of a table's line; a pipe behind a backslash cuts nothing.
fn cells(line: &str) -> usize {
    line.replace("\\|", "").matches('|').count()
}

fn tables_are_whole(page: &str) {
    let mut columns = None;
    // The lines of AsciiDoc around a table, and of Org below its titles, have no cells.
    for line in page.lines().filter(|line| !line.starts_with("|---") && *line != "|===") {
        if line.starts_with('|') {
            assert_eq!(*columns.get_or_insert(cells(line)), cells(line), "{line}");
        } else {
            columns = None;
        }
    }
}

#[test]
fn rankings_survive_names_that_hold_markup() {
    let decided = fixture::decided(&[fixture::clear(), fixture::ranking()]);
    for (name, format) in
        [("markdown", Format::Markdown), ("asciidoc", Format::Asciidoc), ("orgmode", Format::Orgmode)]
    {
        let page = fixture::run(&decided, format);
        tables_are_whole(&page);
        assert_snapshot!(name, page);
    }
}

#[test]
fn a_curve_is_a_table_of_its_levels_before_their_contests() {
    let page = fixture::run(&fixture::with_levels(), Format::Markdown);
    tables_are_whole(&page);
    assert_snapshot!(page.split("### ").nth(1).expect("the curve"));
    assert_eq!(page.matches("### ").count(), 5, "the curve and its levels: {page}");
}

#[test]
fn a_listing_a_host_and_the_runs_are_tables() {
    let mut incomplete = fixture::record().summary();
    incomplete.complete = false;
    incomplete.host = None;
    let page = shown(&[fixture::listing()][..])
        + &shown(&HostPage { host: &fixture::host(), volumes: &[fixture::volume()] })
        + "\n"
        + &shown(&[fixture::record().summary(), incomplete][..]);
    tables_are_whole(&page);
    assert_snapshot!(page);
}

#[test]
fn a_contest_without_bytes_has_no_column_of_throughput() {
    let mut contest = fixture::clear();
    contest.entries.iter_mut().for_each(|entry| entry.bytes_per_s = None);
    let page = shown(&fixture::decided(&[contest]));
    tables_are_whole(&page);
    assert!(!page.contains("throughput"), "{page}");
}

#[test]
fn times_and_noise_are_tables() {
    let failures = vec!["exit code 3".into()];
    let failed = TimePage { command: "a|b".into(), failures, ..TimePage::default() };
    let page = shown(&fixture::timed()) + "\n" + &shown(&failed) + "\n" + &shown(&fixture::noise());
    tables_are_whole(&page);
    assert_snapshot!(page);
}

#[test]
fn prose_is_never_markup() {
    assert_eq!(Markdown::prose("a_b _c_ *d* <e> f|g\nh"), "a_b \\_c_ \\*d\\* &lt;e&gt; f\\|g\\\\nh");
    assert_eq!(Markdown::code_cell("a|b"), "`a\\|b`");
    assert_eq!(Markdown::code_cell("a`b"), "`` a`b ``");
}
