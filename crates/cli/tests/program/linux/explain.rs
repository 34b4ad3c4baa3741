//! The system calls that `bakeoff explain` sees.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use sys::process::{Input, Launch};
use sys::trace::{self, Scope};

use crate::sandbox::{Sandbox, names, stdout};

/// What a test could not look at is named.
fn say(text: &str) {
    writeln!(io::stderr(), "{text}").ok();
}

/// Every technique of a family that can run here makes the system calls that its idea names. The counts are read for all
/// of them; one whose calls cannot be seen is named.
fn keeps_its_word(family: &str, arguments: &[&str]) {
    if let Err(refused) = trace::check() {
        say(&format!("{family} is not looked at: {refused}"));
        return;
    }
    let sandbox = Sandbox::new();
    let mut command = sandbox.bakeoff(&["explain", family, "--all", "--format", "json", "--dir"]);
    let output = command.arg(sandbox.dir()).args(arguments).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let told: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    let techniques = told["families"][0]["techniques"].as_array().expect("techniques");
    let mut faults = Vec::new();
    for technique in techniques {
        let name = technique["name"].as_str().expect("a name");
        if technique["is_missing"] == true {
            say(&format!("{family}/{name} is not looked at: {}", technique["failure"]));
        } else if !technique["account"]["calls"].is_array() {
            faults.push(format!("{name}: {} {}", technique["failure"], technique["account"]["unseen"]));
        } else if technique["broken"] != json!([]) {
            faults.push(format!("{name}: {} in {}", technique["broken"], technique["account"]["calls"]));
        }
    }
    assert!(faults.is_empty(), "{family}:\n{}", faults.join("\n"));
    assert_eq!(output.status.code(), Some(0), "{said}");
    sandbox.assert_clean();
}

#[test]
fn copies_make_the_calls_that_their_ideas_name() {
    keeps_its_word("copy", &["--size", "2M"]);
}

#[test]
fn copies_of_folders_make_the_calls_that_their_ideas_name() {
    keeps_its_word("copy", &["--set", "files=70", "--set", "file_bytes=10K"]);
}

#[test]
fn conversions_make_the_calls_that_their_ideas_name() {
    keeps_its_word("convert", &["--size", "2M"]);
}

#[test]
fn searches_make_the_calls_that_their_ideas_name() {
    keeps_its_word("search", &["--size", "1M"]);
}

#[test]
fn sorts_make_the_calls_that_their_ideas_name() {
    keeps_its_word("sort", &["--size", "64K"]);
}

#[test]
fn clocks_make_the_calls_that_their_ideas_name() {
    keeps_its_word("clock", &[]);
}

#[test]
fn pipelines_make_the_calls_that_their_ideas_name() {
    keeps_its_word("pipeline", &["--set", "units=200"]);
}

/// Calls that returned and errors, as `strace -c -f` prints them.
fn of_strace(launch: &Launch, assignment: &Path, folder: &Path) -> BTreeMap<String, (u64, u64)> {
    let (table, said) = (folder.join("table"), folder.join("said"));
    let mut command = Command::new("strace");
    command.args(["-c", "-f", "-U", "name,calls,errors", "-o"]).arg(&table).arg(&launch.program);
    command.args(&launch.arguments).stdin(File::open(assignment).expect("an assignment"));
    let ended = command.stdout(File::create(&said).expect("a file")).stderr(Stdio::null()).status();
    assert!(ended.expect("strace is installed").success());
    let text = fs::read_to_string(table).expect("a table");
    let rows = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let calls = words.get(1)?.parse().ok()?;
        Some((
            words[0].to_owned(),
            (calls, words.get(2).map_or(0, |errors| errors.parse().expect("a number"))),
        ))
    });
    rows.filter(|(name, _)| name != "total").collect()
}

