//! Every technique reads and rewrites every file right, and one that does not fails.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use model::{Durability, Preset, Proof, Trial, Workload};
use tempfile::TempDir;

use super::files::{file_of, kept_of};
use super::{DISK, workload};
use crate::contract::{OwnTime, Repeat};
use crate::testing;
use crate::values::Values;

fn shaped(bytes: u64, axes: &[(&str, &str)]) -> Workload {
    let workload = DISK.workload_of_bytes(bytes).expect("a size");
    testing::changed(DISK, workload, axes).expect("it fits together")
}

/// A workload whose file was made.
struct Made {
    scratch: TempDir,
    workload: Workload,
    file: PathBuf,
    /// The proof that all must give.
    expected: Proof,
}

impl Made {
    fn of(bytes: u64, axes: &[(&str, &str)]) -> Self {
        Self::with(shaped(bytes, axes))
    }

    fn with(workload: Workload) -> Self {
        let (scratch, expected) = testing::generated(DISK, &workload, 1);
        assert_eq!(Some(expected.bytes), workload.bytes());
        let file = file_of(&workload, scratch.path()).expect("a size");
        Self { scratch, workload, file, expected }
    }

    fn folder(&self) -> &Path {
        self.scratch.path()
    }

    /// Makes the file again, which is as it was.
    fn again(&self) {
        DISK.generate(&self.workload, self.folder(), 1).expect("generated");
        assert_eq!(DISK.expected(&self.workload, self.folder()).expect("readable"), self.expected);
    }

    fn clear(&self) {
        DISK.clear(&self.workload, self.folder()).expect("whole");
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.file).expect("readable")
    }

    fn write(&self, bytes: &[u8]) {
        fs::write(&self.file, bytes).expect("written");
    }

    /// Returns whether a command has left what was asked for.
    fn is_done(&self) -> bool {
        DISK.inspect(&self.workload, self.folder()).expect("readable") == self.expected
    }

    fn trial(&self, entry: &str) -> Trial {
        testing::trial(DISK, entry, &self.workload, self.folder(), Durability::Durable)
    }

    fn ready(&self) -> Vec<String> {
        let suits = |name: &str| DISK.suits(name, &self.workload).is_ready();
        testing::ready(DISK, &self.trial("").setting, suits)
    }

    fn perform(&self, entry: &str, mut body: impl FnMut(&mut dyn Repeat) -> io::Result<()>) {
        let done = DISK.perform(&self.trial(entry), &mut body);
        done.unwrap_or_else(|error| panic!("{entry} at {}: {error}", self.workload.name));
    }

    /// Does the work once with each technique, and gives the proof and the numbers to `look`.
    fn each(&self, look: impl Fn(&str, &dyn Repeat, &BTreeMap<String, f64>, Proof)) {
        for entry in self.ready() {
            self.perform(&entry, |technique| {
                technique.repeat(1)?;
                let mut values = Values::default();
                technique.values(&mut values);
                let proof = technique.proof()?;
                look(&entry, technique, &values.hand_over().values, proof);
                Ok(())
            });
        }
    }
}

fn every_entry_does_its_work(workload: Workload) {
    let made = Made::with(workload);
    let may_be_unaligned = made.workload.number(workload::PIECE_BYTES) < Some(4_096);
    let entries = made.ready();
    assert!(entries.len() >= 4, "the portable techniques run everywhere, but only {entries:?} are ready");
    for entry in &entries {
        made.clear();
        let mut proofs = Vec::new();
        let done = DISK.perform(&made.trial(entry), &mut |technique| {
            for _ in 0..2 {
                technique.refresh()?;
                technique.repeat(1)?;
                proofs.push(technique.proof()?);
            }
            let notes = technique.notes();
            assert!(notes.iter().all(|note| note.starts_with("fell back: ")), "{entry}: {notes:?}");
            Ok(())
        });
        match done {
            Ok(()) => assert_eq!(proofs, [made.expected.clone(), made.expected.clone()], "{entry}"),
            // Work past the file cache goes in whole sectors, which may be longer than the piece.
            Err(error) if may_be_unaligned && error.to_string().contains("alignment") => {}
            Err(error) => panic!("{entry} at {:?}: {error}", made.workload),
        }
        made.clear();
        assert_eq!(DISK.expected(&made.workload, made.folder()).expect("readable"), made.expected, "{entry}");
    }
}

