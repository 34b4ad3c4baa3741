//! What holds of every technique of the families that make files of files.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::Path;

use model::{Availability, Durability, Preset, Proof, Setting, Workload};
use proptest::prelude::*;

use super::FileJob;
use crate::contract::{AnyFamily, Technique};
use crate::testing::{done_twice, ready, scratch_with, trial};
use crate::{CONVERT, COPY, convert, copy};

type Techniques = &'static [Technique<FileJob>];

/// Sizes around every buffer and piece that a technique has.
const AWKWARD_SIZES: [u64; 19] = [
    0, 1, 63, 255, 256, 257, 4_095, 4_096, 4_097, 8_193, 65_535, 65_537, 262_143, 262_144, 262_145,
    1_048_575, 1_048_577, 2_345_677, 4_194_307,
];

fn families() -> [(&'static dyn AnyFamily, Techniques); 2] {
    [(COPY, copy::TECHNIQUES), (CONVERT, convert::TECHNIQUES)]
}

/// Returns printable characters that differ from their neighbours.
pub(crate) fn ascii(length: usize) -> Vec<u8> {
    (0..length).map(|at| b' ' + (at * 7 % 95) as u8).collect()
}

pub(crate) fn sized(family: &dyn AnyFamily, bytes: u64) -> Workload {
    family.workload_of_bytes(bytes).expect("the family has sizes")
}

pub(crate) fn missing(technique: &Technique<FileJob>, directory: &Path) -> Option<String> {
    let setting = Setting::warm(directory, Durability::Returned);
    match (technique.probe)(&model::Host::default(), &setting) {
        Availability::Missing(sentence) => Some(sentence),
        Availability::Ready => None,
    }
}

pub(crate) fn is_for_one_file(technique: &Technique<FileJob>) -> bool {
    (technique.suits)(&sized(COPY, 1)).is_ready()
}

/// The techniques that work on one file and run here.
pub(crate) fn movers(
    techniques: Techniques, directory: &Path,
) -> impl Iterator<Item = &'static Technique<FileJob>> {
    techniques.iter().filter(move |technique| {
        !technique.ceiling && is_for_one_file(technique) && missing(technique, directory).is_none()
    })
}

pub(crate) fn job(source: &Path, destination: &Path, technique: &Technique<FileJob>) -> FileJob {
    let (parameters, processors) = (technique.points().swap_remove(0), NonZero::new(2));
    FileJob { parameters, processors, ..FileJob::of_attempt(source.to_owned(), destination.to_owned(), 10) }
}

pub(crate) fn done<Job>(technique: &Technique<Job>, job: &Job) -> io::Result<Vec<String>> {
    let mut prepared = (technique.prepare)(job).expect("preparing touches no file");
    prepared.repeat(1)?;
    Ok(prepared.notes())
}

/// Works with one entry as a worker would; returns the proofs seen by the technique and by others.
pub(crate) fn proved(
    family: &dyn AnyFamily, entry: &str, workload: &Workload, scratch: &Path, durability: Durability,
) -> (Proof, Option<Proof>) {
    family.clear(workload, scratch).expect("cleared");
    let (proof, notes) = done_twice(family, &trial(family, entry, workload, scratch, durability))
        .unwrap_or_else(|error| panic!("{entry} at {}: {error}", workload.name));
    let known = ["fell back: ", "asynchronous: "];
    assert!(notes.iter().all(|note| known.iter().any(|known| note.starts_with(known))), "{notes:?}");
    let is_ceiling = family.entries().iter().any(|known| known.name == entry && known.ceiling);
    let inspected = (!is_ceiling).then(|| family.inspect(workload, scratch).expect("an output"));
    (proof, inspected)
}

fn ready_entries(family: &dyn AnyFamily, directory: &Path, workload: &Workload) -> Vec<String> {
    let setting = Setting::warm(directory, Durability::Returned);
    let ready = ready(family, &setting, |name| family.suits(name, workload).is_ready());
    assert!(ready.len() >= 5, "the portable techniques run everywhere, but only {ready:?} are ready");
    ready
}

