//! The program for a user without special rights.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

use assert_cmd::Command;

use crate::stage::{Stage, stdout};

/// User and group without rights, on every Linux.
const UNPRIVILEGED_ID: u32 = 65534;

fn is_root() -> bool {
    fs::metadata("/proc/self").expect("/proc").uid() == 0
}

/// The program as an ordinary user starts it: this one, or one without rights when this one is root.
pub(crate) fn ordinary(stage: &Stage, arguments: &[&str]) -> Command {
    // The build may stand in a directory that only its owner may enter.
    let program = stage.path("bakeoff");
    fs::copy(assert_cmd::cargo::cargo_bin!("bakeoff"), &program).expect("a copy of the program");
    let mut command = match is_root() {
        false => Command::new(&program),
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs", "--"]);
            command.arg(&program);
            command
        }
    };
    command.envs(stage.variables()).env_remove("NO_COLOR").current_dir(stage.path(""));
    command.arg("--store").arg(stage.path("home/store.sqlite")).args(arguments);
    command
}

/// Gives everything on the stage to the user who is about to play.
pub(crate) fn hand_over(stage: &Stage) {
    fs::set_permissions(stage.path(""), Permissions::from_mode(0o755)).expect("an own directory");
    if is_root() {
        for entry in fs::read_dir(stage.path("")).expect("a readable stage").flatten() {
            chown(entry.path(), Some(UNPRIVILEGED_ID), Some(UNPRIVILEGED_ID))
                .expect("root may give everything away");
        }
    }
}

#[test]
fn an_ordinary_user_measures_warm_and_cold() {
    let stage = Stage::new();
    let mut command =
        ordinary(&stage, &["run", "copy", "--size", "1MB", "--rounds", "6", "--cache", "both", "--dir"]);
    command.arg(stage.dir());
    hand_over(&stage);
    let shown = stdout(&command.assert().success());
    for word in ["warm cache", "cold cache", "std_copy", "one_call"] {
        assert!(shown.contains(word), "'{word}' is missing:\n{shown}");
    }
    assert!(!shown.contains("Permission denied"), "{shown}");
    stage.assert_clean();
}
