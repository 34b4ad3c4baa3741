//! What a program is told from a profile, and which files it must not trust.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use profile::{HostKey, NoAdvice, Profile, ProfileError, Range, Task, Value, Wanted};
use proptest::prelude::*;

fn host() -> HostKey {
    HostKey { fingerprint: "0123456789abcdef".into(), kernel: "6.1.0".into() }
}

fn range(from: u64, to: u64, technique: &str) -> Range {
    Range {
        from,
        to,
        technique: technique.into(),
        reference: Some("std_copy".into()),
        factor_low: Some(1.1),
        factor_high: Some(1.4),
        at_most_slower: Some(0.02),
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
        quantity: "work_ns".into(),
        axis: Some("bytes".into()),
        among: Vec::new(),
        best_levels: Vec::new(),
        workload: BTreeMap::new(),
        ranges: vec![buffered, range(65_537, 1 << 30, "one_call")],
    }
}

fn profile(tasks: Vec<Task>) -> Profile {
    Profile { host: host(), tasks }
}

fn wanted(bytes: u64) -> Wanted {
    Wanted::new("copy").at("bytes", bytes).on_file_system("ext4")
}

/// A file with this text, in a folder of its own.
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
    let (_folder, path) = file(&written.to_toml().expect("TOML"));
    assert_eq!(Profile::load_for(&path, host()).expect("a profile"), written);
}

#[test]
fn what_another_version_of_bakeoff_measured_is_no_advice_and_the_reason_is_told() {
    let other = Task { version: "0.0.1".into(), ..task() };
    let refused = profile(vec![other.clone()]).best(&wanted(5_000)).expect_err("another version").to_string();
    assert!(
        refused.contains("measured by bakeoff 0.0.1") && refused.contains("measure it again"),
        "{refused}"
    );
    let mixed = Profile { host: host(), tasks: vec![other, task()] };
    assert_eq!(mixed.best(&wanted(5_000)).expect("the task of this version").technique(), "read_write");
}

#[test]
fn the_range_that_holds_a_size_tells_the_technique_and_its_parameters() {
    let profile = profile(vec![task()]);
    for (bytes, technique, buffer_bytes) in [
        (4096, "read_write", Some(262_144)),
        (65_536, "read_write", Some(262_144)),
        (65_537, "one_call", None),
    ] {
        let wanted = wanted(bytes);
        let pick = profile.best(&wanted).expect("it was measured");
        assert_eq!((pick.technique(), pick.number("buffer_bytes")), (technique, buffer_bytes));
        assert!(!pick.is_nearest);
    }
}

#[test]
fn outside_of_what_was_measured_the_nearest_range_answers_and_says_so() {
    let profile = profile(vec![task()]);
    for (bytes, technique) in [(0, "read_write"), (u64::MAX, "one_call")] {
        let wanted = wanted(bytes);
        let pick = profile.best(&wanted).expect("a nearest one");
        assert_eq!((pick.technique(), pick.is_nearest), (technique, true));
    }
}

#[test]
fn what_was_measured_under_other_conditions_is_no_answer() {
    let profile = profile(vec![task()]);
    let refused = |wanted: Wanted| profile.best(&wanted).expect_err("not measured");
    assert!(matches!(refused(wanted(1).cold()), NoAdvice::Unknown { .. }));
    assert!(matches!(refused(wanted(1).durable()), NoAdvice::Unknown { .. }));
    assert!(matches!(refused(wanted(1).among(&["a", "b"])), NoAdvice::Unknown { .. }));
    assert!(matches!(refused(Wanted::new("convert").at("bytes", 1)), NoAdvice::Unknown { .. }));
    assert!(matches!(refused(wanted(1).at("file_count", 3)), NoAdvice::Unknown { .. }));
    assert!(matches!(refused(wanted(1).on_file_system("xfs")), NoAdvice::OtherFileSystem { .. }));
    assert!(matches!(refused(Wanted::new("copy").at("bytes", 1)), NoAdvice::OtherFileSystem { .. }));
    assert!(matches!(refused(Wanted::new("copy").on_file_system("ext4")), NoAdvice::NoLevel { .. }));
}

