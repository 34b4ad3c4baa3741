//! Every input that was kept, tried again: what was found once and mended stays mended.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use fuzz::TARGETS;

#[test]
fn every_kept_input_keeps_the_promises_of_its_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut broken = Vec::new();
    for target in TARGETS {
        let inputs: Vec<_> = fs::read_dir(corpus.join(target.name)).expect(target.name).flatten().collect();
        assert!(!inputs.is_empty(), "{} has no inputs", target.name);
        for input in inputs {
            let bytes = fs::read(input.path()).expect("a readable input");
            if catch_unwind(|| (target.check)(&bytes)).is_err() {
                broken.push(input.path().display().to_string());
            }
        }
    }
    assert!(broken.is_empty(), "these inputs break a promise, see above: {broken:#?}");
}

#[test]
fn every_folder_of_inputs_is_that_of_a_target() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for folder in fs::read_dir(corpus).expect("the inputs").flatten() {
        let name = folder.file_name();
        assert!(TARGETS.iter().any(|target| name == target.name), "{name:?} is the name of no target");
    }
}
