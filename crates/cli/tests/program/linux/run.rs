//! What only shows on Linux: where things are kept, and what a terminal sees.

use std::process::Command;

use super::processes::of_stage;
use crate::sandbox::{SMALL, Sandbox, names, stdout};

#[test]
fn without_a_name_the_store_stands_in_the_users_data_directory() {
    let sandbox = Sandbox::new();
    let mut command = crate::sandbox::Program::new(crate::program());
    command.envs(sandbox.variables()).arg("run").args(SMALL).arg("--dir").arg(sandbox.dir());
    let shown = stdout(&command.arg("--verbose").assert().success());
    let store = sandbox.path("home/data/bakeoff/bakeoff.sqlite");
    assert!(store.exists() && shown.contains("stored in"), "{shown}");
    assert_eq!(names(&sandbox.path("home/state/bakeoff/scratch")), Vec::<String>::new());
    assert_eq!(of_stage(&sandbox), Vec::<String>::new());
}

/// Returns what a terminal of 120 columns shows when this is typed in it.
pub(super) fn in_a_terminal(sandbox: &Sandbox, arguments: &str, variables: &[(&str, &str)]) -> String {
    after(sandbox, "", arguments, variables)
}

/// The same behind another command.
fn after(sandbox: &Sandbox, first: &str, arguments: &str, variables: &[(&str, &str)]) -> String {
    let program = crate::program();
    let line = format!("{first} '{}' --store '{}' {arguments}", program.display(), sandbox.store().display());
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &line, "/dev/null"]).envs(sandbox.variables());
    command.env("TERM", "xterm").env_remove("NO_COLOR").env_remove("COLUMNS").envs(variables.iter().copied());
    let output = command.output().expect("script, of the package bsdutils");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_terminal_sees_progress_and_colours_unless_unwanted() {
    let sandbox = Sandbox::new();
    let run = format!("run {} --dir '{}'", SMALL.join(" "), sandbox.dir().display());
    let shown = in_a_terminal(&sandbox, &run, &[]);
    assert!(shown.contains("round ") && shown.contains("\u{1b}["), "{shown:?}");
    let quiet = in_a_terminal(&sandbox, &format!("{run} --quiet"), &[("NO_COLOR", "1")]);
    assert!(quiet.contains("slower by") && !quiet.contains("round 0"), "{quiet:?}");
    let plain = in_a_terminal(&sandbox, "report", &[("NO_COLOR", "1")]);
    assert!(plain.contains("slower by") && !plain.contains('\u{1b}'), "{plain:?}");
    let dumb = in_a_terminal(&sandbox, "report", &[("TERM", "dumb")]);
    assert!(!dumb.contains('\u{1b}'), "{dumb:?}");
    let coloured = in_a_terminal(&sandbox, "report", &[]);
    assert!(coloured.contains("\u{1b}["), "{coloured:?}");
    sandbox.assert_clean();
}

#[test]
fn progress_fits_a_terminal_of_60_columns() {
    let sandbox = Sandbox::new();
    let run = format!("run {} --dir '{}'", SMALL.join(" "), sandbox.dir().display());
    let shown = after(&sandbox, "stty cols 60 rows 24 &&", &run, &[]);
    let bars: Vec<String> =
        shown.split(['\r', '\n']).map(without_codes).filter(|one| one.starts_with('[')).collect();
    assert!(bars.iter().any(|bar| bar.contains("round ")), "{shown:?}");
    for bar in bars {
        assert!(bar.chars().count() <= 60, "{bar:?}");
    }
}

#[test]
fn the_name_of_an_input_cannot_steer_the_terminal() {
    let sandbox = Sandbox::new();
    let input = sandbox.file("clear\u{1b}[2Jed", &"one line\n".repeat(1_000));
    let run = format!(
        "run copy/one_call copy/read_write --input '{}' --rounds 3 --dir '{}'",
        input.display(),
        sandbox.dir().display()
    );
    let shown = in_a_terminal(&sandbox, &run, &[]);
    assert!(shown.contains("clear") && shown.contains("ed"), "{shown:?}");
    assert!(!shown.contains("clear\u{1b}[2J"), "{shown:?}");
}

/// Returns what is left to read of a piece in which colours and the cursor's movements are reported.
fn without_codes(piece: &str) -> String {
    let mut parts = piece.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    let rest =
        parts.map(|part| part.split_once(|one: char| one.is_ascii_alphabetic()).map_or("", |(_, rest)| rest));
    rest.fold(first, |all, one| all + one)
}
