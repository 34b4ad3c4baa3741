//! `bakeoff list`, `host`, `generate` and `noise`.

use std::collections::BTreeSet;
use std::fs;

use predicates::prelude::*;
use serde_json::Value;

use crate::sandbox::{Sandbox, stdout};

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let assert = sandbox.bakeoff(arguments).args(["--format", "json"]).assert().success().stderr("");
    serde_json::from_str(&stdout(&assert)).expect("JSON")
}

#[test]
fn a_list_names_every_family_with_its_techniques_and_hides_the_controls() {
    let sandbox = Sandbox::new();
    let shown = sandbox.shown(&["list"]);
    for word in ["copy: How do I copy a file?", "std_copy", "cpUC", "ready"] {
        assert!(shown.contains(word), "'{word}' is missing:\n{shown}");
    }
    assert!(!shown.contains("spin_a"), "{shown}");
    sandbox.bakeoff(&["list", "--controls"]).assert().success().stdout(predicate::str::contains("spin_a"));
    let copy = sandbox.shown(&["list", "copy", "--format", "markdown"]);
    assert!(copy.contains("posix_layer") && copy.contains('|'), "{copy}");
    let text = json(&sandbox, &["list", "copy"]).to_string();
    assert!(text.contains("std_copy") && text.contains("posix_layer"), "{text}");
    sandbox.assert_untouched();
}

#[test]
fn every_number_of_every_family_is_listed_with_its_range_and_what_it_is_by_default() {
    let sandbox = Sandbox::new();
    let listing = json(&sandbox, &["list"]);
    let families = listing["families"].as_array().expect("families");
    assert_eq!(families.len(), 9);
    let (mut numbers, mut sizes) = (BTreeSet::new(), BTreeSet::new());
    for family in families {
        let name = family["family"].as_str().expect("a name");
        sizes.extend(family["size"].as_str().map(|size| format!("{name} {size}")));
        for axis in family["axes"].as_array().expect("axes") {
            let is_number = axis["example"].as_str().is_some_and(|text| text.starts_with(char::is_numeric));
            if is_number {
                assert!(axis["least"].is_string() && axis["most"].is_string(), "{name}: {axis}");
                numbers.insert(name);
            }
        }
    }
    assert_eq!(
        numbers.into_iter().collect::<Vec<_>>(),
        ["blocks", "clock", "copy", "disk", "pipeline", "search", "sort", "threads"]
    );
    // Convert has nothing to set but its size.
    assert_eq!(
        sizes.into_iter().collect::<Vec<_>>(),
        ["convert 12.8MB", "copy 25.6MB", "disk 32MiB", "search 7.5MB", "sort 6.4MB"]
    );
    let told = stdout(&sandbox.bakeoff(&["list", "sort"]).env("COLUMNS", "200").assert().success());
    for line in ["--size 6.4MB", "--set records=100000", "by default 64; from 1 to 64K"] {
        assert!(told.contains(line), "'{line}' is missing:\n{told}");
    }
    sandbox.assert_untouched();
}

#[test]
fn a_host_is_described_in_every_format_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let dir = sandbox.dir().to_string_lossy().into_owned();
    for format in ["text", "markdown"] {
        let shown = sandbox.shown(&["host", "--dir", &dir, "--format", format]);
        assert!(shown.contains("processor"), "{format}:\n{shown}");
    }
    let host = json(&sandbox, &["host", "--dir", &dir]);
    let fingerprint = host["host"]["fingerprint"].as_str().expect("a fingerprint");
    let shown = sandbox.shown(&["host", "--dir", &dir]);
    assert!(fingerprint.len() == 16 && shown.contains(fingerprint), "{shown}");
    sandbox.assert_untouched();
}

#[test]
fn records_are_64_printable_bytes_with_a_random_key_and_a_seed_gives_them_again() {
    let sandbox = Sandbox::new();
    let generate = |name: &str, seed: &str| {
        let file = sandbox.path(name);
        sandbox
            .bakeoff(&["generate", "1000"])
            .arg(&file)
            .args(["--seed", seed])
            .assert()
            .success()
            .stdout("");
        fs::read(&file).expect("readable")
    };
    let first = generate("first", "1");
    assert_eq!(first.len(), 64_000);
    let mut keys = BTreeSet::new();
    for record in first.chunks(64) {
        assert!(record.ends_with(b"\r\n") && record[..62].iter().all(|byte| (b' '..=b'~').contains(byte)));
        assert!(record[..8].iter().all(u8::is_ascii_hexdigit));
        keys.insert(record[..8].to_vec());
    }
    assert!(keys.len() > 990, "{} keys", keys.len());
    assert_eq!(first, generate("again", "1"));
    assert_ne!(first, generate("other", "2"));
    sandbox.bakeoff(&["generate", "1", "--force"]).arg(sandbox.path("first")).assert().success();
    assert_eq!(fs::read(sandbox.path("first")).expect("readable").len(), 64);
    sandbox.assert_clean();
}

