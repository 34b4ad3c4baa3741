//! The families next to `copy`: what a user asks of them on the command line.

use std::fs;

use serde_json::{Value, json};

use crate::sandbox::{Sandbox, assert_refused, refuse, samples, stdout, trial};

/// Two techniques of each family that every system has, on inputs that take no time.
const PAIRS: [[&str; 4]; 4] = [
    ["convert/read_write@64K", "convert/presized@64K", "--size", "64K"],
    ["search/sequential", "search/thread_pool", "--size", "64K"],
    ["sort/tag_sort", "sort/heap_qsort", "--size", "64K"],
    ["disk/read_write", "disk/mmap", "--size", "64K"],
];

#[test]
fn every_family_is_measured_proven_and_ranked() {
    for pair in PAIRS {
        let sandbox = Sandbox::new();
        let shown = stdout(&sandbox.run(&pair).args(["--rounds", "6"]).assert().success());
        let run = sandbox.exported();
        for name in &pair[..2] {
            let (_, technique) = name.split_once('/').expect("family and technique");
            assert_eq!(samples(&run, technique), 7, "{name}:\n{shown}");
        }
        sandbox.assert_clean();
    }
}

#[test]
fn several_jobs_are_measured_in_one_run_and_each_has_an_answer() {
    let sandbox = Sandbox::new();
    let techniques = PAIRS.iter().flat_map(|pair| &pair[..2]).copied();
    let arguments: Vec<&str> = techniques.chain(["--size", "64K", "--rounds", "6"]).collect();
    let shown = stdout(&sandbox.run(&arguments).assert().success());
    let run = sandbox.exported();
    let contests = run["contests"].as_array().expect("contests");
    let jobs: Vec<&Value> = contests.iter().map(|contest| &contest["family"]).collect();
    assert_eq!(jobs, ["convert", "search", "sort", "disk"]);
    contests.iter().for_each(|contest| assert_answered(contest, &shown));
    sandbox.assert_clean();
}

#[test]
fn every_technique_is_measured_and_each_job_has_an_answer() {
    ["copy", "convert", "search", "sort"].into_iter().for_each(measure_every_technique);
}

/// The contest has an answer, and the answer is shown.
fn assert_answered(contest: &Value, shown: &str) {
    let (state, sentence) = (contest["state"].as_str(), contest["sentence"].as_str());
    let is_answer = state.is_some_and(|state| !["refused", "too_few_rounds"].contains(&state));
    assert!(is_answer && contest["leader"].is_string(), "{}, {state:?}: {sentence:?}", contest["family"]);
    assert!(sentence.is_some_and(|sentence| shown.contains(&sentence[..20])), "{sentence:?}:\n{shown}");
}

/// One run for each job, since all together take longer than a test should on a busy machine.
fn measure_every_technique(job: &str) {
    let sandbox = Sandbox::new();
    let shown = stdout(&sandbox.run(&[job, "--size", "64K", "--rounds", "6"]).assert().success());
    let run = sandbox.exported();
    let contests = run["contests"].as_array().expect("contests");
    contests.iter().for_each(|contest| assert_answered(contest, &shown));
    // Other classes of work may have a single technique, which is compared with none.
    let plain = contests.iter().find(|contest| contest["class"] == "moves-bytes").expect("a contest");
    assert!(plain["confidence"].is_number(), "{plain}");
    let trials = run["trials"].as_array().expect("trials");
    for (trial, failure) in trials.iter().flat_map(|trial| {
        trial["failures"].as_array().into_iter().flatten().map(move |failure| (trial, failure))
    }) {
        let is_no_fault = ["missing", "skipped"].iter().any(|kind| failure["kind"] == *kind);
        assert!(is_no_fault, "{}/{}: {failure}", trial["family"], trial["technique"]);
    }
    sandbox.assert_clean();
}

#[test]
fn clocks_are_measured_in_sessions_unless_that_cannot_serve_what_is_asked() {
    let sandbox = Sandbox::new();
    let pair = ["clock/std_instant", "clock/std_system_time", "--rounds", "3"];
    stdout(&sandbox.run(&pair).assert().success());
    let samples = samples(&sandbox.exported(), "std_instant");
    assert!(samples > 4, "{samples}: every session has several inner rounds");
    assert_refused(&mut sandbox.run(&["clock", "--metric", "process"]), &["the family clock measures all"]);
    let all = stdout(&sandbox.run(&["--dry-run", "--size", "64K"]).assert().success());
    assert!(!all.contains("clock"), "{all}");
}

