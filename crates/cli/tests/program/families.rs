//! What a user asks of the families on the command line.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::{
    Sandbox, assert_refused, assert_shows, list, measured, refuse, samples, stdout, techniques, text, trial,
    unfolded,
};

/// Two techniques of each family that every system has, on inputs that take no time.
const PAIRS: [[&str; 4]; 4] = [
    ["convert/read_write@64K", "convert/presized@64K", "--size", "64K"],
    ["search/sequential", "search/thread_pool", "--size", "64K"],
    ["sort/tag_sort", "sort/heap_qsort", "--size", "64K"],
    ["disk/read_write", "disk/mmap", "--size", "64K"],
];

#[test]
fn several_jobs_are_measured_in_one_run_and_each_is_answered() {
    let sandbox = Sandbox::new();
    let names = PAIRS.iter().flat_map(|pair| &pair[..2]).copied();
    let arguments: Vec<&str> = names.clone().chain(["--size", "64K", "--rounds", "6", "--verbose"]).collect();
    let shown = sandbox.measured(&arguments[..]);
    let run = sandbox.exported();
    let contests = list(&run["contests"]);
    let jobs: Vec<&str> = contests.iter().map(|contest| text(&contest["family"])).collect();
    assert_eq!(jobs, ["convert", "search", "sort", "disk"]);
    contests.iter().for_each(|contest| assert_answered(contest, &shown));
    for name in names {
        let (family, technique) = name.split_once('/').expect("family and technique");
        let mut trials = list(&run["trials"]).iter();
        let trial = trials.find(|one| one["family"] == family && one["technique"] == technique).expect(name);
        assert_eq!(list(&trial["samples"]).len(), 7, "{name}:\n{shown}");
    }
    // Phases are shown where techniques distinguish them.
    assert!(shown.lines().any(|line| line.contains(" read ") && line.ends_with(" write")), "{shown}");
}

fn assert_answered(contest: &Value, shown: &str) {
    let (state, sentence) = (text(&contest["state"]), text(&contest["sentence"]));
    let is_answer = !["refused", "too_few_rounds"].contains(&state) && contest["leader"].is_string();
    assert!(is_answer, "{}, {state}: {sentence}", contest["family"]);
    let answer = contest["advice"].as_str().unwrap_or(sentence);
    assert!(shown.contains(&answer[..20]), "{answer}:\n{shown}");
}

/// One run for each job, since all together take longer than a test should on a busy machine.
#[test]
fn every_technique_is_measured_and_each_job_is_answered() {
    for job in ["copy", "convert", "search", "sort"] {
        let sandbox = Sandbox::new();
        let shown = sandbox.measured(&[job, "--size", "64K", "--rounds", "6"]);
        let run = sandbox.exported();
        let contests = list(&run["contests"]);
        contests.iter().for_each(|contest| assert_answered(contest, &shown));
        // Other classes of work may have a single technique, which is compared with none.
        let plain = contests.iter().find(|contest| contest["class"] == "moves-bytes").expect("a contest");
        assert!(plain["confidence"].is_number(), "{plain}");
        for trial in list(&run["trials"]) {
            for failure in trial["failures"].as_array().into_iter().flatten() {
                assert!(["missing", "skipped"].contains(&text(&failure["kind"])), "{job}: {trial}");
            }
        }
    }
}

/// Starts this program for parts of a search of that shape, and looks whether all of them could.
pub(crate) fn processes_find_what_others_find(shape: &str) {
    let names = ["sequential", "process_per_file", "process_in_turn", "process_per_processor"];
    let names = names.map(|name| format!("search/{name}"));
    let common = "--size 100K --rounds 6 --set frequency=common";
    let run = measured(&format!("{} {common} {shape}", names.join(" ")));
    for name in names.iter().map(|name| name.trim_start_matches("search/")) {
        // One that takes more than twice as long leaves after the third round that is counted.
        assert!([4, 7].contains(&samples(&run, name)), "{name}: {}", trial(&run, name)["failures"]);
    }
}

/// One file is one process a sample: under Wine twenty take seconds.
#[test]
fn techniques_of_processes_start_this_program_for_a_file() {
    processes_find_what_others_find("--set kind=one");
}