pub(crate) fn every_entry_does(
    family: &dyn AnyFamily, workloads: impl IntoIterator<Item = Workload>, durability: Durability,
) {
    // Not every call of Windows takes every character.
    let scratch = tempfile::Builder::new().prefix("größe-").tempdir().expect("scratch");
    for workload in workloads {
        let name = &workload.name;
        family.generate(&workload, scratch.path(), 1).expect("generated");
        let expected = family.expected(&workload, scratch.path()).expect("readable");
        let growth = if family.name() == "convert" { 2 } else { 1 };
        assert_eq!(Some(expected.bytes), workload.bytes().map(|bytes| growth * bytes));
        for entry in &ready_entries(family, scratch.path(), &workload) {
            let (proof, inspected) = proved(family, entry, &workload, scratch.path(), durability);
            assert_eq!(proof, expected, "{entry} at {name}");
            assert!(inspected.is_none_or(|inspected| inspected == expected), "{entry} at {name}");
        }
    }
}

#[test]
fn every_technique_does_every_awkward_size() {
    for (family, _) in families() {
        let workloads = AWKWARD_SIZES.map(|bytes| sized(family, bytes)).into_iter();
        every_entry_does(family, workloads.chain(family.workloads(Preset::Published)), Durability::Returned);
    }
}

#[test]
fn every_technique_works_durably() {
    for (family, _) in families() {
        let workloads = [0, 1, 4_097, 1_048_577].map(|bytes| sized(family, bytes));
        every_entry_does(family, workloads, Durability::Durable);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_technique_does_any_size_with_any_value(
        bytes in prop_oneof![0_u64..10_000, 0_u64..3_000_000],
        nth in any::<prop::sample::Index>(),
        value in 1_u64..300_000,
        seed in any::<u64>(),
    ) {
        for (family, _) in families() {
            let scratch = tempfile::tempdir().expect("scratch");
            let workload = sized(family, bytes);
            let entry = nth.get(&ready_entries(family, scratch.path(), &workload)).clone();
            // Any other size or number must do as well as those that are entered by default.
            let entry = entry.split_once('@').map_or(entry.clone(), |(name, _)| format!("{name}@{value}"));
            family.generate(&workload, scratch.path(), seed).expect("generated");
            let expected = family.expected(&workload, scratch.path()).expect("readable");
            let (proof, _) = proved(family, &entry, &workload, scratch.path(), Durability::Returned);
            prop_assert_eq!(proof, expected, "{} at {} bytes", entry, bytes);
        }
    }
}

/// Returns the sentences of techniques for a job that cannot be done, except of those that are missing here.
fn refusals(
    techniques: Techniques, source: &Path, destination: &Path,
) -> impl Iterator<Item = (&'static str, io::Error)> {
    let one_file = techniques.iter().filter(|technique| !technique.ceiling && is_for_one_file(technique));
    one_file.filter_map(move |technique| {
        let error = done(technique, &job(source, destination, technique)).expect_err(technique.name);
        let is_about_the_host =
            error.kind() == io::ErrorKind::Unsupported && missing(technique, &std::env::temp_dir()).is_some();
        (!is_about_the_host).then_some((technique.name, error))
    })
}

#[test]
fn what_stands_in_the_way_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    let path = |name: &str| scratch.path().join(name);
    fs::write(path("source"), "0123456789").expect("written");
    fs::create_dir(path("folder")).expect("a folder");
    let not_found = Some(io::ErrorKind::NotFound);
    for (family, techniques) in families() {
        for (source, destination, named, kind) in [
            (path("absent"), path("output"), path("absent"), not_found),
            (path("source"), path("absent/output"), path("absent/output"), not_found),
            // A call that is given both files says which fails, and not which is to blame.
            (path("folder"), path("output"), path(if family.name() == "copy" { "" } else { "folder" }), None),
        ] {
            let named = named.display().to_string();
            for (name, error) in refusals(techniques, &source, &destination) {
                assert!(kind.is_none_or(|kind| error.kind() == kind), "{name}: {error}");
                assert!(error.to_string().contains(&named), "{name}: {error}");
                assert!(!destination.exists() || family.name() == "copy", "{name} left something behind");
                super::remove_if_there(&destination).expect("removed");
            }
        }
    }
}

