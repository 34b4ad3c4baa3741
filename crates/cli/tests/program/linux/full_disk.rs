//! A disk that fills up. Mounting one needs root, so these tests are ignored unless they are asked for:
//! `cargo test -p cli --test program -- --ignored full_disk` (`.ci/steps/full-disk` does).

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, from_json, list, names, samples, stdout, trial, unfolded};

/// File systems with the options of the command that makes one, and the least MiB that it takes.
const FILE_SYSTEMS: [(&str, &[&str], u64); 3] = [
    ("ext4", &["-q", "-m", "0", "-F"], 40),
    ("btrfs", &["-q", "-f", "--mixed"], 120),
    ("xfs", &["-q", "-f"], 320),
];

/// A small file system of its own in a file of the sandbox, mounted until this is dropped.
pub(crate) struct SmallDisk {
    pub(crate) mount_point: PathBuf,
}

impl SmallDisk {
    pub(crate) fn of_40_mib(sandbox: &Sandbox) -> Self {
        let disk = Self::of(sandbox, FILE_SYSTEMS[0]);
        fs::remove_dir(disk.mount_point.join("lost+found")).expect("root may remove it");
        disk
    }

    /// The least that every version of a command makes is given to it.
    pub(crate) fn of(sandbox: &Sandbox, (file_system, options, mib): (&str, &[&str], u64)) -> Self {
        let (image, mount_point) = (sandbox.path("image"), sandbox.path("disk"));
        fs::create_dir(&mount_point).expect("a mount point");
        File::create(&image).and_then(|file| file.set_len(mib << 20)).expect("an image");
        system(Command::new(format!("mkfs.{file_system}")).args(options).arg(&image));
        system(Command::new("mount").args(["-o", "loop"]).arg(&image).arg(&mount_point));
        Self { mount_point }
    }

    fn filler(&self) -> PathBuf {
        self.mount_point.join("filler")
    }

    /// Fills the disk until nothing more fits.
    fn fill(&self) {
        let mut file = File::create(self.filler()).expect("a file on the disk");
        // What is set aside while data is on its way to the device is free again afterwards.
        for _ in 0..3 {
            for piece in [1 << 20, 4096, 1] {
                while file.write_all(&vec![1; piece]).is_ok() {}
            }
            file.sync_all().ok();
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        Command::new("umount").arg("--lazy").arg(&self.mount_point).status().ok();
    }
}

fn system(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} cannot be started: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed; this needs root and loop devices: {said}");
}

pub(crate) fn scratch_in(directory: &Path) -> Vec<String> {
    names(directory).into_iter().filter(|name| name.starts_with('.')).collect()
}

#[test]
#[ignore = "mounts a disk, which needs root"]
fn a_disk_that_cannot_hold_input_and_output_is_refused() {
    let sandbox = Sandbox::new();
    let disk = SmallDisk::of_40_mib(&sandbox);
    let mut command = sandbox.bakeoff("run copy/std_copy copy/posix_layer --size 20MB --dir");
    assert_refused(command.arg(&disk.mount_point), "disk | free | needs up to | --size | --dir");
    assert!(!sandbox.store().exists(), "a store was begun");
    assert_eq!(names(&disk.mount_point), Vec::<String>::new());
}

/// The page and the export of a run of these techniques on a disk. A command fills the disk from round 2 on, and copies with `cp`.
fn filled_up(techniques: [&str; 5], size: [&str; 2], cp: &str) -> (String, Value) {
    let sandbox = Sandbox::new();
    let disk = SmallDisk::of_40_mib(&sandbox);
    let fill = format!(
        "fill=sh -c '[ $BAKEOFF_ROUND -lt 2 ] || dd if=/dev/zero of={} bs=4k 2>&-; {cp} {{input}} {{output}}'",
        disk.filler().display()
    );
    let mut command = sandbox.bakeoff("run");
    command.args(techniques.map(|technique| format!("copy/{technique}"))).args(size);
    command.args(["--rounds", "8", "--command", &fill, "--dir"]);
    let shown = stdout(&command.arg(&disk.mount_point).assert().success());
    assert_eq!(scratch_in(&disk.mount_point), Vec::<String>::new());
    (shown, sandbox.exported())
}

/// The texts of this key in the failures of a technique.
fn of_failures<'a>(trial: &'a Value, key: &str) -> Vec<&'a str> {
    list(&trial["failures"]).iter().filter_map(|failure| failure[key].as_str()).collect()
}

