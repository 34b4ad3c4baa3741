//! Every technique makes all passes over all of the memory, whatever the pieces.

use std::path::Path;

use model::{Availability, Durability, Host, Preset, Proof, Setting, Workload};

use super::job::BlocksJob;
use super::kernels::{Kernels, PLAIN, Work, plain_update, plain_write};
use super::mapping::Pages;
use super::{BLOCKS, TECHNIQUES};
use crate::testing::{assert_refused, changed, done, trial};
use crate::values::HandedOver;

const MIB: u64 = 1 << 20;

fn workload(work: &str, total: u64, piece: u64, passes: u64) -> Workload {
    let usual = BLOCKS.workloads(Preset::Quick).remove(0).with("work", work);
    usual.with("total_bytes", total).with("piece_bytes", piece).with("passes", passes)
}

fn performed(technique: &str, workload: &Workload, times: u64) -> std::io::Result<(Proof, HandedOver)> {
    let trial = trial(BLOCKS, technique, workload, Path::new("unused"), Durability::Returned);
    done(BLOCKS, &trial, &[1, times]).map(|(proof, _, values)| (proof, values))
}

fn ready(workload: &Workload) -> impl Iterator<Item = &'static str> {
    let suited = TECHNIQUES.iter().map(|one| one.name).filter(|name| BLOCKS.suits(name, workload).is_ready());
    suited.filter(|name| BLOCKS.probe(name, &Host::default(), &Setting::default()).is_ready())
}

#[test]
fn every_technique_proves_every_work_whatever_the_sizes() {
    for (total, piece, passes, threads) in [
        // Pieces that are no whole number of registers, a last piece that is shorter, one word, and the whole.
        (4, 4, 1, 1),
        (1_000, 4, 2, 1),
        (4_100, 1_004, 3, 1),
        (65_536, 4_096, 16, 1),
        (70_004, 70_004, 300, 1),
        // Room for huge pages.
        (4 * MIB + 12, MIB, 2, 1),
        // Threads that share the pieces whether they come out even or not.
        (2 * 1_024 - 8, 1_024, 3, 2),
        (7 * 1_024 - 8, 1_024, 3, 2),
        (7 * 1_024 - 8, 1_024, 3, 3),
        (64 * 1_024 - 8, 1_024, 3, 5),
    ] {
        for work in Work::ALL {
            let workload = workload(work.name(), total, piece, passes).with("threads", threads);
            let expected = BLOCKS.expected(&workload, Path::new("unused")).expect("known");
            for (name, times) in ready(&workload).flat_map(|name| [(name, 1), (name, 3)]) {
                let (proof, _) = performed(name, &workload, times).expect(name);
                assert_eq!(proof, expected, "{name}, {times} times, {workload:?}");
            }
        }
    }
}

#[test]
fn work_without_an_instruction_skips_the_technique() {
    let read = workload("read", 4_096, 4_096, 1);
    for name in ["memset", "rep_string", "nontemporal"] {
        let said = "it has no instruction for the work read; it can write and copy";
        assert_eq!(BLOCKS.suits(name, &read), Availability::Missing(said.to_owned()), "{name}");
        performed(name, &read, 1).map(|(proof, _)| proof).expect_err("nor does it do it");
    }
    let names: Vec<&str> = ready(&read).collect();
    assert!(names.starts_with(&["plain", "std_slice"]), "{names:?}");
}

#[test]
fn memory_smaller_than_a_huge_page_has_no_use_for_one() {
    let said = BLOCKS.suits("huge_pages", &workload("write", MIB, 4_096, 1));
    assert_eq!(said, Availability::Missing("the memory is smaller than a huge page of 2 MiB".to_owned()));
    assert!(BLOCKS.suits("huge_pages", &workload("write", 2 * MIB, 4_096, 1)).is_ready());
}

#[test]
fn missing_pages_are_named_with_what_would_help() {
    if let Availability::Missing(said) = BLOCKS.probe("huge_pages", &Host::default(), &Setting::default()) {
        assert!(said.contains("nr_hugepages") || said.contains("Lock pages in memory"), "{said}");
    }
}

#[test]
fn a_word_that_is_skipped_and_a_pass_too_many_are_seen() {
    let leaves_out = Kernels {
        write: Some(|to, value| plain_write(to.split_last_mut().expect("a word").1, value)),
        read: Some(|from| from[1..].iter().fold(0, |sum, word| sum.wrapping_add(*word))),
        update: Some(|words| {
            plain_update(words);
            plain_update(words);
        }),
        copy: Some(|from, to| to[1..].copy_from_slice(&from[1..])),
        fence: None,
    };
    for work in Work::ALL {
        let job = BlocksJob::of(&workload(work.name(), 4_096, 1_024, 2)).expect("a job");
        for (kernels, is_right) in [(leaves_out, false), (PLAIN, true)] {
            let mut prepared = job.done_by(Ok(kernels), Pages::Base).expect("plain instructions");
            prepared.refresh().expect("memory");
            prepared.repeat(2).expect("passes");
            assert_eq!(prepared.proof().expect("a proof") == job.expected(), is_right, "{}", work.name());
        }
    }
}

#[test]
fn the_bandwidth_counts_every_pass_once() {
    let workload = workload("write", 64 << 10, 4_096, 4);
    let (_, values) = performed("plain", &workload, 10).expect("proven");
    let keys: Vec<&str> = values.values.keys().map(String::as_str).collect();
    assert_eq!(keys, ["bandwidth_bytes_per_second"]);
    assert!(values.values["bandwidth_bytes_per_second"] > 0.0, "{values:?}");
}

#[test]
fn sizes_that_make_no_sense_are_refused_with_what_would() {
    let usual = workload("write", 8 * MIB, 16 << 10, 16);
    let cases = [
        ("piece_bytes=0", "a size from 4 B to 1 TiB is expected, for example 16K"),
        ("piece_bytes=16M", "larger than the whole of 8 MiB; set at most piece_bytes=8388608"),
        ("piece_bytes=1001", "no whole number of stores, which have 4 bytes; set 1000 or 1004"),
        ("total_bytes=8K", "the piece is larger than the whole of 8 KiB"),
        ("total_bytes=1000G", "of memory are needed, and "),
        ("passes=0", "a whole number from 1 to 1000000 is expected, for example 8"),
        ("threads=0", "a whole number from 1 to 4096 is expected, for example 1"),
        ("threads=513", "there are 512 pieces for them"),
        ("work=sing", "write, read, update, copy"),
        ("of_cache=L4", "L1/2, L2/2, LLC/2, 4xLLC"),
    ];
    assert_refused(BLOCKS, &usual, &cases);
    let whole = changed(BLOCKS, usual, &[("piece_bytes", "8M")]).expect("the whole");
    assert_eq!(whole.number("piece_bytes"), Some(8 * MIB));
}

#[test]
fn the_first_workload_of_every_preset_holds_the_curve() {
    for preset in [Preset::Quick, Preset::Published, Preset::Large] {
        let mut all = BLOCKS.workloads(preset);
        for level in BLOCKS.curve().expect("a curve").levels {
            let mut first = all[0].clone();
            BLOCKS.set(&mut first, "piece_bytes", level).expect(level);
            all.push(first);
        }
        for workload in all {
            BLOCKS.check(&workload).unwrap_or_else(|refused| panic!("{}: {refused}", workload.name));
        }
    }
}
