//! Every technique converts every size, names the byte that is no ASCII, and says in a sentence why it could not.

use std::fs;
use std::path::{Path, PathBuf};

use model::{Availability, Durability, Proof, Setting, Trial, Workload};
use proptest::prelude::*;

use super::job::ConvertJob;
use super::kernel::{Kernel, Unit, bytes_of, plain};
use super::special::{AVX2, AVX512, SSE2, STREAMING, best_for};
use super::{CONVERT, TECHNIQUES};
use crate::contract::Technique;
use crate::listing::assert_every_technique_is_listed;

/// None, one, around every buffer and piece that a technique has, odd ones, and the published one.
const AWKWARD_SIZES: [u64; 20] = [
    0,
    1,
    63,
    255,
    256,
    257,
    4_095,
    4_096,
    4_097,
    8_193,
    (64 << 10) - 1,
    (64 << 10) + 1,
    (256 << 10) - 1,
    256 << 10,
    (256 << 10) + 1,
    (1 << 20) - 1,
    (1 << 20) + 1,
    2_345_677,
    (4 << 20) + 3,
    12_800_000,
];

pub(super) fn setting(directory: &Path, durability: Durability) -> Setting {
    Setting::warm(directory, durability)
}

fn is_ready(technique: &Technique<ConvertJob>, directory: &Path) -> bool {
    let setting = setting(directory, Durability::Returned);
    (technique.probe)(&model::Host::default(), &setting).is_ready()
}

fn ready_entries(directory: &Path) -> Vec<String> {
    let setting = setting(directory, Durability::Returned);
    let names = CONVERT.entries().into_iter().map(|entry| entry.name);
    let ready: Vec<String> =
        names.filter(|name| CONVERT.probe(name, &model::Host::default(), &setting).is_ready()).collect();
    assert!(ready.len() >= 12, "the portable techniques run everywhere, but only {ready:?} are ready");
    ready
}

