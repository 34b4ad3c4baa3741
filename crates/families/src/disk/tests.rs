//! Every technique reads and rewrites every file right, and one that does not fails.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use model::{Cache, Class, Conditions, Durability, Place, Preset, Proof, Setting, Trial, Workload};

use super::files::{file_of, kept_of};
use super::{DISK, TECHNIQUES, workload};
use crate::contract::{OwnTime, Repeat};
use crate::listing::assert_every_technique_is_listed;
use crate::values::Values;

const SEED: u64 = 1;

fn setting(directory: &Path) -> Setting {
    Setting {
        conditions: Conditions {
            cache: Some(Cache::Cold),
            durability: Some(Durability::Durable),
            ..Conditions::default()
        },
        place: Place { directory: Some(directory.to_owned()) },
    }
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("scratch")
}

fn shaped(bytes: u64, axes: &[(&str, &str)]) -> Workload {
    let mut workload = DISK.workload_of_bytes(bytes).expect("a size");
    for (axis, value) in axes {
        DISK.set(&mut workload, axis, value).expect("a value");
    }
    DISK.check(&workload).expect("it fits together");
    workload
}

fn ready_entries(directory: &Path, workload: &Workload) -> Vec<String> {
    let names = DISK.entries().into_iter().map(|entry| entry.name);
    let is_ready = |name: &String| {
        DISK.suits(name, workload).is_ready()
            && DISK.probe(name, &model::Host::default(), &setting(directory)).is_ready()
    };
    names.filter(is_ready).collect()
}

fn trial(entry: &str, workload: &Workload, scratch: &Path) -> Trial {
    Trial {
        family: "disk".to_owned(),
        technique: entry.to_owned(),
        workload: workload.clone(),
        setting: setting(scratch),
        scratch: scratch.to_owned(),
        seed: SEED,
    }
}

fn perform(
    entry: &str,
    workload: &Workload,
    scratch: &Path,
    body: &mut dyn FnMut(&mut dyn Repeat) -> io::Result<()>,
) {
    let done = DISK.perform(&trial(entry, workload, scratch), body);
    done.unwrap_or_else(|error| panic!("{entry} at {}: {error}", workload.name));
}

/// Makes the file; gives the proof that all must give.
fn made(workload: &Workload, scratch: &Path) -> Proof {
    DISK.generate(workload, scratch, SEED).expect("generated");
    DISK.expected(workload, scratch).expect("readable")
}

fn every_entry_does_its_work(workload: &Workload) {
    let scratch = scratch();
    let expected = made(workload, scratch.path());
    assert_eq!(Some(expected.bytes), workload.bytes());
    let entries = ready_entries(scratch.path(), workload);
    assert!(entries.len() >= 4, "the portable techniques run everywhere, but only {entries:?} are ready");
    for entry in &entries {
        DISK.clear(workload, scratch.path()).expect("whole");
        let mut proofs = Vec::new();
        perform(entry, workload, scratch.path(), &mut |technique| {
            for _ in 0..2 {
                technique.refresh()?;
                technique.repeat(1)?;
                proofs.push(technique.proof()?);
            }
            let notes = technique.notes();
            assert!(notes.iter().all(|note| note.starts_with("fell back: ")), "{entry}: {notes:?}");
            Ok(())
        });
        assert_eq!(proofs, [expected.clone(), expected.clone()], "{entry} at {workload:?}");
        DISK.clear(workload, scratch.path()).expect("whole");
        assert_eq!(DISK.expected(workload, scratch.path()).expect("readable"), expected, "{entry}");
    }
}

#[test]
fn every_technique_of_the_folder_is_listed() {
    assert_every_technique_is_listed("disk");
    assert!(TECHNIQUES.len() >= 11);
}

#[test]
fn every_technique_does_the_work_of_the_published_series_on_a_smaller_file() {
    let smaller = |published: Workload| published.with("bytes", 32 << 10);
    let pieces: Vec<Workload> = DISK.workloads(Preset::Published).into_iter().map(smaller).collect();
    let fitting: Vec<&Workload> = pieces.iter().filter(|one| DISK.check(one).is_ok()).collect();
    assert_eq!((pieces.len(), fitting.len()), (20, 6), "from 1 KiB to the whole file");
    for workload in fitting {
        match workload.number("piece_bytes") {
            Some(..4096) => every_entry_works_or_asks_for_an_alignment(workload),
            _ => every_entry_does_its_work(workload),
        }
    }
}

