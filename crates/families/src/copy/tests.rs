//! What holds of copies alone, above all of folders; the rest is in `files/job_tests.rs`.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use model::{Durability, Workload};

use super::{COPY, TECHNIQUES};
use crate::contract::Technique;
use crate::files::job_tests::{done, every_entry_does, job, missing, proved, sized};
use crate::files::{FileJob, OneOfMany};
use crate::testing::generated;

fn many(files: u64, bytes: u64) -> Workload {
    let mut workload = sized(COPY, bytes);
    COPY.set(&mut workload, "files", &files.to_string()).expect("a number of files");
    workload.name = format!("{files} files of {bytes} bytes");
    workload
}

#[test]
fn every_technique_for_many_files_copies_any_number_and_size() {
    let shapes = [(1, 0), (1, 1), (2, 4_096), (3, 300_000), (100, 10_000), (33, 65_536), (7, 65_535)];
    every_entry_does(COPY, shapes.map(|(files, bytes)| many(files, bytes)), Durability::Returned);
    let durable = [(1, 0), (40, 5_000), (2, 70_000)];
    every_entry_does(COPY, durable.map(|(files, bytes)| many(files, bytes)), Durability::Durable);
}

fn competitors_for_many() -> impl Iterator<Item = &'static Technique<FileJob>> {
    let workload = many(2, 1);
    TECHNIQUES.iter().filter(move |technique| {
        !technique.ceiling
            && (technique.suits)(&workload).is_ready()
            && missing(technique, &std::env::temp_dir()).is_none()
    })
}

#[test]
fn fewer_ranges_than_processors_are_noted() {
    let (scratch, source) = crate::testing::scratch_with("source", "0123456789");
    for technique in TECHNIQUES.iter().filter(|technique| technique.name.ends_with("_ranges")) {
        let mut job = job(&source, &scratch.path().join(technique.name), technique);
        job.processors = std::num::NonZero::new(3);
        let notes = done(technique, &job).expect("copied");
        let is_noted = notes.iter().any(|note| note.starts_with("fell back: 1 of 3 threads, since "));
        assert!(is_noted, "{}: {notes:?}", technique.name);
    }
}

/// The job of copying a folder with files of these names and texts, whose copy is named after the technique.
pub(super) fn job_of_many(scratch: &Path, files: &[(&str, &str)], technique: &Technique<FileJob>) -> FileJob {
    let (source, destination) = (scratch.join("source"), scratch.join(technique.name));
    fs::create_dir_all(&source).expect("created");
    let many = files.iter().map(|(name, text)| {
        fs::write(source.join(name), text).expect("written");
        OneOfMany { source: source.join(name), destination: destination.join(name) }
    });
    FileJob { many: Some(many.collect()), ..job(&source, &destination, technique) }
}

#[test]
fn a_folder_of_no_files_is_copied_as_one() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in competitors_for_many() {
        let job = job_of_many(scratch.path(), &[], technique);
        done(technique, &job).expect(technique.name);
        assert_eq!(fs::read_dir(&job.destination).expect(technique.name).count(), 0);
    }
}

#[test]
fn a_vanished_file_and_a_left_folder_are_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in competitors_for_many() {
        let job = job_of_many(scratch.path(), &[("a", "1"), ("b", "22"), ("c", "333")], technique);
        let vanished = &job.many.as_ref().expect("files")[1].source;
        fs::remove_file(vanished).expect("removed");
        for (kind, path) in [
            (std::io::ErrorKind::NotFound, vanished),
            // The copy that failed has left its folder.
            (std::io::ErrorKind::AlreadyExists, &job.destination),
        ] {
            let error = done(technique, &job).expect_err(technique.name);
            assert_eq!(error.kind(), kind, "{}: {error}", technique.name);
            assert!(error.to_string().contains(&path.display().to_string()), "{}: {error}", technique.name);
        }
    }
}

#[test]
fn the_proof_of_a_folder_sees_every_file_and_its_name() {
    let workload = many(3, 100);
    let (scratch, expected) = generated(COPY, &workload, 1);
    let (_, inspected) = proved(COPY, "std_copy", &workload, scratch.path(), Durability::Returned);
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
fn a_note_about_every_file_of_a_folder_is_given_once() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in competitors_for_many() {
        let mut job = job_of_many(scratch.path(), &[("a", "1"), ("b", "22"), ("c", "")], technique);
        job.processors = std::num::NonZero::new(8);
        let notes = done(technique, &job).expect(technique.name);
        let different: HashSet<&String> = notes.iter().collect();
        assert_eq!(different.len(), notes.len(), "{notes:?}");
        let fewer = notes.iter().any(|note| note.starts_with("fell back: 3 of 8 threads, since "));
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