#[test]
fn clocks_are_measured_in_sessions_unless_that_cannot_serve() {
    let sandbox = Sandbox::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let elsewhere = elsewhere.path().to_str().expect("UTF-8");
    let output = sandbox
        .run("clock/std_instant clock/std_system_time --rounds 3")
        .args(["--dir", ".", "--dir", elsewhere])
        .assert()
        .success();
    let output = output.get_output();
    let shown = String::from_utf8([&*output.stdout, &output.stderr].concat()).expect("text");
    // A command that is proposed has what was typed.
    let shown = unfolded(&shown).replace(&format!("--dir {elsewhere}"), "");
    for word in ["in the page cache", "not flushed", "scratch", elsewhere] {
        assert!(!shown.contains(word), "a family without files has none of it: {word}: {shown}");
    }
    let run = sandbox.exported();
    assert!(samples(&run, "std_instant") > 4, "every session has several inner rounds");
    let settings: Vec<&Value> = list(&run["contests"]).iter().map(|contest| &contest["setting"]).collect();
    assert_eq!(settings, [&json!({}), &json!({})], "once for each workload, whatever the directories");
    assert_eq!(run.get("volumes"), None);
    for option in ["--durable", "--cache cold", "--metric process"] {
        assert_refused(&mut sandbox.run(&format!("clock {option}")), "the family clock");
    }
    let all = sandbox.measured("--dry-run --size 64K");
    assert!(!all.contains("clock"), "{all}");
}

#[test]
fn disk_phases_are_metrics_and_pieces_make_a_curve() {
    let sandbox = Sandbox::new();
    let three = "disk/read_write disk/c_stdio disk/flush_each --size 256K --rounds 3";
    let shown = sandbox.measured(&format!("{three} --set piece_bytes=4K,64K --set order=random"));
    let unfolded = unfolded(&shown);
    assert_shows(&unfolded, "disk, by piece | cold cache");
    for piece in ["4 KiB", "64 KiB"] {
        let flush = format!("Until a piece of {piece} was written and flushed to the device it took ");
        assert_shows(&unfolded, &flush);
    }
    // Where the clock stops is said once.
    assert_eq!(unfolded.matches("durability").count(), 0, "{unfolded}");
    let run = sandbox.exported();
    let read_write = trial(&run, "read_write");
    for key in ["read_bytes_per_second", "rewrite_bytes_per_second", "reread_bytes_per_second"] {
        let rate = &read_write["samples"][0]["values"][key];
        assert!(rate.as_f64().is_some_and(|rate| rate > 0.0), "{key}: {read_write}");
    }
    let setting = &read_write["setting"];
    assert_eq!((&setting["cache"], &setting["durability"]), (&json!("cold"), &json!("durable")));
    let mut notes = run["run"]["notes"].as_array().into_iter().flatten();
    let says_why_not = notes.any(|note| note["topic"] == "memory-limit");
    assert!(setting["memory_limit_bytes"].is_u64() || says_why_not, "{run}");
    sandbox.shown("report last --metric reread_bytes_per_second");
    // Pieces of 20 sizes, from 1 KiB to the whole of 512 MiB. No buffer for the largest fits next to the limit of memory: they are mapped.
    let plan = sandbox.measured("disk/read_write disk/mmap --preset published --dry-run");
    assert_shows(&plan, "plan: disk | in 20 contests");
    // All pieces are of one file; a buffer as large as the file may lie next to it.
    assert_shows(&plan, "scratch | 1.07 GB in ");
}

