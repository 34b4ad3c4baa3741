//! The system calls that `bakeoff explain` sees.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use families::AnyFamily;
use model::{Preset, Workload, parse_bytes};
use serde_json::{Value, json};
use sys::process::{Input, Launch};
use sys::trace::{self, Scope};

use crate::sandbox::{Sandbox, assert_shows, from_json, list, names, stdout, text, unfolded};

/// Returns whether processes may be traced here.
pub(super) fn can_trace() -> bool {
    needs::are_met(trace::check().map_err(|refused| refused.to_string()))
}

/// Names a technique that a test could not look at; `.ci/steps/ready` shows which must be there.
fn say(text: &str) {
    writeln!(io::stderr(), "{text}").ok();
}

/// Asserts that every technique of a family that can run here makes the system calls that its idea names. The counts are read for
/// all of them; one whose calls cannot be seen is named.
fn keeps_its_word(family: &str, arguments: &[&str]) {
    let faults = faults(&[family, "--all"], family, arguments);
    assert!(faults.is_empty(), "{family}:\n{}", faults.join("\n"));
}

/// Returns those of the named techniques of a family that do not, and what they made.
fn faults(names: &[&str], family: &str, arguments: &[&str]) -> Vec<String> {
    if !can_trace() {
        return Vec::new();
    }
    let sandbox = Sandbox::new();
    let mut command = sandbox.bakeoff("explain");
    command.args(names).args(["--format", "json", "--dir"]);
    let output = command.arg(sandbox.dir()).args(arguments).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let page: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    let techniques = list(&page["families"][0]["techniques"]);
    let mut faults = Vec::new();
    for technique in techniques {
        let name = text(&technique["name"]);
        if technique["is_missing"] == true {
            say(&format!("{family}/{name} is not looked at: {}", technique["failure"]));
        } else if !technique["account"]["calls"].is_array() {
            faults.push(format!("{name}: {} {}", technique["failure"], technique["account"]["unseen"]));
        } else if technique["broken"] != json!([]) {
            faults.push(format!("{name}: {} in {}", technique["broken"], technique["account"]["calls"]));
        }
    }
    // A technique that did not do its work makes it 1, and is among the faults.
    let right = if faults.is_empty() { &[0][..] } else { &[0, 1] };
    assert!(
        output.status.code().is_some_and(|code| right.contains(&code)),
        "{:?}: {said}\n{page}",
        output.status
    );
    sandbox.assert_clean();
    faults
}

#[test]
fn techniques_on_files_make_the_calls_that_their_ideas_name() {
    keeps_its_word("copy", &["--size", "2M"]);
    keeps_its_word("copy", &["--set", "files=70", "--set", "file_bytes=10K"]);
    keeps_its_word("convert", &["--size", "2M"]);
    keeps_its_word("search", &["--size", "1M"]);
    keeps_its_word("sort", &["--size", "64K"]);
}

#[test]
fn techniques_without_files_make_the_named_calls() {
    keeps_its_word("clock", &[]);
    keeps_its_word("pipeline", &["--set", "units=200"]);
    keeps_its_word("threads", &["--set", "iterations=100k"]);
    // Shared work that never yields.
    keeps_its_word("threads", &["--set", "threads=3", "--set", "iterations_per_yield=0"]);
    keeps_its_word("blocks", &[]);
}

#[test]
fn rewritings_of_a_file_make_the_calls_that_their_ideas_name() {
    // These are more than the six blocks of what is written behind.
    let arguments = ["--size", "48M", "--set", "phase_limit_ns=60s"];
    let mut found = faults(&["disk", "--all"], "disk", &arguments);
    // The limit of memory is half of it, and a control group of version 1 does not slow down those who write: while the device
    // is busy, what io_uring has dirtied now and then fills the memory, and Linux kills it. That says nothing of its calls: it is
    // looked at again.
    for _ in 0..20 {
        let killed = found.extract_if(.., |fault| fault.contains("for want of memory"));
        let again: Vec<String> =
            killed.filter_map(|fault| Some(format!("disk/{}", fault.split_once(": ")?.0))).collect();
        if again.is_empty() {
            break;
        }
        say(&format!("killed and looked at again: {}", again.join(" ")));
        let again: Vec<&str> = again.iter().map(String::as_str).collect();
        found.extend(faults(&again, "disk", &arguments));
    }
    assert!(found.is_empty(), "disk:\n{}", found.join("\n"));
}

#[test]
fn half_the_work_on_a_disk_makes_the_named_calls() {
    let small = ["--size", "4M", "--set", "phase_limit_ns=60s"];
    // What ends when its calls have returned flushes nothing behind them.
    let returned = ["--set", "phases=rewrite", "--set", "durability=returned"];
    keeps_its_word("disk", &[&small[..], &returned].concat());
    keeps_its_word("disk", &[&small[..], &["--set", "phases=read"]].concat());
}

