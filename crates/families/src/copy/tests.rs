//! Every technique copies every size, and says in a sentence why it could not.

use std::fs;
use std::path::{Path, PathBuf};

use model::{Availability, Durability, Proof, Setting, Trial, Workload};
use proptest::prelude::*;

use super::job::{CopyJob, OneOfMany};
use super::{COPY, TECHNIQUES};
use crate::contract::Technique;
use crate::listing::assert_every_technique_is_listed;
use crate::records::write_record_bytes;

const AWKWARD_SIZES: [u64; 8] = [0, 1, 63, 4_095, 4_096, 4_097, (1 << 20) + 1, 25_600_000];

pub(super) fn setting(directory: &Path, durability: Durability) -> Setting {
    Setting::warm(directory, durability)
}

fn ready_entries(directory: &Path, workload: &Workload) -> Vec<String> {
    let setting = setting(directory, Durability::Returned);
    let names = COPY.entries().into_iter().map(|entry| entry.name);
    let is_ready = |name: &String| {
        COPY.suits(name, workload).is_ready()
            && COPY.probe(name, &model::Host::default(), &setting).is_ready()
    };
    let ready: Vec<String> = names.filter(is_ready).collect();
    assert!(ready.len() >= 5, "the portable techniques run everywhere, but only {ready:?} are ready");
    ready
}

/// Copies with one entry as a worker would, and gives the proofs seen by the technique and by others.
fn copied(
    entry: &str,
    workload: &Workload,
    scratch: &Path,
    durability: Durability,
) -> (Proof, Option<Proof>) {
    let trial = Trial {
        family: "copy".to_owned(),
        technique: entry.to_owned(),
        workload: workload.clone(),
        setting: setting(scratch, durability),
        scratch: scratch.to_owned(),
        seed: 1,
    };
    COPY.clear(workload, scratch).expect("cleared");
    let mut proof = None;
    COPY.perform(&trial, &mut |technique| {
        technique.refresh()?;
        technique.repeat(1)?;
        technique.refresh()?;
        technique.repeat(1)?;
        proof = Some(technique.proof()?);
        let notes = technique.notes();
        assert!(notes.iter().all(|note| note == "reflinked" || note.starts_with("fell back: ")), "{notes:?}");
        Ok(())
    })
    .unwrap_or_else(|error| panic!("{entry} at {} bytes: {error}", workload.name));
    let is_ceiling = COPY.entries().iter().any(|known| known.name == entry && known.ceiling);
    let inspected = (!is_ceiling).then(|| COPY.inspect(workload, scratch).expect("an output"));
    (proof.expect("the body ran"), inspected)
}

fn every_entry_copies(workloads: impl Iterator<Item = Workload>, durability: Durability) {
    let scratch = tempfile::tempdir().expect("scratch");
    for workload in workloads {
        let name = &workload.name;
        COPY.generate(&workload, scratch.path(), 1).expect("generated");
        let expected = COPY.expected(&workload, scratch.path()).expect("readable");
        assert_eq!(Some(expected.bytes), workload.bytes());
        for entry in &ready_entries(scratch.path(), &workload) {
            let (proof, inspected) = copied(entry, &workload, scratch.path(), durability);
            assert_eq!(proof, expected, "{entry} at {name}");
            assert!(inspected.is_none_or(|inspected| inspected == expected), "{entry} at {name}");
        }
    }
}

fn sized(sizes: &[u64]) -> impl Iterator<Item = Workload> {
    sizes.iter().map(|&bytes| COPY.workload_of_bytes(bytes).expect("the family has sizes"))
}

/// As many files of as many bytes.
fn many(files: u64, bytes: u64) -> Workload {
    let mut workload = COPY.workload_of_bytes(bytes).expect("the family has sizes");
    COPY.set(&mut workload, "files", &files.to_string()).expect("a number of files");
    workload.name = format!("{files} files of {bytes} bytes");
    workload
}

#[test]
fn every_technique_copies_every_awkward_size() {
    every_entry_copies(sized(&AWKWARD_SIZES), Durability::Returned);
}

#[test]
fn every_technique_copies_durably() {
    every_entry_copies(sized(&[0, 1, 4_097, (1 << 20) + 1]), Durability::Durable);
}