#[test]
fn every_technique_works_through_files_and_pieces_of_awkward_sizes() {
    for (bytes, piece) in
        [(1, "4K"), (4_097, "4K"), (100_000, "12K"), (1_000_000, "64K"), (1 << 20, "1M"), (3 << 20, "1280K")]
    {
        every_entry_does_its_work(&shaped(bytes, &[("piece_bytes", piece)]));
    }
}

#[test]
fn every_technique_works_in_a_drawn_order() {
    every_entry_does_its_work(&shaped(1_000_000, &[("piece_bytes", "20K"), ("order", "random")]));
}

#[test]
fn every_technique_proves_pieces_of_a_mebibyte_with_many_of_them_in_flight() {
    every_entry_does_its_work(&shaped((9 << 20) + 512, &[("piece_bytes", "1M"), ("order", "random")]));
}

#[test]
fn pieces_of_a_sector_are_worked_on_where_the_device_takes_them() {
    every_entry_works_or_asks_for_an_alignment(&shaped(
        64 << 10,
        &[("piece_bytes", "1K"), ("order", "random")],
    ));
}

/// Work past the file cache goes in whole sectors, which may be longer than the piece.
fn every_entry_works_or_asks_for_an_alignment(workload: &Workload) {
    let scratch = scratch();
    let expected = made(workload, scratch.path());
    for entry in ready_entries(scratch.path(), workload) {
        let mut proof = None;
        let done = DISK.perform(&trial(&entry, workload, scratch.path()), &mut |technique| {
            technique.repeat(1)?;
            proof = Some(technique.proof()?);
            Ok(())
        });
        match done {
            Ok(()) => assert_eq!(proof, Some(expected.clone()), "{entry}"),
            Err(error) => assert!(error.to_string().contains("alignment"), "{entry}: {error}"),
        }
    }
}

#[test]
fn a_phase_alone_tells_its_own_rate_only() {
    let scratch = scratch();
    for (phases, keys) in [
        (
            "all",
            &[
                "read_bytes_per_second",
                "reread_bytes_per_second",
                "rewrite_bytes_per_second",
                "rewrite_returned_bytes_per_second",
            ][..],
        ),
        ("read", &["read_bytes_per_second"]),
        ("rewrite", &["rewrite_bytes_per_second", "rewrite_returned_bytes_per_second"]),
    ] {
        let workload = shaped(1 << 20, &[("phases", phases)]);
        let expected = made(&workload, scratch.path());
        perform("read_write", &workload, scratch.path(), &mut |technique| {
            technique.repeat(1)?;
            let mut values = Values::default();
            technique.values(&mut values);
            let values: BTreeMap<String, f64> = values.numbers().values;
            let rates = values.keys().filter(|key| key.ends_with("_per_second"));
            assert_eq!(rates.collect::<Vec<_>>(), keys);
            assert_eq!(values.get("refaults"), None, "nothing limits this process");
            assert!(keys.iter().all(|key| values[*key] > 0.0), "{values:?}");
            let own = technique.own_time();
            assert!(own.is_some_and(|own| own.ns > 0 && !own.is_extrapolated), "{own:?}");
            assert_eq!(technique.proof()?, expected);
            Ok(())
        });
    }
}

#[test]
fn a_rewriting_tells_when_its_calls_had_returned_and_ends_there_where_that_is_asked_for() {
    let scratch = scratch();
    for end in ["durable", "returned"] {
        let workload = shaped(4 << 20, &[("durability", end)]);
        let expected = made(&workload, scratch.path());
        for entry in ready_entries(scratch.path(), &workload) {
            perform(&entry, &workload, scratch.path(), &mut |technique| {
                technique.repeat(1)?;
                let mut values = Values::default();
                technique.values(&mut values);
                let values = values.numbers().values;
                let rate = |key: &str| values[key];
                let (returned, whole) =
                    (rate("rewrite_returned_bytes_per_second"), rate("rewrite_bytes_per_second"));
                assert!(returned >= whole && whole > 0.0, "{entry}: {values:?}");
                let per_kib = rate("rewrite_kib_ns") * whole / 1024.0;
                assert!((per_kib / 1e9 - 1.0).abs() < 1e-3, "{entry}: {values:?}");
                assert_eq!(technique.proof()?, expected, "{entry}");
                Ok(())
            });
            DISK.clear(&workload, scratch.path()).expect("whole");
        }
    }
}