#[test]
fn what_was_measured_under_another_kernel_is_no_answer() {
    let old = Task { kernel: "5.10.0".into(), ..task() };
    let refused = profile(vec![old.clone()]).best(&wanted(1)).expect_err("another kernel").to_string();
    assert_eq!(refused, "copy was measured on kernel 5.10.0, and this is 6.1.0; measure it again");
    let new = Task { ranges: vec![range(1, 2, "new")], ..task() };
    assert_eq!(profile(vec![old, new]).best(&wanted(1)).expect("measured here").technique(), "new");
}

#[test]
fn several_tasks_that_fit_must_be_told_apart() {
    let with = |route: &str| Task {
        workload: [("route".to_owned(), Value::Word(route.to_owned()))].into(),
        ..task()
    };
    let profile = profile(vec![with("stages"), with("round_trip")]);
    let refused = profile.best(&wanted(1)).expect_err("two fit").to_string();
    assert!(refused.contains("route"), "{refused}");
    assert!(profile.best(&wanted(1).with("route", "stages")).is_ok());
}

#[test]
fn of_a_task_that_is_measured_again_the_new_answer_counts_and_all_others_stay() {
    let mut merged = profile(vec![task(), Task { family: "sort".into(), ..task() }]);
    merged.merge(Task { version: "0.2.0".into(), ranges: vec![range(1, 9, "new")], ..task() });
    merged.merge(Task { cache: Some("cold".into()), ..task() });
    assert_eq!(merged.tasks.len(), 3);
    assert_eq!(merged.tasks[0].ranges[0].technique, "new");
}

#[test]
fn a_profile_of_another_host_is_not_trusted() {
    let other = HostKey { fingerprint: "fedcba9876543210".into(), ..host() };
    let text = Profile { host: other, tasks: vec![task()] }.to_toml().expect("TOML");
    let told = refused(&text);
    assert!(matches!(told, ProfileError::OtherHost { .. }));
    assert!(told.to_string().contains("fedcba9876543210"), "{told}");
}

#[test]
fn a_profile_of_another_format_is_not_read() {
    let text = profile(vec![task()]).to_toml().expect("TOML").replace("format = 1", "format = 2");
    assert!(matches!(refused(&text), ProfileError::OtherFormat { found: 2, .. }));
}

#[test]
fn a_damaged_profile_is_refused_in_one_line_that_says_where() {
    let whole = profile(vec![task()]).to_toml().expect("TOML");
    for (text, part) in [
        (String::new(), "format"),
        ("format = 1".to_owned(), "fingerprint"),
        ("not a profile".to_owned(), "line 1"),
        (whole.replace("from = 65537", "from = 65538"), "do not follow each other"),
        (whole.replace("to = 65536", "to = 4095"), "ends before it begins"),
        (whole.replace("axis = \"bytes\"\n", ""), "no axis"),
        (whole.replace("technique = \"one_call\"", "technique = \"\""), "no technique"),
        (whole.replace("from = 4096", "from = -1"), "line"),
        (whole[..whole.len() / 2].to_owned(), ""),
    ] {
        let told = refused(&text);
        assert!(matches!(told, ProfileError::Damaged { .. }), "{told}");
        let told = told.to_string();
        assert!(told.contains(part) && told.lines().count() == 1, "{part}: {told}");
    }
}

#[test]
fn a_file_that_does_not_exist_is_told_by_its_name() {
    let told = Profile::load_for("/nowhere/profile.toml".as_ref(), host()).expect_err("no file");
    assert!(matches!(told, ProfileError::Read { .. }) && told.to_string().contains("profile.toml"), "{told}");
}

#[test]
fn this_host_is_known_and_a_profile_of_it_is_loaded() {
    let here = HostKey::here().expect("this host has an identity");
    let (_folder, path) = file(&Profile::new(here.clone()).to_toml().expect("TOML"));
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
        let mut text = profile(vec![task()]).to_toml().expect("TOML");
        let mut at = cut.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.insert_str(at, &put);
        let (_folder, path) = file(&text);
        if let Err(told) = Profile::load_for(&path, host()) {
            prop_assert_eq!(told.to_string().lines().count(), 1, "{}", told);
        }
    }
}