#[test]
fn every_technique_for_many_files_copies_any_number_of_any_size() {
    let shapes = [(1, 0), (1, 1), (2, 4_096), (3, 300_000), (100, 10_000), (33, 65_536), (7, 65_535)];
    every_entry_copies(shapes.into_iter().map(|(files, bytes)| many(files, bytes)), Durability::Returned);
}

#[test]
fn every_technique_for_many_files_copies_durably() {
    every_entry_copies(
        [(1, 0), (40, 5_000), (2, 70_000)].map(|(files, bytes)| many(files, bytes)).into_iter(),
        Durability::Durable,
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_size_is_copied_by_any_technique(
        bytes in prop_oneof![0_u64..10_000, 0_u64..3_000_000],
        nth in any::<prop::sample::Index>(),
        buffer in 1_u64..300_000,
        seed in any::<u64>(),
    ) {
        let scratch = tempfile::tempdir().expect("scratch");
        let workload = COPY.workload_of_bytes(bytes).expect("the family has sizes");
        let entry = nth.get(&ready_entries(scratch.path(), &workload)).clone();
        // Any other size of the buffer must do as well as those that are entered by default.
        let entry = entry.split_once('@').map_or(entry.clone(), |(name, _)| format!("{name}@{buffer}"));
        COPY.generate(&workload, scratch.path(), seed).expect("generated");
        let expected = COPY.expected(&workload, scratch.path()).expect("readable");
        let (proof, _) = copied(&entry, &workload, scratch.path(), Durability::Returned);
        prop_assert_eq!(proof, expected, "{} at {} bytes", entry, bytes);
    }
}

pub(super) fn job(source: PathBuf, destination: PathBuf, technique: &Technique<CopyJob>) -> CopyJob {
    CopyJob {
        source,
        destination,
        many: None,
        bytes: 10,
        durable: false,
        parameters: technique.points().swap_remove(0),
        processors: std::num::NonZero::new(2),
    }
}

/// Whether a technique copies one file.
pub(super) fn is_for_one_file(technique: &Technique<CopyJob>) -> bool {
    (technique.suits)(&COPY.workload_of_bytes(1).expect("the family has sizes")).is_ready()
}

/// Every technique that copies one file, but not those whose call this system lacks.
fn competitors() -> impl Iterator<Item = &'static Technique<CopyJob>> {
    present().filter(|technique| is_for_one_file(technique))
}

/// Every technique that copies many files and is ready.
fn competitors_for_many() -> impl Iterator<Item = &'static Technique<CopyJob>> {
    let (workload, setting) = (many(2, 1), setting(&std::env::temp_dir(), Durability::Returned));
    present().filter(move |technique| {
        (technique.suits)(&workload).is_ready()
            && (technique.probe)(&model::Host::default(), &setting).is_ready()
    })
}

fn present() -> impl Iterator<Item = &'static Technique<CopyJob>> {
    let setting = setting(&std::env::temp_dir(), Durability::Returned);
    TECHNIQUES.iter().filter(move |technique| {
        let is_absent = match (technique.probe)(&model::Host::default(), &setting) {
            Availability::Missing(sentence) => sentence.starts_with("this system has no "),
            Availability::Ready => false,
        };
        !technique.ceiling && !is_absent
    })
}

/// Every technique that works on files, with the sentence that it gives for a job that cannot be done.
fn sentences(source: &Path, destination: &Path) -> Vec<(&'static str, std::io::Error)> {
    let fail = |technique: &Technique<CopyJob>| {
        let job = job(source.to_owned(), destination.to_owned(), technique);
        let mut prepared = (technique.prepare)(&job).expect("preparing touches no file");
        let error = prepared.repeat(1).expect_err(technique.name);
        (technique.name, error)
    };
    competitors().map(fail).collect()
}

#[test]
fn a_missing_source_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("absent");
    for (name, error) in sentences(&source, &scratch.path().join("copy")) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{name}: {error}");
        assert!(error.to_string().contains(&source.display().to_string()), "{name}: {error}");
    }
}

