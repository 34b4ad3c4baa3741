//! Advice of profiles, and files that must not be trusted.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use profile::{Certainty, HostKey, NoAdvice, Profile, ProfileError, Range, Task, Value, Wanted};
use proptest::prelude::*;

fn host() -> HostKey {
    HostKey { fingerprint: "0123456789abcdef".into(), kernel: "6.1.0".into(), setup: setup("0x1") }
}

fn setup(microcode: &str) -> BTreeMap<String, String> {
    let facts = [("microcode", microcode), ("huge_pages", "madvise")];
    facts.map(|(name, value)| (name.into(), value.into())).into()
}

fn range(from: u64, to: u64, technique: &str) -> Range {
    Range {
        from,
        to,
        technique: technique.into(),
        baseline: Some("std_copy".into()),
        factor_low: Some(1.1),
        factor_high: Some(1.4),
        at_most_slower: Some(0.02),
        certainty: Some(Certainty::Limited),
        confidence: Some(0.95),
        rounds: Some(20),
        date: Some("2026-01-01T00:00:00Z".into()),
        runs: vec!["20260101T000000.000Z-00000000".into()],
        parameters: BTreeMap::new(),
    }
}

fn task() -> Task {
    let mut buffered = range(4096, 65_536, "read_write");
    buffered.parameters.insert("buffer_bytes".into(), Value::Number(262_144));
    Task {
        family: "copy".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        kernel: host().kernel,
        cache: Some("warm".into()),
        durability: Some("returned".into()),
        file_system: Some("ext4".into()),
        metric: "work_ns".into(),
        axis: Some("bytes".into()),
        among: Vec::new(),
        setup: setup("0x1"),
        best_levels: Vec::new(),
        chosen_level: None,
        workload: BTreeMap::new(),
        ranges: vec![buffered, range(65_537, 1 << 30, "one_call")],
    }
}

fn profile(tasks: Vec<Task>) -> Profile {
    Profile { host: host(), tasks }
}

fn text_of(profile: &Profile) -> String {
    profile.to_toml().expect("TOML")
}

fn wanted(bytes: u64) -> Wanted {
    Wanted::new("copy").at("bytes", bytes).on_file_system("ext4")
}

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let path = folder.path().join("profile.toml");
    fs::write(&path, text).expect("a file");
    (folder, path)
}

fn refused(text: &str) -> ProfileError {
    let (_folder, path) = file(text);
    Profile::load_for(&path, host()).expect_err("it is no profile of this host")
}

#[test]
fn a_profile_is_read_as_it_was_written() {
    let written =
        profile(vec![task(), Task { family: "sort".into(), axis: Some("records".into()), ..task() }]);
    let (_folder, path) = file(&text_of(&written));
    assert_eq!(Profile::load_for(&path, host()).expect("a profile"), written);
}

#[test]
fn the_range_of_a_size_has_a_technique_with_parameters() {
    let profile = profile(vec![task()]);
    for (bytes, technique, buffer_bytes) in [
        (4096, "read_write", Some(262_144)),
        (65_536, "read_write", Some(262_144)),
        (65_537, "one_call", None),
    ] {
        let wanted = wanted(bytes);
        let pick = profile.best(&wanted).expect("it was measured");
        assert_eq!((pick.technique(), pick.number("buffer_bytes")), (technique, buffer_bytes));
    }
}

#[test]
fn nothing_is_known_outside_and_between_ranges() {
    let mut apart = task();
    let last = apart.ranges.len() - 1;
    apart.ranges[last].from += 1_000;
    let (low, gap) = (apart.ranges[0].from, apart.ranges[last].from - 1);
    let profile = profile(vec![apart]);
    for bytes in [low - 1, gap, u64::MAX] {
        let refused = profile.best(&wanted(bytes)).expect_err("nothing was measured there");
        assert!(matches!(&refused, NoAdvice::NotMeasured { at, .. } if *at == bytes), "{refused}");
        assert!(refused.to_string().contains("has no answer for bytes"), "{refused}");
    }
}

