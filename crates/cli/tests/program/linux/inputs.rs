//! Inputs that vanish or shrink while they are worked on, and outputs that need more memory than there may be.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::processes::Beside;
use crate::sandbox::{Sandbox, assert_failed, assert_measured, list, measured, text, trial, wait_until};

/// The input of a run on 1 MiB.
const INPUT: &str = "copy-1048576.input";

/// The file of this name somewhere below a directory, if it is there now.
fn found_below(directory: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find_map(|path| {
        if path.is_dir() { found_below(&path, name) } else { (path.file_name()? == name).then_some(path) }
    })
}

/// Waits until at least this many samples were taken, or the run has ended. Each makes its output again, which was away before.
fn wait_for_samples(beside: &mut Beside, sandbox: &Sandbox, count: usize) {
    let (mut taken, mut was_there) = (0, true);
    wait_until("samples or the end", || {
        let is_there = found_below(&sandbox.dir(), "copy.output").is_some();
        taken += usize::from(is_there && !was_there);
        was_there = is_there;
        taken >= count || beside.has_ended()
    });
}

/// Takes the input of a run away again and again until it ends; the run and how often that was.
fn robbed(options: &[&str]) -> (Value, usize) {
    let sandbox = Sandbox::new();
    // Enough techniques that some can be distinguished only after many samples.
    let five = ["copy/std_copy", "copy/posix_layer", "copy/read_write", "copy/presized", "copy/one_call"];
    let mut beside =
        Beside::run(&sandbox, &[&five[..], &["--size", "1MiB", "--rounds", "60"], options].concat()[..]);
    let mut taken = 0;
    while taken < 20 {
        // There is an output: the input was complete, and the run knows what it was like.
        wait_until("an output or the end", || {
            beside.has_ended() || found_below(&sandbox.dir(), "copy.output").is_some()
        });
        if beside.has_ended() {
            break;
        }
        taken +=
            usize::from(found_below(&sandbox.dir(), INPUT).is_some_and(|path| fs::remove_file(path).is_ok()));
        wait_for_samples(&mut beside, &sandbox, 8);
    }
    let run = beside.end();
    assert_eq!(run.code, Some(0), "{}", run.said);
    sandbox.assert_clean();
    (sandbox.exported(), taken)
}

/// The notes and failures of a run that say that an input was made again.
fn made_again(run: &Value) -> Vec<&str> {
    let all = list(&run["trials"]).iter().flat_map(|trial| {
        let samples = trial["samples"].as_array().into_iter().flatten();
        let notes = samples.flat_map(|sample| sample["notes"].as_array().into_iter().flatten());
        let failures = trial["failures"].as_array().into_iter().flatten();
        notes.chain(failures.map(|failure| &failure["reason"]))
    });
    all.map(text).filter(|text| text.contains("made again")).collect()
}

#[test]
fn an_input_that_vanishes_is_made_again_and_no_end_of_the_run() {
    for options in [&[][..], &["--command", "cp=cp {input} {output}"]] {
        // An input may be taken away when no sample follows that would miss it: then another run is robbed.
        let mut runs = (0..20).map(|_| robbed(options));
        let (run, taken) = runs.find(|(run, _)| !made_again(run).is_empty()).expect("a run that notes it");
        let noted = made_again(&run);
        assert!(noted.len() <= taken, "{taken} times taken away: {noted:?}");
        assert!(noted.iter().all(|text| text.contains(INPUT)), "{noted:?}");
        assert_measured(&run, 6, &["std_copy", "posix_layer"]);
    }
}

#[test]
fn a_mapped_file_that_shrinks_is_a_failure_of_its_technique() {
    for external in ["", "--command 'slow=sleep 0.002'"] {
        let three = "control/shrinking_file control/sleep_5ms control/sleep_7ms --rounds 6";
        let run = measured(&format!("{three} {external}"));
        assert_failed(&run, "shrinking_file", "crash", "SIGBUS");
        assert_measured(&run, 4, &["sleep_5ms", "sleep_7ms"]);
    }
}

#[test]
fn more_records_than_a_memory_limit_holds_are_sorted_or_refused() {
    let three = "sort/external_merge_limited sort/external_merge@64M sort/sort_unstable --rounds 6";
    let run = measured(&format!("{three} --size 128MiB --memory-limit 100MiB"));
    // Every sample has the proof that its records are sorted, or there is none.
    assert_measured(&run, 6, &["external_merge_limited"]);
    for sample in list(&trial(&run, "external_merge_limited")["samples"]) {
        assert!(sample["peak_memory_bytes"].as_u64().is_some_and(|bytes| bytes <= 100 << 20), "{sample}");
        assert_eq!(sample["proof"]["bytes"], 128 << 20, "{sample}");
    }
    assert_failed(&run, "sort_unstable", "refused", "");
}