#[test]
fn a_phase_that_takes_too_long_is_marked_as_extrapolated() {
    let sandbox = Sandbox::new();
    let limited =
        "disk/read_write disk/mmap --size 1MB --set piece_bytes=4K --set phase_limit_ns=1ns --rounds 3";
    let shown = sandbox.measured(limited);
    assert_shows(&shown, "extrapolated: rewrite from what was done in 1 ns");
    let [markdown, html, json] =
        ["markdown", "html", "json"].map(|format| sandbox.shown(&format!("report --format {format}")));
    for shown in [shown, markdown] {
        let rows: Vec<&str> =
            shown.lines().filter(|line| line.contains("mmap") && line.matches("B/s").count() == 1).collect();
        let are_marked = rows.iter().all(|row| row.matches('~').count() >= 2);
        assert!(!rows.is_empty() && are_marked, "a time and a speed each: {shown}");
    }
    assert!(html.matches(">~").count() >= 4, "two rows: {}", html.matches(">~").count());
    assert!(json.contains("\"extrapolated\": true"), "{json}");
    let run = sandbox.exported();
    let sample = &trial(&run, "mmap")["samples"][0];
    assert!(sample["work_ns"].is_number() && sample.get("user_ns").is_none(), "{sample}");
    let shown = stdout(&sandbox.run(limited).args(["--metric", "process"]).assert());
    assert_shows(&shown, "its work was cut short");
    sandbox.assert_clean();
}

#[test]
fn a_pipeline_shows_its_metrics_next_to_the_time() {
    let sandbox = Sandbox::new();
    let pair = "pipeline/signal_atomic_wait pipeline/broadcast_user_lock";
    let shown =
        sandbox.measured(&format!("{pair} --set units=20 --set threads=1 --set threads=3 --rounds 3"));
    assert_shows(&shown, "pipeline: How do threads hand work to each other? | threads 1 to 3");
    let run = sandbox.exported();
    let values = &trial(&run, "broadcast_user_lock@25ms")["samples"][0]["values"];
    for key in ["units_per_second", "cpu_per_million_units_ns", "latency_p999_ns", "timed_out_waits"] {
        assert!(values[key].is_number(), "{key}: {values}");
    }
    let whole = "pipeline/flume pipeline/crossbeam --set units=10 --metric process --rounds 6";
    let shown = sandbox.measured(whole);
    assert_shows(&shown, "only their exit codes are checked");
    let run = sandbox.exported();
    assert_eq!(["flume", "crossbeam"].map(|technique| samples(&run, technique)), [7, 7], "{shown}");
}

#[test]
fn a_range_of_pieces_of_memory_is_a_curve_with_the_caches() {
    let sandbox = Sandbox::new();
    let pair = "blocks/plain blocks/std_slice --set total_bytes=256K --set passes=4";
    let shown = sandbox.measured(&format!("{pair} --set piece_bytes=1K..256Kx4 --rounds 8 --verbose"));
    assert_shows(&shown, "blocks: How large a piece | piece size 1 to 256 KiB | B/s");
    let run = sandbox.exported();
    let along = &run["run"]["design"]["curves"]["blocks"];
    assert_eq!((&along["axis"], &along["is_same_work"]), (&json!("piece_bytes"), &json!(true)));
    let curve = &run["curves"][0];
    assert_eq!(curve["metric"]["key"], "bandwidth_bytes_per_second");
    for line in list(&curve["techniques"]) {
        let spread = &line["spread"];
        assert_eq!(spread["entry"], line["technique"], "{line}");
        assert!(spread["overhead"].is_null() && spread["law"].is_null(), "{line}");
    }
    let caches = run["host"]["processor"]["caches"].as_array().map_or(0, Vec::len);
    let marks = curve["marks"].as_array().map_or(0, Vec::len);
    assert_eq!(marks > 0, caches > 0, "{curve}");
    assert_eq!(shown.contains("marks of piece size: L1 "), marks > 0, "{shown}");
    // Work that reads leaves out what only writes.
    let run = measured("blocks --set work=read --set total_bytes=64K --set piece_bytes=4K --rounds 6");
    let names = techniques(&run["contests"][0]["entries"]);
    let found = ["plain", "std_slice", "memset", "nontemporal"].map(|name| names.contains(&name));
    assert_eq!(found, [true, true, false, false], "{names:?}");
}