#[test]
fn what_was_measured_under_other_conditions_is_no_answer() {
    let profile = profile(vec![task()]);
    let refused = |wanted: Wanted| profile.best(&wanted).expect_err("not measured");
    let other_tasks = [Wanted::new("convert").at("bytes", 1), wanted(1).at("file_count", 3)];
    let other_conditions = [wanted(1).cold(), wanted(1).durable(), wanted(1).among(&["a", "b"])];
    for wanted in other_tasks.into_iter().chain(other_conditions) {
        assert!(matches!(refused(wanted.clone()), NoAdvice::Unknown { .. }), "{wanted:?}");
    }
    assert!(matches!(refused(wanted(1).on_file_system("xfs")), NoAdvice::OtherFileSystem { .. }));
    assert!(matches!(refused(Wanted::new("copy").at("bytes", 1)), NoAdvice::OtherFileSystem { .. }));
    assert!(matches!(refused(Wanted::new("copy").on_file_system("ext4")), NoAdvice::NoLevel { .. }));
}

#[test]
fn several_tasks_that_fit_are_refused() {
    let tasks = ["stages", "round_trip"].map(|route| {
        let workload = [("route".to_owned(), Value::Word(route.to_owned()))].into();
        Task { workload, ..task() }
    });
    let profile = profile(tasks.into());
    let refused = profile.best(&wanted(5_000)).expect_err("two fit").to_string();
    assert!(refused.contains("route"), "{refused}");
    assert!(profile.best(&wanted(5_000).with("route", "stages")).is_ok());
}

#[test]
fn a_task_under_other_conditions_stands_next_to_the_first() {
    let mut merged = profile(vec![task(), Task { family: "sort".into(), ..task() }]);
    assert_eq!(merged.merge(Task { cache: Some("cold".into()), ..task() }), []);
    assert_eq!(merged.tasks.len(), 3);
    assert_eq!(merged.merge(Task { ranges: vec![range(1, 9, "new")], ..task() }), []);
    assert_eq!((merged.tasks.len(), &*merged.tasks[0].ranges[0].technique), (3, "new"));
}

/// The choices of the first task: where each begins and ends, and what it is.
fn choices(profile: &Profile) -> Vec<(u64, u64, &str)> {
    profile.tasks[0].ranges.iter().map(|one| (one.from, one.to, one.technique.as_str())).collect()
}

fn founded(from: u64, to: u64, technique: &str, certainty: Certainty, rounds: u32) -> Range {
    Range { certainty: Some(certainty), rounds: Some(rounds), ..range(from, to, technique) }
}

fn with(ranges: Vec<Range>) -> Task {
    Task { ranges, ..task() }
}

#[test]
fn a_worse_founded_answer_does_not_replace_a_better_one() {
    let mut merged = profile(vec![with(vec![founded(1, 100, "good", Certainty::Sure, 30)])]);
    let kept = merged.merge(with(vec![founded(1, 100, "hasty", Certainty::Open, 3)]));
    assert_eq!(choices(&merged), [(1, 100, "good")]);
    let [kept] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!((kept.from, kept.to, kept.known.rounds, kept.refused.rounds), (1, 100, 30, 3));
    assert_eq!(kept.refused.certainty, Some(Certainty::Open));
    // Of two that are as sure, that of more rounds; of two that are equal, the new one.
    assert_eq!(merged.merge(with(vec![founded(1, 100, "longer", Certainty::Sure, 31)])), []);
    assert_eq!(merged.merge(with(vec![founded(1, 100, "newer", Certainty::Sure, 31)])), []);
    assert_eq!(choices(&merged), [(1, 100, "newer")]);
}

