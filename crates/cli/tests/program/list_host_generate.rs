//! `bakeoff list`, `host`, `generate` and `noise`.

use std::collections::BTreeSet;
use std::fs;

use predicates::prelude::*;

use crate::sandbox::{Sandbox, assert_shows, from_json, list, stderr, stdout, text};

#[test]
fn a_list_names_every_family_and_hides_the_controls() {
    let sandbox = Sandbox::new();
    let shown = sandbox.shown("list");
    assert!(shown.lines().count() <= 40 && shown.contains("How do I copy a file?"), "{shown}");
    assert_shows(&sandbox.shown("list copy"), "copy: How do I copy a file? | std_copy | cpUC | ready");
    assert!(!shown.contains("spin_a"), "{shown}");
    assert_shows(&sandbox.shown("list --controls"), "control");
    assert_shows(&sandbox.shown("list copy --format markdown"), "posix_layer | |");
    assert_shows(&sandbox.json("list copy").to_string(), "std_copy | posix_layer");
    sandbox.assert_untouched();
}

#[test]
fn every_number_of_every_family_is_listed_with_its_range() {
    let sandbox = Sandbox::new();
    let listing = sandbox.json("list");
    let families = list(&listing["families"]);
    assert_eq!(families.len(), 9);
    let (mut numbers, mut sizes) = (BTreeSet::new(), BTreeSet::new());
    for family in families {
        let name = text(&family["family"]);
        sizes.extend(family["size"].as_str().map(|size| format!("{name} {size}")));
        for axis in list(&family["axes"]) {
            if axis["example"].as_str().is_some_and(|text| text.starts_with(char::is_numeric)) {
                assert!(axis["least"].is_string() && axis["most"].is_string(), "{name}: {axis}");
                numbers.insert(name);
            }
        }
    }
    let all = ["blocks", "clock", "copy", "disk", "pipeline", "search", "sort", "threads"];
    assert_eq!(Vec::from_iter(numbers), all);
    // Convert has nothing to set but its size.
    let all = ["convert 12.8MB", "copy 25.6MB", "disk 48MiB", "search 7.5MB", "sort 6.4MB"];
    assert_eq!(Vec::from_iter(sizes), all);
    let said = stdout(&sandbox.bakeoff("list sort").env("COLUMNS", "200").assert().success());
    assert_shows(&said, "--size 6.4MB | --set records=100000 | by default 64; from 1 to 64K");
    sandbox.assert_untouched();
}

#[test]
fn a_host_is_described_in_every_format_and_nothing_is_written() {
    let sandbox = Sandbox::new();
    let host = ["host", "--dir", &sandbox.word("dir")];
    let described = sandbox.json(&host);
    let fingerprint = text(&described["host"]["fingerprint"]);
    assert_eq!(fingerprint.len(), 16);
    assert_shows(&sandbox.shown(&host), &["processor", fingerprint]);
    assert_shows(&sandbox.shown(&[&host[..], &["--format", "markdown"]].concat()[..]), "processor");
    sandbox.assert_untouched();
}

#[test]
fn records_are_64_bytes_that_a_seed_gives_again() {
    let sandbox = Sandbox::new();
    let [first, again, other] = [("first", "1"), ("again", "1"), ("other", "2")].map(|(name, seed)| {
        let file = sandbox.word(name);
        sandbox.bakeoff(&["generate", "1000", &file, "--seed", seed]).assert().success().stdout("");
        fs::read(&file).expect("readable")
    });
    assert_eq!(first.len(), 64_000);
    for record in first.chunks(64) {
        assert!(record[..8].iter().all(u8::is_ascii_hexdigit) && record.ends_with(b"\r\n"), "{record:?}");
    }
    assert_eq!(first, again);
    assert_ne!(first, other);
    sandbox.bakeoff("generate 1 --force").arg(sandbox.path("first")).assert().success();
    assert_eq!(fs::read(sandbox.path("first")).expect("readable").len(), 64);
    sandbox.assert_clean();
}