#[test]
fn a_family_without_files_shows_no_cache_no_directory_and_no_scratch_space() {
    let sandbox = Sandbox::new();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let elsewhere = elsewhere.path().to_str().expect("UTF-8");
    let pair =
        ["clock/std_instant", "clock/std_system_time", "--rounds", "3", "--dir", ".", "--dir", elsewhere];
    let output = sandbox.run(&pair).assert().success().get_output().clone();
    let shown = [output.stdout, output.stderr].concat();
    let shown = String::from_utf8(shown).expect("text");
    for word in ["in the page cache", "not flushed", "scratch", elsewhere] {
        assert!(!shown.contains(word), "{word}: {shown}");
    }
    let run = sandbox.exported();
    let settings: Vec<&Value> =
        run["contests"].as_array().expect("contests").iter().map(|contest| &contest["setting"]).collect();
    assert_eq!(settings, [&json!({}), &json!({})], "once for each workload, whatever the directories");
    assert_eq!(run.get("volumes"), None);
    for (option, value) in [("--durable", None), ("--cache", Some("cold"))] {
        let arguments: Vec<&str> = ["clock", option].into_iter().chain(value).collect();
        assert_refused(&mut sandbox.run(&arguments), &["the family clock", option]);
    }
}

#[test]
fn disk_phases_are_metrics_and_pieces_make_a_curve() {
    let sandbox = Sandbox::new();
    let pair = ["disk/read_write", "disk/c_stdio", "--size", "256K", "--rounds", "3"];
    let pieces = ["--set", "piece_bytes=4K", "--set", "piece_bytes=64K", "--set", "order=random"];
    let shown = stdout(&sandbox.run(&pair).args(pieces).assert().success());
    assert!(shown.contains("disk, by piece") && shown.contains("cold cache"), "{shown}");
    let run = sandbox.exported();
    let samples = trial(&run, "read_write")["samples"].as_array().expect("samples");
    for key in ["read_bytes_per_second", "rewrite_bytes_per_second", "reread_bytes_per_second"] {
        assert!(samples[0]["values"][key].as_f64().is_some_and(|rate| rate > 0.0), "{key}: {samples:?}");
    }
    let conditions = &trial(&run, "read_write")["setting"];
    assert_eq!((&conditions["cache"], &conditions["durability"]), (&json!("cold"), &json!("durable")));
    let notes = run["run"]["notes"].as_array().expect("notes");
    assert!(notes.iter().any(|note| note["topic"] == "memory-limit"), "{notes:?}");
    let by = ["report", "last", "--metric", "reread_bytes_per_second"];
    sandbox.shown(&by);
    sandbox.assert_clean();
    for (arguments, words) in [
        (&["--size", "64K", "--set", "piece_bytes=1M"][..], &["larger than the file of 64 KiB"][..]),
        (&["--set", "piece_bytes=1000"], &["--set piece_bytes=1000", "no multiple of 512"]),
        (&["--set", "phases=write"], &["--set phases=write", "all, read, rewrite"]),
        (&["--set", "durability=soon"], &["--set durability=soon", "durable, returned"]),
        (
            &["--size", "1MiB", "--command", "dd=dd if={file} of=/dev/null"],
            &["command 'dd'", "does not do both", "--set phases=read or --set phases=rewrite"],
        ),
    ] {
        refuse(&[&["disk"], arguments].concat(), words);
    }
}