/// Converts with one entry as a worker would, and gives the proofs seen by the technique and by others.
fn converted(
    entry: &str,
    workload: &Workload,
    scratch: &Path,
    durability: Durability,
) -> (Proof, Option<Proof>) {
    let trial = Trial {
        family: "convert".to_owned(),
        technique: entry.to_owned(),
        workload: workload.clone(),
        setting: setting(scratch, durability),
        scratch: scratch.to_owned(),
        seed: 1,
    };
    CONVERT.clear(workload, scratch).expect("cleared");
    let mut proof = None;
    CONVERT
        .perform(&trial, &mut |technique| {
            technique.refresh()?;
            technique.repeat(1)?;
            technique.refresh()?;
            technique.repeat(1)?;
            proof = Some(technique.proof()?);
            let notes = technique.notes();
            let known = ["fell back: ", "asynchronous: "];
            assert!(notes.iter().all(|note| known.iter().any(|known| note.starts_with(known))), "{notes:?}");
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{entry} at {} bytes: {error}", workload.name));
    let is_ceiling = CONVERT.entries().iter().any(|known| known.name == entry && known.ceiling);
    let inspected = (!is_ceiling).then(|| CONVERT.inspect(workload, scratch).expect("an output"));
    (proof.expect("the body ran"), inspected)
}

fn every_entry_converts(sizes: &[u64], durability: Durability) {
    let scratch = tempfile::tempdir().expect("scratch");
    let entries = ready_entries(scratch.path());
    for &bytes in sizes {
        let workload = CONVERT.workload_of_bytes(bytes).expect("the family has sizes");
        CONVERT.generate(&workload, scratch.path(), bytes).expect("generated");
        let expected = CONVERT.expected(&workload, scratch.path()).expect("readable");
        assert_eq!(expected.bytes, 2 * bytes);
        for entry in &entries {
            let (proof, inspected) = converted(entry, &workload, scratch.path(), durability);
            assert_eq!(proof, expected, "{entry} at {bytes} bytes");
            assert!(inspected.is_none_or(|inspected| inspected == expected), "{entry} at {bytes} bytes");
        }
    }
}

#[test]
fn every_technique_converts_every_awkward_size() {
    every_entry_converts(&AWKWARD_SIZES, Durability::Returned);
}

#[test]
fn every_technique_converts_durably() {
    every_entry_converts(&[0, 1, 4_097, (1 << 20) + 1], Durability::Durable);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_size_is_converted_by_any_technique_with_any_value(
        bytes in prop_oneof![0_u64..10_000, 0_u64..2_000_000],
        nth in any::<prop::sample::Index>(),
        value in 1_u64..300_000,
        seed in any::<u64>(),
    ) {
        let scratch = tempfile::tempdir().expect("scratch");
        let entry = nth.get(&ready_entries(scratch.path())).clone();
        // Any other size or number must do as well as those that are entered by default.
        let entry = entry.split_once('@').map_or(entry.clone(), |(name, _)| format!("{name}@{value}"));
        let workload = CONVERT.workload_of_bytes(bytes).expect("the family has sizes");
        CONVERT.generate(&workload, scratch.path(), seed).expect("generated");
        let expected = CONVERT.expected(&workload, scratch.path()).expect("readable");
        let (proof, _) = converted(&entry, &workload, scratch.path(), Durability::Returned);
        prop_assert_eq!(proof, expected, "{} at {} bytes", entry, bytes);
    }

    #[test]
    fn of_several_bytes_that_are_no_ascii_the_first_in_the_file_is_named(
        length in 1_usize..1_500_000,
        places in prop::collection::vec(any::<prop::sample::Index>(), 1..4),
        byte in 0x80_u8..=0xff,
        nth in any::<prop::sample::Index>(),
    ) {
        let scratch = tempfile::tempdir().expect("scratch");
        let (source, destination) = (scratch.path().join("source"), scratch.path().join("converted"));
        let mut text = ascii(length);
        let places: Vec<usize> = places.iter().map(|place| place.index(length)).collect();
        places.iter().for_each(|&place| text[place] = byte);
        fs::write(&source, &text).expect("written");
        let first = places.iter().min().expect("at least one");
        let techniques: Vec<_> = movers(scratch.path()).collect();
        refused_at(techniques[nth.index(techniques.len())], &source, &destination, *first, byte);
    }

    #[test]
    fn every_kernel_does_what_a_loop_over_bytes_does_wherever_its_slices_begin(
        text in prop::collection::vec(0_u8..0x80, 0..2_000),
        bad in prop::collection::vec((any::<prop::sample::Index>(), 0x80_u8..=0xff), 0..3),
        from_skip in 0_usize..65,
        to_skip in 0_usize..33,
    ) {
        let mut text = text;
        for (place, byte) in bad {
            if !text.is_empty() {
                let place = place.index(text.len());
                text[place] = byte;
            }
        }
        let first_bad = text.iter().position(|byte| *byte > 0x7f);
        let mut from = vec![0xff; from_skip];
        from.extend_from_slice(&text);
        from.push(0xff);
        for (name, kernel) in kernels() {
            let mut to = vec![Unit::new(u16::MAX); to_skip + text.len() + 1];
            let units = &mut to[to_skip..to_skip + text.len()];
            let answer = kernel(&from[from_skip..from_skip + text.len()], units);
            prop_assert_eq!(answer, first_bad.map_or(Ok(()), Err), "{}", name);
            if first_bad.is_none() {
                let expected: Vec<u8> = text.iter().flat_map(|&byte| [byte, 0]).collect();
                // SAFETY: all units were written above.
                prop_assert_eq!(unsafe { bytes_of(units) }, &expected, "{}", name);
            }
            // SAFETY: all units were written, here or above.
            let (before, behind) = unsafe { (bytes_of(&to[..to_skip]), bytes_of(&to[to_skip + text.len()..])) };
            prop_assert!(before.iter().all(|byte| *byte == 0xff), "{} wrote before its place", name);
            prop_assert_eq!(behind, &[0xff, 0xff], "{} wrote behind its place", name);
        }
    }
}

fn kernels() -> Vec<(&'static str, Kernel)> {
    let mut kernels: Vec<(&str, Kernel)> = vec![
        ("the best for a small file", best_for(1)),
        ("the best for a large file", best_for(u64::MAX)),
        ("plain", plain),
        ("scalar", super::techniques::kernel_scalar::widen),
        ("encoding_rs", super::techniques::kernel_encoding_rs::widen),
    ];
    let special = [("sse2", SSE2), ("avx2", AVX2), ("avx512", AVX512), ("streaming", STREAMING)];
    let known = special.map(|(name, special)| (name, special.kernel().ok()));
    kernels.extend(known.into_iter().filter_map(|(name, kernel)| Some((name, kernel?))));
    #[cfg(feature = "simdutf")]
    kernels.push(("simdutf", super::techniques::kernel_simdutf::widen));
    kernels
}

#[test]
fn every_kernel_names_each_place_of_a_whole_block() {
    for (name, kernel) in kernels() {
        for length in [1, 127, 128, 129, 300] {
            for place in 0..length {
                let mut text = ascii(length);
                text[place] = 0x80;
                assert_eq!(
                    kernel(&text, &mut vec![Unit::new(0); length]),
                    Err(place),
                    "{name}, {length} bytes"
                );
            }
        }
    }
}

/// Printable characters that differ from their neighbours.
fn ascii(length: usize) -> Vec<u8> {
    (0..length).map(|at| b' ' + (at * 7 % 95) as u8).collect()
}

/// The techniques that work on files and run here.
fn movers(directory: &Path) -> impl Iterator<Item = &'static Technique<ConvertJob>> {
    TECHNIQUES.iter().filter(move |technique| !technique.ceiling && is_ready(technique, directory))
}

pub(super) fn job(source: PathBuf, destination: PathBuf, technique: &Technique<ConvertJob>) -> ConvertJob {
    ConvertJob {
        source,
        destination,
        bytes: 10,
        durable: false,
        parameters: technique.points().swap_remove(0),
        processors: std::num::NonZero::new(2),
    }
}

#[test]
fn fewer_threads_than_a_technique_is_to_use_are_told() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    for (bytes, told) in [(10_000, true), (4 << 20, false)] {
        fs::write(&source, ascii(bytes)).expect("written");
        for name in ["parallel_regions", "parallel_mapping", "rayon_regions", "double_buffered"] {
            let technique = TECHNIQUES.iter().find(|technique| technique.name == name).expect("listed");
            let destination = scratch.path().join(format!("{name} of {bytes}"));
            let job = job(source.clone(), destination, technique);
            let mut prepared = (technique.prepare)(&job).expect("prepared");
            prepared.repeat(1).expect("converted");
            let notes = prepared.notes();
            let is_told = notes.iter().any(|note| note.starts_with("fell back: ") && note.contains("thread"));
            assert_eq!(is_told, told, "{name} at {bytes} bytes: {notes:?}");
        }
    }
}