#[test]
fn a_missing_destination_folder_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    fs::write(&source, "0123456789").expect("written");
    let destination = scratch.path().join("absent").join("copy");
    for (name, error) in sentences(&source, &destination) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{name}: {error}");
        assert!(error.to_string().contains(&destination.display().to_string()), "{name}: {error}");
    }
}

#[test]
fn a_source_that_is_a_folder_is_refused() {
    let scratch = tempfile::tempdir().expect("scratch");
    for (nth, technique) in competitors().enumerate() {
        let destination = scratch.path().join(format!("copy-{nth}"));
        let job = job(scratch.path().to_owned(), destination, technique);
        let mut prepared = (technique.prepare)(&job).expect("preparing touches no file");
        let error = prepared.repeat(1).expect_err(technique.name);
        assert!(
            error.to_string().contains(&scratch.path().display().to_string()),
            "{}: {error}",
            technique.name
        );
    }
}

#[test]
fn a_destination_that_is_left_over_is_replaced_whole_or_refused() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    let mut text = Vec::new();
    write_record_bytes(&mut text, 10_000, 1).expect("memory takes all");
    fs::write(&source, &text).expect("written");
    let destination = scratch.path().join("copy");
    for technique in competitors() {
        fs::write(&destination, vec![b'?'; 20_000]).expect("written");
        let job = job(source.clone(), destination.clone(), technique);
        let outcome = (technique.prepare)(&job).expect("preparing touches no file").repeat(1);
        match outcome {
            Ok(()) => assert_eq!(fs::read(&destination).expect("readable"), text, "{}", technique.name),
            Err(error) => {
                assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists, "{}: {error}", technique.name);
            }
        }
    }
}

#[test]
fn a_file_with_fewer_ranges_than_processors_is_told_in_a_note() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    fs::write(&source, "0123456789").expect("written");
    for technique in TECHNIQUES.iter().filter(|technique| technique.name.ends_with("_ranges")) {
        let mut job = job(source.clone(), scratch.path().join(technique.name), technique);
        job.processors = std::num::NonZero::new(3);
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        prepared.repeat(1).expect("copied");
        let notes = prepared.notes();
        assert!(
            notes.iter().any(|note| note.starts_with("fell back: 1 thread(s) in place of 3: ")),
            "{}: {notes:?}",
            technique.name
        );
    }
}

/// A folder with files of these names and texts, the job of copying it, and where its copy goes.
fn job_of_many(scratch: &Path, files: &[(&str, &str)], technique: &Technique<CopyJob>) -> CopyJob {
    let (source, destination) = (scratch.join("source"), scratch.join(technique.name));
    fs::create_dir_all(&source).expect("created");
    let one = |(name, text): &(&str, &str)| {
        fs::write(source.join(name), text).expect("written");
        OneOfMany { source: source.join(name), destination: destination.join(name) }
    };
    let many = Some(files.iter().map(one).collect());
    CopyJob { many, ..job(source, destination, technique) }
}

#[test]
fn a_folder_of_no_files_is_copied_as_one() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in competitors_for_many() {
        let job = job_of_many(scratch.path(), &[], technique);
        (technique.prepare)(&job).expect("prepared").repeat(1).expect(technique.name);
        assert_eq!(fs::read_dir(&job.destination).expect(technique.name).count(), 0);
    }
}

#[test]
fn a_file_that_vanishes_from_a_folder_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in competitors_for_many() {
        let job = job_of_many(scratch.path(), &[("a", "1"), ("b", "22"), ("c", "333")], technique);
        let vanished = &job.files()[1].source;
        fs::remove_file(vanished).expect("removed");
        let error = (technique.prepare)(&job).expect("prepared").repeat(1).expect_err(technique.name);
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{}: {error}", technique.name);
        assert!(error.to_string().contains(&vanished.display().to_string()), "{}: {error}", technique.name);
    }
}

#[test]
fn a_folder_that_is_left_over_is_refused() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in competitors_for_many() {
        let job = job_of_many(scratch.path(), &[("a", "1")], technique);
        fs::create_dir(&job.destination).expect("created");
        let error = (technique.prepare)(&job).expect("prepared").repeat(1).expect_err(technique.name);
        assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists, "{}: {error}", technique.name);
        assert!(error.to_string().contains(technique.name), "{}: {error}", technique.name);
    }
}