#[test]
fn the_published_pieces_of_disk_are_planned_and_a_smaller_file_in_such_pieces_is_measured_to_the_end() {
    let sandbox = Sandbox::new();
    let some = ["disk/read_write", "disk/c_stdio", "disk/flush_each"];
    // Pieces of 20 sizes, from 1 KiB to the whole of 512 MiB. No buffer for the largest fits next to the limit of memory: they are mapped.
    let series = ["disk/read_write", "disk/mmap", "--preset", "published", "--dry-run"];
    let plan = stdout(&sandbox.run(&series).assert().success());
    assert!(plan.contains("plan: disk") && plan.contains("in 20 contests"), "{plan}");
    sandbox.assert_untouched();
    let small = ["--size", "64K", "--set", "piece_bytes=1K..64K", "--rounds", "3"];
    let shown = stdout(&sandbox.run(&[&some[..], &small].concat()).assert().success());
    assert!(
        shown.contains("disk, by piece size") && shown.contains("piece size from 1 KiB to 64 KiB"),
        "{shown}"
    );
    let unfolded = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    for piece in ["1 KiB", "64 KiB"] {
        let flush = format!("Until a piece of {piece} was written and flushed to the device it took ");
        assert!(unfolded.contains(&flush), "{flush} is missing:\n{unfolded}");
    }
    // Where the clock stops is said once.
    assert_eq!(unfolded.matches("durability").count(), 0, "{unfolded}");
    let run = sandbox.exported();
    let trials = run["trials"].as_array().expect("trials");
    let is_whole = |trial: &&Value| trial["samples"].as_array().is_some_and(|samples| samples.len() >= 4);
    let own = |name: &str| trials.iter().filter(|trial| trial["technique"] == name).filter(is_whole).count();
    assert_eq!(
        some.map(|name| own(name.trim_start_matches("disk/"))),
        [7; 3],
        "every size of every technique"
    );
    sandbox.assert_clean();
}

#[test]
fn a_phase_that_takes_too_long_is_marked_as_extrapolated_and_no_process_time_follows_from_it() {
    let sandbox = Sandbox::new();
    let pair = ["disk/read_write", "disk/mmap", "--size", "1MB", "--set", "piece_bytes=4K", "--rounds", "3"];
    let limit = ["--set", "phase_limit_ns=1ns"];
    let shown = stdout(&sandbox.run(&pair).args(limit).assert().success());
    assert!(shown.contains("extrapolated: rewrite from what was done in 1 ns"), "{shown}");
    let [markdown, html, json] =
        ["markdown", "html", "json"].map(|format| sandbox.shown(&["report", "--format", format]));
    for shown in [shown, markdown] {
        let rows: Vec<&str> =
            shown.lines().filter(|line| line.contains("mmap") && line.matches("B/s").count() == 1).collect();
        let is_marked = |row: &&str| row.matches('~').count() >= 2;
        assert!(!rows.is_empty() && rows.iter().all(is_marked), "a time and a speed each: {shown}");
    }
    assert!(html.matches(">~").count() >= 4, "two rows: {}", html.matches(">~").count());
    assert!(json.contains("\"extrapolated\": true"), "{json}");
    let run = sandbox.exported();
    let sample = &trial(&run, "mmap")["samples"][0];
    assert!(sample["work_ns"].is_number() && sample.get("user_ns").is_none(), "{sample}");
    let from_outside = [&limit[..], &["--metric", "process"]].concat();
    let shown = stdout(&sandbox.run(&pair).args(from_outside).assert());
    assert!(shown.contains("its work was cut short"), "{shown}");
    sandbox.assert_clean();
}

#[test]
fn a_pipeline_tells_its_metrics_beside_the_time() {
    let sandbox = Sandbox::new();
    let pair = ["pipeline/signal_atomic_wait", "pipeline/broadcast_user_lock", "--rounds", "3"];
    let small = ["--set", "units=20", "--set", "threads=1", "--set", "threads=3"];
    let shown = stdout(&sandbox.run(&pair).args(small).assert().success());
    assert!(shown.contains("pipeline, by threads"), "{shown}");
    let run = sandbox.exported();
    let values = &trial(&run, "broadcast_user_lock@25ms")["samples"][0]["values"];
    for key in ["units_per_second", "cpu_per_million_units_ns", "latency_p999_ns", "timed_out_waits"] {
        assert!(values[key].is_number(), "{key}: {values}");
    }
    refuse(&["pipeline", "--set", "threads=0"], &["--set threads=0", "a whole number from 1 to 1024"]);
    refuse(&["pipeline", "--set", "depth=0"], &["--set depth=0", "from 1 to 65536"]);
    refuse(&["pipeline/broadcast_user_lock@0ms"], &["0 is no value of timeout_ns", "25ms"]);
}

