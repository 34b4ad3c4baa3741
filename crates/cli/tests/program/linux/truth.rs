//! Cold, warm, durable and bound to a processor: by what a process finds when it starts, and not by what the report says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::sandbox::{Sandbox, list, measured, trial};

const BYTES: u64 = 1 << 20;

/// Returns a directory next to this program: what lies in a tmpfs can be neither cold nor on a device.
fn directory_on_a_disk() -> TempDir {
    let program = std::env::current_exe().expect("this program");
    tempfile::tempdir_in(program.parent().expect("its folder")).expect("a folder")
}

/// Returns a run of two techniques on a disk, and of a command that runs `look` before it copies, and the lines that the looks have
/// printed.
fn looked_at(look: &str, options: &[&str]) -> (Value, Vec<String>) {
    let (sandbox, directory) = (Sandbox::new(), directory_on_a_disk());
    let log = sandbox.path("log");
    let external =
        format!("looker=sh -c '{look} >> {}; cp \"$1\" \"$2\"' sh {{input}} {{output}}", log.display());
    let mut command = sandbox.bakeoff("run copy/std_copy copy/posix_layer --rounds 6 --size");
    command.arg(BYTES.to_string()).args(options).args(["--command", &external]);
    command.arg("--dir").arg(directory.path()).assert().success();
    let lines = fs::read_to_string(&log).expect("a log").lines().map(|line| line.trim().to_owned()).collect();
    (sandbox.exported(), lines)
}

/// Returns all samples of a run but those of the ceiling, which has the input in its memory before the clock starts.
fn samples(run: &Value) -> Vec<&Value> {
    let trials = list(&run["trials"]).iter().filter(|trial| trial["kind"] != "ceiling");
    let samples: Vec<&Value> =
        trials.flat_map(|trial| trial["samples"].as_array().into_iter().flatten()).collect();
    // One that takes more than twice as long leaves after the third round that is counted.
    assert!(samples.len() >= 12, "{} samples", samples.len());
    samples
}

fn number(sample: &Value, key: &str) -> u64 {
    sample[key].as_u64().unwrap_or_else(|| panic!("no {key} in {sample}"))
}

#[test]
fn a_process_finds_nothing_of_a_cold_input_in_the_cache() {
    let fincore = Command::new("fincore").arg("--version").output();
    let missing = "fincore, of the package util-linux-extra, cannot be started";
    if !needs::are_met(fincore.map(drop).map_err(|error| format!("{missing}: {error}"))) {
        return;
    }
    let look = "fincore --bytes --noheadings --output RES \"$1\"";
    let (run, resident) = looked_at(look, &["--cache", "cold"]);
    assert!(resident.len() >= 4 && resident.iter().all(|bytes| bytes == "0"), "{resident:?}");
    assert_cold(&run);
    let (run, resident) = looked_at(look, &["--cache", "warm"]);
    let whole = BYTES.to_string();
    assert!(resident.len() >= 4 && resident.iter().all(|bytes| *bytes == whole), "{resident:?}");
    for sample in samples(&run) {
        assert!(number(sample, "read_bytes") < BYTES, "the input came from the device: {sample}");
    }
}

/// Asserts that all of every input came from the device, and none of it was in the cache.
fn assert_cold(run: &Value) {
    for sample in samples(run) {
        assert!(number(sample, "read_bytes") >= BYTES, "nothing came from the device: {sample}");
        assert_eq!(sample["resident_before"]["resident_pages"], 0, "{sample}");
    }
}

#[test]
fn a_cold_input_comes_from_the_device_for_work_timed_inside() {
    let (sandbox, directory) = (Sandbox::new(), directory_on_a_disk());
    let mut command = sandbox.bakeoff("run copy/std_copy copy/read_write --rounds 6 --cache");
    command.args(["cold", "--size", "1MiB", "--dir"]).arg(directory.path()).assert().success();
    assert_cold(&sandbox.exported());
}

#[test]
fn an_input_that_a_preparation_has_read_is_cold() {
    let (sandbox, directory) = (Sandbox::new(), directory_on_a_disk());
    let job = "prepare = 'cp {input} {output}'\n[input]\ngenerate = 'text'\nbytes = '1MiB'\n\
               [[technique]]\nname = 'cat'\ncommand = 'cat {input} {output}'\n\
               [[technique]]\nname = 'tac'\ncommand = 'tac {input} {output}'\n";
    let job = sandbox.file("job.toml", job);
    let mut command = sandbox.bakeoff("run --rounds 6 --cache cold --dir");
    command.arg(directory.path()).arg(job).assert().success();
    assert_cold(&sandbox.exported());
}

