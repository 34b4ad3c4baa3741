//! What only Linux can be made to do: a limit of memory, a file that must not grow, a peer next to the techniques.

use std::fs;
use std::io;
use std::process::Command;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sys::page_cache::{evict, residency};

use crate::contract::Repeat;
use crate::files::alone;
use crate::sort::job::SortJob;
use crate::sort::system::{memory, taken_bytes};
use crate::sort::tests::{job, records};
use crate::sort::workload::ORDERS;
use crate::sort::{SORT, TECHNIQUES};
use crate::testing::named;

fn done_within(limit_bytes: u64, prepared: &mut dyn Repeat) -> io::Result<()> {
    let before = getrlimit(Resource::As);
    let within = Rlimit { current: Some(limit_bytes), ..before };
    setrlimit(Resource::As, within).expect("a soft limit may be moved");
    let outcome = prepared.repeat(1);
    setrlimit(Resource::As, before).expect("a soft limit may be moved");
    outcome
}

#[test]
fn every_technique_sorts_within_a_limit_or_says_why_not() {
    alone("sort::linux::tests::every_technique_sorts_within_a_limit_or_says_why_not", |scratch| {
        const RECORDS: u64 = 100_000;
        let input = scratch.join("input");
        fs::write(&input, records(RECORDS)).expect("written");
        let mut sorted = 0;
        for technique in TECHNIQUES.iter().filter(|technique| !technique.ceiling) {
            for megabytes in [1, 3, 7, 8, 9, 10, 12, 15, 20, 30, 80] {
                let output = scratch.join("output");
                let limit = taken_bytes().expect("known") + (megabytes << 20);
                let job = SortJob {
                    memory_limit_bytes: Some(limit),
                    ..job(input.clone(), output.clone(), technique)
                };
                let mut prepared = (technique.prepare)(&job).expect("prepared");
                let outcome = done_within(limit, &mut *prepared);
                let what = format!("{} within {megabytes} MiB", technique.name);
                match outcome {
                    Ok(()) => {
                        sorted += 1;
                        let proof = prepared.proof().expect("an output");
                        assert_eq!(proof.bytes, RECORDS * 64, "{what}");
                    }
                    Err(error) => {
                        let sentence = error.to_string().to_lowercase();
                        let is_named = sentence.contains("memory") || sentence.contains("thread");
                        assert!(is_named, "{what}: {error}");
                    }
                }
                drop(prepared);
                for left in fs::read_dir(scratch).expect("readable") {
                    let left = left.expect("an entry").path();
                    if left != input {
                        fs::remove_file(left).expect("removed");
                    }
                }
            }
        }
        assert!(sorted > 60, "{sorted} sorted");
    });
}

#[test]
fn a_merge_within_a_limit_stays_within_it() {
    alone("sort::linux::tests::a_merge_within_a_limit_stays_within_it", |scratch| {
        let input = scratch.join("input");
        fs::write(&input, records(1 << 20)).expect("written");
        let technique = named(TECHNIQUES, "external_merge_limited");
        for megabytes in [20, 30, 50] {
            let limit = taken_bytes().expect("known") + (megabytes << 20);
            let output = scratch.join(format!("output-{megabytes}"));
            let job =
                SortJob { memory_limit_bytes: Some(limit), ..job(input.clone(), output.clone(), technique) };
            let mut prepared = (technique.prepare)(&job).expect("prepared");
            done_within(limit, &mut *prepared).unwrap_or_else(|error| panic!("{megabytes} MiB: {error}"));
            let mut values = crate::values::Values::default();
            prepared.values(&mut values);
            assert!(values.hand_over().values.contains_key("merge_ns"), "several runs were merged");
            let keys: Vec<Vec<u8>> =
                fs::read(&output).expect("readable").chunks(64).map(|record| record[..8].to_vec()).collect();
            assert!(keys.len() == 1 << 20 && keys.is_sorted());
        }
    });
}

