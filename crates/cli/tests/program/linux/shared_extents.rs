//! File systems on which a copy may share the extents of its source. Mounting one needs root, so these tests are ignored
//! unless they are asked for: `cargo test -p cli --test program -- --ignored shared_extents` (`.ci/steps/shared-extents`
//! does).

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::Command;

use crate::sandbox::{Sandbox, names, trial};

/// A small file system in a file of the sandbox, mounted until this is dropped.
struct SmallVolume {
    mount_point: PathBuf,
}

impl SmallVolume {
    /// `make` is the command that makes the file system. None of them is made smaller than 300 MiB by every version.
    fn of_400_mib(sandbox: &Sandbox, make: &[&str]) -> Self {
        let (image, mount_point) = (sandbox.path("image"), sandbox.path("volume"));
        fs::create_dir(&mount_point).expect("a mount point");
        File::create(&image).and_then(|file| file.set_len(400 << 20)).expect("an image");
        system(Command::new(make[0]).args(&make[1..]).arg(&image));
        system(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(&mount_point));
        Self { mount_point }
    }
}

impl Drop for SmallVolume {
    fn drop(&mut self) {
        Command::new("umount").arg("--lazy").arg(&self.mount_point).status().ok();
    }
}

fn system(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed; this needs root and loop devices: {said}");
}

/// `reflink` takes part and is ranked apart from what moves bytes; what the system clones by itself is told and joins it.
fn extents_are_shared_and_ranked_apart(make: &[&str]) {
    let sandbox = Sandbox::new();
    let volume = SmallVolume::of_400_mib(&sandbox, make);
    let mut command = sandbox.bakeoff(&["run", "copy/reflink", "copy/one_call", "copy/read_write@256K"]);
    command.args(["--size", "1MB", "--rounds", "6", "--dir"]).arg(&volume.mount_point).assert().success();
    let run = sandbox.exported();
    // What is declared needs no note; what the system did by itself is told.
    let expected = [("reflink", true, false), ("one_call", true, true), ("read_write@256K", false, false)];
    for (technique, shares, is_told) in expected {
        let trial = trial(&run, technique);
        assert!(trial["failures"].as_array().is_none_or(Vec::is_empty), "{technique}: {}", trial["failures"]);
        let samples = trial["samples"].as_array().expect("samples");
        assert!(!samples.is_empty(), "{technique} has no samples");
        for sample in samples {
            let notes = sample["notes"].as_array().cloned().unwrap_or_default();
            assert_eq!(notes.iter().any(|note| note == "reflinked"), is_told, "{technique}: {sample}");
        }
        let contests = run["contests"].as_array().expect("contests");
        let class = if shares { "shares-extents" } else { "moves-bytes" };
        let contest = contests.iter().find(|contest| contest["class"] == class).expect(class);
        let entries = contest["entries"].as_array().expect("entries");
        assert!(entries.iter().any(|entry| entry["technique"] == technique), "{technique} is no {class}");
    }
    assert!(names(&volume.mount_point).iter().all(|name| !name.starts_with('.')), "something was left");
}

#[test]
#[ignore = "mounts a file system, which needs root"]
fn extents_are_shared_on_btrfs_and_ranked_apart() {
    extents_are_shared_and_ranked_apart(&["mkfs.btrfs", "-q"]);
}

#[test]
#[ignore = "mounts a file system, which needs root"]
fn extents_are_shared_on_xfs_and_ranked_apart() {
    extents_are_shared_and_ranked_apart(&["mkfs.xfs", "-q"]);
}
