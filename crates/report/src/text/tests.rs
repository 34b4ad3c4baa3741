//! What the pages look like, to the character.

use insta::assert_snapshot;
use model::{Record, RunId};

use super::*;
use crate::fixture;
use crate::layout::columns;
use crate::pages::{Context, Listing, ListingRow, PlanSummary, Scratch, TimePage, TimedCommand};

fn plain() -> Style {
    Style::default()
}

fn fits(page: &str, width: usize) {
    for line in page.lines() {
        assert!(columns(line) <= width, "{} columns: {line}", columns(line));
        assert_eq!(line.trim_end(), line, "no space stands at the end of a line");
    }
}

#[test]
fn a_page_of_rankings_gives_the_verdict_first() {
    let page = rankings_in(
        &fixture::record(),
        &[fixture::clear(), fixture::ranking()],
        &fixture::context(),
        &plain(),
    );
    fits(&page, 100);
    assert_snapshot!(page);
}

#[test]
fn a_narrow_terminal_breaks_no_number() {
    let style = Style { width: 80, ..plain() };
    let page = rankings(&fixture::record(), &[fixture::ranking()], &style);
    fits(&page, 80);
    assert_snapshot!(page);
}

#[test]
fn verbose_adds_spread_and_costs() {
    let page = ranking(&fixture::ranking(), &fixture::context(), &Style { verbose: true, ..plain() });
    fits(&page, 100);
    assert_snapshot!(page);
}

#[test]
fn many_flags_of_one_name_are_told_in_short_unless_asked_for() {
    let mut noisy = fixture::clear();
    let flag = |name: &str, text: &str| judge::Flag { name: name.into(), text: text.into() };
    noisy.flags = vec![
        flag("modes", "a"),
        flag("tail", "b"),
        flag("modes", "c"),
        flag("modes", "d"),
        flag("modes", "e"),
    ];
    let page = ranking(&noisy, &Context::default(), &plain());
    let short = "modes: a\ntail: b\nmodes: c\nmodes: and 2 more of this kind; --verbose shows all\ncontrols";
    assert!(page.contains(short), "{page}");
    let page = ranking(&noisy, &Context::default(), &Style { verbose: true, ..plain() });
    assert!(page.contains("modes: a\ntail: b\nmodes: c\nmodes: d\nmodes: e\ncontrols"), "{page}");
}

#[test]
fn slow_runs_take_one_line_unless_asked_for() {
    let mut noisy = fixture::clear();
    let flag = |text: &str| judge::Flag { name: "tail".into(), text: text.into() };
    noisy.flags = vec![flag("a"), flag("b"), flag("c")];
    let page = ranking(&noisy, &Context::default(), &plain());
    assert!(page.contains("\ntail: a (2 more with --verbose)\ncontrols"), "{page}");
    let page = ranking(&noisy, &Context::default(), &Style { verbose: true, ..plain() });
    assert!(page.contains("\ntail: a\ntail: b\ntail: c\ncontrols"), "{page}");
}

#[test]
fn all_who_left_early_share_one_remark() {
    let mut long = fixture::ranking();
    for (place, round) in [(1, 15), (2, 10), (3, 15)] {
        long.places[place].left_after_round = Some(round);
        let note = long.places[place].left_note();
        long.places[place].notes = note.into_iter().chain(["fell back".into()]).collect();
    }
    let page = ranking(&long, &Context::default(), &Style { width: 200, ..plain() });
    assert_eq!(page.matches("1.25 times").count(), 1, "{page}");
    assert!(page.contains("\nleft early, more than 1.25 times the leader: "), "{page}");
    assert!(page.contains(" (after round 10); sendfile, read_write@256K (after round 15)\n"), "{page}");
    assert_eq!(page.matches("fell back").count(), 3, "other notes stay on their lines: {page}");
}

#[test]
fn who_is_undecided_has_one_question_mark() {
    let page = ranking(&fixture::ranking(), &Context::default(), &plain());
    let line = page.lines().find(|line| line.contains("undecided") && line.contains("5.50")).expect("a line");
    assert!(line.trim_start().starts_with('?') && line.ends_with("  undecided"), "{line}");
}

#[test]
fn the_throughputs_are_headed_by_their_unit() {
    let mut slower = fixture::clear();
    slower.places.iter_mut().for_each(|place| place.bytes_per_s = Some(473e6));
    let page = ranking(&slower, &Context::default(), &plain());
    assert!(page.lines().any(|line| line.contains("median ms  MB/s  times the best")), "{page}");
}

#[test]
fn why_somebody_failed_is_told_once() {
    let mut failed = fixture::ranking();
    let reason = failed.failures[0].reason.clone();
    failed.places.last_mut().expect("the failed one").notes = vec![reason.clone()];
    let page = ranking(&failed, &Context::default(), &plain());
    assert_eq!(page.matches(&reason).count(), 1, "{page}");
}

#[test]
fn figures_of_others_get_no_unit_and_no_conditions_that_nobody_told() {
    let mut theirs = fixture::ranking();
    theirs.metric = model::Metric::Work;
    theirs.setting.directory = "".into();
    theirs.workload = model::Workload { name: "samples".into(), ..model::Workload::default() };
    for (place, median) in theirs.places.iter_mut().zip([0.012, 0.0121, 0.013, 0.0345]) {
        (place.median, place.bytes_per_s, place.user_ns, place.system_ns) = (Some(median), None, None, None);
    }
    assert_snapshot!(judged(&[theirs], &plain()));
}