#[test]
fn an_output_that_cannot_grow_is_named() {
    alone("sort::linux::tests::an_output_that_cannot_grow_is_named", |scratch| {
        let input = scratch.join("input");
        fs::write(&input, records(100_000)).expect("written");
        // SAFETY: no handler is installed; without this the first write too far would end the process.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
        let limit = Rlimit { current: Some(1 << 20), maximum: Some(1 << 20) };
        setrlimit(Resource::Fsize, limit).expect("lowering a limit is allowed");
        for technique in TECHNIQUES.iter().filter(|technique| !technique.ceiling) {
            let job = job(input.clone(), scratch.join(technique.name), technique);
            let error = (technique.prepare)(&job).expect("prepared").repeat(1).expect_err(technique.name);
            assert_eq!(error.kind(), io::ErrorKind::FileTooLarge, "{}: {error}", technique.name);
            let path = scratch.join(technique.name).display().to_string();
            assert!(error.to_string().contains(&path), "{}: {error}", technique.name);
            // Published programs presize no output, nor do variants of their trees.
            let is_published = !technique.alias.is_empty() || technique.name == "binary_search_tree";
            let presizes = !is_published && technique.variant_of != Some("binary_search_tree");
            let said = ["fallocate ", "ftruncate "].iter().any(|step| error.to_string().starts_with(step));
            assert_eq!(said, presizes, "{}: {error}", technique.name);
        }
    });
}

#[test]
fn the_sort_of_the_system_gives_the_same_proof() {
    let scratch = tempfile::tempdir().expect("scratch");
    for (order, _) in ORDERS {
        let mut workload = SORT.workload_of_bytes(64 * 20_000).expect("the family has sizes");
        SORT.set(&mut workload, "order", order).expect("possible");
        SORT.generate(&workload, scratch.path(), 2).expect("generated");
        SORT.clear(&workload, scratch.path()).expect("cleared");
        let place = |name: &str| {
            let places = SORT.placeholders(&workload, scratch.path());
            places.into_iter().find(|place| place.name == name).expect("known").values.remove(0)
        };
        let mut peer = Command::new("sort");
        peer.env("LC_ALL", "C").args(["-s", "-k1.1,1.8", "--parallel=2", "-S", "10%"]);
        peer.arg("-T").arg(place("scratch")).arg("-o").arg(place("output")).arg(place("input"));
        let status = peer.status().expect("the core utilities are installed");
        assert!(status.success());
        let expected = SORT.expected(&workload, scratch.path()).expect("readable");
        assert_eq!(SORT.inspect(&workload, scratch.path()).expect("an output"), expected, "{order}");
    }
}

#[test]
fn an_index_made_for_a_cold_sample_is_cold_at_the_start() {
    // In the build folder: a file system that lives in memory, as temporary folders may, has nothing that is cold.
    let program = std::env::current_exe().expect("this program");
    let scratch = tempfile::tempdir_in(program.parent().expect("its folder")).expect("scratch");
    let input = scratch.path().join("input");
    fs::write(&input, records(20_000)).expect("written");
    let eviction = evict(std::slice::from_ref(&input)).expect("evicted");
    assert!(eviction.proven, "{eviction:?}");
    let technique = named(TECHNIQUES, "index_file_reused");
    for cold in [true, false] {
        let output = scratch.path().join(format!("output-{cold}"));
        let job = SortJob {
            cold,
            kept_index: scratch.path().join(format!("index-{cold}")),
            ..job(input.clone(), output, technique)
        };
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        let resident = |what: &str| {
            for path in [&job.input, &job.kept_index] {
                let pages = residency(path).expect("a file").expect("known").resident_pages;
                assert_eq!(pages == 0, cold, "{pages} pages of {} are resident {what}", path.display());
            }
        };
        prepared.refresh().expect("an index is made");
        resident("after it was made");
        prepared.refresh().expect("the index is there");
        resident("after it was looked at");
        prepared.repeat(1).expect("sorted");
        assert!(prepared.notes().is_empty(), "{:?}", prepared.notes());
    }
}

#[test]
fn memory_that_is_taken_is_counted() {
    let before = taken_bytes().expect("known");
    let room = memory(64 << 20).expect("some memory");
    assert!(taken_bytes().expect("known") >= before + (60 << 20), "{before}");
    drop(room);
}