#[test]
#[ignore = "mounts a disk, which needs root"]
fn a_disk_that_fills_up_makes_rows_of_failures() {
    let techniques = ["std_copy", "posix_layer", "one_call", "read_write@64K", "presized@1M"];
    let (shown, run) = filled_up(techniques, ["--size", "4MB"], "cp");
    assert!(unfolded(&shown).contains("No space left on device"), "{shown}");
    for technique in techniques {
        let trial = trial(&run, technique);
        let reasons = of_failures(trial, "reason");
        assert!(reasons.iter().any(|reason| reason.contains("No space left")), "{technique}: {trial}");
        assert!(samples(&run, technique) >= 2, "{technique}: {trial}");
    }
}

#[test]
#[ignore = "mounts a disk, which needs root"]
fn every_technique_for_many_files_says_that_a_disk_is_full() {
    let techniques = ["std_copy", "read_write@64K", "parallel_files", "openat", "io_uring_files"];
    let (_, run) = filled_up(techniques, ["--set", "files=200"], "cp -r");
    for technique in techniques {
        let trial = trial(&run, technique);
        let kinds = of_failures(trial, "kind");
        assert!(kinds.contains(&"disk-full") || kinds == ["missing"], "{technique}: {trial}");
    }
}

#[test]
#[ignore = "mounts a disk, which needs root"]
fn a_full_disk_is_refused_and_a_store_on_it_says_so() {
    let sandbox = Sandbox::new();
    let disk = SmallDisk::of_40_mib(&sandbox);
    disk.fill();
    let mut run = sandbox.bakeoff("run copy/std_copy copy/posix_layer --size 64K --dir");
    assert_refused(run.arg(&disk.mount_point), "disk | free | needs");
    let mut run = sandbox.run("copy/std_copy copy/posix_layer --size 64K --rounds 6 --quiet");
    assert_refused(run.arg("--store").arg(disk.mount_point.join("store.sqlite")), "store.sqlite | no space");
    let mut generate = sandbox.bakeoff("generate 100000");
    let file = disk.mount_point.join("records");
    assert_refused(generate.arg(&file), "100000 records | free | elsewhere");
    assert!(!file.exists());
    sandbox.assert_clean();
    assert_eq!(scratch_in(&disk.mount_point), Vec::<String>::new());
}

const SLEEPERS: [&str; 4] = ["control/sleep_5ms", "control/sleep_7ms", "--rounds", "6"];

#[test]
#[ignore = "mounts a disk, which needs root"]
fn a_store_on_a_full_disk_is_read_and_not_written() {
    for file_system in FILE_SYSTEMS {
        let sandbox = Sandbox::new();
        let disk = SmallDisk::of(&sandbox, file_system);
        let store = disk.mount_point.join("store.sqlite");
        let mut run = sandbox.run(&SLEEPERS);
        run.arg("--store").arg(&store).assert().success();
        let bytes = fs::read(&store).expect("a store");
        disk.fill();
        assert_refused(&mut run, "store.sqlite | no space");
        let another = disk.mount_point.join("another.sqlite");
        assert_refused(sandbox.run(&SLEEPERS).arg("--store").arg(another), "another.sqlite | no space");
        sandbox.bakeoff("report").arg("--store").arg(&store).assert().success();
        assert!(fs::read(&store).expect("a store") == bytes, "{file_system:?}");
        fs::remove_file(disk.filler()).expect("an own file");
        run.assert().success();
    }
}

#[test]
#[ignore = "mounts a disk, which needs root"]
fn a_run_whose_store_is_on_a_full_disk_keeps_its_whole_rounds() {
    for file_system in FILE_SYSTEMS {
        let sandbox = Sandbox::new();
        let disk = SmallDisk::of(&sandbox, file_system);
        let store = disk.mount_point.join("store.sqlite");
        let fill = format!(
            "fill=sh -c '[ $BAKEOFF_ROUND -lt 2 ] || for turn in 1 2 3; do dd if=/dev/zero bs=4k 2>&- >> {0}; \
             sync {0}; done; cp {{input}} {{output}}'",
            disk.filler().display()
        );
        let mut command = sandbox.run("copy/std_copy copy/posix_layer --size 64K --quiet");
        let run = command.args(["--tolerance", "1%", "--command", &fill, "--store"]).arg(&store);
        assert_refused(run, "no space is left | whole rounds are kept | bakeoff report 2 | --store");
        for emptied in [false, true] {
            let mut command = sandbox.bakeoff("export --format json --store");
            let export = command.arg(&store).assert().success();
            let run = from_json(&stdout(&export));
            assert_eq!(run["run"]["complete"], false);
            let rounds = run["contests"][0]["rounds"].as_u64().expect("a count");
            assert!(rounds >= 1, "{file_system:?}, {emptied}: {rounds} rounds");
            fs::remove_file(disk.filler()).ok();
        }
        sandbox.assert_clean();
    }
}
