//! What the pages look like, to the character.

mod history;
mod narrow;

use std::collections::BTreeSet;

use insta::assert_snapshot;
use judge::{Decided, Ranking, Standing};
use model::{Metric, Record, RunId, Summary, Workload};

use super::*;
use crate::fixture;
use crate::page::{self, Page};
use crate::pages::{Context, HostPage, Listing, ListingRow, PlanSummary, RunPage, Scratch, TimePage};
use crate::text::layout::columns;
use crate::{Format, render};

fn plain() -> Style {
    Style::default()
}

fn verbose() -> Style {
    Style { verbose: true, ..plain() }
}

fn of_width(width: usize) -> Style {
    Style { width, ..plain() }
}

fn unfolded(page: &str) -> String {
    page.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn fits(page: &str, width: usize) {
    for line in page.lines() {
        assert!(columns(line) <= width, "{} columns: {line}", columns(line));
        assert_eq!(line.trim_end(), line, "no space stands at the end of a line");
    }
}

fn shown<P: Page + ?Sized>(page: &P, style: &Style) -> String {
    render(page, Format::Text, style)
}

fn run(record: &Record, decided: &Decided, context: &Context, style: &Style) -> String {
    shown(&RunPage { record, decided, context, findings: &[] }, style)
}

fn ranking(ranking: &Ranking, context: &Context, style: &Style) -> String {
    write::section(&page::contest(ranking, context, style.extent()), style)
}

fn of_one(ranking: Ranking, style: &Style) -> String {
    run(&fixture::record(), &fixture::decided(&[ranking]), &Context::default(), style)
}

/// Contests of samples whose unit and conditions are not known.
fn of_another_program() -> Decided {
    let mut theirs = fixture::ranking();
    theirs.metric = model::Metric::WORK;
    theirs.setting = model::Setting::default();
    theirs.unit_is_known = false;
    theirs.workload = model::Workload { name: "samples".into(), ..model::Workload::default() };
    for entry in &mut theirs.entries {
        let median = entry.factor.map(|factor| 0.012 * factor);
        (entry.median, entry.bytes_per_s) = (judge::Median::new(None, median), None);
        (entry.cpu_ns, entry.user_ns, entry.system_ns) = (None, None, None);
    }
    fixture::decided(&[theirs])
}

fn by_memory() -> Ranking {
    let mut by_memory = Ranking {
        metric: model::Metric::MEMORY,
        sentence: "copy_file_range wins by memory; 3 others are worse.".to_owned(),
        advice: Some("Use copy_file_range: 3 others are worse.".to_owned()),
        ..fixture::clear()
    };
    for entry in &mut by_memory.entries {
        let median = entry.factor.map(|factor| 2_512_000.0 * factor);
        entry.median = judge::Median::new(Some(model::Unit::Bytes), median);
        entry.bytes_per_s = None;
    }
    by_memory
}

/// Commands that were timed as they were typed.
fn typed() -> Ranking {
    let workload = Workload { name: Workload::AS_GIVEN.into(), ..Workload::default() };
    let family = Workload::TYPED_COMMANDS.into();
    Ranking { family, workload, metric: Metric::PROCESS, advice: None, ..fixture::clear() }
}

/// Runs of a command: with all figures, with few, not to its end, and shorter than a tick.
fn of_a_command() -> String {
    let unknown = TimePage {
        system_ns: None,
        peak_memory_bytes: None,
        counted_by: None,
        failures: vec!["exit code 3".into()],
        ..fixture::timed()
    };
    let never = TimePage { real_ns: None, ..unknown.clone() };
    let brief = TimePage { user_ns: Some(0), ..fixture::timed() };
    [fixture::timed(), unknown, never, brief].map(|page| shown(&page, &plain())).join("\n")
}

#[test]
fn pages_fit_and_are_as_kept_to_the_character() {
    let (record, context, style) = (fixture::record(), fixture::context(), plain());
    let mut families = fixture::with_levels();
    families.rankings.extend([fixture::clear(), fixture::ranking()]);
    let [answers_112, answers_80, answers_60] =
        [112, 80, 60].map(|width| run(&record, &families, &context, &of_width(width)));
    let contests = fixture::decided(&[fixture::clear(), fixture::ranking()]);
    let incomplete = Record { complete: false, ..fixture::record() };
    let second = RunId("20261120T080000-bb".into());
    let second = Summary { id: second, complete: false, host: None, ..record.summary() };
    let host = HostPage { host: &fixture::host(), volumes: &[fixture::volume()] };
    let (one, curve) = (fixture::ranking(), fixture::with_levels());
    let advised = fixture::advised(&curve, &curve.curves[0]);
    for (name, width, page) in [
        ("answers_112", 112, answers_112),
        ("answers_80", 80, answers_80),
        ("answers_60", 60, answers_60),
        ("contests", 100, run(&record, &contests, &context, &style)),
        ("contest_80", 80, of_one(fixture::ranking(), &of_width(80))),
        ("long_contest_60", 60, of_one(long(), &of_width(60))),
        ("contest_40", 40, ranking(&one, &context, &of_width(40))),
        ("curve_80", 80, run(&record, &curve, &context, &of_width(80))),
        ("curve_60", 60, run(&record, &curve, &context, &of_width(60))),
        ("advice_80", 80, shown(&advised, &of_width(80))),
        ("advice_60", 60, shown(&advised, &of_width(60))),
        ("typed_80", 80, of_one(typed(), &of_width(80))),
        ("typed_60", 60, of_one(typed(), &of_width(60))),
        ("verbose_contest", 100, ranking(&one, &context, &verbose())),
        ("unknown_unit", 100, shown(&of_another_program(), &style)),
        ("by_memory", 100, ranking(&by_memory(), &Context::default(), &style)),
        ("incomplete_run", 100, run(&incomplete, &Decided::default(), &Context::default(), &style)),
        ("host", 100, shown(&host, &style)),
        ("listing", 100, shown(&[listing()][..], &style)),
        ("listings", 100, shown(&[listing(), Listing { rows: Vec::new(), ..listing() }][..], &style)),
        ("noise", 100, shown(&fixture::noise(), &style)),
        ("stored_runs", 100, shown(&[record.summary(), second][..], &style)),
        ("command", 100, of_a_command()),
    ] {
        fits(&page, width);
        assert_snapshot!(name, page);
    }
    assert_eq!(shown::<[Summary]>(&[], &style), "No run is stored yet: bakeoff run makes the first.\n");
}

#[test]
fn curve_shows_answer_levels_and_plot_without_its_contests() {
    let mut decided = fixture::with_levels();
    decided.rankings.insert(0, fixture::clear());
    let page = run(&fixture::record(), &decided, &fixture::context(), &plain());
    fits(&page, 100);
    assert_snapshot!(page);
    let page = run(&fixture::record(), &fixture::with_levels(), &fixture::context(), &verbose());
    assert_eq!(page.matches("files of ").count(), 4, "{page}");
}

#[test]
fn same_work_at_all_levels_shows_best_gain_and_overhead() {
    let curve = fixture::spread(fixture::curve());
    let page = page::curve(&curve, &[], &Context::default(), verbose().extent());
    let page = write::section(&page, &verbose());
    fits(&page, 100);
    let unfolded = unfolded(&page);
    for told in [
        "marks of file size: L1 48 KiB, L3 1 GiB ",
        "best file size: sequential with 4 KiB (not shown to be worse: 32 KiB) ",
        "gain of file size: sequential is slower with 2 MiB than with 4 KiB, by 3.4x (3.2-3.6) ",
        "overhead of file size: sequential is slower with 2 MiB than with 4 KiB, by 1.9x (1.8-2.0) ",
        "scalability law: sequential beyond one a processor contention 0.12 (0.11 to 0.13), coherence 2.5e-5 (0.00 to \
         3.0e-5), most throughput at 64 ",
    ] {
        assert!(unfolded.contains(told), "{told}:\n{unfolded}");
    }
    // It lies between the second and the third level; what lies above the highest is reported but not drawn.
    let drawn = page.lines().find(|line| line.trim() == "^L1").expect("a mark below the levels");
    let ticks = page.lines().find(|line| line.trim_start().starts_with("4KiB")).expect("ticks");
    let [below, above] = ["32KiB", "256KiB"].map(|text| ticks.find(text).expect("a tick"));
    let at = drawn.find('^').expect("a mark");
    assert!(below < at && at < above, "{page}");
}

#[test]
fn what_was_not_tried_is_said_once_and_at_each_level_if_asked() {
    let mut decided = fixture::with_levels();
    let [mmap, stdio] = ["mmap", "stdio"].map(|technique| judge::FailureLine {
        technique: technique.into(),
        kind: model::FailureKind::TenfoldBehind,
        count: 1,
        reason: "far behind at a lower level: with 4 KiB it took 80 ms, and the fastest 1 ms".into(),
    });
    decided.rankings[3].not_tried = vec![mmap.clone(), stdio];
    decided.rankings[2].not_tried = vec![mmap];
    let [in_short, whole] = [plain(), verbose()]
        .map(|style| unfolded(&run(&fixture::record(), &decided, &fixture::context(), &style)));
    let once = "skipped: mmap from 256 KiB, stdio from 2 MiB: ten times slower than the fastest at the level below; name a \
                technique to measure it at every level";
    let short = "skipped in part: 1 technique";
    assert!(in_short.contains(short) && !in_short.contains(once), "{in_short}");
    let each =
        "skipped: mmap, stdio (far behind at a lower level: with 4 KiB it took 80 ms, and the fastest 1 ms)";
    assert!(whole.contains(once) && whole.contains(each) && !whole.contains("failed: mmap"), "{whole}");
}

#[test]
fn a_curve_in_40_columns_names_its_techniques_by_letters() {
    let style = Style { width: 40, ..verbose() };
    let decided = fixture::with_levels();
    let extent = Extent { levels: true, ..style.extent() };
    let page = page::curve(&decided.curves[0], &decided.rankings, &Context::default(), extent);
    let page = write::section(&page, &style);
    fits(&page, 40);
    assert_snapshot!(page);
}

#[test]
fn code_of_bakeoffs_own_is_named_with_what_can_be_had() {
    let own = ("copy".to_owned(), "copy_file_range".to_owned());
    let context = Context { own: BTreeSet::from([own]), ..fixture::context() };
    let page = run(&fixture::record(), &fixture::decided(&[fixture::ranking()]), &context, &plain());
    let text = "copy_file_range: bakeoff's own; else sendfile";
    assert!(unfolded(&page).contains(text), "{page}");
}

#[test]
fn every_page_fits_a_narrow_terminal() {
    for width in [40, 20] {
        every_page_fits(width);
    }
}

fn every_page_fits(width: usize) {
    let style = Style { width, ..verbose() };
    let (record, context) = (fixture::record(), fixture::context());
    let contests = fixture::decided(&[fixture::clear(), fixture::ranking(), long()]);
    fits(&run(&record, &contests, &context, &style), width);
    fits(&shown(&contests, &Style { verbose: false, ..style }), width);
    fits(&shown(&Decided::default(), &style), width);
    fits(&run(&record, &fixture::with_levels(), &context, &style), width);
    fits(&shown(&HostPage { host: &fixture::host(), volumes: &[fixture::volume()] }, &style), width);
    fits(&shown(&[listing(), Listing::default()][..], &style), width);
    fits(&shown(&fixture::noise(), &style), width);
    fits(&shown(&[record.summary()][..], &style), width);
    fits(&shown::<[Summary]>(&[], &style), width);
    fits(&shown(&fixture::timed(), &style), width);
    let summary = PlanSummary {
        families: ["copy", "convert", "search", "sort"].map(str::to_owned).to_vec(),
        refused: vec![("a_technique_with_a_long_name".into(), "it needs what is not here".into())],
        scratch: vec![Scratch { directory: "/a/long/way/down".into(), needed_bytes: 5, free_bytes: Some(7) }],
        seed: u64::MAX,
        ..PlanSummary::default()
    };
    fits(&plan(&summary, &style), width);
}

/// A contest of thirty entries: eight that are tied, the baseline far down, a command at the end.
fn long() -> Ranking {
    let mut long = fixture::ranking();
    let entries = (0..30).map(|number: usize| {
        let factor = 1.0 + 0.07 * number as f64;
        let candidate = number < 8;
        judge::Entry {
            technique: format!("technique_{number:02}"),
            aliases: Vec::new(),
            kind: if number == 29 { model::Kind::Command } else { model::Kind::BuiltIn },
            standing: if candidate { Standing::Tied } else { Standing::Slower },
            median: fixture::ns(5e6 * factor),
            factor: Some(factor),
            factor_low: Some(if candidate { 1.0 } else { factor * 0.95 }),
            factor_high: Some(factor * 1.1),
            notes: Vec::new(),
            ..fixture::ranking().entries[0].clone()
        }
    });
    long.entries = entries.collect();
    (long.leader, long.baseline) = (Some("technique_00".into()), Some("technique_25".into()));
    long.candidates = (0..8).map(|number| format!("technique_{number:02}")).collect();
    long.choice.as_mut().expect("a choice").entry = "technique_00".into();
    long.sentence = "technique_00 leads; tied with technique_01, technique_02, technique_03, technique_04 and 3 more (at most \
                     7 %). 22 others are slower, technique_08 by 1.6x (1.4-1.8x)."
        .into();
    long.advice = Some("Use technique_00: technique_25 is slower by 2.8x (2.6-3.1x).".into());
    (long.failures, long.flags, long.best_parameters) = (Vec::new(), Vec::new(), Vec::new());
    long
}

#[test]
fn a_long_contest_shows_nearest_baseline_and_commands() {
    let page = ranking(&long(), &Context::default(), &plain());
    for (name, shown) in [(0, true), (6, true), (7, false), (24, false), (25, true), (29, true)] {
        assert_eq!(page.contains(&format!("technique_{name:02}")), shown, "{name}: {page}");
    }
    assert!(page.contains("= tied. 1 more is tied, 20 are slower, up to 3.0x (-v)."), "{page}");
    let mut absent = long();
    absent.not_available = fixture::ranking().not_available;
    let page = ranking(&absent, &Context::default(), &plain());
    assert!(page.contains("not available here: reflink (-v says why)"), "{page}");
    let all = ranking(&long(), &Context::default(), &verbose());
    assert!((0..30).all(|number| all.contains(&format!("technique_{number:02}"))));
}

#[test]
fn remarks_say_what_a_reader_must_know_and_each_reason_once() {
    let page = ranking(&fixture::ranking(), &Context::default(), &plain());
    assert!(page.contains("ratio moved: sendfile slowed down") && !page.contains("drift"), "{page}");
    assert!(page.contains("not available here: reflink (ext4 shares no extents"), "{page}");
    assert!(page.contains("failed: mmap_to_mmap 3 times"), "{page}");
    assert!(!page.contains("failed: reflink"), "{page}");
    let page = ranking(&fixture::ranking(), &Context::default(), &verbose());
    assert!(page.contains("ratio moved: ") && page.contains("drift: the processor slowed"), "{page}");
    let mut failed = fixture::ranking();
    let reason = failed.failures[0].reason.clone();
    failed.entries.last_mut().expect("the failed one").notes = vec![reason.clone()];
    let page = ranking(&failed, &Context::default(), &plain());
    assert_eq!(page.matches(&reason).count(), 1, "{page}");
}

#[test]
fn every_time_has_its_unit() {
    let page = ranking(&fixture::clear(), &Context::default(), &of_width(140));
    for text in ["5.41 ms", "66.8 ms", "4.73 GB/s", "310 us + 4.90 ms"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let mut together = fixture::clear();
    for entry in &mut together.entries {
        (entry.user_ns, entry.system_ns) = (None, None);
    }
    let page = ranking(&together, &Context::default(), &of_width(140));
    assert!(page.contains("cpu time") && page.contains("5.21 ms") && !page.contains("user"), "{page}");
}

fn for_people(record: &Record, decided: &Decided) -> [String; 3] {
    let page = RunPage { record, decided, context: &fixture::context(), findings: &[] };
    [Format::Text, Format::Markdown, Format::Html].map(|format| render(&page, format, &of_width(2000)))
}

#[test]
fn no_heading_names_another_preset_than_the_run_has() {
    let mut record = fixture::record();
    record.preset = model::Preset::Quick;
    let published = model::Workload::of_bytes("published", 25_600_000);
    let decided = fixture::decided(&[Ranking { workload: published, ..fixture::ranking() }]);
    for page in for_people(&record, &decided) {
        assert!(page.contains("25.6 MB") && !page.contains("published (25.6 MB)"), "{page}");
    }
}

#[test]
fn confidence_and_its_meaning_are_said_once_a_page() {
    let mut decided = fixture::with_levels();
    decided.rankings.extend([fixture::ranking(), fixture::clear()]);
    for page in for_people(&fixture::record(), &decided) {
        assert_eq!(page.matches("95 % confidence").count(), 1, "{page}");
        assert!(page.contains("95 % confidence: about one answer of 20 is wrong."), "{page}");
        assert_eq!(page.matches("onfidence").count(), 1, "{page}");
    }
}

#[test]
fn a_run_under_load_says_so_first_and_names_the_answers() {
    let mut record = fixture::record();
    record.host.processor.allowed = vec![0, 1];
    let by_memory = Ranking { metric: model::Metric::MEMORY, ..fixture::clear() };
    let (all, some) = ([fixture::clear()], [fixture::ranking(), by_memory]);
    for (load, contests, touched) in
        [(236.0, &all[..], "every answer here"), (4.0, &some, "the answers by time (copy"), (3.9, &all, "")]
    {
        record.host.load = Some([load, 1.0, 1.0]);
        let decided = fixture::decided(contests);
        for page in for_people(&record, &decided) {
            let told = format!("Other work ran when this run began: load {load:.0} on 2 processors.");
            let first = page.find(&told);
            assert_eq!(first.is_some(), !touched.is_empty(), "{page}");
            assert!(page.contains(touched), "{page}");
            let answer = page.find("Use ").expect("an answer");
            assert!(first.is_none_or(|first| first < answer), "{page}");
        }
    }
}

#[test]
fn a_technique_that_was_measured_alone_is_named() {
    let family = "convert".to_owned();
    let mut alone = Ranking { family, state: judge::State::Alone, choice: None, ..fixture::clear() };
    alone.entries.truncate(1);
    let decided = fixture::decided(&[fixture::clear(), alone]);
    let page = run(&fixture::record(), &decided, &Context::default(), &plain());
    assert!(page.contains("only copy_file_range was measured"), "{page}");
}

#[test]
fn colours_are_only_there_when_asked_for() {
    let [uncoloured, coloured] = [false, true].map(|color| {
        let style = Style { color, ..plain() };
        run(&fixture::record(), &fixture::decided(&[fixture::ranking()]), &fixture::context(), &style)
    });
    assert!(!uncoloured.contains('\u{1b}'), "not even those of a command's name");
    assert!(coloured.contains("\u{1b}[33m"));
    // Without its colours it is the same page.
    let mut stripped = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        stripped.push_str(before);
        rest = after.split_once('m').expect("a whole sequence").1;
    }
    assert_eq!(stripped + rest, uncoloured);
}

pub(crate) fn listing() -> Listing {
    let row = |name: &str, available| ListingRow {
        name: name.into(),
        aliases: vec!["cpW".into()],
        idea: "read a piece of the input into a buffer and write it out | again, until nothing is left of it"
            .into(),
        source: "cp of the wsp tests, 2001".into(),
        variant_of: None,
        available,
    };
    let rows = vec![
        row("read_write@256K", Ok(())),
        ListingRow {
            aliases: Vec::new(),
            variant_of: Some("read_write".into()),
            ..row("no_access_time", Ok(()))
        },
        ListingRow { aliases: Vec::new(), ..row("io_uring", Err("this kernel has no io_uring".into())) },
    ];
    Listing { family: "copy".into(), question: "How do I copy a file?".into(), rows, ..Listing::default() }
}

#[test]
fn a_plan_tells_work_time_space_and_who_is_skipped() {
    let full = PlanSummary {
        families: vec!["copy".into(), "sort".into()],
        tasks: 2,
        trials: 31,
        rounds: Some(60),
        estimated_ns: Some(95_000_000_000),
        budget_ns: 7_500_000_000_000,
        budget_is_kept: true,
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
    };
    let early = PlanSummary { families: vec!["copy".into()], tasks: 1, trials: 1, ..PlanSummary::default() };
    let page = plan(&full, &plain()) + "\n" + &plan(&early, &plain());
    fits(&page, 100);
    assert_snapshot!(page);
}

#[test]
fn a_plan_promises_an_end_only_where_a_budget_was_given() {
    let known = Some(95_000_000_000);
    for (estimated_ns, budget_is_kept, time) in [
        (known, true, "about 95 s; no round begins after 2 min 30 s"),
        (known, false, "about 95 s, longer if techniques turn out slow; --budget limits it"),
        (None, true, "not known before every technique was tried once; no round begins after 2 min 30 s"),
        (
            None,
            false,
            "not known before every technique was tried once; about 2 min 30 s unless some are slow; --budget limits it",
        ),
    ] {
        let budget_ns = 150_000_000_000;
        let summary = PlanSummary { estimated_ns, budget_ns, budget_is_kept, ..PlanSummary::default() };
        let page = unfolded(&plan(&summary, &plain()));
        assert!(page.contains(&format!(" time {time} seed ")), "{page}");
    }
}
