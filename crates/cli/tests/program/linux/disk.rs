//! A file larger than memory: the limit, its effect, and what happens where there is none.

use std::path::Path;

use serde_json::{Value, json};

use super::unprivileged::{hand_over, ordinary, ordinary_under};
use crate::sandbox::{
    Sandbox, assert_failed, assert_measured, assert_refused, assert_shows, failure, from_json, list,
    measured, samples, stdout, text, trial, unfolded,
};

const PAIR: &str = "disk/read_write disk/uncached --size 32MiB --rounds 3";

/// Returns why nothing limits the memory of the run; `None` where the host does.
fn refusal(run: &Value) -> Option<&str> {
    let notes = list(&run["run"]["notes"]).iter();
    notes.filter_map(|note| note["text"].as_str()).find(|text| text.starts_with("nothing limits the memory"))
}

/// Returns true where this host has limited the memory of the run, which this test needs.
fn must_be_limited(run: &Value) -> bool {
    needs::are_met(refusal(run).map_or(Ok(()), |reason| Err(reason.to_owned())))
}

#[test]
fn samples_show_that_a_file_larger_than_memory_is_fetched_again() {
    let sandbox = Sandbox::new();
    let shown = sandbox.measured(PAIR);
    let run = sandbox.exported();
    let read_write = trial(&run, "read_write");
    let limit = &read_write["setting"]["memory_limit_bytes"];
    let limited = must_be_limited(&run);
    for sample in list(&read_write["samples"]) {
        let values = &sample["values"];
        if !limited {
            assert_eq!((limit, values.get("refaults")), (&Value::Null, None), "{values}");
            continue;
        }
        assert_shows(&shown, "memory limited to 16 MiB");
        assert_eq!(limit, &json!(16 << 20));
        // The file has 8,192 pages, and the memory room for half of them: rereading finds hardly one of those it needs.
        assert!(values["refaults"].as_f64().is_some_and(|pages| pages >= 4_096.0), "{values}");
        // Where the directory is memory itself, nothing comes from a device.
        let fetched = values["reread_device_bytes"].as_f64().expect("bytes");
        assert!(fetched == 0.0 || fetched >= f64::from(16 << 20), "{values}");
    }
    assert!(!groups_are_left(), "a group was left");
}

#[test]
fn a_buffer_for_which_the_memory_has_no_room_lies_in_a_file() {
    let sandbox = Sandbox::new();
    let entries = "disk/read_write disk/c_stdio disk/c_stdio_unbuffered disk/write_through";
    sandbox.measured(&format!("{entries} --size 32MiB --set piece_bytes=1M,16M,32M --rounds 3"));
    let run = sandbox.exported();
    let is_limited = must_be_limited(&run);
    for trial in list(&run["trials"]) {
        let is_beyond = trial["workload"]["piece_bytes"].as_u64() > Some(8 << 20);
        for sample in list(&trial["samples"]) {
            let says =
                sample["notes"].to_string().contains(" MiB in a file, since the memory is limited to 16 MiB");
            assert_eq!(says, is_beyond && is_limited, "{trial}");
        }
        assert_eq!(list(&trial["failures"]).len(), 0, "{trial}");
    }
}

/// Returns whether a group stands there whose maker is gone.
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
fn a_process_that_needs_more_than_the_limit_fails_alone() {
    let sandbox = Sandbox::new();
    sandbox.measured(PAIR);
    if !must_be_limited(&sandbox.exported()) {
        return;
    }
    // What fills its memory is killed there, and the run is no worse for it.
    let greedy = "greedy=sh -c 'head -c 200m /dev/zero | tail -c 200m | wc -c' {file}";
    let with_greedy = format!("{PAIR} --set phases=read --command \"{greedy}\"");
    let shown = sandbox.measured(&with_greedy);
    assert_shows(&failure(&sandbox.exported(), "greedy").1, "its limit is 16 MiB");
    assert!(!shown.contains("memory ran out"), "{shown}");
    // Nor is another run at that time, in whose group nothing was killed.
    let other = Sandbox::new();
    let shown = std::thread::scope(|both| {
        let meanwhile = both.spawn(|| other.measured("clock --rounds 3"));
        sandbox.measured(&with_greedy);
        meanwhile.join().expect("measured")
    });
    assert!(!shown.contains("memory ran out"), "{shown}");
}

