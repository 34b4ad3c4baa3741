//! Every technique sorts every input, and says in a sentence why it could not.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use model::{Availability, Durability, Proof, Setting, Workload};
use proptest::prelude::*;

use super::job::SortJob;
use super::workload::ORDERS;
use super::{SORT, TECHNIQUES};
use crate::contract::Technique;
use crate::files::job_tests::done;
use crate::records::write_records;
use crate::testing::{self, changed, done_twice, generated, named};

const USUAL: (u64, u64) = (64, 8);
/// Lengths of records and keys: some that are types of the program, some that are not, keys longer than their prefix.
const LAYOUTS: [(u64, u64); 9] =
    [USUAL, (16, 4), (100, 10), (8, 8), (1, 1), (33, 20), (128, 64), (3, 2), (5_000, 7)];

pub(super) fn setting(directory: &Path, durability: Durability) -> Setting {
    let mut setting = Setting::warm(directory, durability);
    setting.conditions.processors = vec![0, 1];
    setting
}

fn ready_entries(directory: &Path) -> Vec<String> {
    let setting = setting(directory, Durability::Returned);
    let names = SORT.entries().into_iter().map(|entry| entry.name);
    let (ready, absent): (Vec<String>, Vec<String>) =
        names.partition(|name| SORT.probe(name, &model::Host::default(), &setting).is_ready());
    // One needs a limit; the other what a container may refuse.
    let may_be_absent = ["external_merge_limited", "external_merge_direct@16M"];
    assert!(absent.iter().all(|name| may_be_absent.contains(&name.as_str())), "{absent:?}");
    assert!(absent.contains(&may_be_absent[0].to_owned()), "there is no limit");
    ready
}

pub(super) fn workload(records: u64, axes: &[(&str, &str)], layout: (u64, u64)) -> Workload {
    let workload = SORT.workload_of_bytes(records * layout.0).expect("the family has sizes");
    let (record_bytes, key_bytes) = (layout.0.to_string(), layout.1.to_string());
    let lengths = [("record_bytes", &*record_bytes), ("key_bytes", &*key_bytes)];
    changed(SORT, workload, &[&lengths, axes].concat()).expect("possible")
}

/// Sorts with one entry as a worker would; returns the technique's own proof, and that of the output.
pub(super) fn try_sorted(
    entry: &str, workload: &Workload, scratch: &Path, durability: Durability,
) -> io::Result<(Proof, io::Result<Proof>)> {
    let mut trial = testing::trial(SORT, entry, workload, scratch, durability);
    trial.setting = setting(scratch, durability);
    SORT.clear(workload, scratch)?;
    let (proof, notes) = done_twice(SORT, &trial)?;
    let known = ["fell back: ", "qsort of "];
    assert!(notes.iter().all(|note| known.iter().any(|known| note.starts_with(known))), "{notes:?}");
    Ok((proof, SORT.inspect(workload, scratch)))
}

pub(super) fn sorted(entry: &str, workload: &Workload, scratch: &Path, durability: Durability) -> Proof {
    let (proof, inspected) = try_sorted(entry, workload, scratch, durability)
        .unwrap_or_else(|error| panic!("{entry} at {workload:?}: {error}"));
    let written = workload.word("output") == Some("written") && entry != "memory_copy";
    if written {
        assert_eq!(inspected.expect("an output"), proof, "{entry} at {workload:?}")
    } else {
        assert!(inspected.is_err(), "{entry} left an output")
    }
    assert!(!scratch.join("sort.runs").exists(), "{entry} left its runs");
    proof
}

fn refuses(entry: &str, workload: &Workload, scratch: &Path) -> bool {
    let is_tree = entry.starts_with("binary_search_tree");
    let reason = match (entry, workload.word("order"), workload.word("output")) {
        (_, Some("random"), _) if is_tree => return false,
        // The same tree as binary_search_tree's, and a list takes long.
        _ if entry.starts_with("binary_search_tree_") && workload.bytes() > Some(2_000 * 64) => return true,
        // A tree of many equal or ordered keys is a list; of how many is its own business.
        _ if is_tree && workload.bytes() > Some(2_000 * 64) => "would become a list",
        // Whole pages of such records are too large for its memory.
        _ if entry.starts_with("external_merge_direct") && workload.number("record_bytes") == Some(5_000) => {
            "to be merged in one pass"
        }
        (_, _, Some("suppressed")) if entry.starts_with("external_merge") => "needs output=written",
        _ => return false,
    };
    let Err(error) = try_sorted(entry, workload, scratch, Durability::Returned) else { return false };
    assert!(error.to_string().contains(reason), "{entry}: {error}");
    true
}

