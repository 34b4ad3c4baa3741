//! Outputs that are closed, full or no files.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::processes::Beside;
use crate::sandbox::{SMALL, Sandbox, assert_refused, names, wait_until};

fn bakeoff(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(crate::program());
    command.envs(sandbox.variables()).arg("--store").arg(sandbox.store()).args(arguments);
    command
}

/// Returns a device on which nothing has space.
fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").expect("/dev/full").into()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[test]
fn a_full_standard_output_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    let commands: [&[&str]; 5] =
        [&["list"], &["host"], &["completions", "bash"], &["--help"], &["time", "--help"]];
    for arguments in commands {
        let output = bakeoff(&sandbox, arguments).stdout(full()).output().expect("the program starts");
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
        assert!(
            said.contains("cannot be written") && said.contains("No space left"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn a_full_standard_error_changes_nothing_else() {
    let sandbox = Sandbox::new();
    let refused = bakeoff(&sandbox, &["run", "cpoy"]).stderr(full()).output().expect("the program starts");
    assert_eq!(refused.status.code(), Some(2));
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let run = bakeoff(&sandbox, &[&["run", "--dir", &dir], SMALL].concat()).stderr(full()).output();
    let run = run.expect("the program starts");
    assert_eq!(run.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&run.stdout).contains("slower by"));
    sandbox.assert_clean();
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let sandbox = Sandbox::new();
    for arguments in [&["list"][..], &["completions", "bash"], &["--help"]] {
        let mut command = bakeoff(&sandbox, arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        assert_eq!((output.status.code(), said(&output)), (Some(0), String::new()), "{arguments:?}");
    }
}

#[test]
fn an_export_replaces_files_only_and_with_the_usual_rights() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    symlink("/dev/null", sandbox.path("null")).expect("a link");
    sandbox.bakeoff("export --format csv --output").arg(sandbox.path("null")).assert().success();
    assert!(sandbox.path("null").is_symlink(), "a device was replaced");
    let kept = sandbox.file("kept", "before");
    symlink(&kept, sandbox.path("link")).expect("a link");
    sandbox.bakeoff("export --format csv --output").arg(sandbox.path("link")).assert().success();
    assert!(
        sandbox.path("link").is_symlink() && fs::read_to_string(&kept).expect("a file").contains("std_copy")
    );
    sandbox.bakeoff("export --format csv --output").arg(sandbox.path("new")).assert().success();
    sandbox.file("usual", "");
    let [new, usual] = ["new", "usual"].map(|name| fs::metadata(sandbox.path(name)).expect("a file"));
    assert_eq!(new.permissions().mode(), usual.permissions().mode());
}

#[test]
fn what_is_no_file_is_not_removed_when_records_do_not_fit() {
    let sandbox = Sandbox::new();
    symlink("/dev/full", sandbox.path("full")).expect("a link");
    let mut command = sandbox.bakeoff("generate 100000 --force");
    assert_refused(command.arg(sandbox.path("full")), "full | cannot be written | No space left");
    assert!(sandbox.path("full").is_symlink());
}

#[test]
fn more_records_than_the_disk_holds_are_refused() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("records");
    let mut command = sandbox.bakeoff("generate 18446744073709551615");
    assert_refused(command.arg(&file), "records | free | elsewhere");
    assert!(!file.exists());
}

/// Returns whether files can be made immutable here, which only root may do, and not on every file system.
pub(crate) fn can_be_immutable(sandbox: &Sandbox) -> bool {
    let fixed = sandbox.file("fixed", "");
    let change = |change: &str| match Command::new("chattr").arg(change).arg(&fixed).output() {
        Ok(changed) if changed.status.success() => Ok(()),
        Ok(changed) => Err(format!("no file can be made immutable here: {}", said(&changed).trim())),
        Err(error) => Err(format!("chattr, of the package e2fsprogs, cannot be started: {error}")),
    };
    let can_be = change("+i");
    assert!(can_be.is_err() || change("-i").is_ok(), "an own file stays immutable");
    needs::are_met(can_be)
}

/// Kills the program as soon as it has a file of this folder open, or lets it end where it was faster.
fn killed_while_it_writes(sandbox: &Sandbox, arguments: &[&str], folder: &Path) {
    let mut run = Beside::start(sandbox, arguments);
    wait_until("a file that is written", || run.has_open(folder) || run.has_ended());
    if !run.has_ended() {
        run.signal("KILL");
    }
    run.end();
}

#[test]
fn a_file_whose_writer_is_killed_is_as_it_was_or_whole() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    let folder = sandbox.path("written");
    fs::create_dir(&folder).expect("a folder");
    let are_nameless = sys::nameless_file::create(&folder).is_some();
    let file = folder.join("file");
    let shown = file.to_str().expect("UTF-8");
    for arguments in [&["export", "--format", "json", "--output", shown][..], &["report", "--html", shown]] {
        sandbox.bakeoff(arguments).assert().success();
        let whole = fs::read_to_string(&file).expect("the file");
        for before in [None, Some("what stood there before")] {
            for _ in 0..10 {
                fs::remove_file(&file).ok();
                before.inspect(|text| fs::write(&file, text).expect("written"));
                killed_while_it_writes(&sandbox, arguments, &folder);
                let left = fs::read_to_string(&file).ok();
                let is_right = left.as_deref() == before || left.as_ref() == Some(&whole);
                assert!(is_right, "{arguments:?}: {left:?}");
                // None replaces another at once: between its name and its place a kill leaves what says that it is unfinished.
                let may_be_unfinished = before.is_some() || !are_nameless;
                for other in names(&folder).into_iter().filter(|name| name != "file") {
                    assert!(may_be_unfinished && other.starts_with(".bakeoff-unfinished-"), "{other}");
                }
            }
        }
        // The next one that writes there removes what is left of those that were killed.
        let left = folder.join(".bakeoff-unfinished-left");
        fs::write(&left, "half").expect("written");
        sandbox.bakeoff(arguments).assert().success();
        assert!(!left.exists());
    }
}
