//! Every technique finds the lines in every kind of file, and says in a sentence why it could not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use model::{Durability, Host, Preset, Proof, Setting, Workload};
use proptest::prelude::*;

use super::awkward::{PATTERNS, write_files};
use super::inputs::{Place, Root};
use super::job::SearchJob;
use super::pattern::Pattern;
use super::{SEARCH, TECHNIQUES};
use crate::contract::Technique;
use crate::files::job_tests::done;
use crate::testing::{changed, done_twice, generated, ready, scratch_with, trial};

/// They start their own program, which must be able to play the part: tests/search_processes is such a program.
const PROCESSES: [&str; 3] = ["process_per_file", "process_in_turn", "process_per_processor"];

pub(super) fn ready_entries(directory: &Path) -> Vec<String> {
    let setting = Setting::warm(directory, Durability::Returned);
    let ready = ready(SEARCH, &setting, |name| !PROCESSES.contains(&name));
    assert!(ready.len() >= 12, "the portable techniques run everywhere, but only {ready:?} are ready");
    ready
}

/// Searches twice with one entry as a worker would; returns the proofs seen by the technique and by others.
fn searched(
    entry: &str, workload: &Workload, scratch: &Path, durability: Durability,
) -> io::Result<(Proof, Proof)> {
    let (proof, notes) = done_twice(SEARCH, &trial(SEARCH, entry, workload, scratch, durability))?;
    assert!(notes.iter().all(|note| note.starts_with("fell back: ")), "{notes:?}");
    Ok((proof, SEARCH.inspect(workload, scratch)?))
}

pub(super) fn every_technique_proves_itself(workload: &Workload, scratch: &Path, durability: Durability) {
    let expected = SEARCH.expected(workload, scratch).expect("readable");
    let mut refusals = 0;
    for entry in ready_entries(scratch) {
        match searched(&entry, workload, scratch, durability) {
            Ok(both) => {
                assert_eq!(both, (expected.clone(), expected.clone()), "{entry}, {:?}", workload.point)
            }
            Err(error) => {
                assert_eq!(error.kind(), io::ErrorKind::Unsupported, "{entry}: {error}");
                refusals += 1;
            }
        }
    }
    let has_several = workload.word("pattern").is_some_and(|pattern| pattern.contains('\n'));
    let is_plain = workload.word("regex") == Some("no") && !has_several;
    assert_eq!(refusals > 0, !is_plain, "only some kernels look for one literal alone");
}

fn with_pattern(workload: Workload, pattern: &str, is_regex: bool) -> Workload {
    let regex = if is_regex { "yes" } else { "no" };
    changed(SEARCH, workload, &[("regex", regex), ("pattern", pattern)]).expect("a pattern")
}

