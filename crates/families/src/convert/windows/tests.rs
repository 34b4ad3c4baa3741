//! What only Windows can be asked.

use crate::convert::TECHNIQUES;
use crate::convert::tests::job;

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