#[test]
fn a_left_over_output_is_replaced_whole_or_refused() {
    let scratch = tempfile::tempdir().expect("scratch");
    let (source, destination) = (scratch.path().join("source"), scratch.path().join("output"));
    let text = ascii(10_000);
    fs::write(&source, &text).expect("written");
    for (family, techniques) in families() {
        for technique in movers(techniques, scratch.path()) {
            let left_over = vec![b'?'; 30_000];
            fs::write(&destination, &left_over).expect("written");
            let outcome = done(technique, &job(&source, &destination, technique));
            let found = fs::read(&destination).expect("still there");
            match outcome {
                // A call that opens what stands there, as the one of std_copy does.
                Ok(_) => assert!(family.name() == "copy" && found == text, "{}", technique.name),
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{}: {error}", technique.name);
                    assert_eq!(found, left_over, "{}", technique.name);
                }
            }
        }
    }
}

#[test]
fn a_probe_in_an_absent_directory_names_it() {
    let names = ["direct", "uncached", "reflink"];
    for (_, techniques) in families() {
        for technique in techniques.iter().filter(|technique| names.contains(&technique.name)) {
            let sentence = missing(technique, Path::new("/nowhere")).expect(technique.name);
            assert!(sentence.contains("/nowhere"), "{sentence}");
        }
    }
}

#[test]
fn probes_leave_nothing_behind() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in families().into_iter().flat_map(|(_, techniques)| techniques) {
        assert!(missing(technique, scratch.path()) != Some(String::new()), "{}", technique.name);
    }
    assert_eq!(fs::read_dir(scratch.path()).expect("readable").count(), 0);
}

#[test]
fn a_refused_ring_says_which_windows_has_one() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in families().into_iter().flat_map(|(_, techniques)| techniques) {
        if let ("io_ring", Some(sentence)) = (technique.name, missing(technique, scratch.path())) {
            assert!(sentence.starts_with("IoRing cannot be used: "), "{sentence}");
            assert!(sentence.contains("Windows 11 22H2") && !sentence.contains("source"), "{sentence}");
        }
    }
}

#[test]
fn calls_that_did_not_overlap_are_counted() {
    let (scratch, source) = scratch_with("source", vec![b'x'; 3_000_000]);
    let counted = [
        // 12 blocks, each read and written. How many of them really overlapped is the system's business.
        ("copy", &["overlapped", "completion_routines"][..], " of 24 calls"),
        // 46 blocks.
        ("convert", &["overlapped_events", "completion_routines", "completion_port"], " of 92 calls"),
    ];
    for ((_, techniques), (family, names, calls)) in families().into_iter().zip(counted) {
        for technique in techniques.iter().filter(|technique| names.contains(&technique.name)) {
            let output = scratch.path().join(format!("{family} {}", technique.name));
            let notes = done(technique, &job(&source, &output, technique)).expect(technique.name);
            let counts: Vec<&String> = notes.iter().filter(|note| note.contains("calls")).collect();
            assert!(counts.iter().all(|note| note.contains(calls)), "{notes:?}");
            assert_eq!(counts.len(), 1, "{notes:?}");
        }
    }
}

#[test]
fn typed_sizes_are_named_by_the_size() {
    for (family, _) in families() {
        for (bytes, name) in
            [(0, "0B"), (1, "1B"), (25_600_000, "25.6MB"), (1 << 30, "1GiB"), (1_234_567, "1234567B")]
        {
            let workload = sized(family, bytes);
            assert_eq!((workload.name.as_str(), workload.bytes()), (name, Some(bytes)));
            assert_eq!(model::parse_bytes(&workload.name), Ok(bytes));
        }
    }
}
