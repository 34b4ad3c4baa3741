//! The family `blocks`: from pieces of memory to what a reader sees.

use crate::sandbox::{Sandbox, refuse, stdout};

#[test]
fn a_range_of_pieces_is_a_curve_with_the_caches_and_the_best_pieces() {
    let sandbox = Sandbox::new();
    let words = ["blocks/plain", "blocks/std_slice", "--set", "piece_bytes=1K..256Kx4", "--rounds", "8"];
    let small = ["--set", "total_bytes=256K", "--set", "passes=4"];
    let shown = stdout(&sandbox.run(&words).args(small).assert().success());
    for told in ["blocks, by piece size", "B/s"] {
        assert!(shown.contains(told), "{told} is missing:\n{shown}");
    }
    let run = sandbox.exported();
    let along = &run["run"]["design"]["curves"]["blocks"];
    assert_eq!((&along["axis"], &along["is_same_work"]), (&"piece_bytes".into(), &true.into()));
    assert_eq!(run["curves"][0]["metric"]["key"], "bandwidth_bytes_per_second");
    let lines = run["curves"][0]["techniques"].as_array().expect("techniques").clone();
    for line in &lines {
        let spread = &line["spread"];
        assert_eq!(spread["entry"], line["technique"], "{line}");
        assert!(spread["overhead"].is_null() && spread["law"].is_null(), "{line}");
    }
    let caches = run["host"]["processor"]["caches"].as_array().map_or(0, Vec::len);
    let marks = run["curves"][0]["marks"].as_array().map_or(0, Vec::len);
    assert_eq!(marks > 0, caches > 0, "{}", run["curves"][0]["marks"]);
    assert_eq!(shown.contains("marks of piece size: L1 "), marks > 0, "{shown}");
    sandbox.assert_clean();
}

#[test]
fn work_that_reads_leaves_out_what_only_writes_and_tells_why() {
    let sandbox = Sandbox::new();
    let small = ["--set", "total_bytes=64K", "--set", "piece_bytes=4K", "--rounds", "6"];
    sandbox.run(&["blocks", "--set", "work=read"]).args(small).assert().success();
    let run = sandbox.exported();
    let entries = run["contests"][0]["entries"].as_array().expect("entries");
    let names: Vec<&str> = entries.iter().filter_map(|entry| entry["technique"].as_str()).collect();
    assert!(names.contains(&"plain") && names.contains(&"std_slice"), "{names:?}");
    assert!(!names.contains(&"memset") && !names.contains(&"nontemporal"), "{names:?}");
}

#[test]
fn pieces_that_make_no_sense_are_refused() {
    for (words, said) in [
        (&["--set", "piece_bytes=0"][..], &["--set piece_bytes=0", "a size from 4 B to 1 TiB"][..]),
        (&["--set", "piece_bytes=16M"], &["larger than the whole of 8 MiB", "at most piece_bytes="]),
        (&["--set", "piece_bytes=1K..16M"], &["larger than the whole of 8 MiB"]),
        (&["--set", "piece_bytes=4098"], &["no whole number of stores", "set 4096 or 4100"]),
        (&["--set", "piece_bytes=8M", "--threads", "2"], &["--threads 2", "there is 1 piece for them"]),
        (&["--set", "of_cache=big"], &["L1/2, L2/2, LLC/2, 4xLLC"]),
        (&["--set", "work=dance"], &["write, read, update, copy"]),
    ] {
        refuse(&[&["blocks"], words].concat(), said);
    }
}