fn every_entry_sorts(workload: &Workload, durability: Durability) {
    let (scratch, expected) = generated(SORT, workload, 7);
    assert_eq!(Some(expected.bytes), workload.bytes());
    for entry in ready_entries(scratch.path()) {
        if !refuses(&entry, workload, scratch.path()) {
            let proof = sorted(&entry, workload, scratch.path(), durability);
            assert_eq!(proof, expected, "{entry} at {workload:?}");
        }
    }
}

#[test]
fn every_technique_sorts_every_input() {
    use Durability::{Durable, Returned};
    fn sort(counts: &[u64], axes: &[(&str, &str)], layout: (u64, u64), durability: Durability) {
        for &records in counts {
            every_entry_sorts(&workload(records, axes, layout), durability);
        }
    }
    sort(&[0, 1, 2, 3, 1_000, 4_097, 100_000], &[], USUAL, Returned);
    sort(&[0, 5_000], &[], USUAL, Durable);
    for layout in LAYOUTS {
        sort(&[1, 3_000], &[], layout, Returned);
    }
    sort(&[30_000], &[("order", "few_distinct")], (33, 20), Returned);
    for layout in [USUAL, (33, 20)] {
        sort(&[0, 1, 30_000], &[("output", "suppressed")], layout, Returned);
    }
}