#[test]
fn each_part_of_the_axis_has_the_better_founded_answer() {
    let mut merged = profile(vec![with(vec![
        founded(10, 19, "known", Certainty::Sure, 30),
        founded(20, 99, "vague", Certainty::Open, 30),
    ])]);
    let kept = merged.merge(with(vec![founded(1, 59, "new", Certainty::Limited, 10)]));
    let parts = [(1, 9, "new"), (10, 19, "known"), (20, 59, "new"), (60, 99, "vague")];
    assert_eq!(choices(&merged), parts);
    assert_eq!(kept.iter().map(|part| (part.from, part.to)).collect::<Vec<_>>(), [(10, 19)]);
    let (_folder, path) = file(&text_of(&merged));
    assert_eq!(Profile::load_for(&path, host()).expect("a whole profile"), merged);
}

#[test]
fn what_lies_apart_joins_and_nothing_is_said_between() {
    let mut merged = profile(vec![with(vec![founded(1, 9, "one", Certainty::Sure, 10)])]);
    for far in ["far", "one"] {
        let said = merged.merge(with(vec![founded(100, 200, far, Certainty::Open, 10)]));
        assert_eq!((choices(&merged), said), (vec![(1, 9, "one"), (100, 200, far)], Vec::new()));
        assert!(merged.best(&wanted(50)).is_err());
    }
}

#[test]
fn a_weak_answer_leaves_what_was_said_of_the_whole_axis() {
    let levels = |level| (vec![level], Some(level));
    let task = |technique, certainty, (best_levels, chosen_level)| Task {
        best_levels,
        chosen_level,
        ..with(vec![founded(1, 9, technique, certainty, 10)])
    };
    let mut merged = profile(vec![task("known", Certainty::Sure, levels(4))]);
    merged.merge(task("weak", Certainty::Open, levels(8)));
    assert_eq!(merged.tasks[0].chosen_level, Some(4));
    merged.merge(task("sure", Certainty::Sure, levels(9)));
    assert_eq!((&merged.tasks[0].best_levels[..], merged.tasks[0].chosen_level), (&[9][..], Some(9)));
}

#[test]
fn advice_by_two_metrics_needs_the_metric() {
    let by_memory = Task { metric: "peak_memory_bytes".into(), ..task() };
    let profile = profile(vec![task(), by_memory]);
    let refused = profile.best(&wanted(5_000)).expect_err("two answers").to_string();
    assert!(refused.contains("metric") && !refused.contains("bytes,"), "{refused}");
    let pick = profile.best(&wanted(5_000).by("peak_memory_bytes")).expect("one answer");
    assert_eq!(pick.task.metric, "peak_memory_bytes");
}

#[test]
fn answers_of_unknown_quality_or_another_setup_are_replaced() {
    let sure = || with(vec![founded(1, 9, "old", Certainty::Sure, 90)]);
    let plain = Range { certainty: None, rounds: None, date: None, confidence: None, ..range(1, 9, "old") };
    for old in [
        with(vec![plain]),
        Task { setup: setup("0x0"), ..sure() },
        Task { version: "0.0.1".into(), ..sure() },
    ] {
        let mut merged = profile(vec![old]);
        assert_eq!(merged.merge(with(vec![founded(1, 9, "new", Certainty::Open, 3)])), []);
        assert_eq!(choices(&merged), [(1, 9, "new")]);
        assert_eq!(merged.best(&wanted(1)).expect("measured here").technique(), "new");
    }
}

#[test]
fn a_profile_forgets_a_family_or_everything() {
    let mut profile = profile(vec![task(), Task { family: "sort".into(), ..task() }]);
    assert_eq!(profile.forget(Some("clock")), 0);
    assert_eq!(profile.forget(Some("copy")), 1);
    assert_eq!(profile.tasks[0].family, "sort");
    assert_eq!(profile.forget(None), 1);
    assert_eq!(profile.tasks, []);
}