#[test]
fn a_phase_that_takes_too_long_is_cut_short_extrapolated_and_still_leaves_the_whole_file() {
    let scratch = scratch();
    let workload = shaped(4 << 20, &[("piece_bytes", "4K"), ("phase_limit_ns", "1ns")]);
    let expected = made(&workload, scratch.path());
    for entry in ready_entries(scratch.path(), &workload) {
        perform(&entry, &workload, scratch.path(), &mut |technique| {
            technique.repeat(1)?;
            let notes = technique.notes();
            for phase in ["read", "rewrite", "reread"] {
                let start = format!("extrapolated: {phase} from ");
                assert!(notes.iter().any(|note| note.starts_with(&start)), "{entry}: {notes:?}");
            }
            assert!(matches!(technique.own_time(), Some(OwnTime { is_extrapolated: true, .. })), "{entry}");
            assert_eq!(technique.proof()?, expected, "{entry}");
            Ok(())
        });
    }
}

#[test]
fn a_sector_that_is_not_as_it_was_makes_every_reading_wrong() {
    let scratch = scratch();
    let workload = shaped(1 << 20, &[("phases", "read")]);
    let expected = made(&workload, scratch.path());
    let file = file_of(&workload, scratch.path()).expect("a size");
    let mut bytes = fs::read(&file).expect("readable");
    bytes[700 * 512] ^= 1;
    fs::write(&file, bytes).expect("written");
    for entry in ready_entries(scratch.path(), &workload) {
        perform(&entry, &workload, scratch.path(), &mut |technique| {
            technique.repeat(1)?;
            assert_ne!(technique.proof()?, expected, "{entry}");
            Ok(())
        });
    }
}

#[test]
fn a_file_that_is_not_as_it_was_left_is_refused_before_the_next_sample() {
    let scratch = scratch();
    let workload = shaped(1 << 20, &[]);
    let expected = made(&workload, scratch.path());
    let file = file_of(&workload, scratch.path()).expect("a size");
    let mut half = fs::read(&file).expect("readable");
    // Rewritten once, and half of it as it was before: what a process leaves that is killed in the middle.
    perform("read_write", &workload, scratch.path(), &mut |technique| technique.repeat(1));
    let rewritten = fs::read(&file).expect("readable");
    assert_ne!(rewritten, half);
    half[..512 << 10].copy_from_slice(&rewritten[..512 << 10]);
    fs::write(&file, half).expect("written");
    assert!(DISK.expected(&workload, scratch.path()).is_err(), "it is neither the one nor the other");
    let refused = || DISK.clear(&workload, scratch.path()).expect_err("changed").to_string();
    assert!(refused().contains("had changed or vanished"), "{}", refused());
    assert_eq!(made(&workload, scratch.path()), expected);
    DISK.clear(&workload, scratch.path()).expect("as it was made");
    fs::remove_file(&file).expect("removed");
    refused();
    assert_eq!(made(&workload, scratch.path()), expected);
    fs::remove_file(file.with_extension("state")).expect("removed");
    refused();
}

#[test]
fn a_rewrite_by_a_command_changes_every_sector() {
    let scratch = scratch();
    let workload = shaped(1 << 20, &[("phases", "rewrite")]);
    let expected = made(&workload, scratch.path());
    let file = file_of(&workload, scratch.path()).expect("a size");
    let inspected = || DISK.inspect(&workload, scratch.path()).expect("readable");
    assert_ne!(inspected(), expected, "nothing was done");
    let mut foreign = vec![b'x'; 1 << 20];
    fs::write(&file, &foreign).expect("written");
    assert_eq!(inspected(), expected);
    made(&workload, scratch.path());
    foreign[512..1024].copy_from_slice(&fs::read(&file).expect("readable")[512..1024]);
    fs::write(&file, &foreign).expect("written");
    assert_ne!(inspected(), expected, "one sector is what it was");
    fs::write(&file, &foreign[..4096]).expect("written");
    assert_ne!(inspected(), expected, "it is too short");
    // A technique that is timed from outside is looked at in the same way.
    made(&workload, scratch.path());
    perform("read_write", &workload, scratch.path(), &mut |technique| technique.repeat(1));
    assert_eq!(inspected(), expected);
    assert_ne!(inspected(), expected, "nothing was done since");
}