#[test]
fn the_noise_of_the_host_is_told_for_several_lengths_and_forgotten() {
    let sandbox = Sandbox::new();
    let noise = ["noise", "--techniques", "2", "--budget", "3s", "--seed", "1", "--format", "json"];
    // 1 says that identical techniques were told apart here, which a busy machine may bring about.
    let assert = sandbox.bakeoff(&noise).assert().code(predicate::in_iter([0, 1]));
    let page: Value = serde_json::from_str(&stdout(&assert)).expect("JSON");
    assert_eq!(page["rows"].as_array().map(Vec::len), Some(3), "{page}");
    assert!(!sandbox.store().exists());
}

#[test]
fn a_budget_that_is_used_up_by_the_first_round_leaves_no_round_to_tell_anything_by() {
    let sandbox = Sandbox::new();
    // No process starts in so short a time, however fast this host is: round 0 is taken, and no other.
    let noise = ["noise", "--techniques", "2", "--budget", "1us", "--seed", "1"];
    let page = sandbox.json(&noise);
    let rows = page["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3, "{page}");
    for row in rows {
        assert_eq!((&row["rounds"], &row["told_apart"]), (&0.into(), &false.into()), "{page}");
        let claimed = [&row["smallest"], &row["robust_spread"]];
        assert!(claimed.iter().all(|value| value.is_null()), "nothing is claimed of no round: {page}");
    }
    sandbox.assert_untouched();
}

#[test]
fn help_and_version_are_on_standard_output() {
    let sandbox = Sandbox::new();
    sandbox
        .bakeoff(&["--version"])
        .assert()
        .success()
        .stdout(predicate::str::starts_with("bakeoff "))
        .stderr("");
    let help = sandbox.bakeoff(&["--help"]).assert().success().stderr("");
    assert!(
        stdout(&help).contains("Exit code: 0 done; 1 something asked for did not hold; 2 could not do it")
    );
    for command in
        ["run", "list", "host", "time", "generate", "report", "export", "noise", "judge", "completions"]
    {
        assert!(stdout(&help).contains(command), "{command}");
        sandbox.bakeoff(&[command, "--help"]).assert().success().stderr("");
    }
}

#[test]
fn every_line_of_a_page_fits_a_narrow_terminal() {
    let sandbox = Sandbox::new();
    for _ in 0..2 {
        sandbox.ran(&["--no-report"]);
    }
    let list = sandbox.json(&["report", "--list"]);
    let runs = list.as_array().expect("a list");
    let ids: Vec<&str> = runs.iter().map(|run| run["id"].as_str().expect("an identity")).collect();
    let pages = [
        &["list"][..],
        &["host"],
        &["run", "copy", "--size", "64K", "--dry-run"],
        &["report", "--verbose"],
        &["report", "--list"],
        &["history"],
        &["history", "copy/std_copy"],
        &["compare", ids[0], ids[1]],
        &["findings"],
        &["findings", "--verbose"],
        &["advise", "copy", "--size", "64K"],
        &["explain", "copy/std_copy", "copy/posix_layer", "--size", "64K", "--verbose"],
        &["show", "copy/std_copy"],
    ];
    let code = sandbox.json(&["show", "copy/std_copy"]);
    let code = code["code"].as_str().expect("code");
    for (width, page) in [20, 40].iter().flat_map(|width| pages.map(|page| (*width, page))) {
        let mut command = sandbox.bakeoff(page);
        command.current_dir(sandbox.dir()).env("COLUMNS", width.to_string());
        let told = stdout(&command.assert().success());
        // Code stays as it is.
        let told = told.split(code).next().expect("what stands before the code");
        assert!(!told.is_empty(), "{page:?}");
        for line in told.lines() {
            assert!(line.chars().count() <= width, "{page:?} in {width} columns: {line}");
        }
    }
}