#[test]
fn a_range_of_threads_is_a_curve_with_what_more_of_them_cost() {
    let sandbox = Sandbox::new();
    let pair = "threads/thread_each threads/pool";
    let asked = format!("{pair} --threads 1..64x4 --set iterations=20000 --rounds 8 --verbose");
    let shown = sandbox.measured(&asked);
    assert_shows(&shown, "overhead of threads: ");
    let run = sandbox.exported();
    assert_eq!(run["run"]["design"]["curves"]["threads"]["is_spread"], true);
    for line in list(&run["curves"][0]["techniques"]) {
        assert_eq!(line["spread"]["overhead"]["at"], 64, "{line}");
    }
    assert_shows(&sandbox.shown("report --metric create_ns"), "the time to create the threads");
    let facts = list(&run["facts"]).iter().filter(|fact| fact["family"] == "threads");
    let names: Vec<&str> = facts.map(|fact| text(&fact["name"])).collect();
    assert!(names.contains(&"threads created at once") && names.contains(&"runs out first"), "{names:?}");
}

#[test]
fn files_of_the_user_are_worked_on_as_copies() {
    let sandbox = Sandbox::new();
    let text = "here stands a needle\r\nand here none\n".repeat(512);
    let file = sandbox.file("letters", &text[..text.len() / 64 * 64]);
    let before = fs::read(&file).expect("readable");
    // The file of `disk` is rewritten, so it is never one of the user's.
    for pair in &PAIRS[..3] {
        let shown =
            sandbox.measured(&[pair[0], pair[1], "--input", &sandbox.word("letters"), "--rounds", "6"]);
        assert_shows(&shown, "letters");
    }
    assert_eq!(fs::read(&file).expect("readable"), before);
    for (name, text) in [("empty", String::new()), ("one", "k".repeat(64))] {
        sandbox.file(name, &text);
        let sorts = ["sort/tag_sort", "sort/heap_qsort", "--input", &sandbox.word(name), "--rounds", "6"];
        sandbox.measured(&sorts);
        assert_eq!(samples(&sandbox.exported(), "tag_sort"), 7, "{name}");
    }
}

#[test]
fn what_a_family_cannot_work_on_is_refused_with_its_place() {
    for (arguments, words) in [
        ("search --set regex=yes --set 'pattern=a(b'", "--set pattern=a(b | character 2"),
        ("search --set pattern=", "--set pattern= | empty"),
        ("search --set kind=forest", "--set kind=forest | tree"),
        ("sort --set order=backwards", "order=backwards | reversed"),
        ("blocks --set piece_bytes=1K..16M", "larger than the whole of 8 MiB"),
        ("blocks --set piece_bytes=8M --threads 2", "--threads 2 | there is 1 piece for them"),
        ("threads --threads 0", "--threads 0:  | a whole number from 1 to 1000000"),
        ("threads --threads 8..1", "ends before it begins; for example 1..64"),
        ("threads --set threads=0", "--set threads=0:  | from 1 to 1000000"),
        ("pipeline/broadcast_user_lock@0ms", "0 is no value of timeout_ns | 25ms"),
        ("disk --size 64K --set piece_bytes=1M", "larger than the file of 64 KiB"),
        ("disk --set piece_bytes=1000", "--set piece_bytes=1000 | not a multiple of 512"),
        ("disk --set phases=write", "--set phases=write | all, read, rewrite"),
        ("disk --set durability=soon", "--set durability=soon | durable, returned"),
        (
            "disk --size 1MiB --command 'dd=dd if={file} of=/dev/null'",
            "command 'dd' | does not do both | --set phases=read or --set phases=rewrite",
        ),
    ] {
        refuse(arguments, words);
    }
    let sandbox = Sandbox::new();
    let odd = sandbox.file("odd", &"x".repeat(100));
    assert_refused(sandbox.run("sort --input").arg(odd), "odd | 100 | 64");
    let latin = sandbox.file("latin", "plain, then \u{e9}");
    assert_refused(sandbox.run("convert/read_write --input").arg(latin), "latin | 12");
    sandbox.assert_untouched();
}

#[test]
fn a_sort_by_a_ready_index_is_ranked_apart() {
    let sandbox = Sandbox::new();
    let shown = sandbox.measured("sort/tag_sort sort/index_file_reused --size 64KiB --rounds 6");
    assert_shows(&shown, "techniques that reuse earlier work");
    let run = sandbox.exported();
    let classes = ["tag_sort", "index_file_reused"].map(|technique| text(&trial(&run, technique)["class"]));
    assert_eq!(classes, ["moves-bytes", "reuses-earlier-work"]);
}