#[test]
fn what_was_measured_otherwise_is_no_answer() {
    let reads = concat!("and this program reads what ", env!("CARGO_PKG_VERSION"), " found");
    for (other, why) in [
        (Task { version: "0.0.1".into(), ..task() }, format!("by bakeoff 0.0.1, {reads}")),
        (Task { kernel: "5.10.0".into(), ..task() }, "on kernel 5.10.0, and this is 6.1.0".to_owned()),
        (Task { setup: setup("0x0"), ..task() }, "with microcode 0x0, and here it is 0x1".to_owned()),
    ] {
        let refused = profile(vec![other.clone()]).best(&wanted(5_000)).expect_err("another one").to_string();
        assert_eq!(refused, format!("copy was measured {why}; measure it again"));
        let mixed = profile(vec![other, task()]);
        assert_eq!(mixed.best(&wanted(5_000)).expect("measured here").technique(), "read_write");
    }
    let unknown = Task { setup: BTreeMap::new(), ..task() };
    assert!(profile(vec![unknown]).best(&wanted(5_000)).is_ok(), "what is not known is not compared");
}

#[test]
fn a_profile_of_another_host_is_not_trusted() {
    let other = HostKey { fingerprint: "fedcba9876543210".into(), ..host() };
    let text = Profile { host: other, tasks: vec![task()] }.to_toml().expect("TOML");
    let said = refused(&text);
    assert!(matches!(said, ProfileError::OtherHost { .. }));
    assert!(said.to_string().contains("fedcba9876543210"), "{said}");
    assert!(said.to_string().contains("name another file for this host, or"), "{said}");
}

#[test]
fn a_profile_of_another_format_is_not_read() {
    let text = text_of(&profile(vec![task()])).replace("format = 1", "format = 2");
    assert!(matches!(refused(&text), ProfileError::OtherFormat(_, 2)));
}

#[test]
fn a_damaged_profile_is_refused_in_one_line_that_says_where() {
    let whole = text_of(&profile(vec![task()]));
    for (text, part) in [
        (String::new(), "format"),
        ("format = 1".to_owned(), "fingerprint"),
        ("not a profile".to_owned(), "line 1"),
        (whole.replace("from = 65537", "from = 65536"), "overlap"),
        (whole.replace("to = 65536", "to = 4095"), "ends before it begins"),
        (whole.replace("axis = \"bytes\"\n", ""), "no axis"),
        (whole.replace("certainty = \"limited\"", "certainty = \"quite\""), "quite"),
        (whole.replace("technique = \"one_call\"", "technique = \"\""), "no technique"),
        (whole.replace("from = 4096", "from = -1"), "line"),
        (whole[..whole.len() / 2].to_owned(), ""),
    ] {
        let said = refused(&text);
        assert!(matches!(said, ProfileError::Damaged(..)), "{said}");
        let said = said.to_string();
        assert!(said.contains(part) && said.lines().count() == 1, "{part}: {said}");
    }
}

#[test]
fn a_file_that_does_not_exist_is_named() {
    let said = Profile::load_for("/nowhere/profile.toml".as_ref(), host()).expect_err("no file");
    assert!(matches!(said, ProfileError::Read(..)) && said.to_string().contains("profile.toml"), "{said}");
}

#[test]
fn this_host_is_known_and_a_profile_of_it_is_loaded() {
    let here = HostKey::here().expect("this host has an identity");
    let (_folder, path) = file(&text_of(&Profile::new(here.clone())));
    assert_eq!(Profile::load(&path).expect("a profile of this host").host, here);
}

#[test]
fn a_directory_names_its_file_system() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    assert!(Wanted::new("copy").in_directory(folder.path()).is_ok());
    assert!(Wanted::new("copy").in_directory(&folder.path().join("nothing")).is_err());
}

proptest! {
    /// Whatever stands in a file, it is a profile or an error of one line.
    #[test]
    fn any_text_is_read_or_refused(cut in 0_usize..2000, put in "\\PC{0,8}") {
        let mut text = text_of(&profile(vec![task()]));
        let mut at = cut.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.insert_str(at, &put);
        let (_folder, path) = file(&text);
        if let Err(said) = Profile::load_for(&path, host()) {
            prop_assert_eq!(said.to_string().lines().count(), 1, "{}", said);
        }
    }
}
