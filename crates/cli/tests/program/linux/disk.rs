//! A file larger than memory: the limit, its effect, and what happens where there is none.

use std::path::Path;

use serde_json::{Value, json};

use super::unprivileged::{hand_over, ordinary, ordinary_under};
use crate::sandbox::{Sandbox, assert_refused, failure, samples, stdout, trial};

const PAIR: [&str; 6] = ["disk/read_write", "disk/uncached", "--size", "32MiB", "--rounds", "3"];

/// What the run says of the limit of memory.
fn note(run: &Value) -> String {
    let notes = run["run"]["notes"].as_array().expect("notes");
    let found = notes.iter().find(|note| note["topic"] == "memory-limit");
    found.and_then(|note| note["text"].as_str()).expect("a note about the limit").to_owned()
}

/// Whether this host has limited the memory of the run.
fn is_ceilinged(run: &Value) -> bool {
    let said = note(run);
    let limited = said.contains(" is limited by ");
    assert!(limited || said.starts_with("nothing limits the memory of disk, since "), "{said}");
    limited
}

/// The same where a test needs that.
fn must_be_limited(run: &Value) -> bool {
    needs::are_met(is_ceilinged(run).then_some(()).ok_or_else(|| note(run)))
}

#[test]
fn a_file_larger_than_memory_is_fetched_again_and_the_samples_show_it() {
    let sandbox = Sandbox::new();
    let shown = stdout(&sandbox.run(&PAIR).assert().success());
    let run = sandbox.exported();
    let read_write = trial(&run, "read_write");
    let limit = &read_write["setting"]["memory_limit_bytes"];
    let limited = must_be_limited(&run);
    for sample in read_write["samples"].as_array().expect("samples") {
        let values = &sample["values"];
        if !limited {
            assert_eq!((limit, values.get("refaults")), (&Value::Null, None), "{values}");
            continue;
        }
        assert!(shown.contains("memory limited to 16 MiB"), "{shown}");
        assert_eq!(limit, &json!(16 << 20));
        // The file has 8,192 pages, and the memory room for half of them: rereading finds hardly one of those it needs.
        assert!(values["refaults"].as_f64().is_some_and(|pages| pages >= 4_096.0), "{values}");
        // Where the directory is memory itself, nothing comes from a device.
        let fetched = values["reread_device_bytes"].as_f64().expect("bytes");
        assert!(fetched == 0.0 || fetched >= f64::from(16 << 20), "{values}");
    }
    sandbox.assert_clean();
    assert!(!groups_are_left(), "a group was left");
}

#[test]
fn a_piece_for_which_no_buffer_has_room_is_told_and_the_other_pieces_are_measured() {
    let sandbox = Sandbox::new();
    let asked = ["disk/read_write", "--size", "32MiB", "--set", "piece_bytes=1M,32M", "--rounds", "3"];
    let shown = stdout(&sandbox.run(&asked).assert().success());
    let run = sandbox.exported();
    if !must_be_limited(&run) {
        return;
    }
    let notes = run["run"]["notes"].as_array().expect("notes");
    let skipped = notes.iter().find(|note| note["topic"] == "nothing-can-run").expect("a note");
    let text = skipped["text"].as_str().expect("a text");
    assert!(
        text.contains("is left out: read_write: a buffer of 32 MiB does not fit into the memory"),
        "{text}"
    );
    assert!(shown.contains("note: disk, 32MiB piece_bytes=32M, is left out: "), "{shown}");
    let trials = run["trials"].as_array().expect("trials");
    assert!(!trials.is_empty());
    assert!(trials.iter().all(|trial| trial["workload"]["piece_bytes"] == 1 << 20), "{trials:?}");
    sandbox.assert_clean();
}