#[test]
fn every_technique_sorts_every_order() {
    for (order, _) in ORDERS {
        for records in [2, 1_000, 50_000] {
            every_entry_sorts(&workload(records, &[("order", order)], USUAL), Durability::Returned);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn any_records_are_sorted_by_any_technique(
        records in prop_oneof![0_u64..300, 0_u64..20_000],
        layout in (1_u64..80, 1_u64..80),
        order in prop::sample::select(ORDERS.map(|(name, _)| name).to_vec()),
        nth in any::<prop::sample::Index>(),
        seed in any::<u64>(),
    ) {
        let workload = workload(records, &[("order", order)], (layout.0, layout.1.min(layout.0)));
        let (scratch, expected) = generated(SORT, &workload, seed);
        let entry = nth.get(&ready_entries(scratch.path())).clone();
        let few = entry.starts_with("binary_search_tree") && records > 4_000;
        if !few && !refuses(&entry, &workload, scratch.path()) {
            let proof = sorted(&entry, &workload, scratch.path(), Durability::Returned);
            prop_assert_eq!(proof, expected, "{}", entry);
        }
    }
}

#[test]
fn binary_keys_are_compared_as_bytes() {
    // Bytes above 127 come last, zeros first, and nothing of it is text.
    let text: Vec<u8> = (0..60_000_u64).flat_map(|nth| (nth * nth * 0x9e37_79b9).to_le_bytes()).collect();
    let (scratch, file) = testing::scratch_with("mine", &text);
    let workload = SORT.workload_of_input(std::slice::from_ref(&file)).expect("a file");
    let lengths = [("record_bytes", "16"), ("key_bytes", "11")];
    let workload = changed(SORT, workload, &lengths).expect("possible");
    SORT.generate(&workload, scratch.path(), 1).expect("copied");
    let expected = SORT.expected(&workload, scratch.path()).expect("readable");
    for entry in ready_entries(scratch.path()) {
        assert_eq!(sorted(&entry, &workload, scratch.path(), Durability::Returned), expected, "{entry}");
    }
    assert_eq!(fs::read(&file).expect("readable"), text, "the user's file is left alone");
}

#[test]
fn techniques_that_promise_it_order_as_the_standard_library() {
    let workload = workload(9_000, &[("order", "random")], USUAL);
    let (scratch, _) = generated(SORT, &workload, 3);
    let input = SORT.inputs(&workload, scratch.path()).remove(0);
    let mut records: Vec<Vec<u8>> =
        fs::read(input).expect("readable").chunks(64).map(<[u8]>::to_vec).collect();
    records.sort_by(|a, b| a[..8].cmp(&b[..8]));
    for entry in ["parallel_radix", "tag_sort", "heap_qsort", "external_merge@16M"] {
        sorted(entry, &workload, scratch.path(), Durability::Returned);
        let output = fs::read(scratch.path().join("sort.output")).expect("readable");
        assert!(output == records.concat(), "{entry}");
    }
}

#[test]
fn a_kept_index_is_used_again_and_one_of_other_records_not() {
    let workload = workload(5_000, &[], USUAL);
    let (scratch, expected) = generated(SORT, &workload, 5);
    assert_eq!(SORT.inputs(&workload, scratch.path()).len(), 1);
    let again = || sorted("index_file_reused", &workload, scratch.path(), Durability::Returned);
    assert_eq!(again(), expected);
    let inputs = SORT.inputs(&workload, scratch.path());
    assert_eq!(inputs.len(), 2, "the index is an input too");
    let changed = || fs::metadata(&inputs[1]).expect("an index").modified().expect("a time");
    let made = changed();
    assert_eq!((again(), changed()), (expected.clone(), made));
    fs::write(&inputs[1], "too short").expect("written");
    assert_eq!(again(), expected);
    SORT.generate(&workload, scratch.path(), 6).expect("generated");
    assert_eq!(SORT.inputs(&workload, scratch.path()).len(), 1, "an index of other records is no index");
}

#[test]
fn a_missing_index_is_made_inside_the_clock_with_a_note() {
    let (scratch, input) = testing::scratch_with("input", records(300));
    let technique = named(TECHNIQUES, "index_file_reused");
    let job = job(input, scratch.path().join("output"), technique);
    let mut prepared = (technique.prepare)(&job).expect("prepared");
    prepared.repeat(1).expect("sorted");
    assert_eq!(prepared.notes().len(), 1, "{:?}", prepared.notes());
    prepared.refresh().expect("refreshed");
    prepared.repeat(1).expect("sorted");
    assert!(prepared.notes().is_empty(), "{:?}", prepared.notes());
}

#[test]
fn fewer_threads_than_processors_are_noted() {
    let scratch = tempfile::tempdir().expect("scratch");
    let input = scratch.path().join("input");
    for (count, is_told) in [(100, true), (40_000, false)] {
        fs::write(&input, records(count)).expect("written");
        for name in ["parallel_radix", "parallel_radix_mapped", "sample_sort", "tag_sort_parallel"] {
            let technique = named(TECHNIQUES, name);
            let job = job(input.clone(), scratch.path().join(format!("{name}-{count}")), technique);
            let notes = done(technique, &job).expect("sorted");
            let said = notes.iter().any(|note| note.starts_with("fell back: 1 of 2 threads"));
            assert_eq!(said, is_told, "{name} of {count}: {notes:?}");
        }
    }
}

pub(super) fn records(count: u64) -> Vec<u8> {
    let mut text = Vec::new();
    write_records(&mut text, count, 1).expect("memory takes all");
    text
}

pub(super) fn job(input: PathBuf, output: PathBuf, technique: &Technique<SortJob>) -> SortJob {
    let job = SortJob::of_files(input, output, technique.points().swap_remove(0)).expect("a layout");
    SortJob { processors: NonZero::new(2), memory_limit_bytes: Some(1 << 40), ..job }
}

fn sentences(input: &Path, output: &Path) -> Vec<(&'static str, io::Error)> {
    let competitors = TECHNIQUES.iter().filter(|technique| !technique.ceiling);
    let failed = competitors.map(|technique| {
        let job = job(input.to_owned(), output.to_owned(), technique);
        (technique.name, done(technique, &job).expect_err(technique.name))
    });
    failed.collect()
}

#[test]
fn every_technique_names_what_stands_in_its_way() {
    let scratch = tempfile::tempdir().expect("scratch");
    let at = |name: &str| scratch.path().join(name);
    fs::write(at("input"), records(100)).expect("written");
    fs::write(at("cut"), &records(100)[..6_390]).expect("written");
    fs::write(at("left"), "left over").expect("written");
    fs::create_dir(at("new")).expect("created");
    let shown = |name: &str| at(name).display().to_string();
    for (input, output, kind, part) in [
        ("absent", "new/output", Some(io::ErrorKind::NotFound), shown("absent")),
        ("input", "absent/output", Some(io::ErrorKind::NotFound), shown("absent")),
        ("input", "left", Some(io::ErrorKind::AlreadyExists), shown("left")),
        ("cut", "new/output", None, "54 too many".to_owned()),
        ("new", "new/output", None, shown("new")),
    ] {
        for (name, error) in sentences(&at(input), &at(output)) {
            assert!(kind.is_none_or(|kind| error.kind() == kind), "{name}: {error}");
            assert!(error.to_string().contains(&part), "{name}: {error}");
        }
        let made = fs::read_dir(at("new")).expect("readable").count();
        assert!(made == 0 || input == "new", "something of {input} is left");
    }
    assert_eq!(fs::read(at("left")).expect("readable"), b"left over");
}

#[test]
fn lengths_between_two_records_are_refused_and_whole_ones_taken() {
    let scratch = tempfile::tempdir().expect("scratch");
    let workload = SORT.workload_of_bytes(1_000).expect("the family has sizes");
    let sentence = SORT.generate(&workload, scratch.path(), 1).expect_err("no multiple").to_string();
    assert!(sentence.starts_with("--size: 1000 bytes") && sentence.contains("40 too many"), "{sentence}");
    assert_eq!(fs::read_dir(scratch.path()).expect("readable").count(), 0);
    let file = scratch.path().join("mine");
    for refused in [&[file.clone()][..], &[scratch.path().to_owned()], &[file.clone(), file.clone()]] {
        assert!(SORT.workload_of_input(refused).is_err());
    }
    fs::write(&file, [b'x'; 130]).expect("written");
    let workload = SORT.workload_of_input(std::slice::from_ref(&file)).expect("a file");
    let sentence = SORT.generate(&workload, scratch.path(), 1).expect_err("no multiple").to_string();
    assert!(sentence.contains("mine: 130 bytes") && sentence.contains("2 too many"), "{sentence}");
    for whole in [0, 64] {
        fs::write(&file, vec![b'x'; whole]).expect("written");
        let workload = SORT.workload_of_input(std::slice::from_ref(&file)).expect("a file");
        SORT.generate(&workload, scratch.path(), 1).expect("whole records");
        assert_eq!(SORT.expected(&workload, scratch.path()).expect("readable").bytes, whole as u64);
    }
}

#[test]
fn a_tree_refuses_more_records_than_it_can_hold_in_time() {
    let scratch = tempfile::tempdir().expect("scratch");
    let input = scratch.path().join("input");
    for (name, most) in [("binary_search_tree", 4 << 20), ("binary_search_tree_by_byte", 1 << 20)] {
        // As long as the file would be; nothing of it is read.
        fs::File::create(&input).and_then(|file| file.set_len(most * 64 + 64)).expect("a long file");
        let tree = named(TECHNIQUES, name);
        let job = job(input.clone(), scratch.path().join("output"), tree);
        let refused = (tree.prepare)(&job).expect("prepared").repeat(1).expect_err("too many").to_string();
        assert!(refused.contains(&format!("up to {most} records")), "{refused}");
    }
}

#[test]
fn an_external_merge_of_many_runs_is_sorted_and_leaves_no_run() {
    for (records, layout, memory) in [
        (100_000, (64, 8), "3M"),
        (300_000, (64, 8), "4M"),
        (90_000, (100, 90), "4M"),
        (900_000, (8, 3), "4M"),
    ] {
        let workload = workload(records, &[], layout);
        let (scratch, expected) = generated(SORT, &workload, 5);
        for name in ["external_merge", "external_merge_direct"] {
            let entry = format!("{name}@{memory}");
            let setting = setting(scratch.path(), Durability::Returned);
            if SORT.probe(&entry, &model::Host::default(), &setting).is_ready() {
                let proof = sorted(&entry, &workload, scratch.path(), Durability::Returned);
                assert_eq!(proof, expected, "{records} by {entry}");
            }
        }
    }
}

#[test]
fn too_little_memory_for_one_merge_is_refused_with_a_minimum() {
    let workload = workload(300_000, &[], (64, 8));
    let (scratch, _) = generated(SORT, &workload, 5);
    for memory in ["1", "2M", "2200K"] {
        let entry = format!("external_merge@{memory}");
        let outcome = try_sorted(&entry, &workload, scratch.path(), Durability::Returned);
        let sentence = outcome.expect_err("too little").to_string();
        assert!(sentence.contains("in one pass") && sentence.contains("are enough"), "{sentence}");
        assert!(["sort.output", "sort.runs"].iter().all(|left| !scratch.path().join(left).exists()));
    }
}

#[test]
fn a_merge_within_the_limit_is_missing_without_one() {
    let scratch = tempfile::tempdir().expect("scratch");
    let mut setting = setting(scratch.path(), Durability::Returned);
    let probe = |setting: &Setting| SORT.probe("external_merge_limited", &model::Host::default(), setting);
    let Availability::Missing(sentence) = probe(&setting) else { panic!("ready without a limit") };
    assert!(sentence.contains("--memory-limit"), "{sentence}");
    setting.conditions.memory_limit_bytes = Some(512 << 20);
    assert_eq!(probe(&setting), Availability::Ready);
}