fn refused_at(technique: &Technique<ConvertJob>, source: &Path, destination: &Path, place: usize, byte: u8) {
    let name = technique.name;
    let job = job(source.to_owned(), destination.to_owned(), technique);
    let error = (technique.prepare)(&job).expect("preparing touches no file").repeat(1).expect_err(name);
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData, "{name}: {error}");
    let expected = format!(
        "convert {}: the byte at offset {place} is 0x{byte:02X}, and ASCII ends at 0x7F",
        source.display()
    );
    assert_eq!(error.to_string(), expected, "{name}");
    assert!(!destination.exists(), "{name} left something behind");
}

#[test]
fn a_byte_that_is_no_ascii_is_named_by_every_technique_and_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().expect("scratch");
    let (source, destination) = (scratch.path().join("source"), scratch.path().join("converted"));
    let length = (2 << 20) + 77;
    let borders = [256, 8_192, 64 << 10, 256 << 10, 1 << 20].into_iter().flat_map(|piece| [piece - 1, piece]);
    for place in [0, length / 2, length - 1].into_iter().chain(borders) {
        let mut text = ascii(length);
        text[place] = 0xe9;
        fs::write(&source, &text).expect("written");
        for technique in movers(scratch.path()) {
            refused_at(technique, &source, &destination, place, 0xe9);
        }
    }
}

