//! The program for a user without special rights.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use assert_cmd::Command;

use crate::sandbox::{Sandbox, stderr, stdout};

/// User and group without rights, on every Linux.
const UNPRIVILEGED_ID: u32 = 65534;

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("/proc").uid() == 0
}

/// The program as an ordinary user starts it: this one, or one without rights when this one is root.
pub(crate) fn ordinary(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    // The build may stand in a directory that only its owner may enter.
    let program = sandbox.path("bakeoff");
    // Copied by another process: a child that another test starts meanwhile would hold our file open for writing, and a
    // program that is open for writing cannot be executed.
    let copied =
        std::process::Command::new("cp").arg(assert_cmd::cargo::cargo_bin!("bakeoff")).arg(&program).status();
    assert!(copied.expect("cp").success(), "a copy of the program");
    let mut command = match is_root() {
        false => Command::new(&program),
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--"]);
            command.arg(&program);
            command
        }
    };
    command.envs(sandbox.variables()).env_remove("NO_COLOR").current_dir(sandbox.path(""));
    command.arg("--store").arg(sandbox.path("home/store.sqlite")).args(arguments);
    command
}

/// Gives everything on the sandbox to the user who is about to play.
pub(crate) fn hand_over(sandbox: &Sandbox) {
    fs::set_permissions(sandbox.path(""), Permissions::from_mode(0o755)).expect("an own directory");
    if is_root() {
        for entry in fs::read_dir(sandbox.path("")).expect("a readable sandbox").flatten() {
            chown(entry.path(), Some(UNPRIVILEGED_ID), Some(UNPRIVILEGED_ID))
                .expect("root may give everything away");
        }
    }
}

#[test]
fn an_ordinary_user_measures_warm_and_cold() {
    let sandbox = Sandbox::new();
    let mut command =
        ordinary(&sandbox, &["run", "copy", "--size", "1MB", "--rounds", "6", "--cache", "both", "--dir"]);
    command.arg(sandbox.dir());
    hand_over(&sandbox);
    let shown = stdout(&command.assert().success());
    for word in ["warm cache", "cold cache", "std_copy", "one_call"] {
        assert!(shown.contains(word), "'{word}' is missing:\n{shown}");
    }
    assert!(!shown.contains("Permission denied"), "{shown}");
    sandbox.assert_clean();
}

#[test]
fn a_contender_that_closes_its_folder_has_failed_and_the_run_goes_on() {
    let sandbox = Sandbox::new();
    let closing = |name: &str, mode: &str| {
        let words = "cp \"$1\" \"$2\"; chmod";
        format!("{name}=sh -c '{words} {mode} \"$(dirname \"$2\")\"' x {{input}} {{output}}")
    };
    let (kept, closed) = (closing("kept", "500"), closing("closed", "0"));
    let mut command = ordinary(&sandbox, &["run", "copy/std_copy", "copy/posix_layer", "--size", "64K"]);
    command.args(["--rounds", "6", "--contender", &kept, "--contender", &closed, "--dir"]).arg(sandbox.dir());
    hand_over(&sandbox);
    let shown = stdout(&command.assert().success());
    assert!(shown.contains("left what could not be removed"), "{shown}");
    assert!(shown.contains("changed or removed its input"), "{shown}");
    sandbox.assert_clean();
}

#[test]
fn a_state_folder_that_cannot_be_written_is_blamed_and_a_list_needs_none() {
    let sandbox = Sandbox::new();
    let register = sandbox.path("home/state/bakeoff/scratch");
    fs::create_dir_all(&register).expect("a folder");
    fs::set_permissions(&register, Permissions::from_mode(0o555)).expect("an own folder");
    let mut run = ordinary(&sandbox, &["run", "copy/std_copy", "copy/posix_layer", "--size", "64K", "--dir"]);
    run.arg(sandbox.dir());
    let mut list = ordinary(&sandbox, &["list", "copy", "--dir"]);
    list.arg(sandbox.dir());
    hand_over(&sandbox);
    let said = stderr(&run.assert().code(2));
    let last = said.lines().last().expect("a sentence");
    assert!(last.contains("state/bakeoff/scratch, which cannot be written"), "{said}");
    assert!(!last.contains("--dir"), "{said}");
    list.assert().success();
    sandbox.assert_clean();
}