#[test]
fn every_technique_does_the_published_work_on_a_smaller_file() {
    let published = DISK.workloads(Preset::Published);
    assert_eq!(published.len(), 20, "from 1 KiB to the whole file");
    let smaller = published.into_iter().map(|one| one.with("bytes", 32 << 10));
    let fitting: Vec<Workload> = smaller.filter(|one| DISK.check(one).is_ok()).collect();
    assert_eq!(fitting.len(), 6);
    fitting.into_iter().for_each(every_entry_does_its_work);
}

#[test]
fn every_technique_works_through_awkward_files_and_pieces() {
    for (bytes, piece) in
        [(1, "4K"), (4_097, "4K"), (100_000, "12K"), (1_000_000, "64K"), (1 << 20, "1M"), (3 << 20, "1280K")]
    {
        every_entry_does_its_work(shaped(bytes, &[("piece_bytes", piece)]));
    }
    // The second has many large pieces in flight, the third pieces of a sector.
    for (bytes, piece) in [(1_000_000, "20K"), ((9 << 20) + 512, "1M"), (64 << 10, "1K")] {
        every_entry_does_its_work(shaped(bytes, &[("piece_bytes", piece), ("order", "random")]));
    }
}

#[test]
fn a_phase_alone_reports_its_own_rate_only() {
    let rewrite = ["rewrite_bytes_per_second", "rewrite_returned_bytes_per_second"];
    let all = [&["read_bytes_per_second", "reread_bytes_per_second"], &rewrite[..]].concat();
    for (phases, keys) in [("all", &all[..]), ("read", &["read_bytes_per_second"]), ("rewrite", &rewrite)] {
        let made = Made::of(1 << 20, &[("phases", phases)]);
        made.each(|entry, technique, values, proof| {
            let rates = values.iter().filter(|(key, _)| key.ends_with("_per_second"));
            assert!(rates.clone().map(|(key, _)| key).eq(keys), "{entry}: {values:?}");
            assert!(rates.clone().all(|(_, rate)| *rate > 0.0), "{entry}: {values:?}");
            assert_eq!(values.get("refaults"), None, "nothing limits this process");
            let own = technique.own_time();
            assert!(own.is_some_and(|own| own.ns > 0 && !own.is_extrapolated), "{entry}: {own:?}");
            assert_eq!(proof, made.expected, "{entry}");
        });
    }
}

#[test]
fn a_rewriting_reports_when_its_calls_had_returned() {
    for end in ["durable", "returned"] {
        let made = Made::of(4 << 20, &[("durability", end)]);
        made.each(|entry, _, values, proof| {
            let (returned, whole) =
                (values["rewrite_returned_bytes_per_second"], values["rewrite_bytes_per_second"]);
            assert!(returned >= whole && whole > 0.0, "{entry}: {values:?}");
            let per_kib = values["rewrite_kib_ns"] * whole / 1024.0;
            assert!((per_kib / 1e9 - 1.0).abs() < 1e-3, "{entry}: {values:?}");
            assert_eq!(proof, made.expected, "{entry}");
        });
        made.clear();
    }
}

#[test]
fn a_phase_cut_short_is_extrapolated_and_leaves_a_whole_file() {
    let made = Made::of(4 << 20, &[("piece_bytes", "4K"), ("phase_limit_ns", "1ns")]);
    made.each(|entry, technique, _, proof| {
        let notes = technique.notes();
        for phase in ["read", "rewrite", "reread"] {
            let start = format!("extrapolated: {phase} from ");
            assert!(notes.iter().any(|note| note.starts_with(&start)), "{entry}: {notes:?}");
        }
        assert!(matches!(technique.own_time(), Some(OwnTime { is_extrapolated: true, .. })), "{entry}");
        assert_eq!(proof, made.expected, "{entry}");
    });
    made.perform("read_write", |technique| {
        technique.repeat(2)?;
        assert_eq!(technique.notes().len(), 3, "each once: {:?}", technique.notes());
        Ok(())
    });
}

#[test]
fn a_sector_that_is_not_as_it_was_makes_every_reading_wrong() {
    let made = Made::of(1 << 20, &[("phases", "read")]);
    let mut bytes = made.bytes();
    bytes[700 * 512] ^= 1;
    made.write(&bytes);
    made.each(|entry, _, _, proof| assert_ne!(proof, made.expected, "{entry}"));
}

