//! Control groups that limit the memory of a launch together with its part of the file cache.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use sys::process::{Launch, Status};

use crate::{GO, launcher, part, refusal, run_by, wait_until};

/// Whether this host limits the memory of groups; if not, that a launch which asks for it is refused in a sentence.
fn has_memory_groups() -> bool {
    let Err(reason) = sys::memory_group::available() else { return true };
    let launch = Launch { group_memory_bytes: Some(64 << 20), ..part(&["exit", "0"]) };
    let refused = refusal(&launch).to_string();
    assert!(!reason.is_empty() && refused.contains("the memory cannot be limited"), "{refused}");
    needs::are_met(Err(format!("the memory of groups cannot be limited here: {reason}")))
}

/// The folders of memory groups that are there.
fn memory_groups() -> Vec<PathBuf> {
    let mounts = ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"].map(Path::new);
    let mut folders: Vec<PathBuf> = mounts.iter().map(|mount| mount.to_path_buf()).collect();
    let own = fs::read_to_string("/proc/self/cgroup").expect("proc");
    let paths = own.lines().filter_map(|line| line.splitn(3, ':').nth(2));
    let below = |path: &str| mounts.map(|mount| mount.join(path.trim_start_matches('/')));
    folders.extend(paths.flat_map(below).flat_map(|folder| {
        folder
            .ancestors()
            .take_while(|up| up.starts_with("/sys/fs/cgroup"))
            .map(Path::to_path_buf)
            .collect::<Vec<_>>()
    }));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"bakeoff-memory-")))
        .collect()
}

pub(crate) fn a_memory_group_limits_memory_and_is_gone_after_every_kind_of_end() {
    if !has_memory_groups() {
        return;
    }
    let mut launcher = launcher();
    let limited = |bytes, words: &[&str]| Launch { group_memory_bytes: Some(bytes), ..part(words) };
    let killed = run_by(&mut launcher, &limited(100_000_000, &["fill", "300000000"]));
    assert_eq!(killed.status, Status::MemorySpent { limit_bytes: 100_000_000, kills: 1 }, "{killed:?}");
    let enough = run_by(&mut launcher, &limited(400_000_000, &["fill", "300000000"]));
    assert_eq!(enough.status, Status::Exit(0), "{enough:?}");
    let timed_out = Launch { time_limit_ns: Some(1), ..limited(64 << 20, &["sleep", "86400000"]) };
    assert_eq!(run_by(&mut launcher, &timed_out).status, Status::TimedOut);
    launcher
        .run(&Launch { group_memory_bytes: Some(64 << 20), ..Launch::new("/no/such/program") }, &GO)
        .expect_err("no such program");
    let free = run_by(&mut launcher, &part(&["fill", "300000000"]));
    assert_eq!(free.status, Status::Exit(0), "the launcher itself is free again: {free:?}");
    drop(launcher);
    await_end_of_memory_groups();
}

/// Waits until no group is left whose maker has ended. Other tests may make groups meanwhile.
pub(crate) fn await_end_of_memory_groups() {
    let is_left = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let maker = name.rsplit('-').next().unwrap_or_default().to_owned();
        maker == std::process::id().to_string() || !Path::new("/proc").join(maker).exists()
    };
    wait_until("the end of the groups of the dead", || !memory_groups().iter().any(is_left));
}

pub(crate) fn a_memory_group_has_the_cache_let_go_of_a_file_that_is_larger() {
    if !has_memory_groups() {
        return;
    }
    let scratch = tempfile::tempdir().expect("scratch");
    let file = scratch.path().join("file");
    fs::write(&file, vec![7; 48 << 20]).expect("written");
    let mut launcher = launcher();
    let script = format!("cat {0} > /dev/null; cat {0} > /dev/null", file.display());
    // The group that caches a page first is charged for it.
    sys::page_cache::evict(std::slice::from_ref(&file)).expect("evicted");
    let limited = Launch {
        group_memory_bytes: Some(16 << 20),
        arguments: vec!["-c".into(), script.into()],
        ..Launch::new("sh")
    };
    let ended = run_by(&mut launcher, &limited);
    assert_eq!(ended.status, Status::Exit(0), "{ended:?}");
    let seen = sys::page_cache::residency(&file).expect("readable");
    let missing = || "the system does not tell how much of a file is in its cache".to_owned();
    if needs::are_met(seen.map(drop).ok_or_else(missing)) {
        assert!(seen.is_some_and(|seen| seen.resident_pages < seen.total_pages / 2), "{seen:?}");
    }
}