#[test]
fn the_output_holds_little_endian_units_and_no_byte_order_mark() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    fs::write(&source, "Az\r\n\0\x7f").expect("written");
    for technique in movers(scratch.path()) {
        let destination = scratch.path().join(technique.name);
        let job = job(source.clone(), destination.clone(), technique);
        (technique.prepare)(&job).expect("prepared").repeat(1).expect(technique.name);
        let written = fs::read(&destination).expect("readable");
        assert_eq!(written, b"A\0z\0\r\0\n\0\0\0\x7f\0", "{}", technique.name);
    }
}

/// Every technique that works on files, with the sentence that it gives for a job that cannot be done.
fn sentences(directory: &Path, source: &Path, destination: &Path) -> Vec<(&'static str, std::io::Error)> {
    let fail = |technique: &'static Technique<ConvertJob>| {
        let job = job(source.to_owned(), destination.to_owned(), technique);
        let mut prepared = (technique.prepare)(&job).expect("preparing touches no file");
        let error = prepared.repeat(1).expect_err(technique.name);
        (technique.name, error)
    };
    movers(directory).map(fail).collect()
}

#[test]
fn a_missing_source_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("absent");
    for (name, error) in sentences(scratch.path(), &source, &scratch.path().join("converted")) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{name}: {error}");
        assert!(error.to_string().contains(&source.display().to_string()), "{name}: {error}");
    }
}

#[test]
fn a_missing_folder_of_the_output_is_named() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    fs::write(&source, "0123456789").expect("written");
    let destination = scratch.path().join("absent").join("converted");
    for (name, error) in sentences(scratch.path(), &source, &destination) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{name}: {error}");
        assert!(error.to_string().contains(&destination.display().to_string()), "{name}: {error}");
    }
}

#[test]
fn a_source_that_is_a_folder_is_refused_and_leaves_nothing_behind() {
    let scratch = tempfile::tempdir().expect("scratch");
    let (source, destination) = (scratch.path().join("folder"), scratch.path().join("converted"));
    fs::create_dir(&source).expect("a folder");
    for (name, error) in sentences(scratch.path(), &source, &destination) {
        assert!(error.to_string().contains(&source.display().to_string()), "{name}: {error}");
        assert!(!destination.exists(), "{name} left something behind");
    }
}

#[test]
fn an_output_that_is_left_over_is_refused_and_left_alone() {
    let scratch = tempfile::tempdir().expect("scratch");
    let (source, destination) = (scratch.path().join("source"), scratch.path().join("converted"));
    fs::write(&source, ascii(10_000)).expect("written");
    fs::write(&destination, "left over").expect("written");
    for (name, error) in sentences(scratch.path(), &source, &destination) {
        assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists, "{name}: {error}");
        assert_eq!(fs::read(&destination).expect("still there"), b"left over", "{name}");
    }
}

#[test]
fn a_file_of_the_user_is_copied_and_looked_at_before_anything_is_measured() {
    let folder = tempfile::tempdir().expect("scratch");
    let scratch = tempfile::tempdir().expect("scratch");
    let file = folder.path().join("letter.txt");
    fs::write(&file, ascii(100_000)).expect("written");
    let workload = CONVERT.workload_of_input(std::slice::from_ref(&file)).expect("a file");
    assert_eq!((workload.name.as_str(), workload.bytes()), ("letter.txt", Some(100_000)));
    CONVERT.generate(&workload, scratch.path(), 1).expect("copied");
    let expected = CONVERT.expected(&workload, scratch.path()).expect("ASCII");
    let (proof, _) = converted("presized@64K", &workload, scratch.path(), Durability::Returned);
    assert_eq!(proof, expected);
    let [copy] = &CONVERT.inputs(&workload, scratch.path())[..] else { panic!("one input") };
    assert_ne!(copy, &file);

    let mut text = ascii(100_000);
    text[70_000] = 0xc3;
    fs::write(&file, &text).expect("written");
    let refused = CONVERT.generate(&workload, scratch.path(), 1).expect_err("no ASCII").to_string();
    assert!(refused.contains("letter.txt") && refused.contains("offset 70000 is 0xC3"), "{refused}");
    assert!(!copy.exists(), "a copy that cannot be converted is of no use");
    let refused = CONVERT.workload_of_input(&[file]).expect_err("known before anything is begun");
    assert!(refused.contains("letter.txt") && refused.contains("offset 70000 is 0xC3"), "{refused}");
}

