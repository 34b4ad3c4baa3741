//! File systems on which a copy may share the extents of its source. Mounting one needs root, so these tests are ignored unless
//! they are asked for: `cargo test -p cli --test program -- --ignored shared_extents` (`.ci/steps/shared-extents` does).

use super::full_disk::{SmallDisk, scratch_in};
use crate::sandbox::{Sandbox, is_well, list, trial};

/// `reflink` takes part and is ranked apart from what moves bytes; what the system clones by itself is reported and joins it.
fn are_shared_on(file_system: &str) {
    let sandbox = Sandbox::new();
    let volume = SmallDisk::of(&sandbox, (file_system, &["-q"], 400));
    let mut command = sandbox.bakeoff("run copy/reflink copy/one_call copy/read_write@256K");
    command.args(["--size", "1MB", "--rounds", "6", "--dir"]).arg(&volume.mount_point).assert().success();
    let run = sandbox.exported();
    // What is declared needs no note; what the system did by itself is reported.
    let expected = [("reflink", true, false), ("one_call", true, true), ("read_write@256K", false, false)];
    for (technique, shares, is_noted) in expected {
        let trial = trial(&run, technique);
        assert!(is_well(trial), "{technique}: {}", trial["failures"]);
        let samples = list(&trial["samples"]);
        assert!(!samples.is_empty(), "{technique} has no samples");
        for sample in samples {
            let notes = sample["notes"].as_array().cloned().unwrap_or_default();
            assert_eq!(notes.iter().any(|note| note == "reflinked"), is_noted, "{technique}: {sample}");
        }
        let contests = list(&run["contests"]);
        let class = if shares { "shares-extents" } else { "moves-bytes" };
        let contest = contests.iter().find(|contest| contest["class"] == class).expect(class);
        let entries = list(&contest["entries"]);
        assert!(entries.iter().any(|entry| entry["technique"] == technique), "{technique} is no {class}");
    }
    assert_eq!(scratch_in(&volume.mount_point), Vec::<String>::new());
}

#[test]
#[ignore = "mounts a file system, which needs root"]
fn extents_are_shared_and_ranked_apart() {
    ["btrfs", "xfs"].into_iter().for_each(are_shared_on);
}