/// One whose idea needs none says so: `only mmap|munmap`, or of a clock that the kernel may answer without a call `only
/// clock_gettime`.
#[test]
fn every_technique_of_every_family_says_which_calls_it_makes() {
    let families = families::all().iter().filter(|family| !family.is_control());
    assert_eq!(families.clone().count(), 9);
    for family in families {
        let workloads = family.workloads(Preset::Quick);
        for entry in family.entries() {
            let workload = workloads.iter().find(|workload| family.suits(&entry.name, workload).is_ready());
            let calls = family.calls(&entry.name, workload.unwrap_or(&workloads[0]));
            assert!(!calls.is_empty(), "{}/{}", family.name(), entry.name);
        }
    }
}

/// Returns the calls that returned and the errors, as `strace -c -f` prints them.
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

/// Between several threads that do the work: how often they wait for each other, what memory their heaps and stacks take (while
/// signals are blocked), and which of them give back their signal stack before the process ends differs from time to time.
const VARYING: &str =
    "futex sched_yield mmap munmap mprotect madvise brk restart_syscall rt_sigprocmask sigaltstack";

/// Techniques of every family, and a small workload at which their calls are the same each time.
const CASES: &[(&str, &str, &str)] = &[
    ("copy", "read_write@4K small_buffer presized@256K mmap_to_mmap std_copy splice", "size=1M"),
    ("convert", "read_write@64K mmap_to_mmap", "size=100K"),
    ("search", "sequential mmap", "size=200K kind=files file_bytes=10K"),
    ("sort", "sort_unstable mapped_qsort", "records=1000"),
    ("disk", "flush_each", "size=1M phases=rewrite phase_limit_ns=60s"),
    ("pipeline", "pipe socketpair", "units=50 threads=2 depth=10 batch=5"),
    ("threads", "thread_each one_thread", "threads=4 iterations=4000 iterations_per_yield=100"),
    ("blocks", "plain std_slice", "total_bytes=64K piece_bytes=4K passes=2"),
    ("clock", "std_instant getrusage", "calls=300"),
];

/// Returns a workload as options would name it.
fn workload(family: &dyn AnyFamily, values: &str) -> Workload {
    let mut workload = family.workloads(Preset::Quick).swap_remove(0);
    for (axis, value) in values.split(' ').filter_map(|value| value.split_once('=')) {
        match axis {
            "size" => {
                workload = family.workload_of_bytes(parse_bytes(value).expect("a size")).expect("sizes")
            }
            _ => family.set(&mut workload, axis, value).expect("a value"),
        }
    }
    workload
}

fn worker(assignment: &Value) -> Launch {
    Launch {
        arguments: vec!["worker".into()],
        input: Input::Bytes(serde_json::to_vec(assignment).expect("JSON")),
        ..Launch::new(crate::program())
    }
}

fn generate(family: &str, workload: &Workload, folder: &Path) {
    let assignment = json!({
        "do": "files", "work": "generate", "family": family, "folder": folder, "seed": 1, "workload": workload,
    });
    let made = trace::run(&worker(&assignment), Scope::Whole, &AtomicBool::new(false)).expect("it is traced");
    assert!(String::from_utf8_lossy(&made.ended.stdout).contains("proof"), "{made:?}");
}

/// Compares the counts of a technique in two processes, of which `strace` counts one.
fn compare(family: &str, technique: &str, workload: &Workload, folder: &Path, inputs: &[String]) {
    let assignment = json!({
        "do": "explain",
        "trial": {
            "family": family, "technique": technique, "seed": 1, "scratch": folder, "workload": workload,
            "setting": { "cache": "warm", "durability": "returned", "directory": folder },
        },
    });
    let aside = tempfile::tempdir().expect("a folder");
    let file = aside.path().join("assignment");
    fs::write(&file, serde_json::to_vec(&assignment).expect("JSON")).expect("a file");
    let launch = Launch { input: Input::File(file.clone()), ..worker(&assignment) };
    let remove_output = || {
        for left in names(folder).iter().filter(|left| !inputs.contains(left)) {
            fs::remove_file(folder.join(left)).expect("an output");
        }
    };
    remove_output();
    let traced = trace::run(&launch, Scope::Whole, &AtomicBool::new(false)).expect("it is traced");
    assert!(String::from_utf8_lossy(&traced.ended.stdout).contains("\"did\""), "{technique}: {traced:?}");
    remove_output();
    let returned = traced.calls.iter().filter(|call| call.calls > call.unreturned);
    let mut own: BTreeMap<String, (u64, u64)> =
        returned.map(|call| (call.name.clone(), (call.calls - call.unreturned, call.errors))).collect();
    let mut counted = of_strace(&launch, &file, aside.path());
    let is_threaded = own.contains_key("clone3");
    for calls in [&mut own, &mut counted] {
        calls.retain(|name, _| !(is_threaded && VARYING.split(' ').any(|varying| varying == name)));
    }
    assert_eq!(own, counted, "{family}/{technique}");
}