#[test]
fn anything_but_one_file_of_the_user_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().expect("scratch");
    let refused = |files: &[PathBuf]| CONVERT.workload_of_input(files).expect_err("no single file");
    assert!(refused(&[folder.path().to_owned()]).contains("is a directory"));
    assert!(refused(&["a".into(), "b".into()]).contains("2 were named"));
    assert!(refused(&[folder.path().join("absent")]).contains("absent"));
}

#[test]
fn an_input_that_is_no_ascii_has_no_proof() {
    let scratch = tempfile::tempdir().expect("scratch");
    let workload = CONVERT.workload_of_bytes(200_000).expect("the family has sizes");
    CONVERT.generate(&workload, scratch.path(), 1).expect("generated");
    let [input] = &CONVERT.inputs(&workload, scratch.path())[..] else { panic!("one input") };
    let mut text = fs::read(input).expect("readable");
    text[199_999] = 0xff;
    fs::write(input, text).expect("written");
    let refused = CONVERT.expected(&workload, scratch.path()).expect_err("no ASCII").to_string();
    assert!(refused.contains("offset 199999 is 0xFF"), "{refused}");
}

#[test]
fn an_entry_that_is_unknown_or_lacks_its_value_is_refused_with_a_sentence() {
    let directory = tempfile::tempdir().expect("scratch");
    let setting = setting(directory.path(), Durability::Returned);
    for (entry, part) in [
        ("translate", "convert has no technique 'translate'"),
        ("small_buffer@64K", "small_buffer has no parameter"),
        ("read_write@lots", "'lots' is not a size"),
        ("presized", "presized needs a value of buffer_bytes"),
    ] {
        let Availability::Missing(sentence) = CONVERT.probe(entry, &model::Host::default(), &setting) else {
            panic!("{entry} is ready");
        };
        assert!(sentence.contains(part), "{sentence}");
    }
}

#[test]
fn a_kernel_that_is_missing_says_what_it_would_take() {
    let directory = tempfile::tempdir().expect("scratch");
    let setting = setting(directory.path(), Durability::Returned);
    for technique in TECHNIQUES.iter().filter(|technique| technique.name.starts_with("kernel_")) {
        let probed = (technique.probe)(&model::Host::default(), &setting);
        if let Availability::Missing(sentence) = probed {
            let job = job("absent".into(), directory.path().join("converted"), technique);
            let refused = (technique.prepare)(&job).expect("prepared").repeat(1).expect_err(technique.name);
            assert_eq!(refused.to_string(), sentence);
            assert!(["processor", "cargo build"].iter().any(|part| sentence.contains(part)), "{sentence}");
        }
    }
}

#[test]
fn a_typed_size_gives_a_workload_whose_name_is_that_size_again() {
    for (bytes, name) in [(0, "0B"), (12_800_000, "12.8MB"), (1 << 29, "512MiB"), (1_234_567, "1234567B")] {
        let workload = CONVERT.workload_of_bytes(bytes).expect("the family has sizes");
        assert_eq!((workload.name.as_str(), workload.bytes()), (name, Some(bytes)));
        assert_eq!(model::parse_bytes(&workload.name), Ok(bytes));
    }
}

#[test]
fn there_is_room_for_input_and_output() {
    let workload = CONVERT.workload_of_bytes(1_000_000).expect("the family has sizes");
    assert!(CONVERT.scratch_bytes(&workload) >= 3_000_000);
}

#[test]
fn every_technique_of_the_folder_is_listed() {
    assert_every_technique_is_listed("convert");
}
