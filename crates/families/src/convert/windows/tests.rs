//! What only Windows can be asked.

use model::{Availability, Durability};

use crate::convert::TECHNIQUES;
use crate::convert::tests::{job, setting};

#[test]
fn techniques_with_calls_in_flight_say_how_many_really_were() {
    let scratch = tempfile::tempdir().expect("scratch");
    let source = scratch.path().join("source");
    std::fs::write(&source, vec![b'x'; 3_000_000]).expect("written");
    for name in ["overlapped_events", "completion_routines", "completion_port"] {
        let technique = TECHNIQUES.iter().find(|technique| technique.name == name).expect("listed");
        let job = job(source.clone(), scratch.path().join(name), technique);
        let mut prepared = (technique.prepare)(&job).expect("prepared");
        prepared.repeat(1).expect("converted");
        // 46 blocks, each read and written. How many of them really overlapped is the system's business.
        let notes = prepared.notes();
        let told = notes.iter().find(|note| note.starts_with("asynchronous: ")).expect("a note");
        assert!(told.contains(" of 92 calls"), "{name}: {told}");
    }
}

#[test]
fn a_system_without_a_ring_is_told_what_is_missing_and_one_that_has_it_converts() {
    let scratch = tempfile::tempdir().expect("scratch");
    let setting = setting(scratch.path(), Durability::Returned);
    let technique = TECHNIQUES.iter().find(|technique| technique.name == "io_ring").expect("listed");
    match (technique.probe)(&model::Host::default(), &setting) {
        Availability::Missing(sentence) => {
            assert!(sentence.starts_with("IoRing cannot be used: "), "{sentence}");
            assert!(sentence.contains("Windows 11 22H2"), "{sentence}");
        }
        _ => {
            let source = scratch.path().join("source");
            std::fs::write(&source, vec![b'x'; 3_000_000]).expect("written");
            let destination = scratch.path().join("converted");
            let job = job(source, destination.clone(), technique);
            (technique.prepare)(&job).expect("prepared").repeat(1).expect("converted");
            assert_eq!(std::fs::read(destination).expect("readable"), b"x\0".repeat(3_000_000));
        }
    }
}
