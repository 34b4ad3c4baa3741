//! What stands behind the name of a published program makes the calls of that program.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::explain::can_trace;
use crate::sandbox::{Sandbox, list, text};

/// A published program, and what it was published to do.
type Line = (&'static str, &'static str);

/// A family, its work, and its programs. Buffers are the bytes over the calls.
/// `20+` is at least so often; a call of [`WATCHED`] that a line does not name is not made. Windows shows no calls to count: its
/// forms were read against the published ones.
const PROGRAMS: &[(&str, &str, &[Line])] = &[
    (
        "copy",
        "--size 64K",
        &[
            // The C library makes 4 KiB of 256 bytes.
            ("cpC", "open 2, read 17, write 16"),
            ("cpW", "open 2, read 257, write 256"),
            ("cpwFA", "open 2, read 9, write 8, fadvise64 POSIX_FADV_SEQUENTIAL 2"),
            ("cpUC", "open 2, read 257, write 256"),
            // One call, or that which shares extents.
            ("cpCF", "open 2, copy_file_range 0+, ioctl FICLONE 1"),
        ],
    ),
    (
        "convert",
        "--size 512K",
        &[
            ("atou", "open 2, read 2049, write 2048"),
            ("atouSS", "open 2, read 2049, write 2048, fadvise64 POSIX_FADV_SEQUENTIAL 2"),
            ("atouLB", "open 2, read 65, write 64"),
            ("atouLBSS", "open 2, read 65, write 64, fadvise64 POSIX_FADV_SEQUENTIAL 2"),
            ("atouLSFP", "open 2, read 65, write 64, fadvise64 POSIX_FADV_SEQUENTIAL 2, fallocate 1"),
            ("atouMM", "open 2, mmap file 2, fallocate 1"),
            // 8 records of 64 KiB. Its 4 threads open both files.
            ("atouMT", "open 10, pread64 8, pwrite64 8, threads 4"),
            // 16 records of 32 KiB, then 64 of 8 KiB, each read and written. The ring itself is two mappings.
            ("atouOV", "open 2, requests 32, io_uring_enter 1+, mmap file 2"),
            (
                "atouEX",
                "open 2, requests 128, io_uring_enter 1+, io_uring_enter min_complete=0 1+, mmap file 2",
            ),
        ],
    ),
    (
        "search",
        "--size 200K",
        &[
            ("grepMP", "open 1+, read 20+, write 1+, processes 20, mmap file 0+, pread64 0+, ppoll 1+"),
            ("grepMT", "open 21+, read 20+, write 1+, threads 20"),
            // Each is waited for before the next is started.
            ("grepSQ", "open 1+, read 20+, write 1+, processes 20, mmap file 0+, pread64 0+, ppoll 20+"),
        ],
    ),
    (
        "sort",
        "--set records=1000 --set output=suppressed",
        &[
            // A key of 8 bytes, and each of 56 behind it.
            ("sortBT", "open 1, read 57000"),
            // The file is copied before its copy is mapped.
            ("sortFL", "open 2, read 2, write 1, mmap file 1"),
            ("sortFLSR", "open 2, read 2, write 1, mmap file 1"),
            ("sortHP", "open 1, pread64 1"),
            ("sortMM", "open 2, write 2000, mmap file 2"),
            ("sortMT1", "open 1, pread64 1"),
            // The calling thread is one of them.
            ("sortMT2", "open 1, pread64 1, threads 1"),
            ("sortMT4", "open 1, pread64 1, threads 3"),
        ],
    ),
    (
        "pipeline",
        // Two threads at each end, and two between.
        "--set threads=2 --set units=50",
        &[
            // A lock that enters the kernel is a pipe, one for each queue: read to take it, and written to give it back.
            ("broadcast-mutex-5ms", "threads 6, pipe2 4, read 200+, write 200+, futex 1+"),
            ("broadcast-critsec-25ms", "threads 6, pipe2 0, futex 1+"),
            ("broadcast-mutex-signalobjectandwait", "threads 6, pipe2 4, read 200+, write 200+, futex 1+"),
            ("signal-mutex", "threads 6, pipe2 4, read 200+, write 200+, futex 1+"),
            ("signal-critsec", "threads 6, pipe2 0, futex 1+"),
            ("signal-mutex-signalobjectandwait", "threads 6, pipe2 4, read 200+, write 200+, futex 1+"),
        ],
    ),
];

