//! The manual.

use std::fs;

use crate::sandbox::{Sandbox, assert_refused, names};

/// The commands that the help lists.
fn listed(sandbox: &Sandbox) -> Vec<String> {
    let help = sandbox.shown("--help");
    let rows = help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let first = rows.filter_map(|line| line.split_whitespace().next());
    first.filter(|word| *word != "bakeoff" && !word.starts_with('-')).map(str::to_owned).collect()
}

#[test]
fn every_command_has_its_page() {
    let sandbox = Sandbox::new();
    sandbox.bakeoff("man-pages").arg(sandbox.dir()).assert().success().stdout("").stderr("");
    let commands = listed(&sandbox);
    assert!(commands.len() > 15 && commands.contains(&"advise".to_owned()), "{commands:?}");
    let mut expected: Vec<String> = commands.iter().map(|command| format!("bakeoff-{command}.1")).collect();
    expected.push("bakeoff.1".to_owned());
    expected.sort();
    let mut written = names(&sandbox.dir());
    written.sort();
    assert_eq!(written, expected);
    for name in &written {
        let page = fs::read_to_string(sandbox.dir().join(name)).expect("a page");
        for section in
            ["\" \"User Commands\"\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH DESCRIPTION\n", "\n.SH OPTIONS\n"]
        {
            assert!(page.contains(section), "{section} in {name}:\n{page}");
        }
        // Of each option or argument there is a text.
        for item in page.split("\n.TP\n").skip(1) {
            assert!(item.lines().nth(1).is_some_and(|text| !text.is_empty()), "{name}: {item}");
        }
        for alias in ["contender", "reference", "until", "delta"] {
            assert!(!page.contains(&format!("\\-\\-{alias}")), "{alias} in {name}");
        }
    }
    let run = fs::read_to_string(sandbox.dir().join("bakeoff-run.1")).expect("a page");
    assert!(run.contains("\\-\\-commands\\-file") && run.contains("\\-\\-tolerance"), "{run}");
}

#[test]
fn a_manual_that_cannot_be_written_is_refused() {
    let sandbox = Sandbox::new();
    let absent = sandbox.word("absent");
    assert_refused(
        &mut sandbox.bakeoff(&["man-pages", &absent]),
        "the manual cannot be written into | absent",
    );
}