#[test]
fn a_user_without_a_group_of_its_own_measures_with_eviction() {
    let sandbox = Sandbox::new();
    let mut command = ordinary(&sandbox, &format!("run {PAIR} --dir"));
    command.arg(sandbox.dir());
    hand_over(&sandbox);
    command.assert().success();
    let export = ordinary(&sandbox, "export last --format json").assert().success();
    let run = from_json(&stdout(&export));
    let refused = refusal(&run).ok_or_else(|| "an ordinary user has control groups here".to_owned());
    if !needs::are_met(refused.map(|_| ())) {
        return;
    }
    assert_shows(refusal(&run).expect("a note"), "is taken out of the file cache before each phase");
    let sample = &trial(&run, "read_write")["samples"][1];
    let fetched = &sample["values"]["reread_device_bytes"];
    assert!(fetched.as_f64().is_none_or(|bytes| bytes == 0.0 || bytes >= f64::from(32 << 20)), "{sample}");
    let mut limited = ordinary(&sandbox, "run disk --memory-limit 64MB --dir");
    assert_refused(limited.arg(sandbox.dir()), "--memory-limit: the memory of disk cannot be limited here");
}

#[test]
fn a_piece_that_is_the_whole_file_is_mapped() {
    let sandbox = Sandbox::new();
    let whole = "--size 32MiB --set piece_bytes=32M --rounds 3";
    // Without a limit that is in force the host may refuse one.
    sandbox.measured("disk/mmap --size 1MiB --rounds 3");
    let is_limited = refusal(&sandbox.exported()).is_none();
    let [less, more] = if is_limited { ["--memory-limit 24MiB", "--memory-limit 64MiB"] } else { ["", ""] };
    // What is read ahead, up to 8 MiB twice, has room as well.
    let run = measured(&format!("disk/mmap disk/mmap_once {whole} --set phases=read {less}"));
    assert_measured(&run, 4, &["mmap", "mmap_once"]);
    let run = measured(&format!("disk/mmap disk/mmap_flush_each {whole} {more}"));
    assert_measured(&run, 4, &["mmap", "mmap_flush_each"]);
}

#[test]
fn a_mapping_larger_than_the_memory_is_rewritten_or_killed() {
    let sandbox = Sandbox::new();
    let whole = "disk/mmap disk/mmap_once disk/mmap_flush_each --size 32MiB --set piece_bytes=32M --set phases=rewrite --rounds 3";
    let run = sandbox.run(whole).output().expect("bakeoff starts");
    let shown = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    // What is written into a mapping waits for the device: where that is slow, a group of version 1 kills what has filled it.
    assert!(matches!(run.status.code(), Some(0 | 2)), "{shown}");
    let stored = sandbox.exported();
    for name in ["mmap", "mmap_once", "mmap_flush_each"] {
        let failures = list(&trial(&stored, name)["failures"]);
        let samples = samples(&stored, name);
        // What has failed three times is not tried again.
        let is_all = samples + failures.len() == 4 || failures.len() == 3;
        assert!(is_all, "{name}: {samples} samples, {failures:?}: {shown}");
        for reason in failures.iter().map(|failure| text(&failure["reason"])) {
            assert_shows(reason, "its limit is 16 MiB");
            assert_shows(reason, "was left half rewritten");
        }
        assert!(failures.is_empty() || refusal(&stored).is_none(), "{failures:?}");
    }
    sandbox.assert_clean();
}

