//! What only Windows can be asked.

use std::path::Path;

use model::{Availability, Durability, Setting};

use crate::copy::TECHNIQUES;
use crate::copy::tests::job;

fn setting(directory: &Path) -> Setting {
    Setting::warm(directory, Durability::Returned)
}

#[test]
fn a_directory_that_is_not_there_makes_a_technique_missing_with_a_sentence() {
    for technique in TECHNIQUES.iter().filter(|technique| ["direct", "reflink"].contains(&technique.name)) {
        let probed = (technique.probe)(&model::Host::default(), &setting(Path::new("/nowhere")));
        let Availability::Missing(sentence) = probed else { panic!("{} is ready", technique.name) };
        assert!(sentence.contains("/nowhere"), "{sentence}");
    }
}

#[test]
fn a_refused_ring_says_which_windows_has_one() {
    let scratch = tempfile::tempdir().expect("scratch");
    let ring = TECHNIQUES.iter().find(|technique| technique.name == "io_ring").expect("listed");
    if let Availability::Missing(sentence) = (ring.probe)(&model::Host::default(), &setting(scratch.path())) {
        assert!(sentence.starts_with("IoRing cannot be used"), "{sentence}");
        assert!(sentence.contains("Windows 11 22H2") && !sentence.contains("source"), "{sentence}");
    }
}

#[test]
fn probes_leave_nothing_behind() {
    let scratch = tempfile::tempdir().expect("scratch");
    for technique in TECHNIQUES {
        (technique.probe)(&model::Host::default(), &setting(scratch.path()));
    }
    assert_eq!(std::fs::read_dir(scratch.path()).expect("readable").count(), 0);
}

#[test]
fn calls_that_did_not_overlap_are_counted_in_a_note() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 3_000_000]).expect("written");
    let overlapped = TECHNIQUES.iter().find(|technique| technique.name == "overlapped").expect("listed");
    let job = job(source, scratch.path().join("copy"), overlapped);
    let mut prepared = (overlapped.prepare)(&job).expect("prepared");
    prepared.repeat(1).expect("copied");
    // 12 blocks, each read and written. How many of them really overlapped is the system's business.
    for note in prepared.notes() {
        assert!(note.ends_with("of 24 calls were done before they returned"), "{note}");
    }
}
