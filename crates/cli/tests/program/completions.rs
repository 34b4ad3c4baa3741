//! What shells complete.

use std::fs;

use crate::sandbox::{Program, Sandbox, assert_shows, list, names, stdout, text};

/// Returns what is offered for the last of these words, as a shell asks for it; nothing else is said.
fn offered(sandbox: &Sandbox, shell: &str, words: &[&str]) -> Vec<String> {
    let mut program = Program::new(crate::program());
    program.envs(sandbox.variables()).current_dir(sandbox.dir()).env("BAKEOFF_COMPLETE", shell);
    program.env("_CLAP_COMPLETE_INDEX", (words.len() - 1).to_string());
    program.arg("--");
    program.args(words);
    stdout(&program.assert().success().stderr("")).lines().map(str::to_owned).collect()
}

/// Returns what Bash offers for a line; with a blank at its end, for the word that begins there.
fn in_bash(sandbox: &Sandbox, line: &str) -> Vec<String> {
    offered(sandbox, "bash", &line.split(' ').collect::<Vec<_>>())
}

#[track_caller]
fn assert_offered(line: &str, expected: &[&str]) {
    let sandbox = Sandbox::new();
    assert_eq!(in_bash(&sandbox, line), expected, "{line}");
    assert_eq!(names(&sandbox.path("home")), Vec::<String>::new(), "something was created");
    sandbox.assert_untouched();
}

#[test]
fn families_techniques_and_values_follow_each_other() {
    assert_offered("bakeoff run co", &["copy", "convert"]);
    assert_offered("bakeoff run cop", &["copy", "copy/"]);
    assert_offered("bakeoff show copy/std_c", &["copy/std_copy"]);
    assert_offered("bakeoff history copy/read_write", &["copy/read_write", "copy/read_write@"]);
    assert_offered("bakeoff explain copy/cpW", &["copy/cpW"]);
    assert_offered("bakeoff run control/spin_plus_2", &["control/spin_plus_2"]);
    assert_offered("bakeoff list cl", &["clock"]);
    assert_offered("bakeoff advise copy --among read_write,std_c", &["read_write,std_copy"]);
    assert_offered("bakeoff run clock --baseline clock_gettime", &[]);
}

#[test]
fn values_of_a_technique_are_those_that_a_run_takes() {
    let sandbox = Sandbox::new();
    let offered = in_bash(&sandbox, "bakeoff run copy/read_write@");
    let listed = sandbox.json("list copy");
    let listed = list(&listed["families"][0]["techniques"]);
    let names = listed.iter().map(|row| format!("copy/{}", text(&row["name"])));
    let expected: Vec<String> = names.filter(|name| name.starts_with("copy/read_write@")).collect();
    assert!(expected.len() > 2, "{expected:?}");
    assert_eq!(offered, expected);
}

#[test]
fn axes_and_metrics_are_those_of_the_families_on_the_line() {
    assert_offered("bakeoff run sort --set or", &["order="]);
    assert_offered("bakeoff run sort --set order=s", &["order=sorted"]);
    assert_offered("bakeoff run clock --set or", &[]);
    assert_offered("bakeoff explain copy --set file", &["files=", "file_bytes="]);
    assert_offered("bakeoff advise sort order=s", &["order=sorted"]);
    assert_offered("bakeoff run copy --metric mem", &["memory"]);
    assert_offered("bakeoff run --cache co", &["cold"]);
}

#[test]
fn jobs_are_offered_where_no_family_begins_like_the_word() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.dir().join("mine")).expect("a folder");
    for name in ["job.toml", "job.txt", "mine/other.toml"] {
        fs::write(sandbox.dir().join(name), "").expect("a file");
    }
    assert_eq!(in_bash(&sandbox, "bakeoff run job"), ["job.toml"]);
    let below = in_bash(&sandbox, "bakeoff run mine/o").concat();
    assert_eq!(below.replace('\\', "/"), "mine/other.toml");
}

#[test]
fn runs_are_offered_the_latest_first() {
    let sandbox = Sandbox::new();
    let store = sandbox.store().display().to_string();
    let ids = ["--seed 1", "--seed 2"].map(|seed| {
        sandbox.ran(seed);
        sandbox.last_id()
    });
    let [first, second] = ids.each_ref().map(String::as_str);
    let kept = |line: &str| in_bash(&sandbox, &format!("bakeoff --store {store} {line}"));
    assert_eq!(kept("export "), ["last", second, first]);
    assert_eq!(kept("compare last 2"), [second, first]);
    assert_eq!(kept("compare last published:xeon-4"), ["published:xeon-4way-w2000-ntfs"]);
    assert_eq!(kept("report "), [&["last", second, first][..], &FAMILIES].concat());
    assert_eq!(in_bash(&sandbox, &format!("bakeoff report --store={store} la")), ["last"]);
    let shown = offered(&sandbox, "fish", &["bakeoff", "--store", &store, "export", second]);
    assert!(shown[0].starts_with(&format!("{second}\tcopy 20")), "{shown:?}");
}

const FAMILIES: [&str; 9] =
    ["copy", "convert", "search", "sort", "disk", "pipeline", "threads", "blocks", "clock"];

#[test]
fn a_store_that_is_absent_or_no_store_offers_no_runs() {
    let sandbox = Sandbox::new();
    assert_offered("bakeoff export la", &[]);
    assert_offered("bakeoff report ", &FAMILIES);
    let foreign = sandbox.file("foreign.sqlite", "no store");
    assert_eq!(in_bash(&sandbox, &format!("bakeoff --store {} export la", foreign.display())), [""; 0]);
    assert_eq!(fs::read_to_string(foreign).expect("the file"), "no store");
}

#[test]
fn every_shell_is_answered() {
    let sandbox = Sandbox::new();
    let question = "How do I copy a file?";
    for (shell, said) in [
        ("bash", "copy".to_owned()),
        ("/usr/bin/bash", "copy".to_owned()),
        ("zsh", format!("copy:{question}")),
        ("fish", format!("copy\t{question}")),
        ("powershell", format!("copy\t{question}")),
        ("elvish", "copy".to_owned()),
    ] {
        let lines = offered(&sandbox, shell, &["bakeoff", "run", "cop"]);
        assert_eq!(lines[0], said, "{shell}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.shown(&["completions", shell]);
        assert_shows(&script, &["BAKEOFF_COMPLETE", shell, "bakeoff"]);
    }
}

#[test]
fn a_variable_of_another_program_changes_nothing() {
    let sandbox = Sandbox::new();
    for value in ["", "0", "1", "yes", "tcsh"] {
        let mut program = sandbox.bakeoff("--version");
        let said = stdout(&program.env("BAKEOFF_COMPLETE", value).assert().success().stderr(""));
        assert!(said.starts_with("bakeoff "), "{value}: {said}");
    }
}