#[test]
fn every_technique_finds_the_lines_of_every_awkward_file() {
    let (originals, scratch) = (tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch"));
    let files = write_files(originals.path());
    for (pattern, is_regex) in PATTERNS {
        let workload = with_pattern(SEARCH.workload_of_input(&files).expect("files"), pattern, is_regex);
        SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
        every_technique_proves_itself(&workload, scratch.path(), Durability::Returned);
    }
}

#[test]
fn every_technique_finds_the_lines_of_every_workload() {
    for axes in [
        &[][..],
        &[("frequency", "rare")],
        &[("frequency", "common")],
        &[("frequency", "absent")],
        &[("kind", "one"), ("frequency", "common")],
        &[("kind", "tree"), ("frequency", "common")],
        &[("file_bytes", "1K")],
        &[("regex", "yes"), ("pattern", "n.{3}[0-9]+")],
    ] {
        let workload = changed(SEARCH, SEARCH.workload_of_bytes(3_000_000).expect("sizes"), axes);
        let workload = workload.expect("values");
        let (scratch, expected) = generated(SEARCH, &workload, 11);
        assert_eq!(expected.bytes == 0, axes.contains(&("frequency", "absent")), "{axes:?}");
        let durability = if axes.is_empty() { Durability::Durable } else { Durability::Returned };
        every_technique_proves_itself(&workload, scratch.path(), durability);
    }
}

const NAMES: [&str; 9] = ["a!/z", "a-b/x", "a.txt", "a/b/c", "a/b0", "a/b/d/e", "a0", "b", "Z"];

#[test]
fn the_answer_stands_in_the_byte_order_of_the_names() {
    let scratch = tempfile::tempdir().expect("scratch");
    let original = scratch.path().join("original");
    for name in NAMES {
        let path = original.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(&path, format!("needle in {name}\nnothing\nneedle")).expect("written");
    }
    let workload = SEARCH.workload_of_input(std::slice::from_ref(&original)).expect("a folder");
    SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
    let root = scratch.path().join("files").join("original");
    let mut names = NAMES;
    names.sort_unstable();
    let lines = names.map(|name| {
        let path = root.join(name.replace('/', std::path::MAIN_SEPARATOR_STR)).display().to_string();
        format!("{path}:needle in {name}\n{path}:needle\n")
    });
    for entry in ready_entries(scratch.path()) {
        let found = searched(&entry, &workload, scratch.path(), Durability::Returned);
        found.unwrap_or_else(|error| panic!("{entry}: {error}"));
        let answer = fs::read_to_string(scratch.path().join("search.output")).expect("an answer");
        assert_eq!(answer, lines.concat(), "{entry}");
    }
}

#[test]
fn files_and_folders_are_searched_in_the_order_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    let at = |name: &str| scratch.path().join("own").join(name);
    for name in ["z.txt", "folder/b", "folder/a", "a.txt"] {
        fs::create_dir_all(at(name).parent().expect("a folder")).expect("created");
        fs::write(at(name), "needle\n").expect("written");
    }
    let workload = SEARCH.workload_of_input(&[at("z.txt"), at("folder"), at("a.txt")]).expect("files");
    assert_eq!((workload.name.as_str(), workload.number("file_count")), ("z.txt+2", Some(4)));
    SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
    let listed = SEARCH.inputs(&workload, scratch.path());
    let folder = scratch.path().join("files");
    let order = ["z.txt", "folder/a", "folder/b", "a.txt"].map(|name| folder.join(name));
    assert_eq!(listed, order);
    every_technique_proves_itself(&workload, scratch.path(), Durability::Returned);
}

