//! The content of the pages of made-up runs.

use super::*;

#[test]
fn a_page_shows_a_limited_number_of_samples_and_rows() {
    let page = many().page();
    assert_eq!(page.matches("<li class=\"r").count(), 200);
    assert!(page.contains("100 more rows are in the JSON of the run."), "{}", &page[..2_000]);
    let page = large().page();
    assert!(page.matches("\"/>").count() < 9 * 30 * 20 + 1_000);
    assert!(page.contains("20 of 369 samples shown, extremes kept"));
}

#[test]
fn a_hundred_thousand_samples_make_less_than_a_megabyte() {
    let made = large();
    let samples: usize = made.records[0].trials.iter().map(|trial| trial.samples.len()).sum();
    assert!(samples >= 99_900, "{samples}");
    let page = made.page();
    assert!(page.len() < 1_000_000, "{}", page.len());
    let elements = page.matches('<').count() - page.matches("</").count();
    assert!(elements < 20_000, "{elements}");
}

#[test]
fn the_overview_has_findings_published_lines_and_bars_of_time() {
    let page = overview().page();
    for part in ["✓</span> holds", "⇄</span> reversed", "that this run does not test</summary>"] {
        assert!(page.contains(part), "{part}");
    }
    // Those that fit the axis of what was measured here are drawn.
    assert_eq!(page.matches("<polyline class=\"pub\"").count(), 3);
    assert!(page.contains("3 published lines beyond this axis: not drawn."));
    assert!(page.contains("signal-mutex, xeon-4way-w2000-ntfs"));
    assert!(page.contains("class=\"usr\"") && page.contains("class=\"sys\""));
}

#[test]
fn published_machines_stand_next_to_the_run_of_their_programs() {
    let page = then_and_here().page();
    let (_, block) = page.split_once("<section id=\"then\"").expect("the block");
    let (block, _) = block.split_once("</main>").expect("what follows it");
    assert_eq!(block.matches("<li class=\"r\">").count(), 4 + 5, "{block}");
    assert!(block.contains("14.7 s") && !block.contains("splice"), "{block}");
    assert!(page.contains("<a href=\"#published\">Published, then and here</a>"));
    assert!(!many().page().contains("<section id=\"then\""));
}

#[test]
fn caches_are_marked_on_an_axis_that_holds_them() {
    let page = long_curve().page();
    // Two of them lie on the axis; the third line is that of the legend.
    assert_eq!(page.matches("<line class=\"cache\"").count(), 3);
    assert!(page.contains(">L2</text>") && page.contains(">L3</text>") && !page.contains(">L4</text>"));
    assert!(!levels().page().contains("<line class=\"cache\""), "an axis of files");
}

#[test]
fn runs_side_by_side_show_who_changes_places() {
    let page = two_hosts().page();
    assert!(page.contains("changes places") && page.contains("Techniques by run"), "{page}");
    assert!(page.contains("Another made-up processor"));
    let published = with_published().page();
    assert!(published.contains("published:xeon-4way-w2000-ntfs") && published.contains("2.67 s"));
    assert!(nothing_in_common().page().contains("These runs have no contest in common"));
}

#[test]
fn a_curve_of_two_runs_has_a_plot_a_technique_and_a_line_a_run() {
    let page = two_hosts().page();
    let (_, curves) = page.split_once("<section id=\"curves\"").expect("the block");
    assert_eq!(curves.matches("<figure class=\"np\">").count(), 4);
    assert_eq!(curves.matches("<polyline class=\"ln c0\"").count(), 4);
    assert_eq!(curves.matches("<polyline class=\"ln c1\"").count(), 4);
    let (_, table) = curves.split_once("<table>").expect("a table");
    let (table, _) = table.split_once("</table>").expect("its end");
    assert_eq!(table.matches("scope=\"row\"").count(), 4 * 7);
    assert!(table.contains("scope=\"col\">B / A</th>"), "{table}");
}

#[test]
fn marks_of_runs_that_hardly_differ_stand_above_each_other() {
    let page = many_runs().page();
    let row = page.split("<li class=\"r\">").nth(1).and_then(|row| row.split("</li>").next()).expect("a row");
    assert!(row.contains("class=\"strip tall\""), "{row}");
    assert!(row.contains("<span class=\"v\"></span>"), "what has no room is said below: {row}");
    assert!(page.contains("G takes ~"), "{page}");
}

/// Makes runs of one host, an hour apart, in which some techniques take these factors.
fn on_one_host(runs: &[&[(&str, f64)]]) -> Made {
    let records = runs.iter().enumerate().map(|(nth, factors)| {
        let mut run = Run::new(50 + nth as u64, 20);
        run.contest_at("copy", &Workload::of_size(25_600_000), factors);
        let mut record = run.finished();
        record.host.fingerprint = Some(model::Fingerprint("00ff".into()));
        record.started = format!("2026-11-21T{:02}:00:00+00:00", 10 + nth);
        record.tool.commit = (nth >= runs.len() / 2).then(|| "abc".to_owned());
        record
    });
    Made { name: "one-host", records: records.collect() }
}

#[test]
fn three_runs_of_each_version_show_how_a_technique_changed() {
    let (before, after) = ([("presized", 1.0), ("splice", 1.3)], [("presized", 1.0), ("splice", 2.6)]);
    let page = on_one_host(&[&before, &before, &before, &after, &after, &after]).page();
    assert!(page.contains("DEF / ABC") && page.contains("each run counts as one value"), "{page}");
    assert!(!page.contains("B / A"), "{page}");
}

#[test]
fn two_runs_of_one_host_name_what_changed_against_the_field() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let before: Vec<(&str, f64)> = names.map(|name| (name, 1.2)).to_vec();
    let mut after = before.clone();
    after[3].1 = 2.4;
    let page = on_one_host(&[&before, &after]).page();
    assert!(page.contains("changed against the field") && page.contains("d (~"), "{page}");
    let unchanged = on_one_host(&[&before, &before]).page();
    assert!(!unchanged.contains("changed against") && unchanged.contains("in the middle of 10 techniques"));
}