#[test]
fn a_command_that_reads_must_leave_the_file_as_it_was() {
    let scratch = scratch();
    let workload = shaped(1 << 20, &[("phases", "read")]);
    let expected = made(&workload, scratch.path());
    let file = file_of(&workload, scratch.path()).expect("a size");
    assert_eq!(DISK.inspect(&workload, scratch.path()).expect("readable"), expected);
    fs::write(&file, vec![b'x'; 1 << 20]).expect("written");
    assert_ne!(DISK.inspect(&workload, scratch.path()).expect("readable"), expected);
}

#[test]
fn the_file_is_the_same_for_the_same_seed_and_another_for_another() {
    let scratch = scratch();
    let workload = shaped(1 << 20, &[]);
    let of = |seed| {
        DISK.generate(&workload, scratch.path(), seed).expect("generated");
        fs::read(file_of(&workload, scratch.path()).expect("a size")).expect("readable")
    };
    assert!(of(1) == of(1));
    assert!(of(1) != of(2));
}

#[test]
fn buffers_that_leave_nothing_to_the_cache_are_refused_in_a_sentence() {
    let scratch = scratch();
    let workload = shaped(8 << 20, &[("piece_bytes", "8M")]);
    made(&workload, scratch.path());
    let mut limited = trial("read_write", &workload, scratch.path());
    limited.setting.conditions.memory_limit_bytes = Some(workload::memory_bytes(&workload));
    let refused = DISK.perform(&limited, &mut |_| Ok(())).expect_err("no room").to_string();
    assert!(refused.starts_with("a buffer of 8 MiB does not fit into the memory"), "{refused}");
    for technique in ["read_write", "c_stdio", "direct"] {
        let planned = DISK.fits(technique, &workload, &limited.setting);
        assert_eq!(planned, model::Availability::Missing(refused.clone()), "{technique}");
    }
}

#[test]
fn a_piece_that_is_the_whole_file_is_mapped_in_a_memory_that_has_no_room_for_it() {
    let scratch = scratch();
    for (bytes, piece) in [(8 << 20, "8M"), ((9 << 20) + 512, "2817K"), (5 << 20, "1281K")] {
        let workload = shaped(bytes, &[("piece_bytes", piece), ("order", "random")]);
        let expected = made(&workload, scratch.path());
        for technique in ["mmap", "mmap_flush_each"] {
            let mut limited = trial(technique, &workload, scratch.path());
            limited.setting.conditions.memory_limit_bytes = Some(1 << 20);
            assert!(DISK.fits(technique, &workload, &limited.setting).is_ready());
            DISK.perform(&limited, &mut |work| {
                work.repeat(1)?;
                assert_eq!(work.proof()?, expected, "{technique} at {piece}");
                Ok(())
            })
            .expect("room");
        }
    }
}

#[test]
fn what_flushes_each_piece_is_never_ranked_with_what_flushes_once() {
    let names = |class| {
        let of = move |entry: &crate::contract::Entry| entry.class == class;
        DISK.entries().into_iter().filter(of).map(|entry| entry.name).collect::<Vec<String>>()
    };
    let each = names(Class::FlushesEachPiece);
    for name in ["mmap_flush_each", "flush_each", "write_through", "direct_write_through"] {
        assert!(each.contains(&name.to_owned()), "{each:?}");
    }
    let once = names(Class::MovesBytes);
    assert_eq!(each.len() + once.len(), DISK.entries().len());
    assert!(once.contains(&"read_write".to_owned()) && once.contains(&"direct".to_owned()));
    assert_eq!(DISK.cache(), Some(Cache::Cold));
    assert_eq!(DISK.durability(&shaped(1 << 20, &[])), Some(Durability::Durable));
}

#[test]
fn what_is_kept_about_the_file_is_refused_by_name_when_it_is_broken() {
    let scratch = scratch();
    let workload = shaped(1 << 20, &[]);
    made(&workload, scratch.path());
    let kept = kept_of(&workload, scratch.path()).expect("a size");
    fs::write(&kept, "1 2 3").expect("written");
    let refused = DISK.expected(&workload, scratch.path()).expect_err("broken").to_string();
    assert!(refused.starts_with("read ") && refused.contains(".state: "), "{refused}");
}
