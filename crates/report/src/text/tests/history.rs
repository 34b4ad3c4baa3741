//! A host over time.

use ::judge::{Changed, Course, Followed, History, HistoryLine};
use model::{Metric, RunId};

use super::*;

fn run(nth: usize) -> RunId {
    RunId(format!("2026112{nth}T100000-aa"))
}

fn followed(course: Course, technique: &str) -> HistoryLine {
    let runs: Vec<RunId> = (0..7).map(run).collect();
    HistoryLine {
        followed: Followed {
            family: "copy".into(),
            workload: fixture::workload(),
            setting: fixture::setting(),
            metric: "work_ns".into(),
            technique: technique.into(),
        },
        medians: (0..7).map(|nth| 5_000_000.0 + 100_000.0 * f64::from(nth)).collect(),
        runs,
        before: 5_312_345.0,
        change: 1.019,
        expected: Some((0.9, 1.1)),
        course,
        compared: Metric::WORK,
    }
}

fn changed(nth: usize, fact: &str, before: &str, now: &str) -> Changed {
    Changed { run: run(nth), fact: fact.into(), directory: None, before: before.into(), now: now.into() }
}

/// Seven runs: the fourth is of another build of bakeoff than those before it, and the last one has another kernel.
pub(super) fn followed_over_time(technique: Option<&str>) -> History {
    let lines = [
        (Course::AsBefore, "copy_file_range"),
        (Course::Slower, "a_name_of_forty_characters_that_is_long_"),
        (Course::Faster, "read_write@256K"),
        (Course::TooFew, "splice"),
    ];
    let lines: Vec<HistoryLine> = lines.into_iter().map(|(course, name)| followed(course, name)).collect();
    let runs = lines[0].runs.iter().map(|id| (id.clone(), "2026-11-21T10:00:00+01:00".to_owned()));
    History {
        technique: technique.map(str::to_owned),
        runs: runs.collect(),
        lines,
        changed: vec![
            changed(3, "bakeoff", "0.1.0 (0123456789ab)", "0.1.0 (ba9876543210)"),
            changed(6, "kernel", "6.17.0", "6.18.0-with-a-long-suffix-of-the-vendor"),
        ],
    }
}

#[test]
fn a_change_tells_what_changed_together_with_it() {
    let page = shown(&followed_over_time(None), &plain());
    let joined = unfolded(&page);
    let answer = "a_name_of_forty_characters_that_is_long_ is slower and read_write@256K is faster than the earlier runs \
                  predict. The latest run differs from the one \
                  before it in the kernel (6.18.0-with-a-long-suffix-of-the-vendor, before 6.17.0), which may be why. The runs \
                  before the latest differ in the build of bakeoff among themselves.";
    assert!(joined.starts_with(answer), "{page}");
    let row = "20261123T100000-aa build of bakeoff 0.1.0 (0123456789ab) 0.1.0 (ba9876543210)";
    assert!(joined.contains(row), "{page}");
}

#[test]
fn what_changed_is_no_reason_where_no_technique_did() {
    let mut steady = followed_over_time(None);
    steady.lines.retain(|line| line.course == Course::AsBefore);
    let page = shown(&steady, &plain());
    assert!(page.starts_with("No technique changed over 7 runs.\n"), "{page}");
    assert!(page.contains("6.17.0") && !page.contains("may be why"), "{page}");
}

#[test]
fn others_are_compared_with_the_first_run_in_their_unit() {
    let mut one = followed_over_time(Some("copy/splice"));
    one.lines.retain(|line| line.followed.technique == "splice");
    let page = shown(&one, &of_width(200));
    let row = |nth: usize| {
        let id = run(nth).to_string();
        let line = page.lines().find(|line| line.starts_with("  2026-11-21") && line.contains(&id));
        let line = line.unwrap_or_else(|| panic!("no row of {id}: {page}"));
        unfolded(line.split(&id).nth(1).expect("cells"))
    };
    assert_eq!(row(0), "5.00 ms 1.00 the others are compared with this run");
    assert_eq!(row(1), "5.10 ms 1.02");
    assert_eq!(row(3), "5.30 ms 1.06 another build of bakeoff");
    assert_eq!(row(6), "5.60 ms 1.12 another kernel");
    assert!(page.contains("by the time of the work"), "{page}");
}

#[test]
fn a_rate_is_shown_as_it_was_measured_and_not_as_its_cost() {
    let mut one = followed_over_time(Some("copy/splice"));
    one.lines.retain(|line| line.followed.technique == "splice");
    let line = &mut one.lines[0];
    line.compared = Metric::more("bytes_per_second", "the bandwidth");
    // 4 GB/s, and in the end half of it.
    line.medians = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0].map(|cost| cost / 4e9).to_vec();
    (line.before, line.change, line.expected) = (0.25e-9, 2.0, Some((0.8, 1.25)));
    let page = shown(&one, &of_width(200));
    let joined = unfolded(&page);
    assert!(joined.contains("splice 7 4.00 GB/s 2.00 GB/s 0.50 (expected 0.80 to 1.25)"), "{page}");
    assert!(joined.contains("20261126T100000-aa 2.00 GB/s 0.50 another kernel"), "{page}");
}

#[test]
fn many_changes_are_counted_and_all_shown_where_asked_for() {
    let mut many = followed_over_time(None);
    many.changed =
        (0..14).map(|nth| changed(6, "kernel", &format!("6.{nth}"), &format!("6.{}", nth + 1))).collect();
    let page = shown(&many, &plain());
    assert!(page.contains("4 changes before them (-v shows all)."), "{page}");
    assert!(!shown(&many, &verbose()).contains("before them"));
}
