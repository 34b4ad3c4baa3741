//! Cold and durable by what reaches a device on which nothing else happens, left folders in which something is mounted or that are
//! another's, and file systems that report another owner. Mounting needs root, so these tests are ignored unless they are asked
//! for: `cargo test -p cli --test program -- --ignored own_disk` (`.ci/steps/full-disk` does).

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::full_disk::SmallDisk;
use super::interruption::wait_for_scratch;
use super::outputs::can_be_immutable;
use super::processes::Beside;
use super::unprivileged::{hand_over, ordinary};
use crate::sandbox::{Sandbox, assert_shows, list, names, stderr};

const BYTES: u64 = 2 << 20;

/// Bytes that the device below a mount point has read and written so far, as the kernel counts them.
fn moved(mount_point: &Path) -> (u64, u64) {
    let mounts = fs::read_to_string("/proc/mounts").expect("/proc/mounts");
    let target = mount_point.to_str().expect("a UTF-8 path");
    let line = mounts.lines().find(|line| line.split(' ').nth(1) == Some(target)).expect("it is mounted");
    let device = line.split(' ').next().and_then(|device| device.strip_prefix("/dev/")).expect("a device");
    let counted = fs::read_to_string(format!("/sys/block/{device}/stat")).expect("the device's counters");
    let sectors: Vec<u64> = counted.split_whitespace().filter_map(|text| text.parse().ok()).collect();
    (512 * sectors[2], 512 * sectors[6])
}

/// Two techniques and a command with these options: samples, bytes read and bytes written by the device.
fn measured(options: &[&str]) -> (u64, u64, u64) {
    let sandbox = Sandbox::new();
    let disk = SmallDisk::of_40_mib(&sandbox);
    let before = moved(&disk.mount_point);
    let mut command = sandbox.bakeoff("run copy/std_copy copy/posix_layer --rounds 6 --size");
    command.arg(BYTES.to_string()).args(options).arg("--dir").arg(&disk.mount_point);
    command.assert().success();
    let after = moved(&disk.mount_point);
    let run = sandbox.exported();
    // The ceiling copies from memory to memory: it reads and writes no file.
    let trials = list(&run["trials"]).iter().filter(|trial| trial["kind"] != "ceiling");
    let samples: usize = trials.map(|trial| trial["samples"].as_array().map_or(0, Vec::len)).sum();
    assert!(samples >= 12, "{samples} samples");
    (samples as u64, after.0 - before.0, after.1 - before.1)
}

const CP: [&str; 2] = ["--command", "cp=cp {input} {output}"];

#[test]
#[ignore = "mounts a disk, which needs root"]
fn cold_and_durable_are_what_reaches_the_device_own_disk() {
    for externals in [&[][..], &CP] {
        let (samples, read, _) = measured(&[&["--cache", "cold"], externals].concat());
        assert!(read >= samples * BYTES, "{samples} cold samples and {read} bytes read");
        let (samples, _, written) = measured(&[&["--durable"], externals].concat());
        assert!(written >= samples * BYTES, "{samples} durable samples and {written} bytes written");
        // Warm, the input is read from memory; the result is gone before the kernel writes it back, and the input may have been written.
        let (samples, read, written) = measured(&[&["--cache", "warm"], externals].concat());
        assert!(read < BYTES, "{samples} warm samples and {read} bytes read");
        assert!(written < samples / 2 * BYTES, "{samples} samples and {written} bytes written");
    }
}

/// The scratch folder that a command has left which was killed while it wrote into it.
fn left_by_a_kill(sandbox: &Sandbox) -> PathBuf {
    let file = sandbox.dir().join("records");
    let generate = Beside::start(sandbox, &["generate", "20000000", &file.to_string_lossy()]);
    wait_for_scratch(sandbox, "records");
    generate.signal("KILL");
    generate.end();
    let left = names(&sandbox.dir());
    let [name] = left.as_slice() else { panic!("{left:?}") };
    sandbox.dir().join(name)
}

/// Returns what the next start says, which removes what was left.
fn next_start(sandbox: &Sandbox) -> String {
    stderr(&sandbox.bakeoff("list control").assert().success())
}

#[test]
#[ignore = "gives files away, which needs root"]
fn a_folder_or_an_entry_of_another_user_is_kept_own_disk() {
    const OTHER: u32 = 65534;
    let sandbox = Sandbox::new();
    let folder = left_by_a_kill(&sandbox);
    chown(&folder, Some(OTHER), Some(OTHER)).expect("root may");
    assert_shows(&next_start(&sandbox), "cannot be removed: it is not as bakeoff left it");
    assert!(folder.join("records").exists(), "it was emptied");
    chown(&folder, Some(0), Some(0)).expect("root may");
    let register = sandbox.path("home/state/bakeoff/scratch");
    let entry = register.join(folder.file_name().expect("a name"));
    chown(&entry, Some(OTHER), Some(OTHER)).expect("root may");
    next_start(&sandbox);
    assert!(folder.join("records").exists() && entry.exists(), "an entry of another user was followed");
    chown(&entry, Some(0), Some(0)).expect("root may");
    next_start(&sandbox);
    sandbox.assert_clean();
}