/// Returns the samples by both clocks of the first of two techniques on 1 MiB.
fn by_both_clocks(pair: &str, technique: &str) -> Vec<Value> {
    let samples = ["work", "process"].map(|metric| {
        let run = measured(&format!("{pair} --rounds 6 --size 1MiB --metric {metric}"));
        let samples = list(&trial(&run, technique)["samples"]).to_vec();
        assert!(samples.len() >= 6, "{metric}: {} samples", samples.len());
        samples
    });
    samples.concat()
}

#[test]
fn what_a_technique_noted_is_kept_for_both_clocks() {
    for sample in by_both_clocks("sort/heap_qsort sort/sort_unstable", "heap_qsort") {
        let mut notes = sample["notes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        assert!(notes.any(|note| note.starts_with("qsort of ")), "{sample}");
    }
}

/// Starting a program takes some hundred page faults, which are the child's own.
#[test]
fn the_work_of_child_processes_counts() {
    for sample in by_both_clocks("search/process_per_file search/thread_per_file", "process_per_file") {
        let (repetitions, processes) = (number(&sample, "repetitions"), 20);
        assert!(number(&sample, "minor_faults") >= 40 * repetitions * processes, "{sample}");
        assert!(number(&sample, "user_ns") + number(&sample, "system_ns") > 0, "{sample}");
    }
}

/// Returns name and written bytes of the disk below a directory; `None` where it is no block device of its own.
fn disk_below(directory: &Path) -> Option<(PathBuf, u64)> {
    use std::os::unix::fs::MetadataExt;
    let device = fs::metadata(directory).ok()?.dev();
    // As the C library splits the numbers of a device that have no more than 8 and 12 digits.
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00));
    let counters = PathBuf::from(format!("/sys/dev/block/{major}:{minor}/stat"));
    let text = fs::read_to_string(&counters).ok()?;
    Some((counters, 512 * text.split_whitespace().nth(6)?.parse::<u64>().ok()?))
}

#[test]
fn what_a_durable_sample_wrote_has_reached_the_device() {
    let (sandbox, directory) = (Sandbox::new(), directory_on_a_disk());
    let below = disk_below(directory.path());
    let missing = format!("the kernel counts nothing for the device of {}", directory.path().display());
    if !needs::are_met(below.as_ref().map(drop).ok_or(missing)) {
        return;
    }
    let (counters, before) = below.expect("as was seen");
    let mut command = sandbox.bakeoff("run copy/std_copy copy/read_write --rounds 6 --durable");
    command.args(["--size", "1MiB", "--dir"]).arg(directory.path()).assert().success();
    let (_, after) = disk_below(directory.path()).expect("as before");
    let (run, written) = (sandbox.exported(), after - before);
    let least = samples(&run).len() as u64 * BYTES;
    assert!(written >= least, "{written} of at least {least} bytes were written, says {counters:?}");
}

#[test]
fn every_process_runs_on_the_processors_that_were_named() {
    let allowed = Command::new("sh").args(["-c", "nproc; cat /proc/self/status"]).output().expect("a shell");
    let allowed = String::from_utf8(allowed.stdout).expect("UTF-8");
    let list =
        allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("a list").trim();
    let last = list.rsplit([',', '-']).next().expect("a number").to_owned();
    let look = "grep Cpus_allowed_list /proc/self/status";
    let (run, found) = looked_at(look, &["--processors", &last]);
    let expected = format!("Cpus_allowed_list:\t{last}");
    assert!(found.len() >= 4 && found.iter().all(|line| *line == expected), "{found:?}");
    samples(&run);
    let sandbox = Sandbox::new();
    sandbox
        .run("copy/std_copy copy/parallel_ranges --size 4MiB --rounds 6")
        .args(["--processors", &last])
        .assert()
        .success();
    for sample in samples(&sandbox.exported()) {
        assert_eq!(number(sample, "processor_before").to_string(), last, "{sample}");
        assert_eq!(number(sample, "processor_after").to_string(), last, "{sample}");
    }
}