#[test]
fn a_copied_folder_that_lacks_a_file_or_has_one_more_or_another_is_not_the_proof() {
    let scratch = tempfile::tempdir().expect("scratch");
    let workload = many(3, 100);
    COPY.generate(&workload, scratch.path(), 1).expect("generated");
    let expected = COPY.expected(&workload, scratch.path()).expect("readable");
    let (_, inspected) = copied("std_copy", &workload, scratch.path(), Durability::Returned);
    assert_eq!(inspected.as_ref(), Some(&expected));
    let output = scratch.path().join("copy.output");
    let inspect = || COPY.inspect(&workload, scratch.path()).expect("readable");
    fs::write(output.join("more"), "").expect("written");
    assert_ne!(inspect(), expected);
    fs::remove_file(output.join("more")).expect("removed");
    // Two files that are exchanged: all bytes are there.
    fs::rename(output.join("file-1"), output.join("kept")).expect("renamed");
    fs::rename(output.join("file-2"), output.join("file-1")).expect("renamed");
    fs::rename(output.join("kept"), output.join("file-2")).expect("renamed");
    assert_ne!(inspect(), expected);
    fs::remove_file(output.join("file-3")).expect("removed");
    assert_ne!(inspect(), expected);
    COPY.clear(&workload, scratch.path()).expect("cleared");
    assert!(!output.exists());
}

#[test]
fn a_note_about_every_file_of_a_folder_is_told_once() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in competitors_for_many() {
        let mut job = job_of_many(scratch.path(), &[("a", "1"), ("b", "22"), ("c", "")], technique);
        job.processors = std::num::NonZero::new(8);
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        prepared.repeat(1).expect(technique.name);
        let notes = prepared.notes();
        assert!(
            notes.iter().all(|note| notes.iter().filter(|other| *other == note).count() == 1),
            "{notes:?}"
        );
        let fewer = notes.iter().any(|note| note.starts_with("fell back: 3 thread(s) in place of 8: "));
        assert_eq!(fewer, technique.name == "parallel_files", "{}: {notes:?}", technique.name);
    }
}

#[test]
fn a_command_gets_the_folder_with_its_files_cached_as_asked() {
    let (scratch, workload) = (Path::new("/scratch"), many(1_000, 10_000));
    let inputs = COPY.inputs(&workload, scratch);
    let placeholders = COPY.placeholders(&workload, scratch);
    let values: Vec<(&str, &Path)> =
        placeholders.iter().map(|one| (&*one.name, Path::new(&one.values[0]))).collect();
    let folder = inputs[0].parent().expect("a folder");
    assert_eq!(values, [("input", folder), ("output", &scratch.join("copy.output"))]);
    assert_eq!(inputs.len(), 1_000);
    assert_eq!(inputs[999], folder.join("file-1000"));
    assert!(COPY.scratch_bytes(&workload) > 20_000_000);
}

#[test]
fn an_entry_that_is_unknown_or_lacks_its_value_is_refused_with_a_sentence() {
    let directory = tempfile::tempdir().expect("scratch");
    let setting = setting(directory.path(), Durability::Returned);
    for (entry, part) in [
        ("teleport", "copy has no technique 'teleport'"),
        ("c_stdio@64K", "c_stdio has no parameter"),
        ("read_write@lots", "'lots' is not a size"),
    ] {
        let Availability::Missing(sentence) = COPY.probe(entry, &model::Host::default(), &setting) else {
            panic!("{entry} is ready");
        };
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[test]
fn a_typed_size_gives_a_workload_whose_name_is_that_size_again() {
    for (bytes, name) in
        [(0, "0B"), (1, "1B"), (25_600_000, "25.6MB"), (1 << 30, "1GiB"), (1_234_567, "1234567B")]
    {
        let workload = COPY.workload_of_bytes(bytes).expect("the family has sizes");
        assert_eq!((workload.name.as_str(), workload.bytes()), (name, Some(bytes)));
        assert_eq!(model::parse_bytes(&workload.name), Ok(bytes));
    }
}

#[test]
fn every_technique_of_the_folder_is_listed() {
    assert_every_technique_is_listed("copy");
}
