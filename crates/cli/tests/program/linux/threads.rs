//! Thousands of threads: refused, interrupted, killed; and nothing of them is left.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::processes::{Beside, of_stage};
use super::unprivileged::{after_in_a_shell, hand_over, ordinary_limited};
use crate::sandbox::{Sandbox, assert_failed, assert_measured, assert_shows, list, stderr, text, wait_until};

/// All threads are alive at once before the first of them works.
const MANY: &str =
    "threads/thread_each_together --threads 8192 --set iterations_per_yield=1 --set iterations=20000000";

/// Some threads are done long before the others, so there may be fewer at every moment that a test looks.
const NEARLY_ALL: u32 = 8_000;

/// Returns what the system shows of a process, which may have ended.
fn shown(process: &str, file: &str) -> String {
    String::from_utf8_lossy(&fs::read(format!("/proc/{process}/{file}")).unwrap_or_default()).into_owned()
}

/// Returns the process of the sandbox that works with most of 8192 threads. The process that looks for the limits on threads has as
/// many for a moment; it is a child of a worker, and not of the process that starts workers.
fn busy_worker(sandbox: &Sandbox) -> Option<String> {
    let mark = sandbox.path("").to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    let mut names = processes.map(|process| process.file_name().to_string_lossy().into_owned());
    names.find(|process| {
        let status = shown(process, "status");
        let [threads, parent] = ["Threads:", "PPid:"]
            .map(|name| status.lines().find_map(|line| line.strip_prefix(name)).map_or("", str::trim));
        threads.parse::<u32>().is_ok_and(|threads| threads >= NEARLY_ALL)
            && shown(process, "environ").contains(&mark)
            && shown(parent, "cmdline").split('\0').any(|word| word == "supervise")
    })
}

#[test]
fn an_interruption_ends_8192_threads_and_leaves_none() {
    let sandbox = Sandbox::new();
    let mut run = Beside::run(&sandbox, MANY);
    wait_until("8192 threads", || run.has_ended() || busy_worker(&sandbox).is_some());
    // One that has ended says below why.
    if !run.has_ended() {
        run.signal_group("INT");
    }
    let run = run.end();
    assert_eq!(run.code, Some(130), "{}", run.said);
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
    sandbox.assert_clean();
}

#[test]
fn a_worker_that_is_killed_with_8192_threads_is_a_crash() {
    let sandbox = Sandbox::new();
    let mut run = Beside::run(&sandbox, &format!("{MANY} threads/pool --rounds 3"));
    let mut worker = None;
    wait_until("8192 threads", || {
        worker = busy_worker(&sandbox);
        worker.is_some() || run.has_ended()
    });
    if let Some(worker) = worker {
        let killed = std::process::Command::new("kill").args(["-KILL", &worker]).status();
        assert!(killed.expect("kill").success());
    }
    let run = run.end();
    assert_eq!(run.code, Some(0), "{}", run.said);
    let run = sandbox.exported();
    assert_failed(&run, "thread_each_together", "crash", "");
    assert_measured(&run, 4, &["pool"]);
    sandbox.assert_clean();
}

/// Asserts that the run has samples of both techniques with 2 threads, and at 1000 one of them says which limit it has reached.
fn assert_partial(run: &Value, limit: &str) {
    let trials = list(&run["trials"]);
    let at = |technique: &str, threads: u64| {
        let found = trials.iter().find(|trial| {
            trial["technique"] == technique && trial["workload"]["threads"].as_u64() == Some(threads)
        });
        found.unwrap_or_else(|| panic!("{technique} at {threads} in {run}"))
    };
    for (technique, threads) in [("thread_each_together", 2), ("pool", 2), ("pool", 1000)] {
        let trial = at(technique, threads);
        let samples = trial["samples"].as_array().map_or(0, Vec::len);
        assert!(samples > 3, "{technique} {threads}: {samples} samples, {}", trial["failures"]);
    }
    let refused = &at("thread_each_together", 1000)["failures"][0];
    let reason = text(&refused["reason"]);
    assert_eq!(refused["kind"], "refused");
    assert!(reason.contains("of 1000 could not be started") && reason.contains(limit), "{reason}");
    assert_eq!(run["run"]["complete"], true);
}

/// Little work, and none of it given away: on a busy machine every yield waits for all others that want the processor.
const TWO_LEVELS: &str = "threads/thread_each_together threads/pool --threads 2,1000 --set iterations=100000 \
                          --set iterations_per_yield=0 --rounds 6";

#[test]
fn where_threads_are_few_levels_that_fit_are_measured() {
    let sandbox = Sandbox::new();
    let run = format!("run --dir '{}' {TWO_LEVELS}", sandbox.word("dir"));
    let mut command = ordinary_limited(&sandbox, "--nproc=300", &run);
    hand_over(&sandbox);
    command.assert().success();
    let store = sandbox.path("home/store.sqlite");
    fs::rename(store, sandbox.store()).expect("the store of the other user");
    assert_partial(&sandbox.exported(), "RLIMIT_NPROC (300");
}

/// In KiB, as `ulimit` counts. The program finds room in it, and so does each thread until some hundred are alive.
const LITTLE_ADDRESS_SPACE_KIB: u32 = 400_000;

#[test]
fn where_address_space_is_short_levels_that_fit_are_measured() {
    let sandbox = Sandbox::new();
    let script = format!("ulimit -v {LITTLE_ADDRESS_SPACE_KIB}");
    let mut run = after_in_a_shell(&sandbox, &script, TWO_LEVELS);
    run.args(["--set", "iterations=20000"]).assert().success();
    let most = u64::from(LITTLE_ADDRESS_SPACE_KIB) << 10;
    assert_partial(&sandbox.exported(), &format!("RLIMIT_AS in bytes ({most}, of which "));
}

/// A control group with few tasks, removed when it is dropped.
struct FewTasks(PathBuf);

impl FewTasks {
    /// Makes a group, which only root may; where it cannot, that is printed.
    fn new(most: u32) -> Option<Self> {
        let made = Self::made(most);
        let missing = "no control group that limits tasks can be made here";
        let is_met = needs::are_met(made.as_ref().map(drop).map_err(|error| format!("{missing}: {error}")));
        made.ok().filter(|_| is_met)
    }

    fn made(most: u32) -> io::Result<Self> {
        let of_version_1 = Path::new("/sys/fs/cgroup/pids");
        let parent = if of_version_1.is_dir() { of_version_1 } else { Path::new("/sys/fs/cgroup") };
        let folder = parent.join(format!("bakeoff-test-{}", std::process::id()));
        fs::create_dir(&folder)?;
        let made = Self(folder);
        fs::write(made.0.join("pids.max"), most.to_string())?;
        Ok(made)
    }
}

impl Drop for FewTasks {
    fn drop(&mut self) {
        wait_until("an empty group", || fs::remove_dir(&self.0).is_ok());
    }
}

#[test]
fn in_a_group_with_few_tasks_levels_that_fit_are_measured() {
    let Some(group) = FewTasks::new(300) else { return };
    let sandbox = Sandbox::new();
    let script = format!("echo $$ > {}/cgroup.procs", group.0.display());
    let assert = after_in_a_shell(&sandbox, &script, TWO_LEVELS).assert().success();
    assert!(!stderr(&assert).contains("panicked"), "{}", stderr(&assert));
    let run = sandbox.exported();
    assert_partial(&run, "pids.max of ");
    let facts = run["facts"].to_string();
    assert_shows(&facts, "pids.max of  | (300, of which");
}
