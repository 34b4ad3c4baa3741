//! `bakeoff explain`.

use crate::sandbox::{
    Sandbox, assert_refused, assert_shows, from_json, list, stderr, stdout, text, unfolded,
};

#[test]
fn a_family_alone_means_its_leader_and_baseline_or_all() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    let contest = &sandbox.exported()["contests"][0];
    let page = sandbox.json_in_dir("explain", "copy --size 64K");
    let techniques = list(&page["families"][0]["techniques"]);
    // Where the baseline is the choice, the next one is compared with it.
    assert_eq!(techniques[0]["name"], contest["choice"]["entry"]);
    for one in techniques {
        let is = [&one["is_leader"], &one["is_baseline"]];
        assert_eq!(is, [one["name"] == contest["leader"], one["name"] == contest["baseline"]], "{one}");
        // What cannot be seen has a sentence that says so.
        assert!(one["account"]["calls"].is_array() != one["account"]["unseen"].is_string(), "{one}");
    }
    assert!(techniques.len() == 2 && page["families"][0]["why"].is_string(), "{page}");
    let assert = Sandbox::new().in_dir("explain", "clock --format json").assert().success();
    assert_shows(&stderr(&assert), "no run of clock that is kept has a leader");
    let page = from_json(&stdout(&assert));
    assert!(list(&page["families"][0]["techniques"]).len() > 2, "{page}");
}

#[test]
fn a_family_alone_is_explained_as_the_last_run_did_it() {
    let sandbox = Sandbox::new();
    let ran = |arguments: &str| {
        assert_shows(&unfolded(&sandbox.ran(arguments)), "why: bakeoff explain copy --store | ; code: ");
        sandbox.last_id()
    };
    let (warm, cold) = (ran(""), ran("--size 96K --cache cold --durable"));
    let others = "copy/std_copy copy/posix_layer";
    for (arguments, run, work) in [
        ("copy", Some(&cold), "98304 cold durable"),
        (others, Some(&cold), "98304 cold durable"),
        ("copy --cache warm", Some(&warm), "65536 warm returned"),
        ("copy --size 64K", Some(&warm), "65536 warm returned"),
        ("copy --size 96K --durable --cache cold", Some(&cold), "98304 cold durable"),
        ("copy --size 96K --durable", None, "98304 warm durable"),
        ("copy --size 32K --cache cold", None, "32768 cold returned"),
    ] {
        let family = &sandbox.json_in_dir("explain", arguments)["families"][0];
        let [cache, end] = ["cache", "durability"].map(|name| text(&family["setting"][name]));
        assert_eq!(format!("{} {cache} {end}", family["workload"]["bytes"]), work, "{arguments}");
        let said = match run {
            Some(run) => format!("of {run}: | in the run {run}"),
            None => format!("of {cold} to something else ( | No kept run"),
        };
        assert_shows(&[text(&family["leader_of"]), text(&family["why"])].concat(), &said);
    }
    let shown = stdout(&sandbox.in_dir("explain", "copy").assert().success());
    assert_shows(&shown, "96 KiB: How do I | cold cache | the flush behind the work");
    // The limit of its time is no other work.
    sandbox.measured("disk/read_write disk/mmap --size 4M --set phases=read --rounds 3");
    let family = &sandbox.json_in_dir("explain", "disk --set phase_limit_ns=20s")["families"][0];
    assert_eq!(family["workload"]["phases"], "read");
    assert_eq!(family["workload"]["phase_limit_ns"], 20_000_000_000_u64);
    assert_shows(text(&family["leader_of"]), &format!("of {}: ", sandbox.last_id()));
    let three = "copy/std_copy copy/posix_layer copy/c_stdio";
    sandbox.measured(&format!("{three} --size 64K --rounds 3"));
    assert_shows(
        text(&sandbox.json_in_dir("explain", three)["families"][0]["why"]),
        "std_copy | posix_layer | c_stdio",
    );
}

#[test]
fn the_leader_is_the_one_at_the_level_that_is_explained() {
    let sandbox = Sandbox::new();
    let few = "--set iterations=10000";
    sandbox.measured(&format!("threads/pool threads/thread_each --threads 1,64 --rounds 3 {few}"));
    for (level, threads, other) in
        [("", 64, ""), ("--set threads=1", 1, ""), ("--set threads=3", 3, "to something else | 1 thread")]
    {
        let family = &sandbox.json_in_dir("explain", &format!("threads {few} {level}"))["families"][0];
        assert_eq!(family["workload"]["threads"], threads);
        assert_shows(text(&family["leader_of"]), other);
    }
}

#[test]
fn a_workload_is_chosen_as_a_run_chooses_it() {
    let sandbox = Sandbox::new();
    let first_line = |arguments: &str| {
        let shown = stdout(&sandbox.in_dir("explain", arguments).assert().success());
        shown.lines().next().unwrap_or_default().to_owned()
    };
    let usual = first_line("blocks/plain");
    assert!(usual.starts_with("blocks, write 8 MiB ("), "{usual}");
    let read = first_line("blocks/plain --set work=read --set total_bytes=64K");
    assert!(read.contains("total 64 KiB") && read.contains("work read") && !read.contains('='), "{read}");
    let published =
        "blocks/plain --preset published --workload 'write 8 MiB in pieces of 2 KiB' --set passes=1";
    assert_shows(&first_line(published), "piece 2 KiB | 1 pass,");
    // A pattern is a text.
    assert_shows(&first_line("search/sequential --size 64K --set pattern=1,2"), "pattern 1,2");
    sandbox.assert_untouched();
}

#[test]
fn a_technique_that_fails_is_shown_and_the_exit_code_says_so() {
    let sandbox = Sandbox::new();
    let assert = sandbox.in_dir("explain", "control/wrong_answer --format json").assert().code(1);
    let page = from_json(&stdout(&assert));
    let failed = &page["families"][0]["techniques"][0];
    assert_shows(text(&failed["failure"]), "instead of");
    assert!(failed["account"].is_null());
    sandbox.assert_untouched();
}

#[test]
fn what_cannot_be_explained_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    for (arguments, words) in [
        ("cpoy", "no family is called 'cpoy' | did you mean 'copy'"),
        ("copy/presised", "presised | did you mean 'presized'"),
        ("clock --size 1K", "clock has no size"),
        ("", "FAMILY"),
        ("clock --workload noon", "--workload noon: clock has no such workload | it has "),
        ("pipeline --set units=20KB", "a unit of bytes stands"),
        ("pipeline --set threads=1,2", "one workload is done at a time | --set threads=1"),
        ("pipeline --set threads=1 --set threads=2", "one workload is done at a time | --set threads=1"),
        ("pipeline --set threads=,", "threads"),
        ("clock --cache cold", "clock works on no files | leave --cache and --durable out"),
        ("disk --cache warm", "disk always begins with a cold cache | leave --cache out"),
        ("disk --set durability=returned --durable", "ends when it is returned; leave --durable out"),
    ] {
        assert_refused(&mut sandbox.in_dir("explain", arguments), words);
    }
    assert_refused(&mut sandbox.bakeoff("explain copy --dir /no/such"), "--dir /no/such");
    sandbox.assert_untouched();
}
