//! The family search in the program: its techniques of processes start the program itself.

use crate::stage::{Stage, trial};

const SIX: [&str; 6] = ["--size", "100K", "--rounds", "6", "--budget", "60s"];

/// Starts this program for parts of a search of that shape, and looks whether all of them could.
pub(crate) fn techniques_of_processes_find_what_the_others_find(shape: &[&str]) {
    let stage = Stage::new();
    let names = ["sequential", "process_per_file", "process_per_processor"];
    let entries = names.map(|name| format!("search/{name}"));
    stage.run(&SIX).args(entries).args(["--set", "frequency=common"]).args(shape).assert().success();
    let run = stage.exported();
    for name in names {
        let trial = trial(&run, name);
        assert_eq!(trial["samples"].as_array().map(Vec::len), Some(6), "{name}: {}", trial["failures"]);
    }
    stage.assert_clean();
}

/// One file is one process a sample: under Wine twenty take seconds.
#[test]
fn techniques_of_processes_start_this_program_for_a_file() {
    techniques_of_processes_find_what_the_others_find(&["--set", "kind=one"]);
}
