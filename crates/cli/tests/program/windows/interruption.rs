//! A run that is interrupted keeps what it has measured and leaves nothing behind.

use std::fs;

use super::processes::Beside;
use crate::sandbox::{Sandbox, assert_shows, is_well, list, stdout, wait_until};

/// A run that would take an hour, one of whose commands writes the number of the round under way into a file.
fn long_run(sandbox: &Sandbox) -> Beside {
    let beat = sandbox.path("beat");
    // Without the blank a round of one digit would be the number of a handle.
    let script = sandbox.file("beat.cmd", &format!("@echo %BAKEOFF_ROUND% > \"{}\"\r\n", beat.display()));
    let external = format!("beat=\"{}\"", script.display());
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let limits = ["--rounds", "10000", "--budget", "1h"];
    let words = [
        "run",
        "--dir",
        &dir,
        "control/sleep_20ms",
        "control/spin_a",
        "control/spin_b",
        "--command",
        &external,
    ];
    Beside::start(sandbox, &[&words[..], &limits[..]].concat())
}

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn ctrl_c_ends_a_run_that_keeps_its_whole_rounds() {
    let sandbox = Sandbox::new();
    let run = long_run(&sandbox);
    let beat = sandbox.path("beat");
    wait_until("the fourth round", || {
        let text = fs::read_to_string(&beat).unwrap_or_default();
        text.trim().parse::<u32>().is_ok_and(|now| now >= 4)
    });
    run.press_ctrl_c();
    let output = run.end();
    let (shown, said) = (utf8(&output.stdout), utf8(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_shows(&shown, "interrupted | sleep_20ms");
    assert!(said.ends_with("bakeoff: interrupted\n"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    sandbox.assert_clean();
    let run = sandbox.exported();
    assert_eq!(run["run"]["complete"], false);
    assert!(run["contests"][0]["rounds"].as_u64().is_some_and(|rounds| rounds >= 3), "{run}");
    assert!(list(&run["trials"]).iter().all(is_well), "{run}");
    let report = sandbox.bakeoff("report last").assert().success();
    assert_eq!(stdout(&report), shown);
}

#[test]
fn ctrl_c_before_the_first_round_leaves_nothing() {
    let sandbox = Sandbox::new();
    let started = sandbox.path("started");
    // Windows has no command that sleeps; this one waits for a second between two of its echoes.
    let script = format!("@echo started> \"{}\"\r\n@ping -n 86399 127.0.0.1 > NUL\r\n", started.display());
    let external = format!("wait=\"{}\"", sandbox.file("wait.cmd", &script).display());
    let dir = sandbox.dir().to_string_lossy().into_owned();
    let run = Beside::start(&sandbox, &["run", "--dir", &dir, "control/sleep_20ms", "--command", &external]);
    wait_until("the first start", || started.exists());
    run.press_ctrl_c();
    let output = run.end();
    let said = utf8(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_eq!(utf8(&output.stdout), "");
    assert_shows(&said, "nothing was measured");
    sandbox.assert_clean();
}
