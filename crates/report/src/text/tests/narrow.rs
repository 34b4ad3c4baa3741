//! The pages of what was published, compared, followed, advised, explained and shown, on terminals of 20 and 40 columns.

use ::findings::published::{machine, record};
use ::findings::{Effect, Judged, Known, Outcome, Published, judge};
use ::judge::{ComparedRuns, Curve, History, Side, compare_runs};
use model::{Along, Cache, RunId};
use serde_json::json;

use super::history::followed_over_time;
use super::*;
use crate::pages::{AdvicePage, ExplainPage, ExplainedContest, ExplainedTechnique, ShowPage, Stood};

const WIDTH: usize = 40;
const NARROWEST: usize = 20;

/// As it is by default, and with all that can be asked for; the latter at the larger width.
fn fits_both(page: impl Fn(&Style) -> String) -> String {
    let mut whole = String::new();
    for width in [NARROWEST, WIDTH] {
        let style = Style { width, ..plain() };
        fits(&page(&style), width);
        whole = page(&Style { verbose: true, ..style });
        fits(&whole, width);
    }
    whole
}

/// The findings as they are without a run, and as if each had one of the outcomes.
fn all_findings() -> Vec<Judged> {
    let outcomes = [Outcome::Holds, Outcome::Reversed, Outcome::Undecided, Outcome::NoDifference];
    let all = findings::all();
    let judged = all.iter().enumerate().map(|(nth, finding)| {
        let mut judged = judge(finding, &[], &Known::new(), None);
        if nth % 5 < outcomes.len() {
            judged.outcome = outcomes[nth % 5];
            judged.measured_with = Some("400,000 units instead of 1,000,000".to_owned());
        }
        for one in judged.comparisons.iter_mut().filter(|_| nth % 5 < outcomes.len()) {
            one.outcome = outcomes[nth % 5];
            one.effect = Some(Effect { estimate: 1.25, low: Some(1.2), high: Some(1333.3), rounds: 20 });
            one.published = Some(Published { low: 0.0123, high: 55.5, machines: 6, outside: Vec::new() });
        }
        judged
    });
    judged.collect()
}

#[test]
fn published_findings_fit() {
    let page = fits_both(|style| shown(&all_findings()[..], style));
    assert!(page.contains("holds") && page.contains("reversed"), "{page}");
}

#[test]
fn findings_of_every_family_stand_in_a_table() {
    let all = all_findings();
    let judged = |one: &Judged| Judged { outcome: Outcome::NotTestable, ..one.clone() };
    let unseen: Vec<Judged> = all.iter().map(judged).collect();
    for (of, width) in [(&unseen, 80), (&all, 80), (&all, 100)] {
        for of_family in of.chunk_by(|one, next| one.family == next.family) {
            let page = shown(of_family, &Style { width, ..plain() });
            let head = page.lines().find(|line| line.starts_with("  finding"));
            let has_columns = head.is_some_and(|head| head.contains("here  ") && head.ends_with("published"));
            assert!(has_columns, "{}, {width} columns: {page}", of_family[0].family);
        }
    }
}

/// Two runs of two hosts and a published machine: a contest of all and a curve of two.
fn compared() -> ComparedRuns {
    let mut ranking = fixture::clear();
    ranking.entries[0].aliases = vec!["cpC".to_owned()];
    let (here, mut other) = (fixture::record(), fixture::record());
    other.id = RunId("20261122T100000-bb".into());
    other.host.processor.model = Some("A processor with a name of many words".into());
    other.host.os.kernel = Some("6.18.0-with-a-long-suffix-of-the-vendor".into());
    let machine = machine("xeon-4way").expect("it was published");
    let published = record(machine, &[]);
    let mut own = fixture::with_levels();
    own.rankings.push(ranking);
    let decided = ::judge::decide(&published);
    compare_runs(&[side(&here, &own), side(&other, &own), side(&published, &decided)])
}

fn side<'a>(record: &'a Record, decided: &'a Decided) -> Side<'a> {
    Side { name: record.id.to_string(), record, decided }
}