#[test]
#[ignore = "gives files away, which needs root"]
fn what_root_fixed_in_a_left_folder_goes_with_root_own_disk() {
    let sandbox = Sandbox::new();
    if !can_be_immutable(&sandbox) {
        return;
    }
    let folder = left_by_a_kill(&sandbox);
    let entry = sandbox.path("home/state/bakeoff/scratch").join(folder.file_name().expect("a name"));
    let (closed, fixed) = (folder.join("closed"), folder.join("fixed"));
    fs::create_dir(&closed).and_then(|()| fs::write(closed.join("file"), "x")).expect("a folder and a file");
    fs::write(&fixed, "x").expect("a file");
    let mut start = ordinary(&sandbox, "list control");
    hand_over(&sandbox);
    let given =
        Command::new("chown").args(["-R", "65534:65534"]).arg(&folder).arg(sandbox.path("home")).status();
    assert!(given.is_ok_and(|given| given.success()), "root may give all away");
    for shut in [&closed, &folder] {
        fs::set_permissions(shut, Permissions::from_mode(0o000)).expect("root may");
    }
    let changed = Command::new("chattr").arg("+i").arg(&fixed).status();
    assert!(changed.is_ok_and(|changed| changed.success()), "chattr +i {}", fixed.display());
    let said = stderr(&start.assert().success());
    assert_shows(&said, "cannot be removed | fixed: Operation not permitted");
    assert!(!closed.exists() && fixed.exists() && entry.exists(), "{said}");
    for path in [&folder, &entry] {
        chown(path, Some(0), Some(0)).expect("root may");
    }
    let said = next_start(&sandbox);
    assert!(!said.contains("cannot be removed"), "{said}");
    sandbox.assert_clean();
}

/// A place where a folder is seen, too, until this is dropped.
struct Bound(PathBuf);

impl Bound {
    /// A program that binds is given the folder and the place behind its options.
    fn by(program: &mut Command, folder: &Path, place: PathBuf) -> Self {
        let bound = program.arg(folder).arg(&place).status();
        assert!(bound.is_ok_and(|bound| bound.success()), "{program:?}; it needs root and its package");
        Self(place)
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        Command::new("umount").arg("--lazy").arg(&self.0).status().ok();
    }
}

#[test]
#[ignore = "mounts a folder, which needs root"]
fn what_is_mounted_in_a_left_folder_stays_own_disk() {
    let sandbox = Sandbox::new();
    let folder = left_by_a_kill(&sandbox);
    let foreign = sandbox.path("foreign");
    fs::create_dir(&foreign).expect("a folder");
    fs::create_dir(folder.join("inner")).expect("a folder");
    fs::write(foreign.join("thesis"), "years").expect("a file");
    let bound = Bound::by(Command::new("mount").arg("--bind"), &foreign, folder.join("inner"));
    assert_shows(&next_start(&sandbox), "something is mounted here; unmount it");
    assert!(foreign.join("thesis").exists(), "another's folder was emptied");
    drop(bound);
    next_start(&sandbox);
    sandbox.assert_clean();
    assert!(foreign.join("thesis").exists());
}

/// A place where all that is made belongs to another user, as on a server that knows root as no user of its own.
fn of_another(sandbox: &Sandbox, options: &[&str]) -> Bound {
    let (folder, place) = (sandbox.path("behind"), sandbox.path("of another"));
    fs::create_dir(&folder).and_then(|()| fs::create_dir(&place)).expect("folders");
    let mut bindfs = Command::new("bindfs");
    bindfs.args(["--force-user=65534", "--force-group=65534", "--chown-ignore"]).args(options);
    Bound::by(&mut bindfs, &folder, place)
}

#[test]
#[ignore = "mounts a folder, which needs root"]
fn a_folder_with_another_owner_is_removed_by_its_run_own_disk() {
    // As a server does, and as a FAT volume that is mounted with modes for all files.
    for options in [&[][..], &["--perms=u=rwX,go=rX", "--chmod-deny"]] {
        let sandbox = Sandbox::new();
        let place = of_another(&sandbox, options);
        let mut command = sandbox.bakeoff("run copy/std_copy copy/posix_layer --size 64K");
        command.args(["--rounds", "6", "--dir"]).arg(&place.0);
        let said = stderr(&command.assert().success());
        assert!(!said.contains("cannot be removed"), "{said}");
        assert_eq!(names(&place.0), [""; 0], "{options:?}");
        assert_eq!(next_start(&sandbox), "", "{options:?}");
        sandbox.assert_clean();
    }
}