#[test]
fn a_file_that_is_not_as_it_was_left_is_refused() {
    let made = Made::of(1 << 20, &[]);
    let mut half = made.bytes();
    // Rewritten once, and half of it as it was before: what a process leaves that is killed in the middle.
    made.perform("read_write", |technique| technique.repeat(1));
    let rewritten = made.bytes();
    assert_ne!(rewritten, half);
    half[..512 << 10].copy_from_slice(&rewritten[..512 << 10]);
    made.write(&half);
    assert!(DISK.expected(&made.workload, made.folder()).is_err(), "it is neither the one nor the other");
    let is_refused = || {
        let refused = DISK.clear(&made.workload, made.folder()).expect_err("changed").to_string();
        assert!(
            refused.contains("was left half rewritten or wrong, or another program changed it"),
            "{refused}"
        );
    };
    is_refused();
    made.again();
    made.clear();
    fs::remove_file(&made.file).expect("removed");
    is_refused();
    made.again();
    fs::remove_file(made.file.with_extension("state")).expect("removed");
    is_refused();
}

#[test]
fn a_rewrite_by_a_command_changes_every_sector() {
    let made = Made::of(1 << 20, &[("phases", "rewrite")]);
    assert!(!made.is_done(), "nothing was done");
    let mut foreign = vec![b'x'; 1 << 20];
    made.write(&foreign);
    assert!(made.is_done());
    made.again();
    foreign[512..1024].copy_from_slice(&made.bytes()[512..1024]);
    made.write(&foreign);
    assert!(!made.is_done(), "one sector is what it was");
    made.write(&foreign[..4096]);
    assert!(!made.is_done(), "it is too short");
    // A technique that is timed from outside is looked at in the same way.
    made.again();
    made.perform("read_write", |technique| technique.repeat(1));
    assert!(made.is_done());
    assert!(!made.is_done(), "nothing was done since");
}

#[test]
fn a_command_that_reads_must_leave_the_file_as_it_was() {
    let made = Made::of(1 << 20, &[("phases", "read")]);
    assert!(made.is_done());
    made.write(&vec![b'x'; 1 << 20]);
    assert!(!made.is_done());
}

#[test]
fn the_file_follows_from_the_seed() {
    let made = Made::of(1 << 20, &[]);
    let [one, again, other] = [1, 1, 2].map(|seed| {
        DISK.generate(&made.workload, made.folder(), seed).expect("generated");
        made.bytes()
    });
    assert!(one == again);
    assert!(one != other);
}

#[test]
fn a_buffer_that_is_larger_than_the_memory_may_lie_in_a_file() {
    let made = Made::of(8 << 20, &[("piece_bytes", "8M")]);
    for technique in ["read_write", "c_stdio", "write_through"] {
        let mut limited = made.trial(technique);
        limited.setting.conditions.memory_limit_bytes = Some(workload::memory_bytes(&made.workload));
        assert!(DISK.fits(technique, &made.workload, &limited.setting).is_ready(), "{technique}");
        let (proof, _) = testing::done_twice(DISK, &limited).expect("it may be paged out");
        assert_eq!(proof, made.expected, "{technique}");
    }
}

#[test]
fn a_piece_is_mapped_in_a_memory_that_has_no_room_for_it() {
    for (bytes, piece) in [(8 << 20, "8M"), ((9 << 20) + 512, "2817K"), (5 << 20, "1281K")] {
        let made = Made::of(bytes, &[("piece_bytes", piece), ("order", "random")]);
        for technique in ["mmap", "mmap_once", "mmap_flush_each"] {
            let mut limited = made.trial(technique);
            limited.setting.conditions.memory_limit_bytes = Some(1 << 20);
            assert!(DISK.fits(technique, &made.workload, &limited.setting).is_ready());
            let (proof, _) = testing::done_twice(DISK, &limited).expect("room");
            assert_eq!(proof, made.expected, "{technique} at {piece}");
        }
    }
}

#[test]
fn a_broken_state_of_the_file_is_refused_by_name() {
    let made = Made::of(1 << 20, &[]);
    fs::write(kept_of(&made.workload, made.folder()).expect("a size"), "1 2 3").expect("written");
    let refused = DISK.expected(&made.workload, made.folder()).expect_err("broken").to_string();
    assert!(refused.starts_with("read ") && refused.contains(".state: "), "{refused}");
}