#[test]
fn sizes_and_counts_take_their_suffixes_in_either_case() {
    let sandbox = Sandbox::new();
    for (number, records) in [("1", 1), ("1k", 1_000), ("1K", 1_000), ("0.002m", 2_000), ("0.002M", 2_000)] {
        sandbox.bakeoff("generate --force").args([number, &sandbox.word("file")]).assert().success();
        assert_eq!(fs::read(sandbox.path("file")).expect("readable").len(), 64 * records, "{number}");
    }
    for size in ["2097152", "2M", "2m", "2MiB", "2mib", "2097.152kB", "2097.152kb"] {
        for sized in [
            format!("run copy/read_write@{size} copy/std_copy --size {size} --dry-run"),
            format!("run copy --size {size}..4m --dry-run"),
            format!("run blocks --set total_bytes={size} --set piece_bytes=64k --set passes=1k --dry-run"),
            format!("run pipeline --set units=1k --rounds 0.01k --memory-limit {size} --dry-run"),
            format!("explain copy/read_write@64k --size {size}"),
        ] {
            let (command, rest) = sized.split_once(' ').expect("words");
            sandbox.in_dir(command, rest).assert().success();
        }
    }
}

#[test]
fn the_noise_of_the_host_is_shown_for_several_lengths() {
    let sandbox = Sandbox::new();
    // 1 says that identical techniques were distinguished here, which a busy machine may bring about.
    let assert = sandbox.bakeoff("noise --techniques 2 --budget 3s --seed 1 --format json").assert();
    let assert = assert.code(predicate::in_iter([0, 1]));
    let page = from_json(&stdout(&assert));
    assert_eq!(list(&page["rows"]).len(), 3, "{page}");
    // No process starts in so short a time, however fast this host is: round 0 is taken, and no other.
    let page = sandbox.json("noise --techniques 2 --budget 1us --seed 1");
    assert_eq!(list(&page["rows"]).len(), 3, "{page}");
    let check = sandbox.bakeoff("noise --techniques 2 --budget 1us --self-check").assert().code(1);
    assert_shows(
        &stderr(&check),
        "self-check failed: a loop that is 5 % longer was found slower at 0 of 3 lengths",
    );
    for row in list(&page["rows"]) {
        assert_eq!((&row["rounds"], &row["told_apart"]), (&0.into(), &false.into()), "{page}");
        assert!(row["smallest"].is_null() && row["robust_spread"].is_null(), "claimed of no round: {page}");
    }
    sandbox.assert_untouched();
}

#[test]
fn help_and_version_are_on_standard_output() {
    let sandbox = Sandbox::new();
    let version = sandbox.bakeoff("--version").assert().success().stderr("");
    assert!(stdout(&version).starts_with("bakeoff "));
    let help = stdout(&sandbox.bakeoff("--help").assert().success().stderr(""));
    assert_shows(
        &help,
        "Measure: | Ask: | Kept runs: | Examples: | Exit codes: 0 success, 1 check failed, 2 error",
    );
    for command in "run list host time generate report export noise judge completions".split(' ') {
        assert_shows(&help, command);
        sandbox.bakeoff(&[command, "--help"]).assert().success().stderr("");
    }
    for command in ["run", "time"] {
        let short = stdout(&sandbox.bakeoff(&[command, "-h"]).assert().success().stderr(""));
        assert!(short.lines().count() <= 30 && short.contains("Examples:"), "{short}");
    }
}

/// The tests of report see to it that the content of each page fits.
#[test]
fn pages_are_as_narrow_as_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.ran("--no-report");
    for (width, page) in [(20, "list"), (20, "report --verbose"), (40, "findings --verbose"), (40, "history")]
    {
        let mut command = sandbox.bakeoff(page);
        command.current_dir(sandbox.dir()).env("COLUMNS", width.to_string());
        let said = stdout(&command.assert().success());
        assert!(!said.is_empty(), "{page}");
        for line in said.lines() {
            assert!(line.chars().count() <= width, "{page} in {width} columns: {line}");
        }
    }
}
