//! The family search in the program: its techniques of processes start the program itself.

use crate::sandbox::{Sandbox, trial};

const SIX: [&str; 4] = ["--size", "100K", "--rounds", "6"];

/// Starts this program for parts of a search of that shape, and looks whether all of them could.
pub(crate) fn techniques_of_processes_find_what_the_others_find(shape: &[&str]) {
    let sandbox = Sandbox::new();
    let names = ["sequential", "process_per_file", "process_per_processor"];
    let entries = names.map(|name| format!("search/{name}"));
    sandbox.run(&SIX).args(entries).args(["--set", "frequency=common"]).args(shape).assert().success();
    let run = sandbox.exported();
    for name in names {
        let trial = trial(&run, name);
        // One that takes more than twice as long leaves after the third round that is counted.
        let samples = trial["samples"].as_array().map_or(0, Vec::len);
        assert!([4, 7].contains(&samples), "{name}: {}", trial["failures"]);
    }
    sandbox.assert_clean();
}

/// One file is one process a sample: under Wine twenty take seconds.
#[test]
fn techniques_of_processes_start_this_program_for_a_file() {
    techniques_of_processes_find_what_the_others_find(&["--set", "kind=one"]);
}