#[test]
fn runs_side_by_side_fit() {
    let page = fits_both(|style| shown(&compared(), style));
    assert!(page.contains("  processors\n    A 2, B 2, C 4\n"), "{page}");
    assert!(page.contains("published:xeon-4way-w2000-ntfs"), "{page}");
}

#[test]
fn curves_side_by_side_say_their_cache() {
    let (mut run, mut both, mut cold) = (fixture::record(), fixture::with_levels(), fixture::with_levels());
    let Curve { family, axis, .. } = both.curves[0].clone();
    run.design.curves.insert(family, Along { axis, ..Along::default() });
    cold.rankings.iter_mut().for_each(|one| one.setting.conditions.cache = Some(Cache::Cold));
    for curve in &mut cold.curves {
        curve.setting.conditions.cache = Some(Cache::Cold);
        curve.sentence = "The answer with a cold cache.".to_owned();
    }
    both.rankings.extend(cold.rankings);
    both.curves.extend(cold.curves);
    let compared = compare_runs(&[side(&run, &both), side(&run, &both)]);
    let page = shown(&compared, &Style { width: 120, ..plain() });
    let [_, _, warm, cold] =
        page.split("search by file size, 64 files, kind files, ").collect::<Vec<_>>()[1..]
    else {
        panic!("{page}");
    };
    assert!(warm.starts_with("warm cache\n") && warm.contains("A: Use sequential at 4 KiB"), "{page}");
    assert!(cold.starts_with("cold cache\n") && cold.contains("A: The answer with a cold cache."), "{page}");
}

#[test]
fn a_host_over_time_fits() {
    let page = fits_both(|style| shown(&followed_over_time(None), style));
    assert!(page.contains("copy_file_range") && page.contains("as before"), "{page}");
    assert!(page.contains("build of bakeoff") && page.contains("before 6.17.0"), "{page}");
    let page = fits_both(|style| shown(&followed_over_time(Some("copy/splice")), style));
    assert!(page.contains("compared with this run"), "{page}");
    fits_both(|style| shown(&History::default(), style));
}

fn advice() -> AdvicePage {
    let long = "a_name_of_forty_characters_that_is_long_";
    let Decided { rankings, curves } = fixture::with_levels();
    let [rankings, curves] =
        [json!(rankings), json!(curves)].map(|json| json.to_string().replace("thread_pool", long));
    let rankings = serde_json::from_str(&rankings).expect("contests");
    let curves: Vec<Curve> = serde_json::from_str(&curves).expect("curves");
    let curve = curves[0].clone();
    AdvicePage {
        set_aside: vec!["20261120T100000-aa was taken with another state of the file cache".into()],
        profile: Some("/a/long/way/down/state/bakeoff/profile.toml".into()),
        profile_keeps: Some("what the profile said from 4 KiB to 64 KiB stays: it rests on 30 rounds".into()),
        ..fixture::advised(&Decided { rankings, curves }, &curve)
    }
}

#[test]
fn advice_fits() {
    let page = fits_both(|style| shown(&advice(), style));
    assert!(page.contains("sequential") && page.contains("(baseline)"), "{page}");
    let nothing = AdvicePage {
        advice: None,
        measure_with: Some("bakeoff run copy --size 25.6M --cache cold --dir /scratch/of/someone".into()),
        ..advice()
    };
    let page = fits_both(|style| shown(&nothing, style));
    assert!(page.contains("No measurements for this"), "{page}");
}