/// What moves bytes, gives a file its length, hints, flushes, goes past the cache or waits.
const WATCHED: &str = "open|read|readv|pread64|preadv2|write|writev|pwrite64|pwritev2|copy_file_range|sendfile|splice|\
                       ioctl FICLONE|fallocate|ftruncate|fadvise64 POSIX_FADV_SEQUENTIAL|fadvise64 POSIX_FADV_WILLNEED|\
                       madvise MADV_SEQUENTIAL|madvise MADV_WILLNEED|madvise MADV_POPULATE_READ|madvise MADV_POPULATE_WRITE|\
                       mmap file|fsync|fdatasync|msync|sync_file_range|open O_DIRECT|open O_SYNC|open O_DSYNC|\
                       io_uring_enter|io_uring_enter min_complete=0|ppoll|pipe2|futex|requests|processes|threads";

/// What any program may make that waits for others.
const WAITS: [&str; 3] = ["ppoll", "pipe2", "futex"];

/// Returns how often each of [`WATCHED`] was made.
fn made(account: &Value) -> BTreeMap<String, u64> {
    let mut made = BTreeMap::new();
    let mut count = |name: String, times: &Value| {
        let is_watched = WATCHED.split('|').any(|watched| watched == name);
        let times = times.as_u64().filter(|times| is_watched && *times > 0);
        times.into_iter().for_each(|times| *made.entry(name.clone()).or_default() += times);
    };
    for call in list(&account["calls"]) {
        // One processor has both, another only the later one.
        let name = text(&call["name"]).replace("openat", "open");
        count(name.clone(), &call["calls"]);
        count("requests".into(), &call["requests"]);
        for (flag, times) in call["flags"].as_object().into_iter().flatten() {
            count(format!("{name} {flag}"), times);
        }
    }
    ["processes", "threads"].into_iter().for_each(|name| count(name.into(), &account[name]));
    made
}

/// Returns what a line names and was not made as often, and what was made and is not named.
fn faults(line: &str, mut made: BTreeMap<String, u64>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, wanted) in line.split(", ").filter_map(|part| part.rsplit_once(' ')) {
        assert!(WATCHED.split('|').any(|watched| watched == name), "{name} is not watched");
        let times = made.remove(name).unwrap_or(0);
        let is_right = match wanted.strip_suffix('+') {
            Some(least) => times >= least.parse().expect("a number"),
            None => times == wanted.parse::<u64>().expect("a number"),
        };
        if !is_right {
            faults.push(format!("{name} {times}, not {wanted}"));
        }
    }
    made.retain(|name, _| !WAITS.contains(&&**name));
    faults.extend(made.iter().map(|(name, times)| format!("{name} {times}")));
    faults
}

#[test]
fn published_programs_make_their_published_calls() {
    if !can_trace() {
        return;
    }
    let mut found = Vec::new();
    for (family, work, programs) in PROGRAMS {
        let sandbox = Sandbox::new();
        let names: Vec<String> = programs.iter().map(|(name, _)| format!("{family}/{name}")).collect();
        let mut command = sandbox.in_dir("explain", &format!("{} {work} --format json", names.join(" ")));
        let page: Value = serde_json::from_slice(&command.output().expect("it runs").stdout).expect("a page");
        let entries = families::find(family).expect("a family").entries();
        let named: BTreeSet<&str> =
            entries.iter().flat_map(|entry| &entry.aliases).map(String::as_str).collect();
        assert_eq!(named, programs.iter().map(|(name, _)| *name).collect(), "{family}: each has its line");
        for (program, line) in *programs {
            let entry = entries.iter().find(|entry| entry.aliases.iter().any(|alias| alias == program));
            let name = &entry.expect("it is named above").name;
            let all = list(&page["families"][0]["techniques"]);
            let explained = all.iter().find(|one| one["name"] == **name).expect("it is explained");
            if explained["is_missing"] != true {
                let wrong = faults(line, made(&explained["account"]));
                found.extend(wrong.into_iter().map(|fault| format!("{program}, {name}: {fault}")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
