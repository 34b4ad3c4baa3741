//! What is traced here is what `strace` sees.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use super::*;
use crate::trace;

const LIMIT_NS: u64 = 300_000_000_000;

fn launch(program: &str, arguments: &[&str]) -> Launch {
    Launch {
        arguments: arguments.iter().map(OsString::from).collect(),
        time_limit_ns: Some(LIMIT_NS),
        ..Launch::new(program)
    }
}

fn can_trace() -> bool {
    needs::are_met(trace::check().map_err(|refused| refused.to_string()))
}

/// Traces a whole command; `None` where nothing can be traced, which is said.
fn traced(launch: &Launch) -> Option<Traced> {
    can_trace().then(|| trace::run(launch, Scope::Whole, &AtomicBool::new(false)).expect("it is traced"))
}

fn found<'a>(traced: &'a Traced, name: &str) -> &'a model::SystemCall {
    let call = traced.calls.iter().find(|call| call.name == name);
    call.unwrap_or_else(|| panic!("no {name} in {:?}", traced.calls))
}

/// Returns name, calls that returned and errors, as `strace -c -f` counts them.
fn counted_by_strace(launch: &Launch, folder: &Path) -> BTreeMap<String, (u64, u64)> {
    let table = folder.join("table");
    let mut command = Command::new("strace");
    command.args(["-c", "-f", "-U", "name,calls,errors", "-o"]).arg(&table).arg(&launch.program);
    // Programs look at what they write to: it is a file in memory in either case.
    let [stdout, stderr] = [(); 2].map(|()| file_in_memory(&[]).expect("a file"));
    command.args(&launch.arguments).stdin(Stdio::null()).stdout(stdout).stderr(stderr);
    command.status().expect("strace is installed");
    let text = fs::read_to_string(table).expect("a table");
    let rows = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = words.first()?.to_string();
        let calls = words.get(1)?.parse().ok()?;
        Some((name, (calls, words.get(2).map_or(0, |errors| errors.parse().expect("a number")))))
    });
    rows.filter(|(name, _)| name != "total").collect()
}

#[test]
#[ignore = "takes strace: .ci/steps/explain installs it"]
fn the_counts_are_those_of_strace_call_for_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("input");
    fs::write(&input, vec![7; 300_000]).expect("an input");
    let (input, output) = (input.display().to_string(), folder.path().join("output").display().to_string());
    let copies = format!("cat {input} > {output}; cat {input} > {output}; exit 0");
    let (from, to) = (format!("if={input}"), format!("of={output}"));
    let commands: [(&str, &[&str]); 4] = [
        ("true", &[]),
        ("dd", &[&from, &to, "bs=512", "status=none"]),
        ("cat", &["/no/such/file", &input]),
        ("sh", &["-c", &copies]),
    ];
    for (program, arguments) in commands {
        let launch = launch(program, arguments);
        let Some(traced) = traced(&launch) else { return };
        let calls = traced.calls.iter().filter(|call| call.calls > call.unreturned);
        let own: BTreeMap<String, (u64, u64)> =
            calls.map(|call| (call.name.clone(), (call.calls - call.unreturned, call.errors))).collect();
        assert_eq!(own, counted_by_strace(&launch, folder.path()), "{program}");
    }
}

#[test]
fn bytes_flags_processes_and_output_are_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("input");
    fs::write(&input, vec![7; 100_000]).expect("an input");
    let script = format!("cat {0} > {0}.copy; echo done; exit 7", input.display());
    let Some(traced) = traced(&launch("sh", &["-c", &script])) else { return };
    assert_eq!((&traced.ended.status, &traced.ended.stdout[..]), (&Status::Exit(7), &b"done\n"[..]));
    assert_eq!((traced.processes, traced.threads, traced.is_marked), (1, 0, false));
    let movers = ["write", "copy_file_range", "sendfile", "splice"];
    let moved =
        traced.calls.iter().filter(|call| movers.contains(&&*call.name)).filter_map(|call| call.bytes);
    assert_eq!(moved.sum::<u64>(), 100_000 + 5);
    assert_eq!(found(&traced, "openat").flags.get("O_CREAT"), Some(&1));
    assert_eq!(found(&traced, "exit_group").unreturned, 2);
}

#[test]
fn a_late_or_interrupted_command_ends_with_all_it_started() {
    let script = "sleep 1000 & sleep 1000";
    let late = Launch { time_limit_ns: Some(1), ..launch("sh", &["-c", script]) };
    let Some(timed_out) = traced(&late) else { return };
    assert_eq!(timed_out.ended.status, Status::TimedOut);
    let stop = AtomicBool::new(true);
    let stopped = trace::run(&launch("sh", &["-c", script]), Scope::Whole, &stop).expect("it is traced");
    assert_eq!(stopped.ended.status, Status::Cancelled);
}

#[test]
fn what_a_command_leaves_running_ends_with_it() {
    let Some(traced) = traced(&launch("sh", &["-c", "sleep 1000 & exit 0"])) else { return };
    assert_eq!(traced.ended.status, Status::Exit(0));
}

#[test]
fn a_program_that_is_missing_is_an_error() {
    if can_trace() {
        let refused = trace::run(&launch("/no/such/program", &[]), Scope::Whole, &AtomicBool::new(false));
        assert_eq!(refused.expect_err("no program").kind(), io::ErrorKind::NotFound);
    }
}

#[test]
fn only_the_calls_between_the_marks_are_counted() {
    let mut counts = counts::Counts::new(Scope::Marked);
    let prctl = libc::SYS_prctl as u64;
    let arch = 0xc000_003e;
    assert!(counts.began(arch, libc::SYS_read as u64, &[0; 6]).is_none());
    assert!(counts.began(arch, prctl, &[MARK, Edge::Begin as u64, 0, 0, 0, 0]).is_none());
    let read = counts.began(arch, libc::SYS_read as u64, &[0; 6]).expect("it is counted");
    // Another operation is a call like others.
    assert!(counts.began(arch, prctl, &[1, 1, 0, 0, 0, 0]).is_some());
    assert!(!counts.is_marked());
    assert!(counts.began(arch, prctl, &[MARK, Edge::End as u64, 0, 0, 0, 0]).is_none());
    counts.returned(&read, 4096, false);
    assert!(counts.began(arch, libc::SYS_read as u64, &[0; 6]).is_none());
    assert!(counts.is_marked());
    let calls = counts.calls();
    let seen: Vec<_> = calls.iter().map(|call| (call.name.as_str(), call.calls, call.bytes)).collect();
    assert_eq!(seen, [("prctl", 1, None), ("read", 1, Some(4096))]);
}