#[test]
fn whole_processes_of_a_family_without_output_are_compared_by_their_end_and_the_page_says_so() {
    let sandbox = Sandbox::new();
    let words =
        ["pipeline/flume", "pipeline/crossbeam", "--set", "units=10", "--metric", "process", "--rounds", "6"];
    let shown = stdout(&sandbox.run(&words).assert().success());
    assert!(shown.contains("only their exit codes are checked"), "{shown}");
    for technique in ["flume", "crossbeam"] {
        assert_eq!(samples(&sandbox.exported(), technique), 7, "{shown}");
    }
    sandbox.assert_clean();
}

#[test]
fn files_of_the_user_are_searched_sorted_and_converted_as_copies() {
    let sandbox = Sandbox::new();
    let text = "here stands a needle\r\nand here none\n".repeat(512);
    let file = sandbox.file("letters", &text[..text.len() / 64 * 64]);
    let before = fs::read(&file).expect("readable");
    // The file of `disk` is rewritten, so it is never one of the user's.
    for pair in PAIRS.into_iter().filter(|pair| !pair[0].starts_with("disk/")) {
        let named = file.to_str().expect("UTF-8");
        let mut command = sandbox.run(&[pair[0], pair[1], "--input", named, "--rounds", "6"]);
        let shown = stdout(&command.assert().success());
        assert!(shown.contains("letters"), "{shown}");
    }
    assert_eq!(fs::read(&file).expect("readable"), before);
    sandbox.assert_clean();
}

#[test]
fn what_a_family_cannot_work_on_is_refused_with_its_place() {
    refuse(&["search", "--set", "regex=yes", "--set", "pattern=a(b"], &["--set pattern=a(b", "character 2"]);
    refuse(&["search", "--set", "pattern="], &["--set pattern=", "empty"]);
    refuse(&["search", "--set", "kind=forest"], &["--set kind=forest", "tree"]);
    refuse(&["sort", "--set", "order=backwards"], &["order=backwards", "reversed"]);
    let sandbox = Sandbox::new();
    let odd = sandbox.file("odd", &"x".repeat(100));
    assert_refused(sandbox.run(&["sort", "--input"]).arg(odd), &["odd", "100", "64"]);
    let latin = sandbox.file("latin", "plain, then \u{e9}");
    assert_refused(sandbox.run(&["convert/read_write", "--input"]).arg(latin), &["latin", "12"]);
    sandbox.assert_untouched();
}

#[test]
fn a_sort_by_a_ready_index_is_ranked_apart_from_those_that_sort() {
    let sandbox = Sandbox::new();
    let trials = ["sort/tag_sort", "sort/index_file_reused", "--size", "64KiB", "--rounds", "6"];
    let shown = stdout(&sandbox.run(&trials).assert().success());
    assert!(shown.contains("techniques that reuse earlier work"), "{shown}");
    let run = sandbox.exported();
    assert_eq!(trial(&run, "tag_sort")["class"], "moves-bytes");
    assert_eq!(trial(&run, "index_file_reused")["class"], "reuses-earlier-work");
}

#[test]
fn an_empty_file_and_one_record_are_sorted() {
    let sandbox = Sandbox::new();
    for (name, text) in [("empty", String::new()), ("one", "k".repeat(64))] {
        let file = sandbox.file(name, &text);
        let named = file.to_str().expect("UTF-8");
        let sorts = ["sort/tag_sort", "sort/heap_qsort", "--input", named, "--rounds", "6"];
        sandbox.run(&sorts).assert().success();
        assert_eq!(samples(&sandbox.exported(), "tag_sort"), 7, "{name}");
    }
}

#[test]
fn phases_are_shown_where_techniques_tell_them_apart() {
    let sandbox = Sandbox::new();
    let shown = stdout(&sandbox.run(&PAIRS[2]).args(["--rounds", "6", "--verbose"]).assert().success());
    assert!(shown.lines().any(|line| line.contains(" read ") && line.ends_with(" write")), "{shown}");
}
