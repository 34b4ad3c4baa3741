//! The family search in the program: its techniques of processes start the program itself.

use crate::stage::{Stage, trial};

const SIX: [&str; 6] = ["--size", "100K", "--rounds", "6", "--budget", "60s"];

#[test]
fn techniques_of_processes_start_this_program_and_find_what_the_others_find() {
    let stage = Stage::new();
    let names = ["sequential", "process_per_file", "process_per_processor"];
    let entries = names.map(|name| format!("search/{name}"));
    // One file is one process a sample: under Wine twenty take seconds.
    stage.run(&SIX).args(entries).args(["--set", "kind=one", "--set", "frequency=common"]).assert().success();
    let run = stage.exported();
    for name in names {
        let trial = trial(&run, name);
        assert_eq!(trial["samples"].as_array().map(Vec::len), Some(6), "{name}: {}", trial["failures"]);
    }
    stage.assert_clean();
}