fn explained(count: usize) -> ExplainPage {
    let techniques = (0..count).map(|nth| {
        let [read, write, open] = [("read", 6_251), ("write", 6_250), ("openat O_DIRECT|O_CREAT", 2)]
            .map(|(name, calls)| fixture::call(name, calls, Some(25_600_000)));
        let mut one = fixture::explained(&format!("technique_number_{nth}@256K"), vec![read, write, open]);
        let note = "fell back: the file system does not share extents with another one";
        one.account.as_mut().expect("an account").notes = vec![note.into()];
        if nth == 2 {
            (one.account, one.failure) = (None, Some("io_uring_setup: Operation not permitted".into()));
        }
        ExplainedTechnique {
            idea: "the system's read and write calls, 256 bytes at a time".into(),
            is_leader: nth == 0,
            is_baseline: nth == 1,
            expected: vec!["clone3|clone *64".into()],
            broken: vec!["clone3|clone *64".into()],
            ..one
        }
    });
    ExplainPage {
        family: "copy".into(),
        question: "How do I copy a file?".into(),
        workload: fixture::workload(),
        setting: fixture::setting(),
        techniques: techniques.collect(),
        of: Some(ExplainedContest {
            other_levels: Some(("bytes".to_owned(), vec![4096, 1 << 20])),
            run: RunId("20261121T100000-aa".into()),
            ranking: fixture::clear(),
            is_other_work: true,
        }),
        ..ExplainPage::default()
    }
}

#[test]
fn what_techniques_did_fits() {
    for count in [1, 4, 9] {
        let page = fits_both(|style| shown(&[explained(count)][..], style));
        assert!(page.contains("technique_number_0@256K"), "{page}");
    }
}

#[test]
fn one_technique_fits_but_for_its_code() {
    let stood = Stood {
        run: "20261121T100000-aa".into(),
        started: "2026-11-21T10:00:00+01:00".into(),
        ranking: fixture::ranking(),
        entry: "read_write@256K".into(),
    };
    let shown = ShowPage {
        family: "copy".into(),
        question: "How do I copy a file?".into(),
        technique: "read_write".into(),
        aliases: vec!["cpW".into()],
        idea: "the system's read and write calls, with a buffer whose size is a parameter".into(),
        source: "Hart, Windows System Programming, cpW".into(),
        variant_of: Some("small_buffer".into()),
        parameters: vec!["buffer".into()],
        entries: ["4K", "64K", "256K", "1M"].map(|size| format!("read_write@{size}")).to_vec(),
        only_for: vec!["one large file".into()],
        missing: Some("the file system of /scratch shares no extents; btrfs and XFS do".into()),
        expected: vec!["openat O_DIRECT".into(), "clone3|clone *64".into(), "!read".into()],
        explained: Some(explained(1)),
        contests: vec![stood.clone(), stood],
        further_contests: 3,
        file: "copy/techniques/linux/a_file_with_a_long_name.rs".into(),
        ..ShowPage::default()
    };
    let page = fits_both(|style| super::shown(&shown, style));
    assert!(page.contains("read_write@256K") && page.contains("slower"), "{page}");
    let untold = ShowPage { explained: None, contests: Vec::new(), ..shown };
    fits_both(|style| super::shown(&untold, style));
    let code = "fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {\n";
    let coded = super::shown(&ShowPage { code: code.into(), ..untold }, &Style { width: WIDTH, ..plain() });
    assert!(coded.ends_with(code), "{coded}");
}

#[test]
fn a_long_fact_folds_and_its_table_stays_one() {
    let limit = "pids.max of /system.slice/a-service-with-a-long-name.service (4915, of which 30 are used by others and may grow)";
    let about = "stacks of 64 KiB";
    let facts = vec![
        model::Fact::words("threads", "runs out first", about, limit),
        model::Fact::number("threads", "threads created at once", about, 4_000.0, "threads"),
    ];
    let record = Record { facts, ..fixture::record() };
    let page = run(&record, &fixture::with_levels(), &fixture::context(), &of_width(100));
    let table = page.split("Facts that threads found out").nth(1).expect("a table of facts");
    let heading = table.lines().find(|line| !line.trim().is_empty()).expect("a heading");
    assert_eq!(heading.split_whitespace().collect::<Vec<_>>(), ["about", "fact", "value"], "{table}");
    assert!(
        table.lines().any(|line| line.contains("runs out first") && line.contains("pids.max of")),
        "{table}"
    );
}