fn tree() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let name = proptest::collection::vec("[ab.!-]{1,3}", 1..4);
    let byte = prop_oneof![Just(b'n'), Just(b'a'), Just(b'\n'), Just(b'\r'), Just(0), Just(0xff)];
    let file = (name, proptest::collection::vec(byte, 0..200));
    proptest::collection::vec(file, 1..12)
        .prop_map(|files| files.into_iter().map(|(name, bytes)| (name.join("/"), bytes)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_technique_searches_any_tree(tree in tree(), pattern in "[na]{1,3}") {
        let scratch = tempfile::tempdir().expect("scratch");
        let original = scratch.path().join("original");
        fs::create_dir(&original).expect("created");
        fs::write(original.join("some"), "na\n").expect("written");
        for (name, bytes) in &tree {
            // A name may be taken by a folder, or the other way round; `.` and `..` are none.
            let path = original.join(name);
            if name.split('/').any(|part| part.trim_end_matches('.').is_empty())
                || fs::create_dir_all(path.parent().expect("a folder")).is_err()
            {
                continue;
            }
            let _ = fs::write(&path, bytes);
        }
        let workload = SEARCH.workload_of_input(&[original]).expect("a folder");
        let workload = with_pattern(workload, &pattern, false);
        SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
        every_technique_proves_itself(&workload, scratch.path(), Durability::Returned);
    }
}

pub(super) fn job(roots: &[(PathBuf, bool)], answer: PathBuf, technique: &Technique<SearchJob>) -> SearchJob {
    let roots = roots.iter().cloned().map(|(path, is_folder)| Root { path, is_folder }).collect();
    SearchJob {
        place: Place { folder: PathBuf::from("/"), roots },
        answer,
        bytes: u64::MAX,
        pattern: Pattern::new("needle", false).expect("a literal"),
        durable: false,
        parameters: technique.points().swap_remove(0),
        processors: std::num::NonZero::new(2),
    }
}

/// Returns the sentences of all techniques but those of processes for a job that cannot be done.
pub(super) fn sentences(roots: &[(PathBuf, bool)], scratch: &Path) -> Vec<(&'static str, io::Error)> {
    sentences_of(|name| !PROCESSES.contains(&name), roots, scratch)
}

pub(super) fn sentences_of(
    is_meant: impl Fn(&str) -> bool, roots: &[(PathBuf, bool)], scratch: &Path,
) -> Vec<(&'static str, io::Error)> {
    let setting = Setting::warm(".", Durability::Returned);
    // What was left out of this build says so, whatever the job is.
    let techniques = TECHNIQUES.iter().filter(|technique| is_meant(technique.name));
    let built = techniques.filter(|technique| (technique.probe)(&Host::default(), &setting).is_ready());
    let failed = built.map(|technique| {
        let job = job(roots, scratch.join(format!("{}.output", technique.name)), technique);
        (technique.name, done(technique, &job).expect_err(technique.name))
    });
    failed.collect()
}

#[test]
fn what_cannot_be_read_is_named() {
    let (scratch, there) = scratch_with("there", "needle\n");
    let absent = scratch.path().join("absent");
    let folder = scratch.path().to_owned();
    for (second, is_folder) in [(&absent, false), (&absent, true), (&folder, false)] {
        let again = tempfile::tempdir().expect("scratch");
        for (name, error) in sentences(&[(there.clone(), false), (second.clone(), is_folder)], again.path()) {
            assert!(second == &folder || error.kind() == io::ErrorKind::NotFound, "{name}: {error}");
            assert!(error.to_string().contains(&second.display().to_string()), "{name}: {error}");
        }
    }
}

#[test]
fn an_answer_that_cannot_be_created_is_named() {
    let (scratch, file) = scratch_with("file", "needle\n");
    let nowhere = scratch.path().join("absent");
    for (name, error) in sentences(&[(file.clone(), false)], &nowhere) {
        assert!(error.to_string().starts_with(&format!("create {}", nowhere.display())), "{name}: {error}");
    }
    for technique in TECHNIQUES {
        fs::write(scratch.path().join(format!("{}.output", technique.name)), "left over").expect("written");
    }
    for (name, error) in sentences(&[(file, false)], scratch.path()) {
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{name}: {error}");
    }
}

#[test]
fn one_line_names_files_of_the_user_that_cannot_be_searched() {
    let scratch = tempfile::tempdir().expect("scratch");
    let at = |name: &str| scratch.path().join(name);
    fs::create_dir_all(at("folder/inner")).expect("created");
    fs::write(at("folder/inner/full"), "text").expect("written");
    fs::write(at("empty"), "").expect("written");
    let refused = |files: &[PathBuf]| {
        let sentence = SEARCH.workload_of_input(files).expect_err("refused");
        assert!(!sentence.contains('\n'), "{sentence}");
        sentence
    };
    assert!(refused(&[at("folder"), at("absent")]).contains("absent"));
    assert!(refused(&[at("folder"), at("folder/inner/full")]).contains("hold the same files"));
    assert!(refused(&[at("empty")]).contains("no byte to search"));
    assert!(refused(&[]).contains("no byte to search"));
    assert!(refused(&vec![at("empty"); 1_000]).contains("give the folder that holds them"));
}

#[test]
fn the_copies_are_private_and_the_originals_stay_as_they_are() {
    let (scratch, original) = scratch_with("letters", "a needle\n");
    let workload = SEARCH.workload_of_input(std::slice::from_ref(&original)).expect("a file");
    for _ in 0..2 {
        SEARCH.generate(&workload, scratch.path(), 1).expect("made as often as need be");
    }
    let copy = SEARCH.inputs(&workload, scratch.path()).remove(0);
    assert_eq!(copy, scratch.path().join("files").join("letters"));
    fs::write(&copy, "changed").expect("written");
    assert_eq!(fs::read(&original).expect("readable"), b"a needle\n");
    fs::remove_file(&original).expect("removed");
    let gone = SEARCH.generate(&workload, scratch.path(), 1).expect_err("gone").to_string();
    assert!(gone.contains("letters"), "{gone}");
}

#[test]
fn a_command_gets_the_files_the_folder_and_the_pattern() {
    let workload = SEARCH.workloads(Preset::Quick).remove(0);
    let (scratch, _) = generated(SEARCH, &workload, 1);
    let places = SEARCH.placeholders(&workload, scratch.path());
    let place = |name: &str| places.iter().find(|place| place.name == name).expect(name);
    assert_eq!(place("files").values.len(), 20);
    assert!(place("files").values.iter().all(|path| Path::new(path).starts_with(&place("input").values[0])));
    assert_eq!((&place("pattern").values[..], place("pattern").required), (&["needle".into()][..], true));
    assert_eq!(fs::read(&place("pattern_file").values[0]).expect("a file"), b"needle\n");
    assert_eq!(SEARCH.answer_file(scratch.path()), Some(scratch.path().join("search.output")));
    assert_eq!([0, 1, 2, -1].map(|code| SEARCH.accepts_exit(code)), [true, true, false, false]);
    let several = with_pattern(workload, "needle\nthread", false);
    assert!(SEARCH.placeholders(&several, scratch.path()).iter().all(|place| !place.required));
}

#[test]
fn only_a_command_may_answer_in_another_order_of_files() {
    let mut workload = SEARCH.workload_of_bytes(200_000).expect("sizes");
    SEARCH.set(&mut workload, "frequency", "common").expect("a frequency");
    let (scratch, expected) = generated(SEARCH, &workload, 1);
    let found = searched("sequential", &workload, scratch.path(), Durability::Returned);
    assert_eq!(found.expect("searched").1, expected);
    let path = scratch.path().join("search.output");
    let answer = fs::read_to_string(&path).expect("text");
    let (mut one, mut others): (Vec<&str>, Vec<&str>) =
        answer.lines().partition(|line| line.contains("file-03.txt:"));
    others.append(&mut one);
    fs::write(&path, others.join("\n") + "\n").expect("written");
    assert_eq!(SEARCH.inspect(&workload, scratch.path()).expect("readable"), expected);
    let trial = trial(SEARCH, "sequential", &workload, scratch.path(), Durability::Returned);
    let mut own = None;
    let proven = SEARCH.perform(&trial, &mut |technique| technique.proof().map(|proof| own = Some(proof)));
    proven.expect("prepared");
    assert_ne!(own.expect("proven"), expected, "a technique owes the order");
}

#[test]
fn a_seed_gives_the_same_files_and_another_seed_gives_others() {
    let [one, again, other] = [1, 1, 2].map(|seed| {
        let mut workload = SEARCH.workload_of_bytes(300_000).expect("sizes");
        SEARCH.set(&mut workload, "frequency", "common").expect("a frequency");
        generated(SEARCH, &workload, seed).1
    });
    assert_eq!(one, again);
    assert_ne!(one, other);
    // Files of earlier versions must stay reproducible.
    let of_seed_1 = Proof { bytes: 27_166, digest: "90eda1596b1704d2926d5bcfad3f8a0b".to_owned() };
    assert_eq!(one, of_seed_1);
}