/// Only one thread does the work of these, so that their calls are the same each time.
#[test]
#[ignore = "takes strace: .ci/steps/explain installs it"]
fn the_counts_of_whole_workers_are_those_of_strace_call_for_call() {
    if let Err(refused) = trace::check() {
        say(&format!("not looked at: {refused}"));
        return;
    }
    let sandbox = Sandbox::new();
    let folder = sandbox.dir();
    let task = |technique: &str, action: Value| {
        let mut assignment = json!({
            "trial": {
                "family": "copy", "technique": technique, "seed": 1, "scratch": folder,
                "workload": { "name": "1MB", "bytes": 1_000_000 },
                "setting": { "cache": "warm", "durability": "returned", "directory": folder },
            },
        });
        assignment.as_object_mut().expect("an object").extend(action.as_object().expect("an object").clone());
        assignment
    };
    let worker = |assignment: &Value| Launch {
        arguments: vec!["worker".into()],
        input: Input::Bytes(serde_json::to_vec(assignment).expect("JSON")),
        ..Launch::new(assert_cmd::cargo::cargo_bin!("bakeoff"))
    };
    let generate = json!({
        "do": "files", "work": "generate", "family": "copy", "folder": folder, "seed": 1,
        "workload": { "name": "1MB", "bytes": 1_000_000 },
    });
    let never = AtomicBool::new(false);
    let made = trace::run(&worker(&generate), Scope::Whole, &never).expect("it is traced");
    assert!(String::from_utf8_lossy(&made.ended.stdout).contains("proof"), "{made:?}");
    let inputs = names(&folder);
    let aside = tempfile::tempdir().expect("a folder");
    for technique in ["read_write@4K", "small_buffer", "presized@256K", "mmap_to_mmap", "std_copy", "splice"]
    {
        let assignment = task(technique, json!({ "do": "explain" }));
        let file = aside.path().join("assignment");
        fs::write(&file, serde_json::to_vec(&assignment).expect("JSON")).expect("a file");
        let launch = Launch { input: Input::File(file.clone()), ..worker(&assignment) };
        let remove_output = || {
            for left in names(&folder).iter().filter(|left| !inputs.contains(left)) {
                fs::remove_file(folder.join(left)).expect("an output");
            }
        };
        remove_output();
        let traced = trace::run(&launch, Scope::Whole, &never).expect("it is traced");
        assert!(String::from_utf8_lossy(&traced.ended.stdout).contains("\"did\""), "{technique}: {traced:?}");
        remove_output();
        let returned = traced.calls.iter().filter(|call| call.calls > call.unreturned);
        let own: BTreeMap<String, (u64, u64)> =
            returned.map(|call| (call.name.clone(), (call.calls - call.unreturned, call.errors))).collect();
        assert_eq!(own, of_strace(&launch, &file, aside.path()), "{technique}");
    }
}

/// `strace` lets every call of ptrace fail: it needs no rights, and a process that is traced cannot be traced once more.
#[test]
#[ignore = "takes strace: .ci/steps/explain installs it"]
fn where_strace_forbids_ptrace_the_systems_own_counts_are_told_and_why() {
    let sandbox = Sandbox::new();
    let mut command = assert_cmd::Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=ptrace", "-e", "inject=ptrace:error=EPERM"]);
    command.arg(assert_cmd::cargo::cargo_bin!("bakeoff")).envs(sandbox.variables());
    command.arg("--store").arg(sandbox.store()).args(["explain", "copy/small_buffer", "--size", "64K"]);
    command.args(["--format", "json", "--dir"]).arg(sandbox.dir());
    let told: Value = serde_json::from_str(&stdout(&command.assert().success())).expect("JSON");
    let account = &told["families"][0]["techniques"][0]["account"];
    assert!(account["calls"].is_null(), "{account}");
    assert!(account["unseen"].as_str().is_some_and(|reason| reason.contains("trace")), "{account}");
    // 256 pieces of 256 bytes, and the end of the file.
    assert_eq!(account["counters"]["read_calls"], 257, "{account}");
    assert_eq!(account["counters"]["write_calls"], 256, "{account}");
}