/// Whether a group stands there whose maker is gone.
fn groups_are_left() -> bool {
    let own = std::fs::read_to_string("/proc/self/cgroup").expect("proc");
    let paths = own.lines().filter_map(|line| line.splitn(3, ':').nth(2)).chain(["/"]);
    let mounts = ["/sys/fs/cgroup/memory", "/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(Path::new);
    let folders = paths.flat_map(|path| mounts.map(|mount| mount.join(path.trim_start_matches('/'))));
    let entries = folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    let mut makers = entries
        .filter_map(|entry| entry.file_name().to_str()?.strip_prefix("bakeoff-memory-").map(str::to_owned));
    makers.any(|maker| !Path::new("/proc").join(maker).exists())
}

#[test]
fn a_process_that_needs_more_than_the_limit_fails_in_a_sentence_and_the_others_go_on() {
    let sandbox = Sandbox::new();
    stdout(&sandbox.run(&PAIR).assert().success());
    let run = sandbox.exported();
    if !must_be_limited(&run) {
        return;
    }
    // What fills its memory is killed there, and the run is no worse for it.
    let greedy = "greedy=sh -c 'head -c 200m /dev/zero | tail -c 200m | wc -c' {file}";
    let more = ["--set", "phases=read", "--command", greedy];
    let shown = stdout(&sandbox.run(&PAIR).args(more).assert().success());
    let run = sandbox.exported();
    let (_, reason) = failure(&run, "greedy");
    assert!(reason.contains("its limit of 16 MiB"), "{reason}");
    assert!(!shown.contains("memory ran out"), "{shown}");
    sandbox.assert_clean();
    // Nor is another run at that time, in whose group nothing was killed.
    let other = Sandbox::new();
    let shown = std::thread::scope(|both| {
        let meanwhile = both.spawn(|| stdout(&other.run(&["clock", "--rounds", "3"]).assert().success()));
        stdout(&sandbox.run(&PAIR).args(more).assert().success());
        meanwhile.join().expect("measured")
    });
    assert!(!shown.contains("memory ran out"), "{shown}");
}

#[test]
fn an_ordinary_user_without_a_group_of_its_own_measures_with_eviction_and_is_told_so() {
    let sandbox = Sandbox::new();
    let mut command = ordinary(&sandbox, &["run", "--dir"]);
    command.arg(sandbox.dir()).args(PAIR);
    hand_over(&sandbox);
    stdout(&command.assert().success());
    let export = ["export", "last", "--format", "json"];
    let run: Value =
        serde_json::from_str(&stdout(&ordinary(&sandbox, &export).assert().success())).expect("JSON");
    let has_own_group = is_ceilinged(&run).then(|| "an ordinary user has control groups here".to_owned());
    if !needs::are_met(has_own_group.map_or(Ok(()), Err)) {
        return;
    }
    assert!(note(&run).contains("is taken out of the file cache before each phase"), "{}", note(&run));
    let sample = &trial(&run, "read_write")["samples"][1];
    let fetched = &sample["values"]["reread_device_bytes"];
    assert!(fetched.as_f64().is_none_or(|bytes| bytes == 0.0 || bytes >= f64::from(32 << 20)), "{sample}");
    let mut limited = ordinary(&sandbox, &["run", "disk", "--memory-limit", "64MB", "--dir"]);
    assert_refused(
        limited.arg(sandbox.dir()),
        &["--memory-limit: the memory of disk cannot be limited here"],
    );
}

#[test]
fn a_piece_that_is_the_whole_file_is_mapped_and_a_buffer_for_it_is_refused_in_a_sentence() {
    let sandbox = Sandbox::new();
    let whole = ["--size", "32MiB", "--set", "piece_bytes=32M", "--rounds", "3"];
    let measured = |techniques: &[&str], more: &[&str]| {
        stdout(&sandbox.run(techniques).args(whole).args(more).assert().success());
        let run = sandbox.exported();
        for name in techniques {
            let (_, name) = name.split_once('/').expect("a family");
            assert_eq!(samples(&run, name), 4, "{name}: {}", trial(&run, name)["failures"]);
        }
    };
    // Without a limit that is in force the host may refuse one.
    stdout(&sandbox.run(&["disk/mmap", "--size", "1MiB", "--rounds", "3"]).assert().success());
    let is_ceilinged = is_ceilinged(&sandbox.exported());
    let limit = |limit: &'static str| if is_ceilinged { vec!["--memory-limit", limit] } else { Vec::new() };
    // What is read ahead, up to 8 MiB twice, has room as well.
    measured(&["disk/mmap"], &[&["--set", "phases=read"][..], &limit("24MiB")].concat());
    if is_ceilinged {
        let words =
            ["read_write: a buffer of 32 MiB does not fit into the memory, which is limited to 16 MiB"];
        assert_refused(sandbox.run(&["disk/read_write"]).args(whole), &words);
    }
    measured(&["disk/mmap", "disk/mmap_flush_each"], &limit("64MiB"));
    sandbox.assert_clean();
}

#[test]
fn a_mapping_that_is_larger_than_the_memory_is_rewritten_or_killed_at_its_limit_and_nothing_else() {
    let sandbox = Sandbox::new();
    let techniques = ["mmap", "mmap_flush_each"];
    let run = sandbox
        .run(&["disk/mmap", "disk/mmap_flush_each"])
        .args(["--size", "32MiB", "--set", "piece_bytes=32M", "--set", "phases=rewrite", "--rounds", "3"])
        .output()
        .expect("bakeoff starts");
    let shown = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    // What is written into a mapping waits for the device: where that is slow, a group of version 1 kills what has filled it.
    assert!(matches!(run.status.code(), Some(0 | 2)), "{shown}");
    let stored = sandbox.exported();
    for name in techniques {
        let trial = trial(&stored, name);
        let samples = trial["samples"].as_array().expect("samples").len();
        let failures = trial["failures"].as_array().expect("failures");
        let reason = |failure: &Value| failure["reason"].as_str().unwrap_or_default().to_owned();
        // What has failed three times is not tried again.
        let is_all = samples + failures.len() == 4 || failures.len() == 3;
        assert!(is_all, "{name}: {samples} samples, {failures:?}: {shown}");
        assert!(failures.iter().all(|one| reason(one).contains("its limit of 16 MiB")), "{failures:?}");
        assert!(failures.is_empty() || is_ceilinged(&stored), "{failures:?}");
    }
    sandbox.assert_clean();
}

#[test]
fn as_many_pieces_in_flight_as_have_room_are_measured_and_more_are_told() {
    let sandbox = Sandbox::new();
    let in_flight = ["disk/io_uring_direct@64", "disk/io_uring@64", "--size", "32MiB", "--rounds", "3"];
    let shown = stdout(&sandbox.run(&in_flight).assert().success());
    let run = sandbox.exported();
    let direct = "io_uring_direct@64";
    assert_eq!(samples(&run, direct), 4, "{}", trial(&run, direct)["failures"]);
    if is_ceilinged(&run) {
        assert!(shown.contains("64 buffers of 256 KiB, what is in flight in the file cache"), "{shown}");
    }
    sandbox.assert_clean();
}

#[test]
fn a_depth_beyond_the_pieces_of_the_file_is_refused_in_a_sentence() {
    let sandbox = Sandbox::new();
    let words = ["io_uring@5000: 5000 pieces cannot be in flight: the file has 16", "choose a larger file"];
    assert_refused(&mut sandbox.run(&["disk/io_uring@5000", "--size", "1MiB"]), &words);
}

#[test]
fn a_rewriting_ends_where_its_calls_have_returned_when_that_is_asked_for() {
    let sandbox = Sandbox::new();
    let pair = ["disk/read_write", "disk/synchronous", "--size", "16MiB", "--rounds", "3"];
    let shown = stdout(&sandbox.run(&pair).args(["--set", "durability=returned"]).assert().success());
    assert!(shown.contains("returned") && !shown.contains("durable"), "{shown}");
    let run = sandbox.exported();
    let trial = trial(&run, "read_write");
    assert_eq!(trial["setting"]["durability"], "returned");
    for sample in trial["samples"].as_array().expect("samples") {
        let rate = |key: &str| sample["values"][key].as_f64().expect("a rate");
        assert!(rate("rewrite_returned_bytes_per_second") >= rate("rewrite_bytes_per_second"), "{sample}");
        assert!(rate("reread_kib_ns") > 0.0, "{sample}");
    }
    sandbox.assert_clean();
}

#[test]
fn a_ring_that_no_memory_may_be_locked_for_is_missing_with_that_reason() {
    let sandbox = Sandbox::new();
    let mut command = ordinary_under(&sandbox, &["prlimit", "--memlock=0:0"], &["list", "disk"]);
    hand_over(&sandbox);
    let shown = stdout(&command.assert().success());
    // Some versions of Linux count rings as other memory: there they can be had.
    let is_refused = shown.contains("io_uring_setup");
    assert!(!is_refused || shown.contains("may lock is used up, see ulimit -l"), "{shown}");
    assert!(!is_refused || !shown.contains("seccomp"), "{shown}");
}

#[test]
fn what_replaces_the_file_is_not_opened() {
    let sandbox = Sandbox::new();
    let one = ["disk/read_write", "--size", "1MiB", "--rounds", "3", "--set", "phases=rewrite"];
    let externals = [
        ("pipe", "rm {file}; mkfifo {file}", "left a pipe, socket or device"),
        ("link", "rm {file}; ln -s /dev/zero {file}", "left a link"),
        ("hole", "truncate --size 1T {file}", "right"),
        ("gone", "rm {file}", "left no result"),
        ("failed", "rm {file}; mkfifo {file}; false", "exit code 1"),
        ("state", "cd $(dirname {file}); state=$(ls | grep state$); rm $state; mkfifo $state", "read"),
    ];
    let given: Vec<String> =
        externals.iter().map(|(name, does, _)| format!("{name}=sh -c '{does}' {{file}}")).collect();
    let given = given.iter().flat_map(|external| ["--command", external]);
    stdout(&sandbox.run(&one).args(given).assert().success());
    let run = sandbox.exported();
    assert_eq!(samples(&run, "read_write"), 4);
    for (name, _, told) in externals {
        let (_, reason) = failure(&run, name);
        assert!(reason.contains(told), "{name}: {reason}");
    }
    sandbox.assert_clean();
}

#[test]
fn commands_that_do_not_rewrite_in_place_are_named() {
    let sandbox = Sandbox::new();
    let one = ["disk/read_write", "--size", "1MiB", "--rounds", "3"];
    let reading = "dd=dd if={file} of=/dev/null bs={piece_bytes} status=none";
    stdout(&sandbox.run(&one).args(["--set", "phases=read", "--command", reading]).assert().success());
    assert_eq!(samples(&sandbox.exported(), "dd"), 4);
    let rewriting =
        "dd=dd if=/dev/urandom of={file} bs={piece_bytes} count=16 conv=notrunc,fdatasync status=none";
    let half = "half=dd if=/dev/urandom of={file} bs={piece_bytes} count=8 conv=notrunc status=none";
    let externals = ["--command", rewriting, "--command", half, "--command", "nothing=true {file}"];
    let rewrite = ["--set", "phases=rewrite"];
    stdout(&sandbox.run(&one).args(rewrite).args(externals).assert().success());
    let run = sandbox.exported();
    for name in ["dd", "read_write"] {
        assert_eq!(samples(&run, name), 4, "{name}");
    }
    for name in ["half", "nothing"] {
        assert_eq!(failure(&run, name).0, "wrong", "{name}");
    }
    sandbox.assert_clean();
}
