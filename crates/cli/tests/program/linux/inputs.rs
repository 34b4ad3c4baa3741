//! Inputs that vanish or shrink while they are worked on, and outputs that need more memory than there may be.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::processes::Beside;
use crate::sandbox::{Sandbox, failure, samples, trial, wait_until};

/// The input of a run on 1 MiB.
const INPUT: &str = "copy-1048576.input";

/// The file of this name somewhere below a directory, if it is there now.
fn found_below(directory: &Path, name: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.find_map(|path| match path.is_dir() {
        true => found_below(&path, name),
        false => (path.file_name()? == name).then_some(path),
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
fn robbed(arguments: &[&str]) -> (Value, usize) {
    let sandbox = Sandbox::new();
    // Enough techniques that some can be told apart only after many samples.
    let techniques =
        ["copy/std_copy", "copy/posix_layer", "copy/read_write", "copy/presized", "copy/one_call"];
    let run = [&techniques[..], &["--size", "1MiB"], arguments];
    let mut beside = Beside::run(&sandbox, &run.concat());
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
    let output = beside.end();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    sandbox.assert_clean();
    (sandbox.exported(), taken)
}

fn texts(run: &Value, key: &str) -> Vec<String> {
    let trials = run["trials"].as_array().expect("trials").iter();
    let all = trials.flat_map(|trial| {
        let samples = trial["samples"].as_array().into_iter().flatten();
        let notes = samples.flat_map(|sample| sample["notes"].as_array().into_iter().flatten());
        let failures = trial["failures"].as_array().into_iter().flatten().map(|failure| &failure["reason"]);
        let chosen: Vec<&Value> = if key == "notes" { notes.collect() } else { failures.collect() };
        chosen
    });
    all.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn an_input_that_vanishes_is_made_anew_told_and_no_end_of_the_run() {
    let external = ["--command", "cp=cp {input} {output}"];
    for mode in [&[][..], &external] {
        // An input may be taken away when no sample follows that would miss it: then another run is robbed.
        let told_of = |run: &Value| -> Vec<String> {
            let texts = [texts(run, "notes"), texts(run, "failures")].concat();
            texts.into_iter().filter(|text| text.contains("made anew")).collect()
        };
        let mut runs = (0..20).map(|_| robbed(&[&["--rounds", "60"], mode].concat()));
        let (run, taken) = runs.find(|(run, _)| !told_of(run).is_empty()).expect("a run that tells of it");
        let told = told_of(&run);
        assert!(told.len() <= taken, "{taken} times taken away: {told:?}");
        assert!(told.iter().all(|text| text.contains(INPUT)), "{told:?}");
        for technique in ["std_copy", "posix_layer"] {
            let samples = samples(&run, technique);
            assert!(samples >= 6, "{technique}: {samples} samples");
        }
    }
}

#[test]
fn a_mapped_file_that_shrinks_is_a_failure_of_its_technique_and_no_end_of_the_run() {
    let external = ["--command", "slow=sleep 0.002"];
    for mode in [&[][..], &external] {
        let sandbox = Sandbox::new();
        let techniques =
            ["control/shrinking_file", "control/sleep_5ms", "control/sleep_7ms", "--rounds", "6"];
        sandbox.run(&techniques).args(mode).assert().success();
        let run = sandbox.exported();
        let (kind, reason) = failure(&run, "shrinking_file");
        assert!(kind == "crash" && reason.contains("SIGBUS"), "{kind}: {reason}");
        for technique in ["sleep_5ms", "sleep_7ms"] {
            let samples = samples(&run, technique);
            // One that takes more than twice as long leaves after the third round that is counted.
            assert!(samples >= 4, "{technique}: {samples} samples");
        }
        sandbox.assert_clean();
    }
}

#[test]
fn more_records_than_a_memory_limit_holds_are_sorted_within_it_or_refused() {
    let sandbox = Sandbox::new();
    let techniques = ["sort/external_merge_limited", "sort/external_merge@64M", "sort/sort_unstable"];
    let limits = ["--size", "128MiB", "--memory-limit", "100MiB", "--rounds", "6"];
    sandbox.run(&techniques).args(limits).assert().success();
    let run = sandbox.exported();
    // Every sample has the proof that its records are sorted, or there is none.
    let within = trial(&run, "external_merge_limited");
    assert!(within["samples"].as_array().map_or(0, Vec::len) >= 6, "{within}");
    for sample in within["samples"].as_array().expect("samples") {
        assert!(sample["peak_memory_bytes"].as_u64().is_some_and(|bytes| bytes <= 100 << 20), "{sample}");
        assert_eq!(sample["proof"]["bytes"], 128 << 20, "{sample}");
    }
    let beyond = &trial(&run, "sort_unstable")["failures"][0];
    assert_eq!(beyond["kind"], "refused", "{beyond}");
    sandbox.assert_clean();
}
