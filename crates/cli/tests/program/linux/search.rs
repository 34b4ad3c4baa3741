//! Programs of the system next to the techniques of the family search.

use crate::sandbox::{Sandbox, trial};

/// What a command prints is its answer, and an exit code of 1 says that nothing was found.
#[test]
fn grep_is_a_command_whatever_it_finds() {
    for kind in [["--set", "kind=files"], ["--set", "kind=tree"]] {
        let sandbox = Sandbox::new();
        let external = ["--command", "grep=grep -r -a -F -H -e {pattern} -- {input}"];
        let frequencies = ["--set", "frequency=common", "--set", "frequency=absent"];
        let small = ["search/sequential", "--size", "100K", "--rounds", "6"];
        sandbox.run(&small).args(kind).args(external).args(frequencies).assert().success();
        let run = sandbox.exported();
        let trials = run["trials"].as_array().expect("trials");
        assert_eq!(trials.iter().filter(|trial| trial["technique"] == "grep").count(), 2);
        for trial in trials {
            let samples = trial["samples"].as_array().map(Vec::len);
            assert_eq!(samples, Some(7), "{}: {}", trial["technique"], trial["failures"]);
        }
        assert!(trial(&run, "grep")["samples"][0]["proof"]["bytes"].as_u64().is_some());
        sandbox.assert_clean();
    }
}

#[test]
fn techniques_of_processes_start_this_program_for_each_of_twenty_files() {
    crate::search::techniques_of_processes_find_what_the_others_find(&[]);
}
