//! The program as its user sees it: what is typed, what is printed, the exit code, and what is left behind.
//!
//! One program of tests and not one a theme: it links once, and the system is chosen on this page alone.

use std::path::PathBuf;

mod sandbox;

mod advise;
mod bad_input;
mod completions;
mod curves;
mod explain;
mod exports;
mod families;
mod findings;
mod history;
mod judge;
mod kept_runs;
mod list_host_generate;
mod manual;
mod pages;
mod published_machines;
mod run;
mod show;
mod store;

/// Tests that need a shell, signals, users or mounts.
#[cfg(target_os = "linux")]
mod linux {
    mod bad_input;
    mod commands;
    mod completions;
    mod disk;
    mod documents;
    mod explain;
    mod failures;
    mod full_disk;
    mod held_store;
    mod hyperfine;
    mod inputs;
    mod interruption;
    mod jobs;
    mod left_behind;
    mod limits;
    mod outputs;
    mod own_disk;
    mod peers;
    mod processes;
    mod published_programs;
    mod run;
    mod shared_extents;
    mod threads;
    mod time;
    mod truth;
    mod unprivileged;
}

/// Tests that need commands that only this system has.
#[cfg(windows)]
mod windows {
    mod bad_input;
    mod commands;
    mod interruption;
    mod processes;
}

/// The program under test: the one that `BAKEOFF_TESTED_PROGRAM` names, such as a released one, or else the one that was built
/// with these tests.
fn program() -> PathBuf {
    std::env::var_os("BAKEOFF_TESTED_PROGRAM")
        .map_or_else(|| assert_cmd::cargo::cargo_bin!("bakeoff").to_path_buf(), PathBuf::from)
}