#[test]
fn as_many_pieces_in_flight_as_have_room_are_measured() {
    let sandbox = Sandbox::new();
    let shown = sandbox.measured("disk/io_uring_direct@64 disk/io_uring@64 --size 32MiB --rounds 3");
    let run = sandbox.exported();
    assert_measured(&run, 4, &["io_uring_direct@64"]);
    if refusal(&run).is_none() {
        assert_shows(&shown, "64 buffers of 256 KiB, what is in flight in the file cache");
    }
    let words = "io_uring@5000: 5000 pieces cannot be in flight: the file has 16 | choose a larger file";
    assert_refused(&mut sandbox.run("disk/io_uring@5000 --size 1MiB"), words);
}

#[test]
fn a_rewriting_ends_where_its_calls_have_returned_if_asked() {
    let sandbox = Sandbox::new();
    let pair = "disk/read_write disk/synchronous --size 16MiB --rounds 3 --set durability=returned";
    let shown = sandbox.measured(pair);
    assert!(shown.contains("returned") && !shown.contains("durable"), "{shown}");
    let run = sandbox.exported();
    let trial = trial(&run, "read_write");
    assert_eq!(trial["setting"]["durability"], "returned");
    for sample in list(&trial["samples"]) {
        let rates = ["rewrite_returned_bytes_per_second", "rewrite_bytes_per_second", "reread_kib_ns"];
        let [returned, durable, reread] = rates.map(|key| sample["values"][key].as_f64().expect("a rate"));
        assert!(returned >= durable && reread > 0.0, "{sample}");
    }
}

#[test]
fn a_ring_without_lockable_memory_is_missing_with_that_reason() {
    let sandbox = Sandbox::new();
    let mut command = ordinary_under(&sandbox, &["prlimit", "--memlock=0:0"], "list disk");
    hand_over(&sandbox);
    let shown = stdout(&command.assert().success());
    // Some versions of Linux count rings as other memory: there they can be had.
    let is_refused = shown.contains("io_uring_setup");
    assert!(!is_refused || unfolded(&shown).contains("may lock is used up, see ulimit -l"), "{shown}");
    assert!(!is_refused || !shown.contains("seccomp"), "{shown}");
}

#[test]
fn what_replaces_the_file_is_not_opened() {
    let sandbox = Sandbox::new();
    let externals = [
        ("pipe", "rm {file}; mkfifo {file}", "left a pipe, socket or device"),
        ("link", "rm {file}; ln -s /dev/zero {file}", "left a link"),
        ("hole", "truncate --size 1T {file}", "right"),
        ("gone", "rm {file}", "left no result"),
        ("failed", "rm {file}; mkfifo {file}; false", "exit code 1"),
        ("state", "cd $(dirname {file}); state=$(ls | grep state$); rm $state; mkfifo $state", "read"),
    ];
    let mut command = sandbox.run("disk/read_write --size 1MiB --rounds 3 --set phases=rewrite");
    for (name, does, _) in externals {
        command.arg("--command").arg(format!("{name}=sh -c '{does}' {{file}}"));
    }
    command.assert().success();
    let run = sandbox.exported();
    assert_measured(&run, 4, &["read_write"]);
    for (name, _, words) in externals {
        assert_shows(&failure(&run, name).1, words);
    }
    sandbox.assert_clean();
}

#[test]
fn commands_that_do_not_rewrite_in_place_are_named() {
    let one = "disk/read_write --size 1MiB --rounds 3";
    let reading = "dd=dd if={file} of=/dev/null bs={piece_bytes} status=none";
    assert_measured(&measured(&format!("{one} --set phases=read --command '{reading}'")), 4, &["dd"]);
    let written = "dd if=/dev/urandom of={file} bs={piece_bytes} status=none";
    let run = measured(&format!(
        "{one} --set phases=rewrite --command 'dd={written} count=16 conv=notrunc,fdatasync' \
         --command 'half={written} count=8 conv=notrunc' --command 'nothing=true {{file}}'"
    ));
    assert_measured(&run, 4, &["dd", "read_write"]);
    assert_failed(&run, "half", "wrong", "");
    assert_failed(&run, "nothing", "wrong", "");
}
