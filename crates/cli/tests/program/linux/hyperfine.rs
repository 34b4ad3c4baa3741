//! What users of hyperfine know, and the guide for them.

use std::fs;

use serde_json::json;

use crate::sandbox::{Sandbox, from_json, list, samples, stderr, stdout};

#[test]
fn every_line_of_the_guide_for_users_of_hyperfine_runs() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/hyperfine.md");
    let guide = fs::read_to_string(guide).expect("the guide");
    let rows: Vec<&str> =
        guide.lines().filter(|line| line.starts_with("| ") && line.contains("| `bakeoff ")).collect();
    // The head is the only other row.
    assert_eq!(rows.len() + 1, guide.lines().filter(|line| line.starts_with("| ")).count());
    assert!(rows.len() > 25, "{rows:?}");
    let program = crate::program();
    let folder = program.parent().expect("a folder");
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    for row in rows {
        // A bar inside of a cell stands behind a backslash.
        let cells: Vec<String> =
            row.replace("\\|", "\0").split('|').map(|cell| cell.trim().replace('\0', "|")).collect();
        let line = cells[2].trim_matches('`');
        assert!(line.starts_with("bakeoff ") && !line.contains('`'), "{row}");
        let sandbox = Sandbox::new();
        fs::write(sandbox.dir().join("f"), "b\na\nb\n").expect("a file");
        let mut shell = assert_cmd::Command::new("sh");
        shell.envs(sandbox.variables()).env("PATH", &path).current_dir(sandbox.dir());
        let assert = shell.args(["-c", line]).assert().success();
        assert!(!stderr(&assert).contains("warning"), "{line}: {}", stderr(&assert));
    }
}

/// Returns the lines that commands have appended to the file `log` of this sandbox.
fn logged(sandbox: &Sandbox) -> Vec<String> {
    let log = fs::read_to_string(sandbox.dir().join("log")).expect("the log");
    log.lines().map(str::to_owned).collect()
}

fn time(sandbox: &Sandbox, arguments: &[&str]) -> crate::sandbox::Program {
    let mut command = sandbox.bakeoff("time --shell");
    command.current_dir(sandbox.dir()).args(arguments);
    command
}

#[test]
fn runs_to_warm_up_come_before_one_that_is_not_counted() {
    let sandbox = Sandbox::new();
    time(&sandbox, &["--warmup", "3", "-n", "2", "--name", "one", "echo run >> log"]).assert().success();
    assert_eq!(logged(&sandbox), ["run"; 3 + 1 + 2]);
    assert_eq!(samples(&sandbox.exported(), "one"), 3);
}

#[test]
fn the_setups_of_all_commands_come_before_the_first_run_of_any() {
    let sandbox = Sandbox::new();
    let scan = ["-n", "2", "-L", "n", "1,2", "--setup", "echo setup {n} >> log", "echo run {n} >> log"];
    time(&sandbox, &scan).assert().success();
    let lines = logged(&sandbox);
    assert_eq!(lines[..2], ["setup 1", "setup 2"]);
    assert!(lines[2..].iter().all(|line| line.starts_with("run ")), "{lines:?}");
}

#[test]
fn a_command_finds_on_standard_input_what_a_shell_gives_it() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.dir().join("f"), "from a file\n").expect("a file");
    let mut cat = time(&sandbox, &["-n", "1", "--show-output", "cat", "cat < f"]);
    let shown = stdout(&cat.write_stdin("typed\n").assert().success());
    assert!(shown.contains("from a file\n") && !shown.contains("typed"), "{shown}");
}

#[test]
fn the_values_of_a_scan_are_exported_as_hyperfine_does() {
    let sandbox = Sandbox::new();
    let scan = ["-n", "2", "-i", "-L", "code", "0,3", "exit {code}", "true", "--export-hyperfine", "at-once"];
    time(&sandbox, &scan).assert().success();
    let at_once = fs::read_to_string(sandbox.dir().join("at-once")).expect("an export");
    let results = from_json(&at_once);
    let [zero, three, right] = ["exit 0", "exit 3", "true"].map(|command| {
        let mut results = list(&results["results"]).iter();
        results.find(|one| one["command"] == command).unwrap_or_else(|| panic!("{command}: {at_once}"))
    });
    assert_eq!(zero["parameters"], json!({"code": "0"}));
    assert_eq!(three["parameters"], json!({"code": "3"}));
    assert_eq!(three["exit_codes"], json!([null, null, null]), "none was looked at");
    assert_eq!(right["parameters"]["technique"], json!("true"));
    let later = sandbox.shown("export last --format hyperfine");
    assert_eq!(later.trim_end(), at_once.trim_end());
}