#[test]
#[ignore = "takes strace: .ci/steps/explain installs it"]
fn the_counts_of_whole_workers_are_those_of_strace() {
    if !can_trace() {
        return;
    }
    for (name, techniques, values) in CASES {
        let sandbox = Sandbox::new();
        let folder = sandbox.dir();
        let family = families::find(name).expect("a family");
        let workload = workload(family, values);
        if family.works_on_files() {
            generate(name, &workload, &folder);
        }
        let inputs = names(&folder);
        techniques.split(' ').for_each(|one| compare(name, one, &workload, &folder, &inputs));
    }
}

/// `strace` lets every call of ptrace fail: it needs no rights, and a process that is traced cannot be traced once more.
#[test]
#[ignore = "takes strace: .ci/steps/explain installs it"]
fn where_strace_forbids_ptrace_the_system_counts() {
    let sandbox = Sandbox::new();
    let mut command = assert_cmd::Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=ptrace", "-e", "inject=ptrace:error=EPERM"]);
    command.arg(crate::program()).envs(sandbox.variables());
    command.arg("--store").arg(sandbox.store()).args(["explain", "copy/small_buffer", "copy/read_write@4K"]);
    command.args(["--size", "64K"]);
    command.args(["--format", "json", "--dir"]).arg(sandbox.dir());
    let page = from_json(&stdout(&command.assert().success()));
    let account = &page["families"][0]["techniques"][0]["account"];
    assert!(account["calls"].is_null(), "{account}");
    assert!(account["unseen"].as_str().is_some_and(|reason| reason.contains("trace")), "{account}");
    // 256 pieces of 256 bytes, and the end of the file.
    assert_eq!(account["counters"]["read_calls"], 257, "{account}");
    assert_eq!(account["counters"]["write_calls"], 256, "{account}");
    assert_shows(text(&page["families"][0]["why"]), BY_THE_CALL);
}

/// Each piece of 64 KiB is read and written, and the end of the file is read as well.
const BY_THE_CALL: &str =
    "read_write@4K moves 3.97 kB a call (33 calls) where small_buffer moves 255 B (513 calls)";

#[test]
fn calls_of_a_part_are_said_to_be_and_compare_with_nothing() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::new();
    let named = "disk/synchronous disk/read_write --size 4MiB --set piece_bytes=4K --set phase_limit_ns=1ms";
    let shown = stdout(&sandbox.in_dir("explain", named).assert().success());
    assert_shows(
        &unfolded(&shown),
        "the work of one was cut short | synchronous (a part) | --set phase_limit_ns=10ms --time-limit 600s",
    );
    let page = sandbox.json_in_dir("explain", named);
    assert_eq!(page["families"][0]["techniques"][0]["account"]["is_cut"], true);
}

#[test]
fn a_million_calls_are_left_to_the_counts_of_the_system() {
    let sandbox = Sandbox::new();
    let named = "sort/sortBT --set records=20000 --format json";
    let page = from_json(&stdout(&sandbox.in_dir("explain", named).assert().success()));
    let account = &page["families"][0]["techniques"][0]["account"];
    let unseen = account["unseen"].as_str().expect("a reason");
    assert!(account["calls"].is_null() && (!can_trace() || unseen.contains("less work")), "{account}");
    assert_eq!(account["counters"]["read_calls"], 57 * 20_000, "{account}");
}

#[test]
fn reason_has_the_counts_of_the_trace() {
    if !can_trace() {
        return;
    }
    let sandbox = Sandbox::new();
    let said = sandbox.json_in_dir("explain", "copy/read_write@4K copy/small_buffer --size 64K");
    let family = &said["families"][0];
    assert_shows(
        text(&family["why"]),
        "No kept run compares read_write@4K with small_buffer at this work and under these conditions: ",
    );
    assert_shows(text(&family["why"]), BY_THE_CALL);
    let counted = [(0, "read"), (0, "write"), (1, "read"), (1, "write")].map(|(nth, name)| {
        let calls = list(&family["techniques"][nth]["account"]["calls"]);
        calls.iter().find(|call| call["name"] == name).map(|call| call["calls"].clone())
    });
    assert_eq!(counted, [17, 16, 257, 256].map(|count| Some(count.into())));
}