#[test]
fn the_leader_of_the_undecided_is_measured_by_itself() {
    let mut open = fixture::ranking();
    open.places[0].place = judge::Standing::Undecided;
    (open.places[0].ratio_low, open.places[0].ratio_high) = (None, None);
    let page = ranking(&open, &Context::default(), &plain());
    let line = page.lines().find(|line| line.contains("copy_file_range  ") && line.contains("  undecided"));
    assert!(line.is_some_and(|line| line.contains("  1  ") && !line.contains("[?")), "{page}");
}

#[test]
fn memory_is_shown_in_bytes() {
    let mut by_memory = fixture::clear();
    by_memory.metric = model::Metric::Memory;
    for (place, median) in by_memory.places.iter_mut().zip([2_512_000.0, 2_700_000.0]) {
        place.median = Some(median);
        place.bytes_per_s = None;
    }
    assert_snapshot!(ranking(&by_memory, &Context::default(), &plain()));
}

#[test]
fn an_incomplete_run_and_a_run_without_contests_say_so() {
    let record = Record { complete: false, ..fixture::record() };
    assert_snapshot!(rankings(&record, &[], &plain()));
}

#[test]
fn colours_are_only_there_when_asked_for() {
    let pages = |color| {
        let style = Style { color, ..plain() };
        rankings_in(&fixture::record(), &[fixture::ranking()], &fixture::context(), &style)
    };
    assert!(!pages(false).contains('\u{1b}'), "not even those of a contender's name");
    let coloured = pages(true);
    assert!(coloured.contains("\u{1b}[33m"));
    // Without its colours it is the same page.
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        stripped.push_str(before);
        rest = after.split_once('m').expect("a whole sequence").1;
    }
    assert_eq!(stripped + rest, pages(false));
}

#[test]
fn a_host_is_told_with_what_it_will_do_to_the_numbers() {
    let page = host(&fixture::host(), &[fixture::volume()], &plain());
    fits(&page, 100);
    assert_snapshot!(page);
}

pub(crate) fn listing() -> Listing {
    let row = |name: &str, available| ListingRow {
        name: name.into(),
        aliases: vec!["cpW".into()],
        idea: "read a piece of the input into a buffer and write it out | again, until nothing is left of it"
            .into(),
        source: "cp of the wsp tests, 2001".into(),
        available,
    };
    let rows = vec![
        row("read_write@256K", Ok(())),
        ListingRow { aliases: Vec::new(), ..row("io_uring", Err("this kernel has no io_uring".into())) },
    ];
    Listing { family: "copy".into(), question: "How do I copy a file?".into(), rows, ..Listing::default() }
}

#[test]
fn a_listing_says_why_a_technique_is_not_available() {
    let page = list(&[listing(), Listing { rows: Vec::new(), ..listing() }], &plain());
    fits(&page, 100);
    assert_snapshot!(page);
    assert!(
        list(&[listing()], &Style { verbose: true, ..plain() }).contains("from: cp of the wsp tests, 2001")
    );
}

#[test]
fn a_plan_tells_work_time_space_and_who_is_left_out() {
    let full = PlanSummary {
        families: vec!["copy".into(), "sort".into()],
        cells: 2,
        trials: 31,
        rounds: Some((10, 60)),
        samples_max: Some(1860),
        estimated_ns: Some(95_000_000_000),
        budget_ns: Some(7_500_000_000_000),
        scratch: vec![
            Scratch { directory: ".".into(), needed_bytes: 51_200_000, free_bytes: Some(1 << 34) },
            Scratch { directory: "/mnt".into(), needed_bytes: 51_200_000, free_bytes: None },
        ],
        refused: vec![
            ("uring_a".into(), "this kernel has no io_uring".into()),
            ("reflink".into(), "ext4 shares no extents".into()),
            ("uring_b".into(), "this kernel has no io_uring".into()),
            ("uring_a".into(), "this kernel has no io_uring".into()),
        ],
        seed: 7,
        notes: vec!["the load is high".into()],
    };
    let early = PlanSummary { families: vec!["copy".into()], cells: 1, trials: 1, ..PlanSummary::default() };
    let page = plan(&full, &plain()) + "\n" + &plan(&early, &plain());
    fits(&page, 100);
    assert_snapshot!(page);
}

#[test]
fn a_command_that_ran_once_is_told_in_the_published_form() {
    let unknown = TimedCommand {
        system: None,
        peak_memory_bytes: None,
        counted_by: None,
        failures: vec!["exit code 3".into()],
        ..fixture::command(1)
    };
    let never =
        TimedCommand { real: None, failures: vec!["no such program: gzipp".into()], ..fixture::command(0) };
    let page =
        time(&TimePage { commands: vec![fixture::command(1), unknown, never], ranking: None }, &plain());
    assert_snapshot!(page);
}

#[test]
fn several_runs_show_their_spread_and_several_commands_are_compared() {
    let slow = TimedCommand { command: "pigz".into(), user: None, ..fixture::command(20) };
    let page = time(
        &TimePage { commands: vec![fixture::command(20), slow], ranking: Some(fixture::clear()) },
        &plain(),
    );
    fits(&page, 100);
    assert_snapshot!(page);
}

#[test]
fn the_noise_of_a_host_is_told_per_length_of_sample() {
    let page = fixture::noise();
    assert_snapshot!(noise(&page, &plain()));
}

#[test]
fn stored_runs_are_listed_and_an_incomplete_one_is_marked() {
    let mut second = fixture::record();
    second.id = RunId("20261120T080000-bb".into());
    second.complete = false;
    second.host.name = None;
    assert_snapshot!(runs(&[fixture::record().summary(), second.summary()], &plain()));
    assert_eq!(runs(&[], &plain()), "No run is stored yet: bakeoff run makes the first.\n");
}
