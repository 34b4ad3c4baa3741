//! Every technique converts every size, names the byte that is no ASCII, and says in a sentence why it could not.

use std::fs;
use std::path::Path;

use model::Durability;
use proptest::prelude::*;

use super::job::ConvertJob;
use super::kernel::{Kernel, Unit, bytes_of, plain};
use super::special::{AVX2, AVX512, SSE2, STREAMING, best_for};
use super::{CONVERT, TECHNIQUES};
use crate::contract::Technique;
use crate::files::job_tests::{ascii, done, job, missing, movers, proved, sized};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_first_of_several_bytes_that_are_no_ascii_is_named(
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
        let techniques: Vec<_> = movers(TECHNIQUES, scratch.path()).collect();
        refused_at(techniques[nth.index(techniques.len())], &source, &destination, *first, byte);
    }

    #[test]
    fn every_kernel_does_at_any_offset_what_a_loop_over_bytes_does(
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
                let found = kernel(&text, &mut vec![Unit::new(0); length]);
                assert_eq!(found, Err(place), "{name}, {length} bytes");
            }
        }
    }
}

#[test]
fn fewer_threads_than_a_technique_is_to_use_are_noted() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    for (bytes, said) in [(10_000, true), (4 << 20, false)] {
        fs::write(&source, ascii(bytes)).expect("written");
        let threaded = "parallel_records parallel_regions parallel_mapping rayon_regions double_buffered \
                        presized_mmap_populate_ahead";
        for technique in
            TECHNIQUES.iter().filter(|technique| threaded.split(' ').any(|name| name == technique.name))
        {
            let name = technique.name;
            let job = job(&source, &scratch.path().join(format!("{name} of {bytes}")), technique);
            let notes = done(technique, &job).expect("converted");
            let is_told = notes.iter().any(|note| note.starts_with("fell back: ") && note.contains("thread"));
            assert_eq!(is_told, said, "{name} at {bytes} bytes: {notes:?}");
        }
    }
}

fn refused_at(technique: &Technique<ConvertJob>, source: &Path, destination: &Path, place: usize, byte: u8) {
    let name = technique.name;
    let error = done(technique, &job(source, destination, technique)).expect_err(name);
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData, "{name}: {error}");
    let file = source.display();
    let expected =
        format!("convert {file}: the byte at offset {place} is 0x{byte:02X}, and ASCII ends at 0x7F");
    assert_eq!(error.to_string(), expected, "{name}");
    assert!(!destination.exists(), "{name} left something behind");
}

#[test]
fn every_technique_names_a_byte_that_is_no_ascii_and_cleans_up() {
    let scratch = tempfile::tempdir().expect("scratch");
    let (source, destination) = (scratch.path().join("source"), scratch.path().join("converted"));
    let length = (2 << 20) + 77;
    let borders = [256, 8_192, 64 << 10, 256 << 10, 1 << 20].into_iter().flat_map(|piece| [piece - 1, piece]);
    for place in [0, length / 2, length - 1].into_iter().chain(borders) {
        let mut text = ascii(length);
        text[place] = 0xe9;
        fs::write(&source, &text).expect("written");
        for technique in movers(TECHNIQUES, scratch.path()) {
            refused_at(technique, &source, &destination, place, 0xe9);
        }
    }
}

#[test]
fn the_output_holds_little_endian_units_and_no_byte_order_mark() {
    let (scratch, source) = crate::testing::scratch_with("source", "Az\r\n\0\x7f");
    for technique in movers(TECHNIQUES, scratch.path()) {
        let destination = scratch.path().join(technique.name);
        done(technique, &job(&source, &destination, technique)).expect(technique.name);
        let written = fs::read(&destination).expect("readable");
        assert_eq!(written, b"A\0z\0\r\0\n\0\0\0\x7f\0", "{}", technique.name);
    }
}

#[test]
fn a_file_of_the_user_is_copied_and_checked_before_measuring() {
    let folder = tempfile::tempdir().expect("scratch");
    let scratch = tempfile::tempdir().expect("scratch");
    let file = folder.path().join("letter.txt");
    fs::write(&file, ascii(100_000)).expect("written");
    let workload = CONVERT.workload_of_input(std::slice::from_ref(&file)).expect("a file");
    assert_eq!((workload.name.as_str(), workload.bytes()), ("letter.txt", Some(100_000)));
    CONVERT.generate(&workload, scratch.path(), 1).expect("copied");
    let expected = CONVERT.expected(&workload, scratch.path()).expect("ASCII");
    let (proof, _) = proved(CONVERT, "presized@64K", &workload, scratch.path(), Durability::Returned);
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
fn an_input_that_is_no_ascii_has_no_proof() {
    let scratch = tempfile::tempdir().expect("scratch");
    let workload = sized(CONVERT, 200_000);
    CONVERT.generate(&workload, scratch.path(), 1).expect("generated");
    let [input] = &CONVERT.inputs(&workload, scratch.path())[..] else { panic!("one input") };
    let mut text = fs::read(input).expect("readable");
    text[199_999] = 0xff;
    fs::write(input, text).expect("written");
    let refused = CONVERT.expected(&workload, scratch.path()).expect_err("no ASCII").to_string();
    assert!(refused.contains("offset 199999 is 0xFF"), "{refused}");
}

#[test]
fn a_kernel_that_is_missing_says_what_it_would_take() {
    let directory = tempfile::tempdir().expect("scratch");
    for technique in TECHNIQUES.iter().filter(|technique| technique.name.starts_with("kernel_")) {
        if let Some(sentence) = missing(technique, directory.path()) {
            let job = job("absent".as_ref(), &directory.path().join("converted"), technique);
            let refused = done(technique, &job).expect_err(technique.name);
            assert_eq!(refused.to_string(), sentence);
            assert!(["processor", "cargo build"].iter().any(|part| sentence.contains(part)), "{sentence}");
        }
    }
}

#[test]
fn there_is_room_for_input_and_output() {
    assert!(CONVERT.scratch_bytes(&sized(CONVERT, 1_000_000)) >= 3_000_000);
}
